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
from lib.linear.robust_losses import huber_slope
from lib.validation import as_design, positive, whole

_NEGLIGIBLE = 1e-12  # of the terms that cancel in the gradient


def weighted_least_squares(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the θ of least Σ w_i (y_i - x_iᵀθ)²: ordinary, on rows multiplied by √w_i."""
    X, y = as_design(X, y)
    root = np.sqrt(weights)
    return least_squares(root[:, None] * X, root * y)


def huber_regression(
    X: np.ndarray, y: np.ndarray, delta: float = 1.0, *, max_steps: int = 500
) -> np.ndarray:
    """Return the θ (d,) of least Σ huber(y_i - x_iᵀθ; δ), for X (n, d) and y (n,).

    After each reweighted step a Newton step is tried. The loss is quadratic as long as no residual
    crosses ±δ, so a Newton step that moves none across lands on the minimum exactly.
    """
    X, y = as_design(X, y)
    delta, max_steps = positive(delta, "delta"), whole(max_steps, "max_steps", at_least=1)
    y, unit = _to_unit(y)
    delta = delta / unit
    theta = least_squares(X, y)
    for _ in range(max_steps):
        residual = y - X @ theta
        if _vanishes(X, huber_slope(residual, delta)):
            return theta * unit
        weights = delta / np.maximum(np.abs(residual), delta)
        theta = weighted_least_squares(X, y, weights)
        theta = _newton_if_exact(X, y, theta, delta)
    raise ValueError(f"max_steps: expected enough steps to converge, got {max_steps}")


def _newton_if_exact(X: np.ndarray, y: np.ndarray, theta: np.ndarray, delta: float) -> np.ndarray:
    """Return the minimum of the quadratic piece around θ if it lies in that piece, else θ."""
    residual = y - X @ theta
    inside = np.abs(residual) <= delta
    if not inside.any():
        return theta
    # A residual beyond ±δ pulls with force ±δ wherever it is. With I the rows inside and O those
    # outside, the gradient vanishes at X_Iᵀ X_I θ = X_Iᵀ y_I + δ X_Oᵀ sign(r_O).
    pull = X[~inside].T @ (delta * np.sign(residual[~inside]))
    candidate = least_squares(X[inside], y[inside]) + _inverse_gram(X[inside], pull)
    moved = y - X @ candidate
    same_piece = np.array_equal(inside, np.abs(moved) <= delta) and np.array_equal(
        np.sign(moved[~inside]), np.sign(residual[~inside])
    )
    return candidate if same_piece else theta


def _inverse_gram(X: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return (Xᵀ X)⁺ v, (d,)."""
    scaled, exponents = equilibrate(X)
    _, s, Vt = np.linalg.svd(scaled, full_matrices=False)
    keep = s > len(X) * np.finfo(float).eps * s[0]
    coordinates = Vt[keep] @ np.ldexp(v, -exponents)
    return np.ldexp(Vt[keep].T @ (coordinates / s[keep] ** 2), -exponents)


@dataclass(frozen=True)
class AbsoluteFit:
    """Weights (d,) with the absolute error they reach and one that no weights can undercut."""

    theta: np.ndarray
    total: float  # Σ |y_i - x_iᵀθ|
    lower_bound: float  # Σ |y_i - x_iᵀw| is at least this for every w


def absolute_regression(
    X: np.ndarray, y: np.ndarray, *, tolerance: float = 1e-6, max_steps: int = 2000
) -> AbsoluteFit:
    """Minimise Σ |y_i - x_iᵀθ| to within `tolerance` of the best, relatively, and prove it.

    |r| is smoothed to √(r² + ε²), with ε shrinking. Each step has s = weights · residuals with
    Xᵀ s = 0. Divided by its largest entry (if above 1) it satisfies |s_i| ≤ 1, and then for every
    w:  Σ|y - Xw| ≥ sᵀ(y - Xw) = sᵀ y. That is the lower bound.
    """
    X, y = as_design(X, y)
    tolerance = positive(tolerance, "tolerance")
    max_steps = whole(max_steps, "max_steps", at_least=1)
    y, unit = _to_unit(y)
    theta = least_squares(X, y)
    residual = y - X @ theta
    exact = len(y) * X.shape[1] * np.finfo(float).eps  # an error this small is rounding
    epsilon = np.abs(residual).max()
    best, bound = (np.abs(residual).sum(), theta), 0.0
    for _ in range(max_steps):
        if best[0] <= exact or best[0] - bound <= tolerance * best[0]:
            return AbsoluteFit(best[1] * unit, float(best[0] * unit), float(bound * unit))
        weights = epsilon / np.hypot(residual, epsilon)  # ε times 1/√(r² + ε²): of size one
        theta = weighted_least_squares(X, y, weights)
        residual = y - X @ theta
        s = weights / epsilon * residual
        bound = max(bound, residual @ s / max(1.0, np.abs(s).max()))
        best = min(best, (np.abs(residual).sum(), theta), key=lambda pair: pair[0])
        epsilon = max(0.8 * epsilon, tolerance / 10 * best[0] / len(y))
    raise ValueError(
        f"max_steps: expected enough steps for a gap of {tolerance:g}, got {max_steps}"
    )


def _vanishes(X: np.ndarray, slopes: np.ndarray) -> bool:
    """Whether Xᵀ slopes is zero to rounding, column by column."""
    scaled, _ = equilibrate(X)
    return bool(
        np.all(np.abs(scaled.T @ slopes) <= _NEGLIGIBLE * (np.abs(scaled).T @ np.abs(slopes)))
    )


def _to_unit(y: np.ndarray) -> tuple[np.ndarray, float]:
    """Return y divided by a power of two near its largest entry, and that power."""
    unit = float(np.ldexp(1.0, int(np.frexp(np.abs(y).max())[1])))
    return y / unit, unit
