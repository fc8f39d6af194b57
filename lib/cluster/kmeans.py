"""k-means: prototypes that minimise the mean squared distance to the nearest one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from lib.validation import as_matrix, nonnegative, whole


@dataclass(frozen=True)
class KMeans:
    """A clustering: centres (k, d), labels (n,), inertia after every sweep, sweeps done.

    The inertia is Σᵢ ‖xᵢ − c(xᵢ)‖², the sum over samples of the squared distance to the centre.
    """

    centres: np.ndarray
    labels: np.ndarray
    inertias: np.ndarray

    @property
    def inertia(self) -> float:
        """The final inertia."""
        return float(self.inertias[-1])

    def predict(self, X: object) -> np.ndarray:
        """Return the nearest centre of each row of X (n, d), (n,)."""
        return nearest(as_matrix(X, "X", columns=self.centres.shape[1]), self.centres)[
            0
        ]


def nearest(X: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of the nearest centre (n,) and ‖x − c‖² − ‖x‖² for it (n,).

    ‖x‖² is the same for every centre, so it is left out of the comparison.
    """
    partial = X @ (-2.0 * centres.T)  # (n, k)
    partial += (centres * centres).sum(axis=1)
    labels = partial.argmin(axis=1)
    return labels, partial[np.arange(len(X)), labels]


def plus_plus(X: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Return k starting centres (k, d): each next one drawn in proportion to squared distance."""
    centres = [X[rng.integers(len(X))]]
    squares = ((X - centres[0]) ** 2).sum(axis=1)
    for _ in range(1, k):
        total = squares.sum()
        if total > 0:
            pick = int(
                np.searchsorted(np.cumsum(squares), rng.random() * total, "right")
            )
            pick = min(pick, len(X) - 1)
        else:  # fewer different points than centres
            pick = int(rng.integers(len(X)))
        centres.append(X[pick])
        np.minimum(squares, ((X - X[pick]) ** 2).sum(axis=1), out=squares)
    return np.array(centres)


def kmeans(
    X: object,
    k: int,
    *,
    rng: np.random.Generator,
    restarts: int = 1,
    start: object | None = None,
    max_sweeps: int = 300,
    tol: float = 0.0,
) -> KMeans:
    """Cluster X (n, d) into k groups by Lloyd's algorithm; the best of `restarts` runs.

    `start` (k, d) gives the centres to start from instead of k-means++. A run stops when no
    label changes, or when a sweep lowers the inertia by less than `tol` times its value.
    """
    X = as_matrix(X, "X")
    k = whole(k, "k", at_least=1, at_most=len(X))
    restarts = whole(restarts, "restarts", at_least=1)
    max_sweeps = whole(max_sweeps, "max_sweeps", at_least=1)
    tol = nonnegative(tol, "tol")
    shift = X.mean(axis=0)  # centring keeps the expanded square from cancelling
    X = X - shift
    if start is not None:
        start = as_matrix(start, "start", rows=k, columns=X.shape[1]) - shift
        restarts = 1
    runs = [
        _lloyd(X, plus_plus(X, k, rng) if start is None else start, max_sweeps, tol)
        for _ in range(restarts)
    ]
    best = min(runs, key=lambda run: run.inertia)
    return KMeans(best.centres + shift, best.labels, best.inertias)


def _lloyd(X: np.ndarray, centres: np.ndarray, max_sweeps: int, tol: float) -> KMeans:
    """Alternate between nearest centres and means until nothing changes."""
    square = float(np.einsum("ij,ij->", X, X))
    labels, partial = nearest(X, centres)
    inertias = [max(square + partial.sum(), 0.0)]
    for _ in range(max_sweeps):
        centres = _means(X, labels, partial, centres)
        new_labels, partial = nearest(X, centres)
        inertias.append(max(square + float(partial.sum()), 0.0))
        settled = np.array_equal(new_labels, labels)
        labels = new_labels
        if settled or inertias[-2] - inertias[-1] < tol * inertias[-2]:
            break
    # The expansion leaves rounding in the last digits; the final value is summed directly.
    inertias[-1] = float(((X - centres[labels]) ** 2).sum())
    return KMeans(centres, labels, np.array(inertias))


def _means(
    X: np.ndarray, labels: np.ndarray, partial: np.ndarray, centres: np.ndarray
) -> np.ndarray:
    """Return the mean of each group, (k, d); an empty group takes the worst-served sample."""
    k = len(centres)
    count = np.bincount(labels, minlength=k)
    # One 1 in each row, at the sample's label: a sparse product adds up each group.
    member = csr_array((np.ones(len(X)), labels, np.arange(len(X) + 1)), (len(X), k))
    means = (member.T @ X) / np.maximum(count, 1)[:, None]
    empty = np.flatnonzero(count == 0)
    if empty.size:
        distance = partial + np.einsum("ij,ij->i", X, X)
        means[empty] = X[np.argsort(-distance, kind="stable")[: len(empty)]]
    return means
