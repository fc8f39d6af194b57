"""Sums of independent variables: their exact distribution, and how far it is from normal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from lib.validation import as_distribution, as_vector, positive, whole

BERRY_ESSEEN = 0.4748
"""A constant for which the theorem of Berry and Esseen is proved (Shevtsova, 2011)."""


class Sampled(Protocol):
    """Anything that can be drawn from."""

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        """Return independent draws of the given shape."""


def distribution_of_sum(pmf: object, n: int) -> np.ndarray:
    """Return the masses of X₁ + … + Xₙ on 0, …, n m when each Xᵢ has masses pmf on 0, …, m.

    P(A + B = s) = Σₐ P(A = a) P(B = s − a) is a convolution. Doubling needs about 2 log₂ n of
    them instead of n − 1.
    """
    square, n = as_distribution(pmf, "pmf"), whole(n, "n")
    total = np.ones(1)
    while n:
        if n & 1:
            total = np.convolve(total, square)
        n >>= 1
        if n:
            square = np.convolve(square, square)
    return total


def moments(values: object, pmf: object) -> tuple[float, float, float]:
    """Return mean, standard deviation and E|X − mean|³ of a finite distribution."""
    values = as_vector(values, "values")
    pmf = as_distribution(pmf, "pmf", length=values.size)
    mean = float(values @ pmf)
    gap = values - mean
    return mean, math.sqrt(gap**2 @ pmf), float(np.abs(gap) ** 3 @ pmf)


def gap_to_normal(pmf: object, n: int) -> float:
    """Return the largest |P(Zₙ ≤ z) − Φ(z)| over all z, for the standardised sum Zₙ of n.

    The left side jumps at every value of the sum and is flat between, Φ rises: the largest gap
    is just before or at a jump.
    """
    pmf = as_distribution(pmf, "pmf")
    n = whole(n, "n", at_least=1)
    mean, sigma, _ = moments(np.arange(pmf.size), pmf)
    if sigma == 0:
        raise ValueError("pmf: expected a variable that varies, got a constant")
    masses = distribution_of_sum(pmf, n)
    z = (np.arange(masses.size) - n * mean) / (sigma * math.sqrt(n))
    after = np.cumsum(masses)
    before = after - masses
    normal = ndtr(z)
    return float(max(np.abs(after - normal).max(), np.abs(before - normal).max()))


def berry_esseen_bound(sigma: float, third: float, n: int) -> float:
    """Return the bound C E|X − μ|³ / (σ³ √n) on `gap_to_normal`, for any distribution."""
    sigma, third = positive(sigma, "sigma"), positive(third, "third")
    return BERRY_ESSEEN * third / (sigma**3 * math.sqrt(whole(n, "n", at_least=1)))


def means_of(
    distribution: Sampled, n: int, repeats: int, rng: np.random.Generator
) -> np.ndarray:
    """Return `repeats` independent means of n draws each, shape (repeats,)."""
    n, repeats = whole(n, "n", at_least=1), whole(repeats, "repeats", at_least=1)
    return distribution.sample(rng, (repeats, n)).mean(axis=1)


def running_means(x: object) -> np.ndarray:
    """Return the means of the first 1, 2, …, n entries of x (n,)."""
    x = as_vector(x, "x")
    return np.cumsum(x) / np.arange(1, x.size + 1)


def characteristic_of_mean(
    characteristic: Callable[[np.ndarray], np.ndarray], n: int
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the characteristic function t ↦ φ(t/n)ⁿ of the mean of n independent variables."""
    n = whole(n, "n", at_least=1)
    return lambda t: characteristic(np.asarray(t) / n) ** n
