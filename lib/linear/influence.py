"""The hat matrix: how far each observation pulls its own prediction."""

from __future__ import annotations

import numpy as np

from lib.linear.least_squares import equilibrate
from lib.linear.singular_values import rank_threshold
from lib.validation import as_design, as_matrix


def hat_matrix(X: np.ndarray) -> np.ndarray:
    """Return H (n, n), the orthogonal projector onto the columns of X (n, d): ŷ = H y."""
    Q = column_basis(X)
    return Q @ Q.T


def leverage(X: np.ndarray) -> np.ndarray:
    """Return the diagonal of H (n,) without forming H: squared row lengths of a basis."""
    Q = column_basis(X)
    return np.einsum("ij,ij->i", Q, Q)


def column_basis(X: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (n, rank) of the column space of X (n, d)."""
    scaled, _ = equilibrate(as_matrix(X, "X"))
    U, s, _ = np.linalg.svd(scaled, full_matrices=False)
    return U[:, s > rank_threshold(scaled.shape) * s[0]]


def left_out_residuals(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the n residuals that each sample has when the fit never saw it, from one fit.

    The residual of the full fit, divided by one minus the leverage. A sample of leverage one is
    the only witness of some direction: without it the fit is not determined.
    """
    X, y = as_design(X, y)
    Q = column_basis(X)
    h = np.einsum("ij,ij->i", Q, Q)
    alone = np.flatnonzero(h > 1 - 1e-10)
    if alone.size:
        raise ValueError(
            f"X: expected every sample to have leverage below 1, got 1 in row {alone[0]}: "
            "without it the fit is not determined"
        )
    unit = np.abs(y).max() or 1.0
    residual = y / unit - Q @ (Q.T @ (y / unit))
    return residual / (1 - h) * unit
