"""Complexity criteria: training error plus a price on parameters, to foresee the error to come.

A fit that is linear in the targets, ŷ = Hy, with γ = tr H parameters, looks better on its own
data than on new targets at the same inputs by 2γσ²/n on average. Each criterion here adds that.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lib.validation import (
    as_design,
    finite,
    nonnegative,
    positive,
    whole,
)


def prediction_error(mse: float, n: int, parameters: float, sigma2: float) -> float:
    """Return MSE + 2 γσ²/n: the expected error on new targets at the n inputs of the fit.

    With the count of weights for γ this is Akaike's prediction error (Mallows' Cp); with the
    effective number of a regularised fit, Moody's generalised prediction error (GPE).
    """
    n = whole(n, "n", at_least=1)
    price = nonnegative(parameters, "parameters") * nonnegative(sigma2, "sigma2")
    return nonnegative(mse, "mse") + 2.0 * price / n


def aic(log_likelihood: float, parameters: int) -> float:
    """Return Akaike's information criterion −2 log L + 2p; smaller is better."""
    p = whole(parameters, "parameters", at_least=0)
    return -2.0 * finite(log_likelihood, "log_likelihood") + 2.0 * p


def bic(log_likelihood: float, parameters: int, n: int) -> float:
    """Return the Bayesian information criterion −2 log L + p log n; smaller is better."""
    p = whole(parameters, "parameters", at_least=0)
    n = whole(n, "n", at_least=1)
    return -2.0 * finite(log_likelihood, "log_likelihood") + p * float(np.log(n))


def gaussian_log_likelihood(mse: float, n: int) -> float:
    """Return the log-likelihood of n residuals with mean square `mse`, σ² set to its best value.

    That value is the mean square itself, which leaves −n/2 · (log(2π·mse) + 1).
    """
    mse, n = positive(mse, "mse"), whole(n, "n", at_least=1)
    return -0.5 * n * float(np.log(2 * np.pi * mse) + 1.0)


def ridge_left_out_error(X: object, y: object, lams: Iterable[float]) -> np.ndarray:
    """Return, for each λ > 0, the mean squared leave-one-out error of ridge, (len(lams),).

    No fit is repeated: leaving sample i out changes its residual to rᵢ/(1 − hᵢᵢ), where hᵢᵢ is
    the diagonal of H = X(XᵀX + λI)⁻¹Xᵀ.
    """
    X, y = as_design(X, y)
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    projected, errors = U.T @ y, []
    for lam in lams:
        kept = s / np.hypot(s, np.sqrt(positive(lam, "lam")))  # √(σ²/(σ² + λ))
        residual = y - U @ (kept**2 * projected)
        leverage = ((U * kept) ** 2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            left_out = residual / (1.0 - leverage)
        if not np.isfinite(left_out).all():
            raise ValueError(
                f"lam: expected one that leaves every leverage below 1, got {lam:g}"
            )
        errors.append(float(left_out @ left_out) / len(y))
    return np.array(errors)
