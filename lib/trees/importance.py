"""Permutation importance: how much worse does a model get when a feature is shuffled?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.validation import as_matrix, whole


def permutation_importance(
    loss: Callable[[np.ndarray], float],
    X: object,
    *,
    repeats: int = 5,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return the mean rise of `loss(X)` when one column of X (n, d) is permuted, (d,).

    `loss` takes a matrix like X and returns a number, such as the error rate on held-out data.
    Shuffling keeps a feature's distribution but cuts its tie to everything else.
    """
    X = as_matrix(X, "X")
    repeats = whole(repeats, "repeats", at_least=1)
    base = loss(X)
    rise = np.zeros(X.shape[1])
    for j in range(X.shape[1]):
        shuffled = X.copy()
        for _ in range(repeats):
            shuffled[:, j] = rng.permutation(X[:, j])
            rise[j] += loss(shuffled) - base
    return rise / repeats
