"""Operations entry by entry, with broadcasting; and the operators of `Tensor`.

The Jacobian of such an operation is diagonal, so it is its own transpose. One function per
operand, `v` times the local slope, therefore serves both modes: it pulls gradients back (then the
axes that were repeated are added up) and pushes tangents forward. It is given the result `y` as
well, since many slopes are short in it: that of exp is y, that of tanh is 1 − y².
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real

import numpy as np

from lib.autodiff.shapes import broadcast_to, unbroadcast
from lib.autodiff.tensor import Edge, Tensor, as_tensor, compute, pair

Scale = Callable[[Tensor, Tensor], Tensor]
"""(v, result) → v times the slope of the operation by one operand."""


def local(operation: str, function: Callable, *operands: tuple[Tensor, Scale]):
    """Compute entry by entry; each operand comes with its slope."""
    return compute(operation, function, *(_edge(a, scale) for a, scale in operands))


def _edge(a: Tensor, scale: Scale) -> Edge:
    return (
        a,
        lambda g, y: unbroadcast(scale(g, y), a.shape),
        lambda t, y: broadcast_to(scale(t, y), y.shape),
    )


def _unchanged(v: Tensor, _: Tensor) -> Tensor:
    return v


def add(a: object, b: object) -> Tensor:
    """Return a + b."""
    a, b = pair(a, b)
    return local("add", np.add, (a, _unchanged), (b, _unchanged))


def subtract(a: object, b: object) -> Tensor:
    """Return a − b."""
    a, b = pair(a, b)
    return local(
        "subtract", np.subtract, (a, _unchanged), (b, lambda v, _: negative(v))
    )


def multiply(a: object, b: object) -> Tensor:
    """Return a · b, entry by entry."""
    a, b = pair(a, b)
    return local(
        "multiply",
        np.multiply,
        (a, lambda v, _: multiply(v, b)),
        (b, lambda v, _: multiply(v, a)),
    )


def divide(a: object, b: object) -> Tensor:
    """Return a / b, entry by entry; no entry of b may be 0."""
    a, b = pair(a, b)
    if not b.data.all():
        zeros = b.size - np.count_nonzero(b.data)
        raise ValueError(f"divide: expected no zero in the denominator, got {zeros}")
    return local(
        "divide",
        np.divide,
        (a, lambda v, _: divide(v, b)),
        (b, lambda v, y: negative(divide(multiply(v, y), b))),
    )


def negative(a: object) -> Tensor:
    """Return −a."""
    return local("negative", np.negative, (as_tensor(a), lambda v, _: negative(v)))


def power(a: object, exponent: object) -> Tensor:
    """Return a to a power: a fixed number, or a tensor of exponents (then a must be > 0)."""
    if isinstance(exponent, Tensor):
        a, exponent = pair(a, exponent)
        return exp(multiply(exponent, log(a)))
    if not isinstance(exponent, Real):
        raise ValueError(
            f"exponent: expected a number or a tensor, got {type(exponent).__name__}"
        )
    a, p = as_tensor(a), float(exponent)
    if not math.isfinite(p):
        raise ValueError(f"exponent: expected a finite number, got {p}")
    if p != int(p) and (a.data < 0).any():
        raise ValueError(
            f"power: expected a base >= 0 for the exponent {p:g}, got {a.data.min():g}"
        )
    if p < 0 and not a.data.all():
        raise ValueError(f"power: expected a base other than 0 for the exponent {p:g}")
    if p == 0:
        return local("power", np.ones_like, (a, lambda v, _: multiply(v, 0.0)))
    return local(
        "power",
        lambda x: x**p if p != 2 else x * x,
        (a, lambda v, _: multiply(v, multiply(power(a, p - 1), p))),
    )


def exp(a: object) -> Tensor:
    """Return eᵃ."""
    return local("exp", np.exp, (as_tensor(a), multiply))  # the slope is the result


def log(a: object) -> Tensor:
    """Return the natural logarithm; all entries must be > 0."""
    a = as_tensor(a)
    if not (a.data > 0).all():
        raise ValueError(f"log: expected entries > 0, got {a.data.min():g}")
    return local("log", np.log, (a, lambda v, _: divide(v, a)))


def sqrt(a: object) -> Tensor:
    """Return the square root; entries must be ≥ 0, and > 0 where a gradient is asked for."""
    a = as_tensor(a)
    if not (a.data >= 0).all():
        raise ValueError(f"sqrt: expected entries >= 0, got {a.data.min():g}")

    def scale(v: Tensor, y: Tensor) -> Tensor:
        if not y.data.all():
            raise ValueError("sqrt: expected entries > 0 for a gradient, got 0")
        return divide(multiply(v, 0.5), y)

    return local("sqrt", np.sqrt, (a, scale))


def sin(a: object) -> Tensor:
    """Return the sine."""
    a = as_tensor(a)
    return local("sin", np.sin, (a, lambda v, _: multiply(v, cos(a))))


def cos(a: object) -> Tensor:
    """Return the cosine."""
    a = as_tensor(a)
    return local("cos", np.cos, (a, lambda v, _: negative(multiply(v, sin(a)))))


def tanh(a: object) -> Tensor:
    """Return the hyperbolic tangent."""
    return local(
        "tanh",
        np.tanh,
        (as_tensor(a), lambda v, y: multiply(v, subtract(1.0, multiply(y, y)))),
    )


def sigmoid(a: object) -> Tensor:
    """Return 1 / (1 + e⁻ᵃ), precise at both ends."""

    def stable(x: np.ndarray) -> np.ndarray:
        small = np.exp(-np.abs(x))  # never overflows
        return np.where(x >= 0, 1.0, small).astype(x.dtype) / (1 + small)

    return local(
        "sigmoid",
        stable,
        (as_tensor(a), lambda v, y: multiply(v, multiply(y, subtract(1.0, y)))),
    )


def where(condition: object, a: object, b: object) -> Tensor:
    """Return a where the condition holds, else b."""
    a, b = pair(a, b)
    mask = np.array(condition)
    if mask.dtype != bool:
        raise ValueError(f"condition: expected True and False, got {mask.dtype}")
    return local(
        "where",
        lambda x, y: np.where(mask, x, y),
        (a, lambda v, _: multiply(v, mask)),
        (b, lambda v, _: multiply(v, ~mask)),
    )


def maximum(a: object, b: object) -> Tensor:
    """Return the larger entry; where both are equal the slope is shared."""
    a, b = pair(a, b)

    def share(x: Tensor, other: Tensor) -> np.ndarray:  # 1, 0, or ½ for a tie
        return ((x.data > other.data) + 0.5 * (x.data == other.data)).astype(x.dtype)

    return local(
        "maximum",
        np.maximum,
        (a, lambda v, _: multiply(v, share(a, b))),
        (b, lambda v, _: multiply(v, share(b, a))),
    )


def minimum(a: object, b: object) -> Tensor:
    """Return the smaller entry; where both are equal the slope is shared."""
    a, b = pair(a, b)
    return negative(maximum(negative(a), negative(b)))


def relu(a: object) -> Tensor:
    """Return max(a, 0), with slope 0 at the kink."""
    return local(
        "relu",
        lambda x: np.maximum(x, 0),
        (as_tensor(a), lambda v, y: multiply(v, y.data > 0)),
    )


def absolute(a: object) -> Tensor:
    """Return |a|, with slope 0 at the kink."""
    a = as_tensor(a)
    return local("absolute", np.abs, (a, lambda v, _: multiply(v, np.sign(a.data))))


def _reflected(operation: Callable) -> Callable:
    return lambda self, other: operation(other, self)


def _compared(relation: Callable) -> Callable:
    """Return a comparison that gives an array of True and False, which has no derivative."""
    return lambda self, other: relation(
        self.data, other.data if isinstance(other, Tensor) else other
    )


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__sub__, Tensor.__rsub__ = subtract, _reflected(subtract)
Tensor.__truediv__, Tensor.__rtruediv__ = divide, _reflected(divide)
Tensor.__neg__ = negative
Tensor.__pow__ = power
Tensor.__rpow__ = lambda self, base: power(as_tensor(base, self), self)
Tensor.__lt__, Tensor.__le__ = _compared(np.less), _compared(np.less_equal)
Tensor.__gt__, Tensor.__ge__ = _compared(np.greater), _compared(np.greater_equal)
Tensor.__eq__, Tensor.__ne__ = _compared(np.equal), _compared(np.not_equal)
