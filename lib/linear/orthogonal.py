"""Least squares by Householder's QR factorisation: reflections instead of Xᵀ X."""

from __future__ import annotations

import numpy as np

from lib.linear.triangular import solve_upper
from lib.validation import as_design, as_matrix


def reflect_to_triangle(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return R (d, d) and the first d entries of Qᵀ y, where X = Q R, for X (n, d) with n ≥ d.

    Each step reflects the rest of a column onto its first axis. The reflector of v is
    H = I - 2 v vᵀ / vᵀ v; Q, the product of all of them, is never formed: y is reflected along.
    """
    X, y = as_design(X, y)
    d = X.shape[1]
    as_matrix(X, "X", min_rows=d)
    work = np.column_stack([X, y])
    for j in range(d):
        v = work[j:, j].copy()
        # Away from zero: v gets longer, so no digits cancel.
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        length = np.linalg.norm(v)
        if length > 0:
            v /= length
            work[j:, j:] -= 2.0 * np.outer(v, v @ work[j:, j:])
    return np.triu(work[:d, :d]), work[:d, d]


def solve_by_qr(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the least-squares weights (d,): R θ = Qᵀ y, for X (n, d) of full column rank."""
    R, c = reflect_to_triangle(X, y)
    return solve_upper(R, c)
