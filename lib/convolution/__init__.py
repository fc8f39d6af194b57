"""Convolution in NumPy: sizes, windows, the layer forward and backward, pooling, filters.

One idea a file; this page names what others import. Images are (n, channels, height, width),
weights (out, channels, kernel height, kernel width).
"""

from lib.convolution.filters import box, edge_strength, gaussian
from lib.convolution.geometry import (
    Geometry,
    output_size,
    same_padding,
    span,
    transposed_size,
    window_starts,
)
from lib.convolution.layer import Gradients, conv2d, conv2d_backward, conv2d_loops
from lib.convolution.matrices import convolution_matrix, toeplitz
from lib.convolution.pooling import (
    Pooled,
    avg_pool2d,
    avg_pool2d_backward,
    max_pool2d,
    max_pool2d_backward,
    upsample_nearest,
    upsample_nearest_backward,
)
from lib.convolution.receptive import Field, Slide, receptive_fields
from lib.convolution.signals import (
    circulant,
    circular_convolve,
    convolve,
    cross_correlate,
    flip,
    shift,
)
from lib.convolution.transposed import conv_transpose2d
from lib.convolution.windows import col2im, im2col, pad, windows

__all__ = [
    "Field",
    "Geometry",
    "Gradients",
    "Pooled",
    "Slide",
    "avg_pool2d",
    "avg_pool2d_backward",
    "box",
    "circulant",
    "circular_convolve",
    "col2im",
    "conv2d",
    "conv2d_backward",
    "conv2d_loops",
    "conv_transpose2d",
    "convolution_matrix",
    "convolve",
    "cross_correlate",
    "edge_strength",
    "flip",
    "gaussian",
    "im2col",
    "max_pool2d",
    "max_pool2d_backward",
    "output_size",
    "pad",
    "receptive_fields",
    "same_padding",
    "shift",
    "span",
    "toeplitz",
    "transposed_size",
    "upsample_nearest",
    "upsample_nearest_backward",
    "window_starts",
    "windows",
]
