"""Pooling in NumPy, forward and backward: the strongest of a window, or its mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lib.convolution.geometry import Geometry, IntOrPair
from lib.convolution.images import as_batch, as_shaped
from lib.convolution.windows import col2im, windows
from lib.validation import whole


class Pooled(NamedTuple):
    """The maxima (n, C, H', W') and which of the kh·kw pixels each came from, row by row."""

    values: np.ndarray
    winners: np.ndarray


def max_pool2d(X: object, kernel: IntOrPair, stride: IntOrPair | None = None) -> Pooled:
    """Return the maximum of every window of X (n, C, H, W); of equal pixels the first wins.

    Without `stride` windows touch but do not overlap: the stride is the kernel.
    """
    taps = _taps(as_batch(X), kernel, stride)
    winners = taps.argmax(axis=2)
    values = np.take_along_axis(taps, winners[:, :, None], axis=2)[:, :, 0]
    return Pooled(values, winners)


def max_pool2d_backward(
    dY: object,
    winners: np.ndarray,
    shape: tuple[int, int, int, int],
    kernel: IntOrPair,
    stride: IntOrPair | None = None,
) -> np.ndarray:
    """Return the derivative by X, of the given shape: each dY goes to the winning pixel alone."""
    dY, geometry = _gradient(dY, shape, kernel, stride)
    if winners.shape != dY.shape:
        raise ValueError(f"winners: expected shape {dY.shape}, got {winners.shape}")
    kh, kw = geometry.kernel
    entries = np.zeros((*dY.shape[:2], kh * kw, *dY.shape[2:]), dtype=dY.dtype)
    np.put_along_axis(entries, winners[:, :, None], dY[:, :, None], axis=2)
    return _laid_back(entries, shape, geometry)


def avg_pool2d(
    X: object, kernel: IntOrPair, stride: IntOrPair | None = None
) -> np.ndarray:
    """Return the mean of every window of X (n, C, H, W): (n, C, H', W')."""
    taps = _taps(as_batch(X), kernel, stride)
    return taps.mean(axis=2)


def avg_pool2d_backward(
    dY: object,
    shape: tuple[int, int, int, int],
    kernel: IntOrPair,
    stride: IntOrPair | None = None,
) -> np.ndarray:
    """Return the derivative by X: every pixel of a window gets an equal share of dY."""
    dY, geometry = _gradient(dY, shape, kernel, stride)
    kh, kw = geometry.kernel
    share = (dY / (kh * kw))[:, :, None].repeat(kh * kw, axis=2)
    return _laid_back(share, shape, geometry)


def upsample_nearest(X: object, factor: int) -> np.ndarray:
    """Return X (n, C, H, W) with every pixel repeated in a block: (n, C, fH, fW)."""
    factor = whole(factor, "factor", at_least=1)
    return as_batch(X).repeat(factor, axis=2).repeat(factor, axis=3)


def upsample_nearest_backward(dY: object, factor: int) -> np.ndarray:
    """Return the derivative by the small image: the sum over each block of dY."""
    factor = whole(factor, "factor", at_least=1)
    dY = as_batch(dY, "dY")
    n, channels, height, width = dY.shape
    if height % factor or width % factor:
        raise ValueError(
            f"dY: expected sides that {factor} divides, got shape {dY.shape}"
        )
    blocks = dY.reshape(n, channels, height // factor, factor, width // factor, factor)
    return blocks.sum(axis=(3, 5))


def _geometry(kernel: IntOrPair, stride: IntOrPair | None) -> Geometry:
    return Geometry.of(kernel, kernel if stride is None else stride)


def _taps(X: np.ndarray, kernel: IntOrPair, stride: IntOrPair | None) -> np.ndarray:
    """Return the pixels of every window, (n, C, kh·kw, H', W')."""
    view = windows(X, _geometry(kernel, stride))
    n, channels, kh, kw, rows, cols = view.shape
    return view.reshape(n, channels, kh * kw, rows, cols)


def _gradient(
    dY: object,
    shape: tuple[int, int, int, int],
    kernel: IntOrPair,
    stride: IntOrPair | None,
) -> tuple[np.ndarray, Geometry]:
    """Return dY, checked against the images' shape, and the geometry."""
    geometry = _geometry(kernel, stride)
    return as_shaped(dY, "dY", (*shape[:2], *geometry.output(*shape[2:]))), geometry


def _laid_back(
    entries: np.ndarray, shape: tuple[int, int, int, int], geometry: Geometry
) -> np.ndarray:
    """Return entries (n, C, kh·kw, H', W') added to the pixels that they belong to: `shape`."""
    n, channels, taps, rows, cols = entries.shape
    flat = entries.reshape(n, channels * taps, rows * cols)
    return col2im(flat, shape, geometry)
