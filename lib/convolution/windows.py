"""Windows of an image without copying, and im2col: every window as a column of a matrix."""

from __future__ import annotations

import numpy as np

from lib.convolution.geometry import Geometry
from lib.convolution.images import as_batch, as_shaped


def pad(X: np.ndarray, padding: tuple[int, int]) -> np.ndarray:
    """Return X of shape (…, H, W) with zeros around it: (…, H + 2p, W + 2q)."""
    p, q = padding
    if p == q == 0:
        return X
    *lead, height, width = X.shape
    padded = np.zeros((*lead, height + 2 * p, width + 2 * q), dtype=X.dtype)
    padded[..., p : p + height, q : q + width] = X
    return padded


def windows(X: np.ndarray, geometry: Geometry) -> np.ndarray:
    """Return all windows of X as a view of shape (n, C, kh, kw, H', W'); nothing is copied.

    Entry [n, c, u, v, i, j] is padded pixel (s i + d u, s j + d v): moving one output place steps
    s pixels, moving one tap steps d, and both are only strides in memory.
    """
    rows, columns = geometry.output(*X.shape[-2:])
    padded = pad(X, geometry.padding)
    n, channels, *_ = padded.shape
    image, plane, row, pixel = padded.strides
    (sy, sx), (dy, dx) = geometry.stride, geometry.dilation
    return np.lib.stride_tricks.as_strided(
        padded,
        shape=(n, channels, *geometry.kernel, rows, columns),
        strides=(image, plane, dy * row, dx * pixel, sy * row, sx * pixel),
        writeable=False,
    )


def im2col(X: object, geometry: Geometry) -> np.ndarray:
    """Return the windows of X (n, C, H, W) as columns: (n, C·kh·kw, H'·W')."""
    view = windows(as_batch(X), geometry)
    n, channels, kh, kw, rows, columns = view.shape
    return view.copy().reshape(n, channels * kh * kw, rows * columns)


def col2im(
    columns: object, shape: tuple[int, int, int, int], geometry: Geometry
) -> np.ndarray:
    """Return the adjoint of im2col: each entry is added back to the pixel that it came from.

    `columns` has shape (n, C·kh·kw, H'·W'); the result has the `shape` (n, C, H, W). Where
    windows overlap, a pixel collects several entries.
    """
    n, channels, height, width = shape
    kh, kw = geometry.kernel
    rows, cols = geometry.output(height, width)
    expected = (n, channels * kh * kw, rows * cols)
    return add_back(as_shaped(columns, "columns", expected), shape, geometry)


def add_back(
    columns: np.ndarray, shape: tuple[int, int, int, int], geometry: Geometry
) -> np.ndarray:
    """Return col2im of columns that are known to fit: the inner loop of the backward pass."""
    n, channels, height, width = shape
    (kh, kw), (py, px) = geometry.kernel, geometry.padding
    (sy, sx), (dy, dx) = geometry.stride, geometry.dilation
    rows, cols = geometry.output(height, width)
    entries = columns.reshape(n, channels, kh, kw, rows, cols)
    padded = np.zeros(
        (n, channels, height + 2 * py, width + 2 * px), dtype=entries.dtype
    )
    for u in range(kh):  # for each tap, the pixels it met form a regular grid
        down = slice(dy * u, dy * u + sy * (rows - 1) + 1, sy)
        for v in range(kw):
            across = slice(dx * v, dx * v + sx * (cols - 1) + 1, sx)
            padded[:, :, down, across] += entries[:, :, u, v]
    return padded[:, :, py : py + height, px : px + width]
