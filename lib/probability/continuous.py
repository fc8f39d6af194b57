"""Distributions on the real line, from the tame to the wild.

Each has a density, a distribution function and its inverse; all but the normal are sampled by
putting uniform numbers through that inverse. Where a moment does not exist, asking for it is an
error; where it is infinite, it is `inf`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from lib.validation import as_array, finite, positive


class Continuous(ABC):
    """What all of them share."""

    @abstractmethod
    def log_pdf(self, x: object) -> np.ndarray:
        """Return the logarithm of the density at x of any shape; −∞ outside the support."""

    @abstractmethod
    def cdf(self, x: object) -> np.ndarray:
        """Return P(X ≤ x) for x of any shape."""

    @abstractmethod
    def _inverse(self, u: np.ndarray) -> np.ndarray:
        """Return the x with P(X ≤ x) = u, for 0 < u < 1."""

    def pdf(self, x: object) -> np.ndarray:
        """Return the density at x of any shape."""
        return np.exp(self.log_pdf(x))

    def quantile(self, u: object) -> np.ndarray:
        """Return the x with P(X ≤ x) = u for u in (0, 1), of any shape."""
        u = as_array(u, "u")
        if u.min() <= 0 or u.max() >= 1:
            raise ValueError(
                f"u: expected numbers in (0, 1), got {u.min():g} to {u.max():g}"
            )
        return self._inverse(u)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        """Return independent draws of the given shape: P(F⁻¹(U) ≤ x) = P(U ≤ F(x)) = F(x)."""
        # random() lies in [0, 1): only 0 has to be kept out.
        return self._inverse(np.maximum(rng.random(size), 2.0**-54))


@dataclass(frozen=True)
class Normal(Continuous):
    """The normal distribution with mean mu and standard deviation sigma."""

    mu: float = 0.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        finite(self.mu, "mu")
        positive(self.sigma, "sigma")

    def log_pdf(self, x: object) -> np.ndarray:
        z = (as_array(x, "x") - self.mu) / self.sigma
        return -0.5 * z**2 - math.log(self.sigma) - 0.5 * math.log(2 * math.pi)

    def cdf(self, x: object) -> np.ndarray:
        return ndtr((as_array(x, "x") - self.mu) / self.sigma)

    def _inverse(self, u: np.ndarray) -> np.ndarray:
        return self.mu + self.sigma * ndtri(u)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        return rng.normal(self.mu, self.sigma, size)

    def characteristic(self, t: object) -> np.ndarray:
        """Return exp(i mu t − sigma² t² / 2)."""
        t = as_array(t, "t")
        return np.exp(1j * self.mu * t - 0.5 * (self.sigma * t) ** 2)

    @property
    def mean(self) -> float:
        return self.mu

    @property
    def variance(self) -> float:
        return self.sigma**2


@dataclass(frozen=True)
class Exponential(Continuous):
    """The wait for an event that comes at a constant rate."""

    rate: float = 1.0

    def __post_init__(self) -> None:
        positive(self.rate, "rate")

    def log_pdf(self, x: object) -> np.ndarray:
        x = as_array(x, "x")
        return np.where(
            x >= 0, math.log(self.rate) - self.rate * np.maximum(x, 0), -np.inf
        )

    def cdf(self, x: object) -> np.ndarray:
        return -np.expm1(-self.rate * np.maximum(as_array(x, "x"), 0.0))

    def _inverse(self, u: np.ndarray) -> np.ndarray:
        return -np.log1p(-u) / self.rate

    def characteristic(self, t: object) -> np.ndarray:
        """Return rate / (rate − it)."""
        return self.rate / (self.rate - 1j * as_array(t, "t"))

    @property
    def mean(self) -> float:
        return 1 / self.rate

    @property
    def variance(self) -> float:
        return 1 / self.rate**2


@dataclass(frozen=True)
class Cauchy(Continuous):
    """The Cauchy distribution: where a ray in a random direction meets a line `scale` away."""

    location: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        finite(self.location, "location")
        positive(self.scale, "scale")

    def log_pdf(self, x: object) -> np.ndarray:
        z = (as_array(x, "x") - self.location) / self.scale
        # log(1 + z²) as 2 log |(1, z)|, so that a huge z does not overflow when squared.
        return -2 * np.log(np.hypot(1.0, z)) - math.log(math.pi * self.scale)

    def cdf(self, x: object) -> np.ndarray:
        z = (as_array(x, "x") - self.location) / self.scale
        return np.arctan2(1.0, -z) / math.pi

    def _inverse(self, u: np.ndarray) -> np.ndarray:
        return self.location + self.scale * np.tan(math.pi * (u - 0.5))

    def characteristic(self, t: object) -> np.ndarray:
        """Return exp(i location t − scale |t|): not differentiable at 0, so there is no mean."""
        t = as_array(t, "t")
        return np.exp(1j * self.location * t - self.scale * np.abs(t))

    @property
    def mean(self) -> float:
        raise ValueError("the Cauchy distribution has no mean: E|X| is infinite")

    @property
    def variance(self) -> float:
        raise ValueError("the Cauchy distribution has no variance, as it has no mean")


@dataclass(frozen=True)
class Pareto(Continuous):
    """Sizes of at least 1 with the tail P(X > x) = x^(−alpha): a power law."""

    alpha: float

    def __post_init__(self) -> None:
        positive(self.alpha, "alpha")

    def log_pdf(self, x: object) -> np.ndarray:
        x = as_array(x, "x")
        value = math.log(self.alpha) - (self.alpha + 1) * np.log(np.maximum(x, 1.0))
        return np.where(x >= 1, value, -np.inf)

    def cdf(self, x: object) -> np.ndarray:
        return -np.expm1(-self.alpha * np.log(np.maximum(as_array(x, "x"), 1.0)))

    def _inverse(self, u: np.ndarray) -> np.ndarray:
        return np.exp(-np.log1p(-u) / self.alpha)

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha - 1) if self.alpha > 1 else math.inf

    @property
    def variance(self) -> float:
        if self.alpha <= 1:
            raise ValueError(
                f"no variance around an infinite mean: alpha {self.alpha:g} <= 1"
            )
        if self.alpha <= 2:
            return math.inf
        return self.alpha / ((self.alpha - 1) ** 2 * (self.alpha - 2))
