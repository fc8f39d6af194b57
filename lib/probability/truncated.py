"""The Poisson distribution given that something happened: counts from 1 on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from lib.probability.counting import log_factorial
from lib.probability.discrete import Discrete
from lib.validation import finite, positive


@dataclass(frozen=True)
class ZeroTruncatedPoisson(Discrete):
    """A Poisson variable of the given rate, given that it is not 0."""

    rate: float
    low = 1

    def __post_init__(self) -> None:
        positive(self.rate, "rate")

    def _log_mass(self, k: np.ndarray) -> np.ndarray:
        # e⁻ᵃ aᵏ / k! over 1 − e⁻ᵃ is aᵏ / k! over eᵃ − 1, written so that no large a overflows.
        scale = self.rate + math.log(-math.expm1(-self.rate))
        return k * math.log(self.rate) - log_factorial(k) - scale

    @property
    def mean(self) -> float:
        return self.rate / -math.expm1(-self.rate)

    @property
    def variance(self) -> float:
        return self.mean * (1 + self.rate - self.mean)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        """Return draws: the first event falls where the exponential says, the rest is Poisson.

        Events arrive in [0, 1] at the given rate. Given that there is one, the first arrives at
        T with P(T > t) = (e⁻ᵃᵗ − e⁻ᵃ) / (1 − e⁻ᵃ); in what remains of the interval the number of
        events is Poisson again. Nothing is drawn in vain, however small the rate.
        """
        first = -np.log1p(rng.random(size) * math.expm1(-self.rate)) / self.rate
        return 1 + rng.poisson(self.rate * np.maximum(1 - first, 0.0))


def truncated_rate(mean: float) -> float:
    """Return the rate at which a zero-truncated Poisson variable has this mean > 1.

    It is the most likely rate for a sample with this mean. With h = a/2 the mean is
    a / (1 − e⁻ᵃ) = h + h coth h. It lies between 1 + a/2 and 1 + a, which brackets the root.
    """
    excess = finite(mean, "mean") - 1
    if excess <= 0:
        raise ValueError(f"mean: expected a number > 1, got {mean:g}")
    return brentq(
        lambda a: a / 2 + _coth_part(a / 2) - excess, excess, 2 * excess, rtol=1e-14
    )


def _coth_part(h: float) -> float:
    """Return h coth h − 1 for h > 0, by its series where the difference would cancel."""
    if h < 0.01:
        return h**2 / 3 - h**4 / 45 + 2 * h**6 / 945
    return h / math.tanh(h) - 1
