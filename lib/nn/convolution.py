"""Convolutional layers: slices of the image, one matrix product, and the transpose of that."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from lib.convolution.geometry import Geometry, IntOrPair, as_pair, transposed_size
from lib.nn.initialisation import start_bias, start_weight
from lib.nn.windows import (
    Columns,
    channels_first,
    channels_last,
    check_images,
    pad,
    paint,
)
from lib.validation import whole


def conv2d(
    x: Tensor, weight: Tensor, bias: Tensor | None, geometry: Geometry
) -> Tensor:
    """Return the cross-correlation of x (n, C, H, W) with weight (out, C, kh, kw)."""
    out = weight.shape[0]
    framed = pad(channels_last(x), geometry.padding)
    columns = Columns.apply(framed, geometry)  # (n, H', W', kh kw C)
    z = columns @ weight.permute(2, 3, 1, 0).reshape(-1, out)  # (n, H', W', out)
    return channels_first(z if bias is None else z + bias)


def conv_transpose2d(
    z: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    geometry: Geometry,
    size: tuple[int, int],
) -> Tensor:
    """Return the image (n, C, H, W) of the given size that z (n, in, H', W') paints.

    weight has shape (in, C, kh, kw). Every entry of z adds its multiple of a kernel: the
    transpose of the matrix by which conv2d multiplies.
    """
    channels = weight.shape[1]
    (py, px), (height, width) = geometry.padding, size
    kernel = weight.permute(0, 2, 3, 1).reshape(weight.shape[0], -1)
    painted = channels_last(z) @ kernel  # (n, H', W', kh kw C)
    frame = (z.shape[0], height + 2 * py, width + 2 * px, channels)
    canvas = paint(painted, frame, geometry)
    image = canvas[:, py : py + height, px : px + width]
    return channels_first(image if bias is None else image + bias)


class _Sliding(Module):
    """What both layers share: checked arguments and started parameters."""

    def __init__(
        self,
        shape: tuple[int, int],
        bias_size: int,
        geometry: Geometry,
        bias: bool,
        start: str,
        dtype: torch.dtype | None,
    ) -> None:
        super().__init__()
        self.geometry = geometry
        weight = torch.empty(*shape, *geometry.kernel, dtype=dtype)
        self.weight = Parameter(start_weight(weight, start))
        self.bias = None
        if bias:
            fan_in = math.prod(weight.shape[1:])
            values = torch.empty(bias_size, dtype=dtype)
            self.bias = Parameter(start_bias(values, fan_in, start))

    def extra_repr(self) -> str:
        """Return what ``print(layer)`` shows between the parentheses."""
        named = zip(self.geometry._fields, self.geometry, strict=True)
        settings = ", ".join(f"{name}={value}" for name, value in named)
        return f"weight {tuple(self.weight.shape)}, {settings}"


class Conv2d(_Sliding):
    """A convolutional layer: (n, in, H, W) → (n, out, H', W').

    `weight` has shape (out, in / groups, kh, kw), `bias` shape (out,) or is None. With `groups`,
    channels are dealt into that many blocks, each with filters of its own.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: IntOrPair,
        stride: IntOrPair = 1,
        padding: IntOrPair = 0,
        dilation: IntOrPair = 1,
        groups: int = 1,
        bias: bool = True,
        *,
        start: str = "torch",
        dtype: torch.dtype | None = None,
    ) -> None:
        inward = whole(in_channels, "in_channels", at_least=1)
        out = whole(out_channels, "out_channels", at_least=1)
        groups = whole(groups, "groups", at_least=1)
        if inward % groups or out % groups:
            raise ValueError(
                f"groups: expected a divisor of {inward} and {out} channels, got {groups}"
            )
        geometry = Geometry.of(kernel_size, stride, padding, dilation)
        shape = (out, inward // groups)
        super().__init__(shape, out, geometry, bias, start, dtype)
        self.in_channels, self.groups = inward, groups

    def forward(self, x: Tensor) -> Tensor:
        """Return the layer's output, (n, in, H, W) → (n, out, H', W')."""
        check_images(x, self.in_channels, self.weight)
        self.geometry.output(*x.shape[2:])
        if self.groups == 1:
            return conv2d(x, self.weight, self.bias, self.geometry)
        blocks = zip(
            x.chunk(self.groups, 1), self.weight.chunk(self.groups), strict=True
        )
        z = torch.cat([conv2d(a, w, None, self.geometry) for a, w in blocks], dim=1)
        return z if self.bias is None else z + self.bias[:, None, None]


class ConvTranspose2d(_Sliding):
    """The transpose of a convolution: (n, in, H', W') → (n, out, H, W), upwards in size.

    `weight` has shape (in, out, kh, kw): that of the convolution from `out` to `in` channels
    whose transpose this is. `output_padding` < stride adds rows and columns at the far end.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: IntOrPair,
        stride: IntOrPair = 1,
        padding: IntOrPair = 0,
        output_padding: IntOrPair = 0,
        bias: bool = True,
        dilation: IntOrPair = 1,
        *,
        start: str = "torch",
        dtype: torch.dtype | None = None,
    ) -> None:
        inward = whole(in_channels, "in_channels", at_least=1)
        out = whole(out_channels, "out_channels", at_least=1)
        geometry = Geometry.of(kernel_size, stride, padding, dilation)
        super().__init__((inward, out), out, geometry, bias, start, dtype)
        self.in_channels = inward
        self.output_padding = as_pair(output_padding, "output_padding", at_least=0)

    def output_size(self, rows: int, cols: int) -> tuple[int, int]:
        """Return the size of the image that an input of this size becomes."""
        axes = zip((rows, cols), *self.geometry, self.output_padding, strict=True)
        height, width = (transposed_size(*axis) for axis in axes)
        return height, width

    def forward(self, z: Tensor) -> Tensor:
        """Return the painted image, (n, in, H', W') → (n, out, H, W)."""
        check_images(z, self.in_channels, self.weight)
        size = self.output_size(*z.shape[2:])
        return conv_transpose2d(z, self.weight, self.bias, self.geometry, size)
