"""Probabilistic principal component analysis: the latent variable model solved in closed form.

z ~ N(0, I_m) and x | z ~ N(W z + μ, σ² I_d), so that x ~ N(μ, W Wᵀ + σ² I): everything that a
variational autoencoder approximates is exact here (likelihood, posterior, optimum).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lib.validation import as_matrix, positive, whole


@dataclass(frozen=True)
class PPCA:
    """A model: mean (d,), weights W (d, m), noise variance σ² > 0."""

    mean: np.ndarray
    weights: np.ndarray
    variance: float

    @property
    def covariance(self) -> np.ndarray:
        """The covariance of x, W Wᵀ + σ² I, (d, d)."""
        d = len(self.mean)
        return self.weights @ self.weights.T + self.variance * np.eye(d)

    @property
    def inner(self) -> np.ndarray:
        """M = Wᵀ W + σ² I, (m, m): σ² M⁻¹ is the covariance of the posterior."""
        m = self.weights.shape[1]
        return self.weights.T @ self.weights + self.variance * np.eye(m)

    def posterior(self, X: object) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean of p(z|x) for each row, (n, m), and its covariance, (m, m).

        M⁻¹ Wᵀ (x − μ) and σ² M⁻¹: the covariance is the same for every x.
        """
        centred = self._centred(X)
        mean = np.linalg.solve(self.inner, self.weights.T @ centred.T).T
        return mean, self.variance * np.linalg.inv(self.inner)

    def log_likelihood(self, X: object) -> np.ndarray:
        """Return log p(x) of each row, (n,), with m × m matrices only (Woodbury, Sylvester)."""
        centred = self._centred(X)
        d, m = self.weights.shape
        inner = self.inner
        _, log_det = np.linalg.slogdet(inner)
        log_det += (d - m) * math.log(self.variance)
        projected = centred @ self.weights  # (n, m)
        solved = np.linalg.solve(inner, projected.T).T
        squared = ((centred**2).sum(1) - (projected * solved).sum(1)) / self.variance
        return -0.5 * (d * math.log(2 * math.pi) + log_det + squared)

    def sample(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return draws of x, (count, d)."""
        count = whole(count, "count", at_least=1)
        d, m = self.weights.shape
        noise = math.sqrt(self.variance) * rng.normal(size=(count, d))
        return rng.normal(size=(count, m)) @ self.weights.T + self.mean + noise

    def _centred(self, X: object) -> np.ndarray:
        return as_matrix(X, "X", columns=len(self.mean)) - self.mean


def ppca(X: object, m: int, variance: float | None = None) -> PPCA:
    """Fit by maximum likelihood to X (n, d): in closed form, with m < d latent coordinates.

    With a given `variance` σ², W keeps only the eigenvalues of the covariance of X (divisor n)
    that exceed σ²; the columns for all others are zero. Without it, σ² is the mean of the
    discarded eigenvalues. Columns of W are orthogonal, longest first, largest entry positive.
    """
    X = as_matrix(X, "X", min_rows=2)
    d = X.shape[1]
    if d < 2:
        raise ValueError(f"X: expected at least 2 columns, got {d}")
    m = whole(m, "m", at_least=1, at_most=d - 1)
    mean = X.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(X.T, bias=True))
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    if variance is None:
        variance = float(values[m:].mean())
        if variance <= 1e-12 * values[0]:
            raise ValueError(
                f"X: expected variance outside {m} directions, got none: the likelihood has "
                "no maximum; ask for fewer or fix the variance"
            )
    variance = positive(variance, "variance")
    lengths = np.sqrt(np.maximum(values[:m] - variance, 0.0))
    largest = np.abs(vectors[:, :m]).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(m)] < 0, -1.0, 1.0)
    return PPCA(mean, vectors[:, :m] * (lengths * signs), variance)


def log_second_moment(model: PPCA, X: object) -> np.ndarray:
    """Return log E[w²] − 2 log E[w] of the weights w = p(x|z), z from the prior, for each row.

    p(x|z)² = (4πσ²)^(−d/2) · N(x; Wz + μ, σ²/2 · I), so E[w²] is a PPCA density with half the
    noise. Its exponential is the number of prior draws whose mean has a relative variance of 1.
    """
    d = len(model.mean)
    halved = PPCA(model.mean, model.weights, model.variance / 2)
    factor = -0.5 * d * math.log(4 * math.pi * model.variance)
    return factor + halved.log_likelihood(X) - 2 * model.log_likelihood(X)
