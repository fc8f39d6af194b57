"""The posterior of linear regression with a Gaussian prior and Gaussian noise.

Prior θ ~ N(0, α⁻¹ I) (or a precision αⱼ for each weight), noise of precision β = 1/σ². Then

    posterior   θ | y ~ N(m, S),   S = (diag(α) + β XᵀX)⁻¹,   m = β S Xᵀy,
    predictive  y* | x*, y ~ N(mᵀx*, 1/β + x*ᵀ S x*).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lib.validation import as_design, as_matrix, as_vector, positive, whole


@dataclass(frozen=True)
class Posterior:
    """A Gaussian over weights: mean (d,), covariance (d, d), and the noise precision."""

    mean: np.ndarray
    covariance: np.ndarray
    noise_precision: float

    def predict(self, X: object) -> tuple[np.ndarray, np.ndarray]:
        """Return the predictive mean (n,) and variance (n,) of a new target for each row of X."""
        X = as_matrix(X, "X", columns=len(self.mean))
        spread = np.einsum("ij,jk,ik->i", X, self.covariance, X)
        return X @ self.mean, 1.0 / self.noise_precision + spread

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n weight vectors (n, d)."""
        root = np.linalg.cholesky(self.covariance)
        return (
            self.mean
            + rng.normal(size=(whole(n, "n", at_least=1), len(self.mean))) @ root.T
        )


def prior_precisions(alpha: object, d: int) -> np.ndarray:
    """Return one precision αⱼ > 0 for each of d weights."""
    if np.ndim(alpha) == 0:
        return np.full(d, positive(alpha, "alpha"))
    precisions = as_vector(alpha, "alpha", length=d)
    if precisions.min() <= 0:
        raise ValueError(f"alpha: expected precisions > 0, got {precisions.min():g}")
    return precisions


def posterior(X: object, y: object, alpha: object, beta: float) -> Posterior:
    """Return the posterior for X (n, d), y (n,), prior precision alpha, noise precision beta."""
    X, y = as_design(X, y)
    beta = positive(beta, "beta")
    precision = np.diag(prior_precisions(alpha, X.shape[1])) + beta * (X.T @ X)
    factor = cho_factor(precision)
    covariance = cho_solve(factor, np.eye(len(precision)))
    return Posterior(
        beta * cho_solve(factor, X.T @ y), 0.5 * (covariance + covariance.T), beta
    )
