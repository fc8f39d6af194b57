"""Losses of one residual r = y - ŷ that a single wild point cannot dominate, with their slopes.

Each function works entry by entry on an array of residuals and returns the same shape.
"""

from __future__ import annotations

import numpy as np

from lib.validation import as_array, positive


def absolute_loss(r: np.ndarray) -> np.ndarray:
    """Return |r|."""
    return np.abs(as_array(r, "r"))


def absolute_slope(r: np.ndarray) -> np.ndarray:
    """Return a subgradient of |r|: its sign, and 0 (one of many in [-1, 1]) where r = 0."""
    return np.sign(as_array(r, "r"))


def huber_loss(r: np.ndarray, delta: float = 1.0) -> np.ndarray:
    """Return r²/2 where |r| ≤ δ and δ (|r| - δ/2) beyond: a parabola, then its tangents."""
    r, delta = as_array(r, "r"), positive(delta, "delta")
    size = np.abs(r)
    near = np.minimum(size, delta)  # the part of |r| inside the parabola
    return near * (size - near / 2)


def huber_slope(r: np.ndarray, delta: float = 1.0) -> np.ndarray:
    """Return the derivative of the Huber loss: r, held within [-δ, δ]."""
    r, delta = as_array(r, "r"), positive(delta, "delta")
    return np.clip(r, -delta, delta)
