"""Analysis of variance for nested models: did the extra columns earn their keep?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.influence import column_basis
from lib.validation import as_matrix, as_vector


@dataclass(frozen=True)
class NestedTest:
    """The F-test of a small linear model inside a larger one."""

    rss_small: float
    rss_large: float
    extra: int  # dimensions the large model adds
    left: int  # n minus the dimension of the large model
    f: float  # (drop in RSS per extra dimension) / (noise variance left)
    p_value: float  # chance of an F at least as large when the small model is true


def nested_f_test(
    X_small: np.ndarray, X_large: np.ndarray, y: np.ndarray
) -> NestedTest:
    """Compare X_small (n, p) with X_large (n, q) whose columns span those of X_small too."""
    X_large = as_matrix(X_large, "X_large")
    X_small = as_matrix(X_small, "X_small", rows=len(X_large))
    y = as_vector(y, "y", length=len(X_large))
    small, large = column_basis(X_small), column_basis(X_large)
    outside = np.linalg.norm(small - large @ (large.T @ small))
    if outside > 1e-8:
        raise ValueError(
            "X_small: expected columns within the span of X_large, got others"
        )
    extra, left = large.shape[1] - small.shape[1], len(y) - large.shape[1]
    if extra < 1 or left < 1:
        raise ValueError(
            "expected X_large to add a column and to leave a degree of freedom, "
            f"got {extra} added and {left} left"
        )
    unit = np.abs(y).max() or 1.0  # F has no unit; squares stay in range
    rss_small, rss_large = (_rss(basis, y / unit) for basis in (small, large))
    noise = rss_large / left
    if not noise > (4 * np.finfo(float).eps) ** 2:
        raise ValueError(
            "y: expected noise around the large model, got an exact fit: F is 0/0"
        )
    f = (rss_small - rss_large) / extra / noise
    return NestedTest(
        float(rss_small * unit**2), float(rss_large * unit**2), extra, left, float(f),
        p_value=_upper_tail(extra, left, float(f)),
    )  # fmt: skip


def _rss(basis: np.ndarray, y: np.ndarray) -> float:
    residual = y - basis @ (basis.T @ y)
    return residual @ residual


def _upper_tail(extra: int, left: int, f: float) -> float:
    from scipy.special import (
        fdtrc,
    )  # the F distribution; SciPy loads only when asked for

    return float(fdtrc(extra, left, max(f, 0.0)))
