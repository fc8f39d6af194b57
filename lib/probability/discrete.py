"""Distributions on the whole numbers, each given by the logarithm of its mass function.

Logarithms, because products of many probabilities underflow and their sums do not. Outside the
support, and between whole numbers, the mass is 0 and its logarithm −∞.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import xlog1py, xlogy

from lib.probability.counting import log_choose, log_factorial
from lib.validation import as_array, between, positive, probability, whole


class Discrete(ABC):
    """What all of them share. `low` and `high` are the ends of the support."""

    low: float = 0
    high: float = math.inf

    @abstractmethod
    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        """Return log P(X = k) for k in the support."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """The expectation E[X]."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance E[(X − E[X])²]."""

    @abstractmethod
    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        """Return independent draws of the given shape."""

    def log_pmf(self, k: object) -> np.ndarray:
        """Return log P(X = k) for k of any shape; −∞ where P(X = k) = 0."""
        k = as_array(k, "k")
        inside = (k >= self.low) & (k <= self.high) & (k == np.floor(k))
        return np.where(inside, self._log_mass(np.where(inside, k, self.low)), -np.inf)

    def pmf(self, k: object) -> np.ndarray:
        """Return P(X = k) for k of any shape."""
        return np.exp(self.log_pmf(k))

    def support(self, tail: float = 1e-17) -> np.ndarray:
        """Return the whole numbers from `low` on that carry all mass but `tail`.

        Masses here fall ever faster (their ratios r = p(k)/p(k−1) decrease), so that beyond k
        there is at most p(k) (r + r² + …) = p(k) r / (1 − r).
        """
        tail = positive(tail, "tail")
        top, step = self.low + 16, 16
        while top < self.high:
            before, last = self.pmf([top - 1, top])
            if top > self.mean and last * last <= tail * (before - last):
                break
            top, step = top + step, 2 * step
        return np.arange(self.low, min(top, self.high) + 1)

    def characteristic(self, t: object) -> np.ndarray:
        """Return E[exp(itX)] for real t of any shape, summed over the support."""
        t, k = as_array(t, "t"), self.support()
        return np.exp(1j * t[..., None] * k) @ self.pmf(k)


@dataclass(frozen=True)
class Binomial(Discrete):
    """The number of successes in n independent trials, each with probability p."""

    n: int
    p: float

    def __post_init__(self) -> None:
        whole(self.n, "n")
        probability(self.p, "p")

    @property
    def high(self) -> float:
        return self.n

    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        orders = log_choose(self.n, k)
        return orders + xlogy(k, self.p) + xlog1py(self.n - k, -self.p)

    @property
    def mean(self) -> float:
        return self.n * self.p

    @property
    def variance(self) -> float:
        return self.n * self.p * (1 - self.p)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        return rng.binomial(self.n, self.p, size)

    def characteristic(self, t: object) -> np.ndarray:
        """Return (1 − p + p exp(it))ⁿ: n independent trials multiply."""
        return (1 - self.p + self.p * np.exp(1j * as_array(t, "t"))) ** self.n


def bernoulli(p: float) -> Binomial:
    """Return the distribution of one trial: 1 with probability p, otherwise 0."""
    return Binomial(1, p)


@dataclass(frozen=True)
class NegativeBinomial(Discrete):
    """The number of failures before the r-th success, in trials with probability p."""

    r: int
    p: float

    def __post_init__(self) -> None:
        whole(self.r, "r", at_least=1)
        _chance(self.p)

    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        orders = log_choose(k + self.r - 1, self.r - 1)
        return orders + self.r * math.log(self.p) + xlog1py(k, -self.p)

    @property
    def mean(self) -> float:
        return self.r * (1 - self.p) / self.p

    @property
    def variance(self) -> float:
        return self.r * (1 - self.p) / self.p**2

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        return rng.negative_binomial(self.r, self.p, size)


@dataclass(frozen=True)
class Geometric(Discrete):
    """The number of the trial that brings the first success: 1, 2, 3, …

    The number of failures before it, 0, 1, 2, …, is NegativeBinomial(1, p).
    """

    p: float
    low = 1

    def __post_init__(self) -> None:
        _chance(self.p)

    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        return math.log(self.p) + xlog1py(k - 1, -self.p)

    @property
    def mean(self) -> float:
        return 1 / self.p

    @property
    def variance(self) -> float:
        return (1 - self.p) / self.p**2

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        return rng.geometric(self.p, size)


@dataclass(frozen=True)
class Poisson(Discrete):
    """The number of rare, independent events of which `rate` are expected."""

    rate: float

    def __post_init__(self) -> None:
        positive(self.rate, "rate")

    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        return k * math.log(self.rate) - self.rate - log_factorial(k)

    @property
    def mean(self) -> float:
        return self.rate

    @property
    def variance(self) -> float:
        return self.rate

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        return rng.poisson(self.rate, size)

    def characteristic(self, t: object) -> np.ndarray:
        """Return exp(rate (exp(it) − 1))."""
        return np.exp(self.rate * np.expm1(1j * as_array(t, "t")))


def _chance(p: float) -> None:
    """Success must be possible, or the wait never ends."""
    if between(p, "p", 0.0, 1.0) == 0.0:
        raise ValueError("p: expected a number in (0, 1], got 0")
