"""Competitive learning: vector quantisation one sample at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.validation import as_matrix, whole


def competitive_learning(
    X: object,
    start: object,
    *,
    epochs: int,
    rate: Callable[[int], float],
    rng: np.random.Generator,
) -> np.ndarray:
    """Return prototypes (k, d) after moving the winner towards each sample.

    X is (n, d), `start` (k, d). `rate(t)` is the step of the t-th win of a prototype, t = 1, 2, …:
    with rate 1/t each prototype is the running mean of the samples it has won, which is online
    k-means; a constant rate never settles but follows data that drift.
    """
    X = as_matrix(X, "X")
    W = as_matrix(start, "start", columns=X.shape[1]).copy()
    wins = np.zeros(len(W), dtype=int)
    for _ in range(whole(epochs, "epochs", at_least=1)):
        for i in rng.permutation(len(X)):
            winner = int(((W - X[i]) ** 2).sum(axis=1).argmin())
            wins[winner] += 1
            step = rate(int(wins[winner]))
            if not 0.0 <= step <= 1.0:
                raise ValueError(f"rate: expected values in [0, 1], got {step:g}")
            W[winner] += step * (X[i] - W[winner])
    return W
