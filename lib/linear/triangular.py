"""Triangular systems: one unknown at a time, no elimination needed."""

from __future__ import annotations

import numpy as np

from lib.validation import as_square, as_vector


def solve_lower(L: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve L z = b for lower-triangular L (d, d), from the first row to the last."""
    L = as_square(L, "L")
    b = as_vector(b, "b", length=len(L))
    _require_nonzero_diagonal(L, "L")
    z = np.zeros(len(L))
    for i in range(len(L)):
        z[i] = (b[i] - L[i, :i] @ z[:i]) / L[i, i]
    return z


def solve_upper(R: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve R z = b for upper-triangular R (d, d), from the last row to the first."""
    R = as_square(R, "R")
    b = as_vector(b, "b", length=len(R))
    _require_nonzero_diagonal(R, "R")
    z = np.zeros(len(R))
    for i in reversed(range(len(R))):
        z[i] = (b[i] - R[i, i + 1 :] @ z[i + 1 :]) / R[i, i]
    return z


def _require_nonzero_diagonal(T: np.ndarray, name: str) -> None:
    zero = np.flatnonzero(np.diag(T) == 0)
    if zero.size:
        raise ValueError(
            f"{name}: expected a nonzero diagonal, got 0 at ({zero[0]}, {zero[0]}): "
            "the columns are linearly dependent"
        )
