"""Receptive fields: which pixels a unit can see, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lib.convolution.geometry import output_size, span
from lib.validation import whole


class Slide(NamedTuple):
    """One axis of a layer that slides a window: a convolution or a pooling."""

    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1


class Field(NamedTuple):
    """What a unit of a layer sees on the input axis.

    Unit i sees pixels start + i·jump up to start + i·jump + size - 1; those outside the image
    are padding. `units` is the layer's length.
    """

    size: int
    jump: int
    start: int
    units: int

    def pixels(self, unit: int, n: int) -> tuple[int, int]:
        """Return the first and last pixel that the unit sees, cut to an axis of n pixels.

        At the border it may see less: where a deep layer meets padding, pixels at the far end
        that no window reached (a remainder of the stride) are counted.
        """
        unit = whole(unit, "unit", at_most=self.units - 1)
        first = self.start + unit * self.jump
        return max(first, 0), min(first + self.size, n) - 1


def receptive_fields(n: int, layers: Iterable[Slide]) -> list[Field]:
    """Return the field of each layer's units, from the first layer to the last.

    Walking one step in a layer walks `jump` pixels in the input. A window of k taps with dilation
    d therefore adds d (k - 1) jumps to the field; its stride multiplies the jump.
    """
    fields = []
    size, jump, start, units = 1, 1, 0, whole(n, "n", at_least=1)
    for layer in layers:
        units = output_size(units, *layer)
        size += (span(layer.kernel, layer.dilation) - 1) * jump
        start -= layer.padding * jump
        jump *= layer.stride
        fields.append(Field(size, jump, start, units))
    return fields
