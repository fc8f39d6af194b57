"""How many places a window has: sizes of convolutions, their transposes and pooling.

One axis at a time. A kernel of k taps with dilation d spans d (k - 1) + 1 pixels. It starts at
0, s, 2s, … of an axis that padding has made n + 2p long, as often as it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lib.validation import whole

IntOrPair = int | Sequence[int]


def as_pair(value: IntOrPair, name: str, *, at_least: int) -> tuple[int, int]:
    """Return (vertical, horizontal) whole numbers; one number stands for both."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise ValueError(
                f"{name}: expected one number or two, got {len(value)} of them"
            )
        first, second = value
    else:
        first = second = value
    return (
        whole(first, name, at_least=at_least),
        whole(second, name, at_least=at_least),
    )


def span(kernel: int, dilation: int = 1) -> int:
    """Return how many pixels a kernel covers from its first tap to its last: d (k - 1) + 1."""
    kernel = whole(kernel, "kernel", at_least=1)
    return whole(dilation, "dilation", at_least=1) * (kernel - 1) + 1


def output_size(
    n: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1
) -> int:
    """Return the number of windows along an axis of n pixels, `padding` zeros on either side.

    ⌊(n + 2p - d (k - 1) - 1) / s⌋ + 1, when the kernel fits at all.
    """
    n = whole(n, "n", at_least=1)
    stride = whole(stride, "stride", at_least=1)
    padding = whole(padding, "padding")
    room = n + 2 * padding - span(kernel, dilation)
    if room < 0:
        raise ValueError(
            f"kernel: expected one that fits into {n + 2 * padding} pixels (padding "
            f"included), got one that spans {span(kernel, dilation)}"
        )
    return room // stride + 1


def window_starts(
    n: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1
) -> list[int]:
    """Return where windows begin, by trying: position 0 is the first pixel, padding is negative.

    The brute-force count behind :func:`output_size`.
    """
    reach = span(kernel, dilation)
    starts, position = [], -whole(padding, "padding")
    while position + reach <= n + padding:
        starts.append(position)
        position += whole(stride, "stride", at_least=1)
    return starts


def transposed_size(
    n: int,
    kernel: int,
    stride: int = 1,
    padding: int = 0,
    dilation: int = 1,
    output_padding: int = 0,
) -> int:
    """Return the length that a transposed convolution makes of n: s (n - 1) + span - 2p + extra.

    Of the s input lengths that a convolution of stride s maps to n, this is the shortest;
    `output_padding` < s chooses among the others.
    """
    n = whole(n, "n", at_least=1)
    stride = whole(stride, "stride", at_least=1)
    extra = whole(output_padding, "output_padding", at_most=stride - 1)
    size = (
        stride * (n - 1)
        + span(kernel, dilation)
        - 2 * whole(padding, "padding")
        + extra
    )
    if size < 1:
        raise ValueError(f"padding: expected one that leaves a pixel, got {padding}")
    return size


def same_padding(kernel: int, dilation: int = 1) -> int:
    """Return the padding that keeps the size at stride 1; the span must be odd."""
    reach = span(kernel, dilation)
    if reach % 2 == 0:
        raise ValueError(
            f"kernel: expected one with an odd span, got {reach}: equal padding on both "
            "sides cannot keep the size"
        )
    return (reach - 1) // 2


class Geometry(NamedTuple):
    """Kernel, stride, padding and dilation of a layer, each (vertical, horizontal)."""

    kernel: tuple[int, int]
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)

    @classmethod
    def of(
        cls,
        kernel: IntOrPair,
        stride: IntOrPair = 1,
        padding: IntOrPair = 0,
        dilation: IntOrPair = 1,
    ) -> Geometry:
        """Return the geometry, each argument one number or a pair, checked."""
        return cls(
            as_pair(kernel, "kernel", at_least=1),
            as_pair(stride, "stride", at_least=1),
            as_pair(padding, "padding", at_least=0),
            as_pair(dilation, "dilation", at_least=1),
        )

    def output(self, height: int, width: int) -> tuple[int, int]:
        """Return (rows, columns) of windows in an image of this size."""
        sizes = zip(
            (height, width),
            self.kernel,
            self.stride,
            self.padding,
            self.dilation,
            strict=True,
        )
        rows, columns = (output_size(*axis) for axis in sizes)
        return rows, columns
