"""The transposed convolution: the adjoint of the convolution with the same weights."""

from __future__ import annotations

import numpy as np

from lib.convolution.geometry import Geometry, IntOrPair, as_pair, transposed_size
from lib.convolution.images import as_batch, as_floats, as_shaped
from lib.convolution.windows import col2im


def conv_transpose2d(
    Z: object,
    W: object,
    b: object | None = None,
    stride: IntOrPair = 1,
    padding: IntOrPair = 0,
    dilation: IntOrPair = 1,
    output_padding: IntOrPair = 0,
) -> np.ndarray:
    """Return the image (n, C, H, W) that Z (n, out, H', W') paints: one scaled kernel per entry.

    W has the shape (out, C, kh, kw) of the convolution that this is the adjoint of; b (C,) is
    added to every pixel. Strides smaller than the kernel make the kernels overlap and add up.
    """
    W = as_floats(W, "W", ndim=4)
    Z = as_batch(Z, "Z", channels=len(W))
    n, out, rows, cols = Z.shape
    geometry = Geometry.of(W.shape[2:], stride, padding, dilation)
    extra = as_pair(output_padding, "output_padding", at_least=0)
    sizes = zip((rows, cols), *geometry, extra, strict=True)
    height, width = (transposed_size(*axis) for axis in sizes)
    columns = W.reshape(out, -1).T @ Z.reshape(n, out, rows * cols)
    X = col2im(columns, (n, W.shape[1], height, width), geometry)
    if b is None:
        return X
    return X + as_shaped(b, "b", (W.shape[1],))[:, None, None]
