"""Input checks for images: what is single precision stays single precision."""

from __future__ import annotations

import numpy as np

from lib.validation import as_array


def as_floats(value: object, name: str, *, ndim: int) -> np.ndarray:
    """Return a finite, non-empty array of `ndim` axes: float32 if it came so, else float64."""
    if isinstance(value, np.ndarray) and value.dtype == np.float32 and value.size:
        if value.ndim != ndim:
            raise ValueError(
                f"{name}: expected {ndim} dimensions, got shape {value.shape}"
            )
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(value.sum()):
                return value
    array = as_array(value, name, ndim=ndim)
    return array.astype(np.float32) if np.asarray(value).dtype == np.float32 else array


def as_batch(
    value: object, name: str = "X", *, channels: int | None = None
) -> np.ndarray:
    """Return images of shape (n, channels, height, width)."""
    X = as_floats(value, name, ndim=4)
    if channels is not None and X.shape[1] != channels:
        raise ValueError(
            f"{name}: expected {channels} channels in axis 1, got shape {X.shape}"
        )
    return X


def as_shaped(value: object, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return a finite array of exactly this shape."""
    array = as_floats(value, name, ndim=len(shape))
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    return array
