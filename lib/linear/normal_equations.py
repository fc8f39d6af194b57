"""Least squares by the normal equations and Cholesky's factorisation."""

from __future__ import annotations

import numpy as np

from lib.linear.triangular import solve_lower, solve_upper
from lib.validation import as_design, as_symmetric


def cholesky(A: np.ndarray) -> np.ndarray:
    """Return the lower-triangular L with A = L Lᵀ and a positive diagonal, for A (d, d).

    It exists exactly when A is symmetric positive definite; otherwise a ``ValueError`` names the
    first pivot that is not positive.
    """
    A = as_symmetric(A, "A")
    L = np.zeros_like(A)
    for j in range(len(A)):
        pivot = A[j, j] - L[j, :j] @ L[j, :j]
        if not pivot > 0:
            raise ValueError(
                f"A: expected a positive definite matrix, got pivot {pivot:.3g} in column {j}"
            )
        L[j, j] = np.sqrt(pivot)
        L[j + 1 :, j] = (A[j + 1 :, j] - L[j + 1 :, :j] @ L[j, :j]) / L[j, j]
    return L


def solve_by_cholesky(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the least-squares weights (d,) from Xᵀ X θ = Xᵀ y, for X (n, d) and y (n,).

    The cheapest way, n d² + d³/3 operations, and the least accurate: forming Xᵀ X squares the
    condition number.
    """
    X, y = as_design(X, y)
    L = cholesky(X.T @ X)  # Xᵀ X = L Lᵀ
    z = solve_lower(L, X.T @ y)  # L z = Xᵀ y
    return solve_upper(L.T, z)  # Lᵀ θ = z
