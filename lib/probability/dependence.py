"""Variables that know of each other: correlation, and means of dependent samples."""

from __future__ import annotations

import math

import numpy as np
from scipy.signal import lfilter

from lib.validation import as_vector, between, positive, whole


def pearson(x: object, y: object) -> float:
    """Return Pearson's correlation of two samples x, y (n,): a number in [−1, 1]."""
    x = as_vector(x, "x")
    y = as_vector(y, "y", length=x.size)
    x, y = _centred(x, "x"), _centred(y, "y")
    return float(np.clip(x @ y / math.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def _centred(x: np.ndarray, name: str) -> np.ndarray:
    """Return x − mean, brought to the size of 1 so that squares neither overflow nor vanish."""
    largest = np.abs(x).max()
    gap = x / largest - np.mean(x / largest) if largest else x
    spread = np.abs(gap).max()
    if spread <= 4 * np.finfo(float).eps:  # rounding of a constant
        raise ValueError(f"{name}: expected values that vary, got a constant")
    return gap / spread


def autocorrelation(x: object, lags: int) -> np.ndarray:
    """Return the correlations of a series x (n,) with itself 0, 1, …, `lags` steps later.

    Sums of fewer terms are still divided by n, the usual estimate: it is never above 1.
    """
    x = as_vector(x, "x")
    lags = whole(lags, "lags", at_most=x.size - 1)
    x = _centred(x, "x")
    return np.array([x[: x.size - k] @ x[k:] for k in range(lags + 1)]) / (x @ x)


def autoregression(
    phi: float, n: int, rng: np.random.Generator, repeats: int = 1
) -> np.ndarray:
    """Return `repeats` series of n steps, shape (repeats, n): Xₜ = φ Xₜ₋₁ + √(1 − φ²) εₜ.

    Each Xₜ is standard normal, and Corr(Xₛ, Xₜ) = φ^|s − t|.
    """
    phi = between(phi, "phi", -1.0, 1.0, inclusive=False)
    noise = rng.standard_normal(
        (whole(repeats, "repeats", at_least=1), whole(n, "n", at_least=1))
    )
    noise[:, 1:] *= math.sqrt(1 - phi**2)
    return lfilter([1.0], [1.0, -phi], noise, axis=1)


def variance_of_mean(correlations: object, n: int, variance: float = 1.0) -> float:
    """Return the variance of the mean of n variables with Corr(Xₛ, Xₜ) = ρ_|s−t|.

    All have the same `variance`. `correlations` holds ρ₁, ρ₂, …; those beyond its end are 0.
    Var = σ²/n · (1 + 2 Σₖ (1 − k/n) ρₖ).
    """
    rho = as_vector(correlations, "correlations")
    if np.abs(rho).max() > 1:
        raise ValueError(
            f"correlations: expected numbers in [-1, 1], got {rho[np.abs(rho).argmax()]:g}"
        )
    n = whole(n, "n", at_least=1)
    k = np.arange(1, min(n, rho.size + 1))
    inflation = 1 + 2 * np.sum((1 - k / n) * rho[: k.size])
    if inflation < -1e-12:
        raise ValueError(
            "correlations: expected those of real variables, got a negative variance"
        )
    return positive(variance, "variance") / n * max(float(inflation), 0.0)


def effective_size(correlations: object, n: int) -> float:
    """Return how many independent samples would give a mean of the same variance."""
    share = variance_of_mean(correlations, n)
    if share == 0:
        raise ValueError(
            "correlations: the mean does not vary at all, no size is enough"
        )
    return 1 / share


def autoregression_log_likelihood(x: object, phi: float) -> float:
    """Return log p(x₁) + Σ log p(xₜ | xₜ₋₁) for a series x (n,) under `autoregression`."""
    x = as_vector(x, "x")
    phi = between(phi, "phi", -1.0, 1.0, inclusive=False)
    spread = 1 - phi**2
    steps = x[1:] - phi * x[:-1]
    log_density = -0.5 * (x[0] ** 2 + steps @ steps / spread)
    scale = x.size * math.log(2 * math.pi) + (x.size - 1) * math.log(spread)
    return float(log_density - 0.5 * scale)
