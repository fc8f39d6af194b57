"""Windows of image batches in tensor operations, the start of every sliding layer.

Images are (n, C, H, W) as in ``torch.nn``. Inside, channels come last: a tap of the kernel then
meets one contiguous vector of channels per pixel, and windows are put together from slices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from lib.convolution.geometry import Geometry


def check_images(x: Tensor, channels: int | None, weight: Tensor | None = None) -> None:
    """Raise a ValueError unless x is (n, C, H, W) with C channels, in the dtype of the weights."""
    if x.ndim != 4:
        raise ValueError(
            f"input: expected shape (n, channels, height, width), got {tuple(x.shape)}"
        )
    if channels is not None and x.shape[1] != channels:
        raise ValueError(
            f"input: expected {channels} channels in axis 1, got shape {tuple(x.shape)}"
        )
    if weight is not None and x.dtype != weight.dtype:
        raise ValueError(
            f"input: expected {weight.dtype} as the weights have, got {x.dtype}"
        )


def pad(x: Tensor, padding: tuple[int, int], value: float = 0.0) -> Tensor:
    """Return x (n, H, W, C) with a frame of `value`: (n, H + 2p, W + 2q, C)."""
    p, q = padding
    if p == q == 0:
        return x
    n, height, width, channels = x.shape
    framed = x.new_full((n, height + 2 * p, width + 2 * q, channels), value)
    framed[:, p : p + height, q : q + width] = x
    return framed


def taps(x: Tensor, geometry: Geometry) -> Iterator[Tensor]:
    """Yield for each tap (u, v), row by row, the pixels it meets: slices (n, H', W', C) of x.

    x (n, H, W, C) is padded already; output place (i, j) meets pixel (s i + d u, s j + d v).
    """
    rows, cols = geometry._replace(padding=(0, 0)).output(*x.shape[1:3])
    (kh, kw), (sy, sx), _, (dy, dx) = geometry
    for u in range(kh):
        down = slice(dy * u, dy * u + sy * (rows - 1) + 1, sy)
        for v in range(kw):
            across = slice(dx * v, dx * v + sx * (cols - 1) + 1, sx)
            yield x[:, down, across]


def channels_last(x: Tensor) -> Tensor:
    """Return the view (n, H, W, C) of x (n, C, H, W)."""
    return x.permute(0, 2, 3, 1)


def channels_first(x: Tensor) -> Tensor:
    """Return the view (n, C, H, W) of x (n, H, W, C)."""
    return x.permute(0, 3, 1, 2)


def paint(columns: Tensor, shape: tuple[int, ...], geometry: Geometry) -> Tensor:
    """Return the image (n, H, W, C) to which every window adds its column (n, H', W', kh·kw·C)."""
    canvas = columns.new_zeros(shape)
    strokes = columns.split(shape[3], dim=3)
    for target, stroke in zip(taps(canvas, geometry), strokes, strict=True):
        target += stroke
    return canvas


class Columns(Function):
    """im2col: x (n, H, W, C), padded already, → (n, H', W', kh·kw·C), a window in each row.

    The backward pass is written out: autograd would build one image full of zeros for each tap.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, geometry: Geometry) -> Tensor:
        """Return the windows, tap by tap."""
        ctx.shape, ctx.geometry = x.shape, geometry
        return torch.cat(list(taps(x, geometry)), dim=3)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        """Return the adjoint: what the windows owe to each pixel, added up."""
        return paint(gradient, ctx.shape, ctx.geometry), None
