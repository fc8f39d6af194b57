"""Automatic relevance determination: a prior precision for each weight, set by the evidence.

Weights that the data do not need get a precision that runs to infinity: they are switched off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.bayes.posterior import posterior
from lib.validation import as_design, positive, whole

_OFF = 1e9  # relative precision beyond which a weight counts as switched off


@dataclass(frozen=True)
class RelevanceFit:
    """Weights theta (d,), precisions alpha (d,) (inf where off), noise precision, steps."""

    theta: np.ndarray
    alpha: np.ndarray
    beta: float
    steps: int

    @property
    def relevant(self) -> np.ndarray:
        """Which weights are on, (d,)."""
        return np.isfinite(self.alpha)


def fit_relevance(
    X: object, y: object, *, tol: float = 1e-6, max_steps: int = 2000
) -> RelevanceFit:
    """Fit X (n, d), y (n,) by fixed-point iteration on the evidence.

    γⱼ = 1 − αⱼSⱼⱼ says how well the data determine weight j; αⱼ ← γⱼ/mⱼ² and
    β ← (n − Σγ)/‖y − Xm‖². Columns are brought to unit length inside, so that a precision means
    the same for each.
    """
    X, y = as_design(X, y)
    tol = positive(tol, "tol")
    n, d = X.shape
    size = np.sqrt((X * X).mean(axis=0))
    size = np.where(size > 0, size, 1.0)
    scaled = X / size
    variance = float(np.var(y))
    if variance == 0.0:
        raise ValueError("y: expected targets that vary, got a constant")
    alpha = np.full(d, 1.0 / variance)
    alpha[~X.any(axis=0)] = np.inf  # a column of zeros explains nothing
    beta = 10.0 / variance
    step = 0
    while step < whole(max_steps, "max_steps", at_least=1):
        step += 1
        on = np.isfinite(alpha)
        if not on.any():
            break
        A = scaled[:, on]
        post = posterior(A, y, alpha[on], beta)
        gamma = 1.0 - alpha[on] * np.diag(post.covariance)
        residual = y - A @ post.mean
        error = float(residual @ residual)
        if error <= 1e-14 * float(y @ y):
            raise ValueError(
                "X, y: expected noise to estimate, got data that fit exactly"
            )
        new = alpha.copy()
        new[on] = np.maximum(gamma, 0.0) / np.maximum(post.mean**2, 1e-300)
        new_beta = (n - float(gamma.sum())) / error
        new[new > _OFF * new_beta * n] = np.inf
        new[new <= 0] = np.inf
        still = np.isfinite(new)
        moved = np.abs(np.log(new[still] / alpha[still])).max(initial=0.0)
        settled = bool(
            (still == on).all() and max(moved, abs(np.log(new_beta / beta))) <= tol
        )
        alpha, beta = new, new_beta
        if settled:
            break
    theta = np.zeros(d)
    on = np.isfinite(alpha)
    if on.any():
        theta[on] = posterior(scaled[:, on], y, alpha[on], beta).mean / size[on]
    return RelevanceFit(theta, alpha * np.where(on, size**2, 1.0), beta, step)
