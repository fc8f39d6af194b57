"""Mutual information of two continuous variables, from the distances to nearest neighbours.

Bins answer a question about bins. Kraskov, Stögbauer and Grassberger (2004) ask each sample how
far its k-th neighbour is, and how many others lie within that distance in x alone and in y alone.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import digamma

from lib.validation import as_vector, whole


def neighbour_information(x: object, y: object, k: int = 3) -> float:
    """Return the estimate ψ(k) + ψ(n) − mean of ψ(nₓ + 1) + ψ(n_y + 1), from samples x, y (n,).

    nₓ counts the samples nearer in x than the k-th neighbour is in the maximum norm. Both
    variables are first brought to standard deviation 1: the information does not depend on
    units, the estimate a little.
    """
    x = as_vector(x, "x")
    y = as_vector(y, "y", length=x.size)
    if x.size < 2:
        raise ValueError("x: expected at least 2 samples, got 1")
    k = whole(k, "k", at_least=1, at_most=x.size - 1)
    x, y = _scaled(x, "x"), _scaled(y, "y")
    points = np.column_stack([x, y])
    distances, _ = cKDTree(points).query(points, k=k + 1, p=np.inf)
    reach = distances[:, -1]
    if not reach.min() > 0:
        raise ValueError(
            f"x, y: expected continuous values, got more than {k} copies of one point"
        )
    near = digamma(_nearer(x, reach) + 1) + digamma(_nearer(y, reach) + 1)
    return float(digamma(k) + digamma(x.size) - near.mean())


def _scaled(x: np.ndarray, name: str) -> np.ndarray:
    largest = np.abs(x).max()
    spread = np.std(x / largest) if largest else 0.0
    if spread <= 4 * np.finfo(float).eps:
        raise ValueError(f"{name}: expected values that vary, got a constant")
    return x / largest / spread


def _nearer(x: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Return how many others lie strictly nearer to each entry of x (n,) than its reach (n,)."""
    # Strictly: the k-th neighbour itself is at the reach. The tree compares differences, so that
    # rounding cannot let it in, as searching for x ± reach in a sorted list would.
    column = x[:, None]
    inside = np.nextafter(reach, 0)
    return cKDTree(column).query_ball_point(column, inside, return_length=True) - 1
