"""Generated chaotic series: Mackey–Glass (with a delay) and Lorenz, by Runge–Kutta of order 4.

The loops work on Python floats: they are exact to the last bit on every machine where they only
add and multiply, which matters when a rounding error grows exponentially.
"""

import math
from collections.abc import Sequence

import numpy as np

from lib.data.kinds import Series
from lib.data.sampling import Seed, generator
from lib.validation import as_vector, finite, nonnegative, positive, whole


def _observed(
    name: str,
    values: np.ndarray,
    times: np.ndarray,
    noise: float,
    seed: Seed,
    names: tuple,
) -> Series:
    noise = nonnegative(noise, "noise")
    values = values + noise * generator(seed).standard_normal(values.shape)
    return Series(name, times=times, values=values, value_names=names)


def _hermite(
    left: float, right: float, slope: float, end_slope: float, h: float, s: float
):
    """The cubic through two values with two slopes, at the fraction s of the interval h."""
    a, b = (1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s)
    c, d = s * (1 - s) ** 2, s * s * (s - 1)
    return a * left + b * right + h * (c * slope + d * end_slope)


def mackey_glass(
    n: int = 1000, noise: float = 0.0, seed: Seed = 0, *,
    delay: float = 17.0, step: float = 1.0, substeps: int = 10, discard: int = 0,
    history: float = 1.2, beta: float = 0.2, gamma: float = 0.1, exponent: float = 10.0,
) -> Series:  # fmt: skip
    """Return n values, ``step`` apart, of dx/dt = β x(t−τ) / (1 + x(t−τ)^p) − γ x(t).

    τ is the ``delay``, p the ``exponent``; x = ``history`` up to time 0. One step is integrated in
    ``substeps`` steps h of Runge–Kutta; x(t−τ) between the grid points comes from the cubic
    Hermite interpolant of x, whose error is of the same order h⁴ as the method's. Choose h so that
    it divides τ: the kink of x at time 0 then falls on the grid. The first ``discard`` values are
    left out; ``noise`` is the standard deviation of the observation noise. With τ = 17 the series
    is mildly chaotic.
    """
    n, discard = whole(n, "n", at_least=1), whole(discard, "discard")
    substeps = whole(substeps, "substeps", at_least=1)
    h = positive(step, "step") / substeps
    lag = positive(delay, "delay") / h
    if abs(lag - round(lag)) < 1e-9:  # meant to be whole: keep the kink on the grid
        lag = float(round(lag))
    if lag < 1:
        raise ValueError(
            f"delay: expected at least step / substeps = {h:g}, got {delay:g}"
        )
    rates = (
        positive(beta, "beta"),
        positive(gamma, "gamma"),
        positive(exponent, "exponent"),
    )
    if h * gamma > 1:
        raise ValueError(
            f"substeps: expected at least {math.ceil(step * gamma)}, so that γ h is at most 1; "
            f"got {substeps}"
        )
    start = nonnegative(history, "history")
    x = _integrate_delayed((n + discard - 1) * substeps, h, lag, start, rates)
    values = np.array(x[::substeps][discard:])
    times = step * np.arange(discard, discard + n)
    return _observed("mackey_glass", values, times, noise, seed, ("x",))


def _integrate_delayed(
    steps: int, h: float, lag: float, history: float, rates: tuple[float, float, float]
) -> list[float]:
    """Values at 0, h, …, steps·h of the Mackey–Glass equation with a delay of lag·h, lag ≥ 1."""
    beta, gamma, exponent = rates
    x, slopes = [history], []

    def production(place: float) -> float:
        """β x/(1 + x^p) at time (place − lag)·h, which lies between grid points known by now."""
        position = place - lag
        if position <= 0:
            past = history
        else:
            k = int(position)
            s = position - k
            past = (
                x[k]
                if s == 0
                else _hermite(x[k], x[k + 1], slopes[k], slopes[k + 1], h, s)
            )
        return beta * past / (1 + past**exponent)

    for i in range(steps):
        now = x[i]
        k1 = production(i) - gamma * now
        slopes.append(k1)
        middle, end = production(i + 0.5), production(i + 1)
        k2 = middle - gamma * (now + h / 2 * k1)
        k3 = middle - gamma * (now + h / 2 * k2)
        k4 = end - gamma * (now + h * k3)
        x.append(now + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return x


def lorenz(
    n: int = 2000, noise: float = 0.0, seed: Seed = 0, *,
    step: float = 0.01, substeps: int = 1,
    discard: int = 0, start: Sequence[float] = (1.0, 1.0, 1.0), sigma: float = 10.0,
    rho: float = 28.0, beta: float = 8 / 3,
) -> Series:  # fmt: skip
    """Return n points (n, 3), ``step`` apart, of the Lorenz system, from ``start`` at time 0.

    dx/dt = σ (y − x), dy/dt = x (ρ − z) − y, dz/dt = x y − β z. One step is integrated in
    ``substeps`` steps of Runge–Kutta. The first ``discard`` points are left out; ``noise`` is the
    standard deviation of the observation noise.
    """
    n, discard = whole(n, "n", at_least=1), whole(discard, "discard")
    substeps = whole(substeps, "substeps", at_least=1)
    h = positive(step, "step") / substeps
    sigma, rho, beta = finite(sigma, "sigma"), finite(rho, "rho"), finite(beta, "beta")
    point = tuple(as_vector(start, "start", length=3).tolist())

    def slope(x: float, y: float, z: float) -> tuple[float, float, float]:
        return sigma * (y - x), x * (rho - z) - y, x * y - beta * z

    def ahead(p, k, h):
        return p[0] + h * k[0], p[1] + h * k[1], p[2] + h * k[2]

    points = [point]
    for _ in range((n + discard - 1) * substeps):
        k1 = slope(*point)
        k2 = slope(*ahead(point, k1, h / 2))
        k3 = slope(*ahead(point, k2, h / 2))
        k4 = slope(*ahead(point, k3, h))
        mean = tuple(
            (a + 2 * b + 2 * c + d) / 6
            for a, b, c, d in zip(k1, k2, k3, k4, strict=True)
        )
        point = ahead(point, mean, h)
        points.append(point)
    values = np.array(points[::substeps][discard:])
    if not np.isfinite(values).all():
        raise ValueError(
            f"step: expected one small enough to follow the system, got {step:g}"
        )
    times = step * np.arange(discard, discard + n)
    return _observed("lorenz", values, times, noise, seed, ("x", "y", "z"))
