"""The convolutional layer in NumPy: six plain loops, then im2col, forward and backward.

What networks call convolution is a cross-correlation: the kernel is not flipped. Weights have the
shape (out, C, kh, kw), images (n, C, H, W), outputs (n, out, H', W').
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lib.convolution.geometry import Geometry, IntOrPair
from lib.convolution.images import as_batch, as_floats, as_shaped
from lib.convolution.windows import add_back, windows

CACHED_ENTRIES = 2**18  # of a block's columns: about what a core's cache holds


class Gradients(NamedTuple):
    """Derivatives of a loss by the layer's input (n, C, H, W), weights and biases."""

    X: np.ndarray
    W: np.ndarray
    b: np.ndarray


def conv2d_loops(
    X: object,
    W: object,
    b: object | None = None,
    stride: int = 1,
    padding: int = 0,
    dilation: int = 1,
) -> np.ndarray:
    """Return the layer's output by six nested loops per image: the formula, word for word."""
    X, W, b, geometry = _arguments(X, W, b, stride, padding, dilation)
    rows, cols = geometry.output(*X.shape[2:])
    height, width = X.shape[2:]
    Z = np.zeros((len(X), len(W), rows, cols), dtype=X.dtype)
    (s, t), (p, q), (d, e) = geometry[1:]
    for n, image in enumerate(X):
        for o, kernel in enumerate(W):
            for i in range(rows):
                for j in range(cols):
                    z = b[o]
                    for c in range(len(kernel)):
                        for u in range(kernel.shape[1]):
                            for v in range(kernel.shape[2]):
                                y, x = s * i + d * u - p, t * j + e * v - q
                                if 0 <= y < height and 0 <= x < width:
                                    z += kernel[c, u, v] * image[c, y, x]
                    Z[n, o, i, j] = z
    return Z


def conv2d(
    X: object,
    W: object,
    b: object | None = None,
    stride: IntOrPair = 1,
    padding: IntOrPair = 0,
    dilation: IntOrPair = 1,
) -> np.ndarray:
    """Return the layer's output (n, out, H', W') as one matrix product per image.

    X (n, C, H, W), W (out, C, kh, kw), b (out,) or None. Images are taken a few at a time, so that
    their columns, kh·kw times the size of the image, stay in the processor's cache.
    """
    X, W, b, geometry = _arguments(X, W, b, stride, padding, dilation)
    rows, cols = geometry.output(*X.shape[2:])
    weights = W.reshape(len(W), -1)  # (out, C kh kw)
    Z = np.empty((len(X), len(W), rows * cols), dtype=np.result_type(X, W))
    for block, columns in _blocks(X, geometry):
        np.matmul(weights, columns, out=Z[block])
    Z += b[:, None]
    return Z.reshape(len(X), len(W), rows, cols)


def conv2d_backward(
    dZ: object,
    X: object,
    W: object,
    stride: IntOrPair = 1,
    padding: IntOrPair = 0,
    dilation: IntOrPair = 1,
) -> Gradients:
    """Return the gradients, given the loss's derivative dZ by the output, (n, out, H', W').

    With the columns A of an image, Z = W A, so dW = dZ Aᵀ and dA = Wᵀ dZ; col2im adds dA back to
    the pixels.
    """
    X, W, _, geometry = _arguments(X, W, None, stride, padding, dilation)
    rows, cols = geometry.output(*X.shape[2:])
    deltas = as_shaped(dZ, "dZ", (len(X), len(W), rows, cols))
    deltas = np.ascontiguousarray(deltas).reshape(len(X), len(W), -1)
    weights = W.reshape(len(W), -1)
    dtype = np.result_type(deltas, X, W)
    dX, dW = np.empty(X.shape, dtype=dtype), np.zeros(weights.shape, dtype=dtype)
    for block, columns in _blocks(X, geometry):
        delta = deltas[block]
        for one, column in zip(delta, columns, strict=True):
            dW += one @ column.T
        np.matmul(weights.T, delta, out=columns)  # the columns are no longer needed
        dX[block] = add_back(columns, X[block].shape, geometry)
    return Gradients(dX, dW.reshape(W.shape), deltas.sum(axis=(0, 2)))


def _blocks(X: np.ndarray, geometry: Geometry) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield slices of the batch with their columns (block, C·kh·kw, H'·W') to work on.

    One buffer serves all blocks, so the columns are good until the next block.
    """
    view = windows(X, geometry)
    channels, kh, kw, rows, cols = view.shape[1:]
    per_image = channels * kh * kw * rows * cols
    size = min(len(X), max(1, CACHED_ENTRIES // per_image))
    buffer = np.empty((size, *view.shape[1:]), dtype=X.dtype)
    for start in range(0, len(X), size):
        block = slice(start, min(start + size, len(X)))
        columns = buffer[: block.stop - start]
        columns[...] = view[block]
        yield block, columns.reshape(-1, channels * kh * kw, rows * cols)


def _arguments(
    X: object,
    W: object,
    b: object | None,
    stride: IntOrPair,
    padding: IntOrPair,
    dilation: IntOrPair,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Geometry]:
    """Return X, W, b (zeros for None) and the geometry, checked against each other."""
    W = as_floats(W, "W", ndim=4)
    X = as_batch(X, channels=W.shape[1])
    dtype = np.result_type(X, W)
    b = np.zeros(len(W), dtype) if b is None else as_shaped(b, "b", (len(W),))
    geometry = Geometry.of(W.shape[2:], stride, padding, dilation)
    geometry.output(*X.shape[2:])  # says at once when the kernel does not fit
    return X.astype(dtype, copy=False), W.astype(dtype, copy=False), b, geometry
