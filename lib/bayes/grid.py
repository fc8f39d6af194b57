"""Bayes' theorem on a grid: beliefs about a parameter as one number per candidate value.

    p(θ | D) = p(D | θ) p(θ) / p(D),    p(D) = Σ_θ p(D | θ) p(θ).

With few parameters nothing more is needed: multiply, divide by the sum. We keep logarithms,
since the likelihood of a thousand samples underflows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.logistic.functions import logsumexp
from lib.validation import as_array, as_vector


@dataclass(frozen=True)
class GridBelief:
    """A distribution over the rows of `points` (G, p), as log weights (G,) that sum to one."""

    points: np.ndarray
    log_weights: np.ndarray
    log_evidence: float = 0.0  # log p(D) of all data seen so far, given the prior

    @classmethod
    def from_prior(cls, points: object, log_density: object) -> GridBelief:
        """Return the prior: densities at the points, up to a factor, made to sum to one.

        Points must be evenly spaced, so that each stands for a cell of the same size.
        """
        points = as_array(points, "points")
        points = points[:, None] if points.ndim == 1 else points
        if points.ndim != 2:
            raise ValueError(f"points: expected (G,) or (G, p), got {points.shape}")
        log_weights = as_vector(log_density, "log_density", length=len(points))
        return cls(points, log_weights - logsumexp(log_weights))

    @property
    def weights(self) -> np.ndarray:
        """The probabilities of the points, (G,)."""
        return np.exp(self.log_weights)

    @property
    def mode(self) -> np.ndarray:
        """The most probable point (p,): the MAP estimate; the maximum likelihood if flat."""
        return self.points[self.log_weights.argmax()]

    @property
    def mean(self) -> np.ndarray:
        """The posterior mean, (p,)."""
        return self.weights @ self.points

    def update(self, log_likelihood: object) -> GridBelief:
        """Return the posterior, given log p(D | θ) at every point (G,); −∞ rules a point out."""
        added = np.asarray(log_likelihood, dtype=float)
        if added.shape != self.log_weights.shape:
            raise ValueError(
                f"log_likelihood: expected one entry per point, {self.log_weights.shape}, "
                f"got {added.shape}"
            )
        if np.isnan(added).any() or (added == np.inf).any():
            raise ValueError("log_likelihood: expected numbers below ∞, got NaN or ∞")
        joint = self.log_weights + added
        log_p = float(logsumexp(joint))
        if log_p == -np.inf:
            raise ValueError("log_likelihood: every point is ruled out by these data")
        return GridBelief(self.points, joint - log_p, self.log_evidence + log_p)

    def average(self, values: object) -> np.ndarray:
        """Return E[values(θ)] for values (G, …) at the points: the predictive distribution."""
        values = as_array(values, "values")
        if values.shape[0] != len(self.points):
            raise ValueError(
                f"values: expected {len(self.points)} rows, got {values.shape[0]}"
            )
        return np.tensordot(self.weights, values, axes=1)

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return n points drawn from the belief, (n, p)."""
        return self.points[rng.choice(len(self.points), size=n, p=self.weights)]
