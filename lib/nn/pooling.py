"""Pooling, its opposite (nearest upsampling), and flattening."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import Module

from lib.convolution.geometry import Geometry, IntOrPair
from lib.nn.windows import channels_first, channels_last, check_images, pad, taps
from lib.validation import whole


class _Pool(Module):
    """A window that slides over each channel alone; without `stride`, windows tile the image."""

    def __init__(
        self,
        kernel_size: IntOrPair,
        stride: IntOrPair | None = None,
        padding: IntOrPair = 0,
    ) -> None:
        super().__init__()
        step = kernel_size if stride is None else stride
        self.geometry = Geometry.of(kernel_size, step, padding)
        for half, kernel in zip(
            self.geometry.padding, self.geometry.kernel, strict=True
        ):
            if 2 * half > kernel:
                raise ValueError(
                    f"padding: expected at most half of the kernel {kernel}, got {half}"
                )

    def framed(self, x: Tensor, value: float) -> Tensor:
        """Return x with channels last and a frame of `value`, (n, H + 2p, W + 2q, C)."""
        check_images(x, None)
        self.geometry.output(*x.shape[2:])
        return pad(channels_last(x), self.geometry.padding, value)

    def extra_repr(self) -> str:
        """Return what ``print(layer)`` shows between the parentheses."""
        kernel, stride, padding, _ = self.geometry
        return f"kernel={kernel}, stride={stride}, padding={padding}"


class _Winners(Function):
    """The maximum over windows of x (n, H, W, C), with the backward pass written out."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, geometry: Geometry) -> Tensor:
        """Return the maxima (n, H', W', C)."""
        pixels = taps(x, geometry)
        best = next(pixels).clone()
        for pixel in pixels:
            torch.maximum(pixel, best, out=best)
        ctx.save_for_backward(x, best)
        ctx.geometry = geometry
        return best

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        """Return the gradient by x: each entry goes to the first pixel that equals the maximum."""
        x, best = ctx.saved_tensors
        canvas = gradient.new_zeros(x.shape)
        undecided = torch.ones_like(best)
        pairs = zip(taps(x, ctx.geometry), taps(canvas, ctx.geometry), strict=True)
        for pixel, target in pairs:
            # 1 and 0 in the pixels' own type: torch computes with booleans several times slower
            equal = torch.eq(pixel, best, out=torch.empty_like(best))
            winner = equal * undecided
            target.addcmul_(gradient, winner)
            undecided -= winner  # a place has one winner
        return canvas, None


class MaxPool2d(_Pool):
    """The largest pixel of every window; its gradient goes to that pixel alone.

    Of equal pixels the first, row by row, wins. Padding never wins: it counts as -∞.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Return the maxima, (n, C, H, W) → (n, C, H', W')."""
        return channels_first(_Winners.apply(self.framed(x, -math.inf), self.geometry))


class AvgPool2d(_Pool):
    """The mean of every window; padding counts as zeros."""

    def forward(self, x: Tensor) -> Tensor:
        """Return the means, (n, C, H, W) → (n, C, H', W')."""
        total = sum(taps(self.framed(x, 0.0), self.geometry))
        return channels_first(total / math.prod(self.geometry.kernel))


class GlobalAvgPool2d(Module):
    """The mean of each channel over the whole image, whatever its size: (n, C, H, W) → (n, C)."""

    def forward(self, x: Tensor) -> Tensor:
        """Return the means over height and width."""
        check_images(x, None)
        return x.mean(dim=(2, 3))


class UpsampleNearest2d(Module):
    """Every pixel becomes a block of factor × factor equal pixels."""

    def __init__(self, factor: int) -> None:
        super().__init__()
        self.factor = whole(factor, "factor", at_least=1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the larger image, (n, C, H, W) → (n, C, fH, fW)."""
        check_images(x, None)
        f = self.factor
        n, channels, height, width = x.shape
        blocks = x[:, :, :, None, :, None].expand(-1, -1, -1, f, -1, f)
        return blocks.reshape(n, channels, f * height, f * width)


class Flatten(Module):
    """(n, C, H, W) → (n, C·H·W), channel by channel, row by row."""

    def forward(self, x: Tensor) -> Tensor:
        """Return each sample as one row."""
        if x.ndim < 2:
            raise ValueError(f"input: expected shape (n, …), got {tuple(x.shape)}")
        return x.reshape(x.shape[0], -1)
