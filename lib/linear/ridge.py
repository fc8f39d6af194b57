"""Ridge regression: least squares with a price on the squared length of the weights.

Minimises ‖y − Xθ‖² + λ‖θ‖². With X = UΣVᵀ the minimiser is Σⱼ vⱼ · σⱼ/(σⱼ² + λ) · uⱼᵀy: each
direction of the data is shrunk by σⱼ²/(σⱼ² + λ). One decomposition serves every λ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lib.linear.positive_definite import trusted_solver
from lib.linear.singular_values import rank_threshold
from lib.validation import as_design, as_matrix, as_vector, nonnegative, positive


def ridge(X: object, y: object, lam: float) -> np.ndarray:
    """Return the weights (d,) for X (n, d), y (n,) and λ = `lam` > 0.

    Solves the smaller of two equal systems: (XᵀX + λI)θ = Xᵀy of size d, or, when there are
    fewer samples than features, θ = Xᵀα with (XXᵀ + λI)α = y of size n.
    """
    X, y = as_design(X, y)
    lam = positive(lam, "lam")
    n, d = X.shape
    tall = n >= d
    with np.errstate(over="ignore", invalid="ignore"):
        A = X.T @ X if tall else X @ X.T
        A[np.diag_indices_from(A)] += lam
        solve = trusted_solver(A)
    if solve is None:
        # λ is all but lost beside XᵀX, or XᵀX overflows: singular values resolve it.
        return ridge_path(X, y, [lam])[0]
    return solve(X.T @ y) if tall else X.T @ solve(y)


def ridge_path(X: object, y: object, lams: Iterable[float]) -> np.ndarray:
    """Return the weights for each λ ≥ 0, (len(lams), d), from one singular value decomposition.

    λ = 0 gives the least-squares solution of least length.
    """
    X, y = as_design(X, y)
    lams = [nonnegative(lam, "lam") for lam in lams]
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    projected = U.T @ y  # (r,)
    filters = np.array([_filter(s, lam, X.shape) for lam in lams]).reshape(-1, len(s))
    with np.errstate(over="ignore", invalid="ignore"):
        thetas = (filters * projected) @ Vt  # (len(lams), d)
    if not np.isfinite(thetas).all():
        raise ValueError(
            "X, y: expected weights within the range of a float, got larger ones"
        )
    return thetas


def _filter(s: np.ndarray, lam: float, shape: tuple[int, int]) -> np.ndarray:
    """Return σ/(σ² + λ) for each singular value, as 1/(σ + λ/σ): no square overflows.

    A singular value that is rounding beside the largest counts as zero.
    """
    kept = s > s[0] * rank_threshold(shape)
    result = np.zeros_like(s)
    with np.errstate(over="ignore"):
        result[kept] = 1.0 / (s[kept] + lam / s[kept])
    return result


def shrinkage(X: object, lam: float) -> np.ndarray:
    """Return σⱼ²/(σⱼ² + λ) for each singular value of X (n, d): what is left of each direction."""
    X = as_matrix(X, "X")
    s = np.linalg.svd(X, compute_uv=False)
    return s * _filter(s, positive(lam, "lam"), X.shape)


def effective_parameters(X: object, lam: float) -> float:
    """Return Σⱼ σⱼ²/(σⱼ² + λ), the trace of the matrix that maps y to the fit."""
    return float(shrinkage(X, lam).sum())


def ridge_objective(X: object, y: object, theta: object, lam: float) -> float:
    """Return ‖y − Xθ‖² + λ‖θ‖²."""
    X, y = as_design(X, y)
    theta = as_vector(theta, "theta", length=X.shape[1])
    residual = y - X @ theta
    return float(residual @ residual) + nonnegative(lam, "lam") * float(theta @ theta)
