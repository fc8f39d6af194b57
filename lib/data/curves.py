"""Generated regression problems with a known truth: a sine, a cubic, Galton's families."""

import numpy as np

from lib.data.kinds import Tabular
from lib.data.sampling import Seed, generator
from lib.validation import finite, nonnegative, whole

# Galton (1886) gives "probable errors": half of a normal population lies within one of its mean.
# Of a standard normal variable it is the quantile at 3/4.
_PROBABLE_ERROR = 0.6744897501960817
_MEAN_HEIGHT = 68.25  # inches; women's heights multiplied by 1.08
# From 1.7 in the population: see galton_heights.
_PARENT_SPREAD = 1.2 / _PROBABLE_ERROR
_FAMILY_SPREAD = 1.5 / _PROBABLE_ERROR
_REGRESSION = 2 / 3


def _curve(
    name: str, f, n: int, noise: float, seed: Seed, low: float, high: float
) -> Tabular:
    n, noise = whole(n, "n", at_least=1), nonnegative(noise, "noise")
    low, high = finite(low, "low"), finite(high, "high")
    if low >= high:
        raise ValueError(f"low: expected a number below high = {high:g}, got {low:g}")
    rng = generator(seed)
    x = np.sort(rng.uniform(low, high, n))
    signal = f(x)
    return Tabular(
        name,
        X=x[:, None],
        y=signal + noise * rng.standard_normal(n),
        feature_names=("x",),
        target="y",
        columns={"signal": signal},
    )


def noisy_sine(
    n: int = 50,
    noise: float = 0.2,
    seed: Seed = 0,
    *,
    low: float = 0.0,
    high: float = 1.0,
) -> Tabular:
    """Return y = sin(2πx) + ε with x uniform on [low, high], sorted, and ε ~ N(0, noise²).

    ``columns["signal"]`` holds sin(2πx), the truth without noise.
    """
    return _curve(
        "noisy_sine", lambda x: np.sin(2 * np.pi * x), n, noise, seed, low, high
    )


def noisy_cubic(
    n: int = 50,
    noise: float = 0.2,
    seed: Seed = 0,
    *,
    low: float = -1.5,
    high: float = 1.5,
) -> Tabular:
    """Return y = x³ − x + ε with x uniform on [low, high], sorted, and ε ~ N(0, noise²).

    ``columns["signal"]`` holds x³ − x, the truth without noise.
    """
    return _curve("noisy_cubic", lambda x: x * x * x - x, n, noise, seed, low, high)


def galton_heights(n: int = 928, seed: Seed = 0) -> Tabular:
    """Return *synthetic* heights of parents X (n, 1) and their grown children y (n,), in inches.

    These are not Galton's own records. They are drawn from the normal law with the figures that
    Galton published: a mean of 68.25; a child, on average, two thirds as far from it as its
    mid-parent (the mean of father and mother, a woman's height times 1.08); probable errors of 1.7
    in the population and of 1.5 among children of equal mid-parents. The mid-parents' follows:
    (2/3)² p² + 1.5² = 1.7² makes p = 1.2. A probable error is 0.6745 standard deviations. Each
    child has parents of its own here, where Galton's 928 had 205 pairs of parents.
    """
    rng = generator(seed)
    n = whole(n, "n", at_least=1)
    parents = _MEAN_HEIGHT + _PARENT_SPREAD * rng.standard_normal(n)
    expected = _MEAN_HEIGHT + _REGRESSION * (parents - _MEAN_HEIGHT)
    return Tabular(
        "galton_heights",
        X=parents[:, None],
        y=expected + _FAMILY_SPREAD * rng.standard_normal(n),
        feature_names=("mid-parent height in inches",),
        target="child's height in inches",
    )
