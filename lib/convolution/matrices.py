"""A convolution as a matrix: Toeplitz on a line, doubly block Toeplitz on a grid."""

from __future__ import annotations

import numpy as np

from lib.convolution.geometry import Geometry, IntOrPair, output_size
from lib.convolution.images import as_floats
from lib.validation import as_vector, whole


def toeplitz(kernel: object, n: int, stride: int = 1, padding: int = 0) -> np.ndarray:
    """Return T of shape (n', n) with T x = cross-correlation of x (n,) with the kernel (k,).

    Row i holds the kernel, moved by s i - p; what would lie in the padding is left out.
    """
    k = as_vector(kernel, "kernel")
    rows = output_size(n, len(k), stride, padding)
    T = np.zeros((rows, whole(n, "n", at_least=1)))
    for i in range(rows):
        for u, weight in enumerate(k):
            x = stride * i + u - padding
            if 0 <= x < n:
                T[i, x] = weight
    return T


def convolution_matrix(
    W: object,
    size: tuple[int, int],
    stride: IntOrPair = 1,
    padding: IntOrPair = 0,
    dilation: IntOrPair = 1,
) -> np.ndarray:
    """Return M with M x = z: x an image (C, H, W) and z the layer's output, both flattened.

    W has the shape (out, C, kh, kw), M the shape (out·H'·W', C·H·W). Most of M is zero, and its
    entries are the kernel's, over and over: locality and sharing, made visible.
    """
    W = as_floats(W, "W", ndim=4)
    out, channels, kh, kw = W.shape
    height, width = size
    geometry = Geometry.of((kh, kw), stride, padding, dilation)
    rows, cols = geometry.output(height, width)
    (s, t), (p, q), (d, e) = geometry[1:]
    M = np.zeros((out, rows, cols, channels, height, width), dtype=W.dtype)
    for i in range(rows):
        for j in range(cols):
            for u in range(kh):
                for v in range(kw):
                    y, x = s * i + d * u - p, t * j + e * v - q
                    if 0 <= y < height and 0 <= x < width:
                        M[:, i, j, :, y, x] = W[:, :, u, v]
    return M.reshape(out * rows * cols, channels * height * width)
