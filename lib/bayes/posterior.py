"""The posterior of linear regression with a Gaussian prior and Gaussian noise.

Prior θ ~ N(0, α⁻¹ I) (or a precision αⱼ for each weight), noise of precision β = 1/σ². Then

    posterior   θ | y ~ N(m, S),   S = (diag(α) + β XᵀX)⁻¹,   m = β S Xᵀy,
    predictive  y* | x*, y ~ N(mᵀx*, 1/β + x*ᵀ S x*).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.positive_definite import trusted_solver
from lib.linear.singular_values import rank_threshold
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
        spread = ((X @ self.covariance) * X).sum(axis=1)
        return X @ self.mean, 1.0 / self.noise_precision + np.maximum(spread, 0.0)

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n weight vectors (n, d)."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))  # root rootᵀ = covariance
        noise = rng.normal(size=(whole(n, "n", at_least=1), len(self.mean)))
        return self.mean + noise @ root.T

    def update(self, X: object, y: object) -> Posterior:
        """Return the posterior after more data X (n, d), y (n,), with this one as the prior.

        The prior is N(m₀, S₀) of any mean and covariance. With C = X S₀ Xᵀ + I/β, the covariance
        of the new targets, and K = S₀ Xᵀ C⁻¹: m = m₀ + K(y − X m₀), S = S₀ − K X S₀.
        """
        X = as_matrix(X, "X", columns=len(self.mean))
        X, y = as_design(X, y)
        C = X @ self.covariance @ X.T
        C[np.diag_indices_from(C)] += 1.0 / self.noise_precision
        K = np.linalg.solve(C, X @ self.covariance).T  # (d, n)
        covariance = self.covariance - K @ X @ self.covariance
        return Posterior(
            self.mean + K @ (y - X @ self.mean),
            0.5 * (covariance + covariance.T),
            self.noise_precision,
        )


def prior_precisions(alpha: object, d: int) -> np.ndarray:
    """Return one precision αⱼ > 0 for each of d weights."""
    if np.ndim(alpha) == 0:
        return np.full(d, positive(alpha, "alpha"))
    precisions = as_vector(alpha, "alpha", length=d)
    if precisions.min() <= 0:
        raise ValueError(f"alpha: expected precisions > 0, got {precisions.min():g}")
    return precisions


def prior(alpha: object, beta: float, d: int) -> Posterior:
    """Return the prior over d weights, N(0, diag(α)⁻¹): the posterior of no data at all."""
    precisions = prior_precisions(alpha, whole(d, "d", at_least=1))
    return Posterior(np.zeros(d), np.diag(1.0 / precisions), positive(beta, "beta"))


def posterior(X: object, y: object, alpha: object, beta: float) -> Posterior:
    """Return the posterior for X (n, d), y (n,), prior precision alpha, noise precision beta."""
    X, y = as_design(X, y)
    beta = positive(beta, "beta")
    precisions = prior_precisions(alpha, X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        solve = trusted_solver(np.diag(precisions) + beta * (X.T @ X))
    if solve is None:
        return _by_singular_values(X, y, precisions, beta)
    covariance = solve(np.eye(len(precisions)))
    mean = beta * solve(X.T @ y)
    return Posterior(mean, 0.5 * (covariance + covariance.T), beta)


def _by_singular_values(
    X: np.ndarray, y: np.ndarray, precisions: np.ndarray, beta: float
) -> Posterior:
    """The same posterior without XᵀX, for designs so collinear or so large that it loses α.

    In units of the prior's standard deviations the design is A = √β X diag(α)^-½ = UΣVᵀ and the
    posterior covariance is (I + AᵀA)⁻¹ = V diag(1/(1 + σ²)) Vᵀ.
    """
    unit = 1.0 / np.sqrt(precisions)
    A = np.sqrt(beta) * X * unit
    if not np.isfinite(A).all():
        raise ValueError("X, beta: expected √β·X within the range of a float")
    U, s, Vt = np.linalg.svd(A, full_matrices=True)
    s = np.where(s > s[0] * rank_threshold(A.shape), s, 0.0)  # rounding counts as zero
    s = np.concatenate([s, np.zeros(A.shape[1] - len(s))])
    with np.errstate(over="ignore"):
        spread = Vt.T / np.hypot(1.0, s)  # (d, d): spread spreadᵀ = (I + AᵀA)⁻¹
    k = min(A.shape)
    gain = s[:k] / np.hypot(1.0, s[:k]) / np.hypot(1.0, s[:k])  # σ/(1 + σ²)
    mean = unit * (Vt[:k].T @ (gain * (U[:, :k].T @ (np.sqrt(beta) * y))))
    spread = unit[:, None] * spread
    return Posterior(mean, spread @ spread.T, beta)
