"""B-splines: piecewise polynomials that join smoothly and are zero almost everywhere."""

from __future__ import annotations

import numpy as np

from lib.validation import as_array, as_vector, finite, whole


def clamped_knots(
    inner: object, degree: int = 3, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    """Return the knots of a spline on [low, high]: the ends repeated degree + 1 times.

    `inner` holds the rising knots between the ends, (K,), and may be empty.
    """
    low, high = finite(low, "low"), finite(high, "high")
    degree = whole(degree, "degree")
    inner = as_array(inner, "inner", ndim=1) if np.size(inner) else np.empty(0)
    if not low < high:
        raise ValueError(f"low: expected a number below high = {high:g}, got {low:g}")
    if np.any(np.diff(np.concatenate([[low], inner, [high]])) <= 0):
        raise ValueError(f"inner: expected rising knots between {low:g} and {high:g}")
    return np.concatenate([np.full(degree + 1, low), inner, np.full(degree + 1, high)])


def bsplines(
    x: object,
    inner: object,
    degree: int = 3,
    low: float = 0.0,
    high: float = 1.0,
) -> np.ndarray:
    """Return the B-splines of a degree at x (n,), shape (n, len(inner) + degree + 1).

    They are non-negative, at most degree + 1 of them differ from zero at any x, and they sum to
    one. Built by the recursion of Cox and de Boor, from steps to hats to smooth bumps.
    """
    x, degree = as_vector(x, "x"), whole(degree, "degree")
    t = clamped_knots(inner, degree, low, high)
    if x.min() < low or x.max() > high:
        raise ValueError(
            f"x: expected values from {low:g} to {high:g}, "
            f"got {x.min():g} to {x.max():g}"
        )
    # Degree 0: which interval [t_j, t_j+1) holds x; the right end belongs to the last one.
    cell = np.searchsorted(t[degree + 1 : -degree - 1], x, side="right") + degree
    columns = np.zeros((len(x), len(t) - 1))
    columns[np.arange(len(x)), cell] = 1.0
    for k in range(1, degree + 1):
        rise = _share(x, t[: -k - 1], t[k:-1])  # (x − t_j) / (t_{j+k} − t_j)
        fall = 1.0 - _share(x, t[1:-k], t[k + 1 :])  # its right neighbour, falling
        columns = rise * columns[:, :-1] + fall * columns[:, 1:]
    return columns


def _share(x: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return how far x lies between start and end, (n, m); 0 where the two coincide.

    Repeated knots span no interval: the B-spline they would carry is zero, so the value is moot.
    """
    length = end - start
    with np.errstate(over="ignore"):
        return np.where(
            length > 0, (x[:, None] - start) / np.where(length > 0, length, 1.0), 0.0
        )
