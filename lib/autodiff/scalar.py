"""Reverse mode on single numbers: the tape of the textbook, one entry a line.

A tape is two lists. `values[k]` is the k-th number that was computed; `slopes[k]` holds pairs
(i, ∂v_k/∂v_i), one for each earlier number that it was computed from. Slopes are plain numbers,
worked out on the way forward, so the way back is a single loop over the lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


class Tape:
    """The record of a computation with single numbers."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.slopes: list[tuple[tuple[int, float], ...]] = []

    def write(self, value: float, *slopes: tuple[int, float]) -> Number:
        """Write a result with its slopes by earlier entries; an input has none."""
        if not math.isfinite(value):
            raise ValueError(f"value: expected a finite result, got {value}")
        self.values.append(value)
        self.slopes.append(slopes)
        return Number(self, len(self.values) - 1)

    def gradients(self, result: Number) -> list[float]:
        """Return ∂result/∂v for every number v on the tape, from one pass backward."""
        if result.tape is not self:
            raise ValueError("result: expected a number of this tape, got another's")
        adjoint = [0.0] * len(self.values)
        adjoint[result.place] = 1.0
        for k in range(result.place, -1, -1):
            for i, slope in self.slopes[k]:
                adjoint[i] += adjoint[k] * slope
        return adjoint


class Number:
    """A place on a tape, with arithmetic that writes on."""

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    @property
    def value(self) -> float:
        """The number that stands there."""
        return self.tape.values[self.place]

    def _other(self, other: object) -> Number:
        if isinstance(other, Number):
            if other.tape is not self.tape:
                raise ValueError("operands: expected numbers of one tape, got two")
            return other
        return self.tape.write(float(other))

    def __add__(self, other: object) -> Number:
        b = self._other(other)
        return self.tape.write(self.value + b.value, (self.place, 1.0), (b.place, 1.0))

    def __mul__(self, other: object) -> Number:
        b = self._other(other)
        return self.tape.write(
            self.value * b.value, (self.place, b.value), (b.place, self.value)
        )

    def __neg__(self) -> Number:
        return self.tape.write(-self.value, (self.place, -1.0))

    def __sub__(self, other: object) -> Number:
        return self + -self._other(other)

    def __rsub__(self, other: object) -> Number:
        return self._other(other) - self

    def __truediv__(self, other: object) -> Number:
        b = self._other(other)
        if b.value == 0:
            raise ValueError("divide: expected a denominator other than 0")
        ratio = self.value / b.value
        return self.tape.write(
            ratio, (self.place, 1 / b.value), (b.place, -ratio / b.value)
        )

    def __rtruediv__(self, other: object) -> Number:
        return self._other(other) / self

    __radd__, __rmul__ = __add__, __mul__


def _function(f: Callable[[float], float], slope: Callable[[float, float], float]):
    """Return f for numbers on a tape; `slope` gets the argument and the result."""

    def apply(x: Number) -> Number:
        y = f(x.value)
        return x.tape.write(y, (x.place, slope(x.value, y)))

    return apply


exp = _function(math.exp, lambda _, y: y)
log = _function(math.log, lambda x, _: 1 / x)
sin = _function(math.sin, lambda x, _: math.cos(x))
cos = _function(math.cos, lambda x, _: -math.sin(x))
tanh = _function(math.tanh, lambda _, y: 1 - y * y)
relu = _function(lambda x: max(x, 0.0), lambda x, _: float(x > 0))


def dot(a: Sequence[Number], b: Sequence[object]) -> Number:
    """Return Σ aᵢbᵢ, one multiplication and one addition at a time."""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total
