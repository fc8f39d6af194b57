"""Singular values: condition number, pseudoinverse and the shortest least-squares solution."""

from __future__ import annotations

import numpy as np

from lib.validation import as_design, as_matrix

EPS = float(np.finfo(np.float64).eps)


def rank_threshold(shape: tuple[int, int]) -> float:
    """Return the share of the largest singular value below which one counts as rounding."""
    return max(shape) * EPS


def condition_number(X: np.ndarray) -> float:
    """Return κ(X), largest over smallest singular value: how much X can amplify an error.

    Infinite when X (n, d) has no full rank to working precision.
    """
    X = as_matrix(X, "X")
    s = np.linalg.svd(X / (np.abs(X).max() or 1.0), compute_uv=False)
    return (
        float(s[0] / s[-1]) if s[-1] > rank_threshold(X.shape) * s[0] else float("inf")
    )


def pseudoinverse(X: np.ndarray) -> np.ndarray:
    """Return the Moore-Penrose inverse X⁺ (d, n): V diag(1/s) Uᵀ over the nonzero s only."""
    X = as_matrix(X, "X")
    unit = np.abs(X).max() or 1.0
    U, s, Vt = np.linalg.svd(X / unit, full_matrices=False)
    keep = s > rank_threshold(X.shape) * s[0]
    return (Vt[keep].T / s[keep]) @ U[:, keep].T / unit


def solve_by_svd(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return X⁺ y (d,): of all least-squares solutions the one of least length."""
    X, y = as_design(X, y)
    return pseudoinverse(X) @ y
