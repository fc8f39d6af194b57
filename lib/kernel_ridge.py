"""Ridge regression on features that are never computed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lib.kernels import Kernel
from lib.validation import as_design, as_matrix, positive


def kernel_ridge(
    kernel: Kernel, X: object, y: object, lam: float
) -> Callable[[object], np.ndarray]:
    """Return the predictor x ↦ Σᵢ aᵢ k(xᵢ, x) with a = (K + λI)⁻¹ y.

    X is (n, d), y (n,), λ = `lam` > 0. The predictor takes a matrix (m, d) and returns (m,).
    """
    X, y = as_design(X, y)
    K = kernel(X, X)
    K[np.diag_indices_from(K)] += positive(lam, "lam")
    try:
        a = cho_solve(cho_factor(K), y)
    except np.linalg.LinAlgError:
        raise ValueError(
            f"kernel: expected a positive semi-definite Gram matrix, {kernel} gave another"
        ) from None

    def predict(new: object) -> np.ndarray:
        """Return the predictions for each row, (m,)."""
        return kernel(as_matrix(new, "new", columns=X.shape[1]), X) @ a

    return predict
