"""Nearest neighbours: the answer of the training samples that look most like the query.

It needs no fitting at all, and with k = 1 it is the purest memoriser there is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from lib.validation import as_labels, as_matrix, as_vector, whole


def nearest_indices(X: np.ndarray, query: np.ndarray, k: int = 1) -> np.ndarray:
    """Return for each row of `query` (m, d) the k nearest rows of X (n, d): (m, k), nearest first.

    Distances are Euclidean; of equally near rows the one that stands first in X wins.
    """
    X = as_matrix(X, "X")
    query = as_matrix(query, "query", columns=X.shape[1])
    k = whole(k, "k", at_least=1, at_most=len(X))
    distances = cdist(query, X, "sqeuclidean")  # (m, n)
    if k == 1:
        return distances.argmin(axis=1)[:, None]
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


def nearest_class(k: int = 1) -> Callable:
    """Return the learner that answers with the most frequent label among the k nearest.

    On ties the smallest label wins.
    """

    def fit(X: np.ndarray, y: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        X = as_matrix(X, "X")
        labels = as_labels(y, "y", length=len(X))
        classes = labels.max() + 1

        def predict(query: np.ndarray) -> np.ndarray:
            votes = labels[nearest_indices(X, query, k)]  # (m, k)
            counts = (votes[:, :, None] == np.arange(classes)).sum(axis=1)
            return counts.argmax(axis=1)

        return predict

    return fit


def nearest_mean(k: int = 1) -> Callable:
    """Return the learner that answers with the mean target of the k nearest."""

    def fit(X: np.ndarray, y: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        X = as_matrix(X, "X")
        y = as_vector(y, "y", length=len(X))
        return lambda query: y[nearest_indices(X, query, k)].mean(axis=1)

    return fit
