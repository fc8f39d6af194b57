"""Learning when nothing is known: every labelling of a finite set of inputs, one by one.

A learner here is a function ``learn(X, y, query)``: from training inputs X (n, d) with labels
y (n,) in {0, 1} it returns labels for the rows of `query`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.validation import as_matrix, whole

Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def binary_inputs(bits: int) -> np.ndarray:
    """Return all 2^bits vectors of zeros and ones, (2^bits, bits), in counting order."""
    bits = whole(bits, "bits", at_least=1, at_most=20)
    return (np.arange(2**bits)[:, None] >> np.arange(bits)[::-1]) & 1


def all_labellings(points: int) -> np.ndarray:
    """Return every function from `points` inputs to {0, 1}, one a row: (2^points, points)."""
    return binary_inputs(points)


def unseen_errors(learn: Learner, X: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return the share of unseen inputs a learner gets wrong, for every labelling, (2^|X|,).

    The learner is shown the true labels of the inputs `seen` and judged on all the others.
    """
    X = as_matrix(X, "X")
    seen = np.unique(np.asarray(seen, dtype=np.int64))
    if seen.size and (seen[0] < 0 or seen[-1] >= len(X)):
        raise ValueError(f"seen: expected numbers from 0 to {len(X) - 1}, got {seen}")
    unseen = np.setdiff1d(np.arange(len(X)), seen)
    if not unseen.size:
        raise ValueError("seen: expected at least one input to be left unseen")
    targets = all_labellings(len(X))
    guesses = {}  # the learner sees only the labels of `seen`: ask once for each of these
    errors = np.empty(len(targets))
    for i, target in enumerate(targets):
        known = target[seen]
        key = known.tobytes()
        if key not in guesses:
            guesses[key] = np.asarray(learn(X[seen], known, X[unseen]))
        errors[i] = np.mean(guesses[key] != target[unseen])
    return errors
