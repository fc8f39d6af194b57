"""Ridge regression: least squares with a price on the squared length of the weights.

Minimises ‖y − Xθ‖² + λ‖θ‖². With X = UΣVᵀ the minimiser is Σⱼ vⱼ · σⱼ/(σⱼ² + λ) · uⱼᵀy: each
direction of the data is shrunk by σⱼ²/(σⱼ² + λ). One decomposition serves every λ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.linalg import cho_factor, cho_solve

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
    A = X.T @ X if tall else X @ X.T
    A[np.diag_indices_from(A)] += lam
    try:
        solved = cho_solve(
            cho_factor(A, lower=True, overwrite_a=True), X.T @ y if tall else y
        )
    except np.linalg.LinAlgError:
        # λ is lost in rounding beside XᵀX: the singular values still resolve it.
        return ridge_path(X, y, [lam])[0]
    return solved if tall else X.T @ solved


def ridge_path(X: object, y: object, lams: Iterable[float]) -> np.ndarray:
    """Return the weights for each λ ≥ 0, (len(lams), d), from one singular value decomposition.

    λ = 0 gives the least-squares solution of least length.
    """
    X, y = as_design(X, y)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    projected = U.T @ y  # (r,)
    kept = s > s[0] * max(X.shape) * np.finfo(float).eps
    thetas = []
    for lam in lams:
        lam = nonnegative(lam, "lam")
        factor = np.divide(s, s**2 + lam, out=np.zeros_like(s), where=kept | (lam > 0))
        thetas.append(Vt.T @ (factor * projected))
    return np.array(thetas)


def shrinkage(X: object, lam: float) -> np.ndarray:
    """Return σⱼ²/(σⱼ² + λ) for each singular value of X (n, d): what is left of each direction."""
    s = np.linalg.svd(as_matrix(X, "X"), compute_uv=False)
    return s**2 / (s**2 + positive(lam, "lam"))


def effective_parameters(X: object, lam: float) -> float:
    """Return Σⱼ σⱼ²/(σⱼ² + λ), the trace of the matrix that maps y to the fit."""
    return float(shrinkage(X, lam).sum())


def ridge_objective(X: object, y: object, theta: object, lam: float) -> float:
    """Return ‖y − Xθ‖² + λ‖θ‖²."""
    X, y = as_design(X, y)
    theta = as_vector(theta, "theta", length=X.shape[1])
    residual = y - X @ theta
    return float(residual @ residual) + nonnegative(lam, "lam") * float(theta @ theta)
