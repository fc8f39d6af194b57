"""Cubic splines as columns of a design matrix."""

from __future__ import annotations

import numpy as np

from lib.validation import as_vector


def cubic_spline(x: np.ndarray, knots: np.ndarray) -> np.ndarray:
    """Return the columns 1, u, u², u³ and (u - k)³₊ for each knot, shape (n, 4 + len(knots)).

    u is x moved to [0, 1] by the range of the data, which keeps the powers tame. Their span is
    all functions that are cubic between the knots and twice continuously differentiable at them;
    the straight lines are among them.
    """
    x, knots = as_vector(x, "x"), as_vector(knots, "knots")
    low, high = x.min(), x.max()
    if not low < high:
        raise ValueError(f"x: expected at least two different values, got only {low:g}")
    if np.any(np.diff(knots) <= 0) or knots[0] <= low or knots[-1] >= high:
        raise ValueError(f"knots: expected rising values between {low:g} and {high:g}")
    u, k = (x - low) / (high - low), (knots - low) / (high - low)
    powers = u[:, None] ** np.arange(4)
    bends = np.maximum(u[:, None] - k, 0.0) ** 3
    return np.column_stack([powers, bends])
