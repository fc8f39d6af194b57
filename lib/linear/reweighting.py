"""Robust regression by iteratively reweighted least squares.

A convex loss of the residual is replaced by a parabola that touches it from above at the current
residual; the sum of parabolas is a weighted least-squares problem, and solving it cannot raise
the loss. Repeat. The weight is the slope of the loss over the residual: 1 near zero, small far
out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.least_squares import equilibrate, least_squares
from lib.linear.singular_values import EPS
from lib.validation import as_design, as_vector, positive, whole

_NEGLIGIBLE = 1e-10  # of the terms that cancel in the gradient
_TAU = 1e-8  # the weight of a row whose loss is straight, in Newton's direction


def weighted_least_squares(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return the θ of least Σ w_i (y_i - x_iᵀθ)²: ordinary, on rows multiplied by √w_i."""
    X, y = as_design(X, y)
    weights = as_vector(weights, "weights", length=len(y))
    if weights.min() < 0:
        raise ValueError(f"weights: expected numbers >= 0, got {weights.min():g}")
    root = np.sqrt(weights)
    return least_squares(root[:, None] * X, root * y)


def huber_regression(
    X: np.ndarray, y: np.ndarray, delta: float = 1.0, *, max_steps: int = 500
) -> np.ndarray:
    """Return the θ (d,) of least Σ huber(y_i - x_iᵀθ; δ), for X (n, d) and y (n,).

    After each reweighted step comes one in Newton's direction, as far as the loss falls. The loss
    is quadratic as long as no residual crosses ±δ, so the last steps are all but exact.
    """
    X, y = as_design(X, y)
    delta, max_steps = (
        positive(delta, "delta"),
        whole(max_steps, "max_steps", at_least=1),
    )
    y, unit = _to_unit(y)
    return unit * _minimise_huber(X, y, delta / unit, least_squares(X, y), max_steps)


def _minimise_huber(
    X: np.ndarray, y: np.ndarray, delta: float, theta: np.ndarray, max_steps: int
) -> np.ndarray:
    for _ in range(max_steps):
        if _is_stationary(X, y, theta, delta):
            return theta
        weights = delta / np.maximum(np.abs(y - X @ theta), delta)
        theta = weighted_least_squares(X, y, weights)
        theta = _along_newton(X, y, theta, delta)
    raise ValueError(f"max_steps: expected enough steps to converge, got {max_steps}")


def _along_newton(
    X: np.ndarray, y: np.ndarray, theta: np.ndarray, delta: float
) -> np.ndarray:
    """Return the best point on the ray from θ in Newton's direction.

    The Hessian is X_Iᵀ X_I over the rows inside ±δ. Those outside get the weight τ instead of 0,
    so the direction exists even when few rows are inside.
    """
    residual = y - X @ theta
    slopes = np.clip(residual, -delta, delta)
    weights = np.where(np.abs(residual) <= delta, 1.0, _TAU)
    direction = weighted_least_squares(X, slopes / weights, weights)
    change = X @ direction  # the residual at θ + t · direction is r - t · change

    def downhill(t: float) -> bool:
        return change @ np.clip(residual - t * change, -delta, delta) > 0

    low, high = 0.0, 1.0
    while downhill(high) and high < 1e12:
        low, high = high, 2 * high
    for _ in range(
        60
    ):  # the slope along the ray only rises: halve until floats run out
        middle = (low + high) / 2
        low, high = (middle, high) if downhill(middle) else (low, middle)
    return theta + low * direction


def _is_stationary(
    X: np.ndarray, y: np.ndarray, theta: np.ndarray, delta: float
) -> bool:
    """Whether Xᵀ slopes is zero to rounding, column by column."""
    X, exponents = equilibrate(X)
    theta = np.ldexp(theta, exponents)
    residual = y - X @ theta
    slopes, size = np.clip(residual, -delta, delta), np.abs(X)
    rounding = np.where(
        np.abs(residual) <= delta, size @ np.abs(theta) + np.abs(y), 0.0
    )
    allowed = size.T @ (_NEGLIGIBLE * np.abs(slopes) + len(theta) * 4 * EPS * rounding)
    return bool(np.all(np.abs(X.T @ slopes) <= allowed))


@dataclass(frozen=True)
class AbsoluteFit:
    """Weights (d,) with the absolute error they reach and one that no weights can undercut."""

    theta: np.ndarray
    total: float  # Σ |y_i - x_iᵀθ|
    lower_bound: float  # Σ |y_i - x_iᵀw| is at least this for every w


def absolute_regression(
    X: np.ndarray, y: np.ndarray, *, tolerance: float = 1e-6, max_steps: int = 500
) -> AbsoluteFit:
    """Minimise Σ |y_i - x_iᵀθ| to within `tolerance` of the best, relatively, and prove it.

    The Huber loss over δ tends to |r| as δ shrinks. At its minimum the slopes s = clip(r/δ, -1, 1)
    satisfy Xᵀ s = 0, so for every w:  Σ|y - Xw| ≥ sᵀ(y - Xw) = sᵀ y. That is the lower bound; δ
    shrinks until it is near enough.
    """
    X, y = as_design(X, y)
    tolerance = positive(tolerance, "tolerance")
    max_steps = whole(max_steps, "max_steps", at_least=1)
    y, unit = _to_unit(y)
    theta = least_squares(X, y)
    residual = y - X @ theta
    total, bound = np.abs(residual).sum(), 0.0
    rounding = len(y) * X.shape[1] * EPS
    delta = np.abs(residual).max() / 4
    while total > rounding and total - bound > tolerance * total:
        theta = _minimise_huber(X, y, delta, theta, max_steps)
        residual = y - X @ theta
        total = np.abs(residual).sum()
        bound = residual @ np.clip(residual / delta, -1.0, 1.0)
        # Each residual within ±δ adds at most δ/4 to the gap, so this is small enough in the end.
        delta = max(delta / 8, tolerance * total / len(y))
    return AbsoluteFit(unit * theta, float(unit * total), float(unit * bound))


def _to_unit(y: np.ndarray) -> tuple[np.ndarray, float]:
    """Return y divided by a power of two near its largest entry, and that power."""
    unit = float(np.ldexp(1.0, int(np.frexp(np.abs(y).max())[1])))
    return y / unit, unit
