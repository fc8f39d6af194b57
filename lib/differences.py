"""Derivatives by differences: the independent witness for every gradient in this book."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.validation import as_array, as_vector, one_of, positive

_EPS = np.finfo(float).eps
STEPS = {"forward": _EPS ** (1 / 2), "central": _EPS ** (1 / 3), "complex": 1e-20}
"""The step of each method that makes its error small for a function of moderate size."""


def jacobian(
    f: Callable[[np.ndarray], np.ndarray],
    x: object,
    *,
    method: str = "central",
    step: float | None = None,
) -> np.ndarray:
    """Return ∂f/∂x at x, of shape (shape of f(x)) + (shape of x).

    `method` is "forward", "central" or "complex". The complex step needs an f that is written in
    operations that carry over to complex numbers: no absolute values, no comparisons. The step is
    taken relative to the size of each entry of x.
    """
    one_of(method, "method", STEPS)
    x = as_array(x, "x")
    h = STEPS[method] if step is None else positive(step, "step")
    columns = []
    base = np.asarray(f(x.copy()), dtype=float) if method == "forward" else None
    for index in np.ndindex(x.shape):
        size = h * max(1.0, abs(x[index]))
        columns.append(_slope(f, x, index, size, method, base))
    shape = columns[0].shape
    J = np.stack([c.ravel() for c in columns], axis=-1).reshape(shape + x.shape)
    if not np.isfinite(J).all():
        raise ValueError("f: expected finite values near x, got NaN or infinite ones")
    return J


def _slope(
    f: Callable,
    x: np.ndarray,
    index: tuple,
    h: float,
    method: str,
    base: np.ndarray | None,
) -> np.ndarray:
    """Return the difference quotient of f along one entry of x."""
    if method == "complex":
        moved = x.astype(complex)
        moved[index] += 1j * h
        return np.asarray(np.imag(f(moved)) / h)
    up = x.copy()
    up[index] += h
    if method == "forward":
        return (np.asarray(f(up), dtype=float) - base) / (up[index] - x[index])
    down = x.copy()
    down[index] -= h
    # The steps as they came out in floating point, not as they were meant.
    width = up[index] - down[index]
    return (np.asarray(f(up), dtype=float) - np.asarray(f(down), dtype=float)) / width


def gradient(
    f: Callable[[np.ndarray], float], x: object, *, method: str = "central"
) -> np.ndarray:
    """Return the gradient of a scalar f at x, in the shape of x."""
    J = jacobian(f, x, method=method)
    x = as_array(x, "x")
    if J.shape != x.shape:
        raise ValueError(
            f"f: expected one number, got shape {J.shape[: J.ndim - x.ndim]}"
        )
    return J


def hessian(f: Callable[[np.ndarray], float], x: object) -> np.ndarray:
    """Return the matrix of second derivatives (d, d) of a scalar f at x (d,), by differences."""
    x = as_vector(x, "x")
    h = _EPS ** (1 / 4) * np.maximum(1.0, np.abs(x))
    d = len(x)
    H = np.empty((d, d))
    for i in range(d):
        for j in range(i + 1):
            a, b = h[i] * np.eye(d)[i], h[j] * np.eye(d)[j]
            corners = f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b)
            H[i, j] = H[j, i] = corners / (4 * h[i] * h[j])
    return H


def relative_error(analytic: object, numeric: object) -> float:
    """Return ‖a − b‖ / max(‖a‖, ‖b‖), the measure of a gradient check; 0 when both vanish."""
    a, b = as_array(analytic, "analytic"), as_array(numeric, "numeric")
    if a.shape != b.shape:
        raise ValueError(f"analytic: expected shape {b.shape}, got {a.shape}")
    size = max(float(np.linalg.norm(a)), float(np.linalg.norm(b)))
    return float(np.linalg.norm(a - b)) / size if size > 0 else 0.0
