"""Operations entry by entry, with broadcasting; and the operators of `Tensor`."""

from __future__ import annotations

from numbers import Real

import numpy as np

from lib.autodiff.shapes import unbroadcast
from lib.autodiff.tensor import Tensor, as_tensor, pair, record


def add(a: object, b: object) -> Tensor:
    """Return a + b."""
    a, b = pair(a, b)
    return record(
        a.data + b.data,
        (a, lambda g: unbroadcast(g, a.shape)),
        (b, lambda g: unbroadcast(g, b.shape)),
    )


def subtract(a: object, b: object) -> Tensor:
    """Return a − b."""
    a, b = pair(a, b)
    return record(
        a.data - b.data,
        (a, lambda g: unbroadcast(g, a.shape)),
        (b, lambda g: unbroadcast(negative(g), b.shape)),
    )


def multiply(a: object, b: object) -> Tensor:
    """Return a · b, entry by entry."""
    a, b = pair(a, b)
    return record(
        a.data * b.data,
        (a, lambda g: unbroadcast(multiply(g, b), a.shape)),
        (b, lambda g: unbroadcast(multiply(g, a), b.shape)),
    )


def divide(a: object, b: object) -> Tensor:
    """Return a / b, entry by entry."""
    a, b = pair(a, b)
    return record(
        a.data / b.data,
        (a, lambda g: unbroadcast(divide(g, b), a.shape)),
        (
            b,
            lambda g: unbroadcast(
                negative(divide(multiply(g, a), multiply(b, b))), b.shape
            ),
        ),
    )


def negative(a: object) -> Tensor:
    """Return −a."""
    a = as_tensor(a)
    return record(-a.data, (a, negative))


def power(a: object, exponent: float) -> Tensor:
    """Return a to a fixed power."""
    a = as_tensor(a)
    if not isinstance(exponent, Real):
        raise ValueError(f"exponent: expected a number, got {type(exponent).__name__}")
    if exponent == 0:
        return record(np.ones_like(a.data), (a, lambda g: multiply(g, 0.0)))

    def vjp(g: Tensor) -> Tensor:
        return multiply(g, multiply(power(a, exponent - 1), float(exponent)))

    return record(a.data**exponent, (a, vjp))


def exp(a: object) -> Tensor:
    """Return eᵃ."""
    a = as_tensor(a)
    return record(np.exp(a.data), (a, lambda g: multiply(g, exp(a))))


def log(a: object) -> Tensor:
    """Return the natural logarithm; all entries must be > 0."""
    a = as_tensor(a)
    if not (a.data > 0).all():
        raise ValueError(f"log: expected entries > 0, got {a.data.min():g}")
    return record(np.log(a.data), (a, lambda g: divide(g, a)))


def sqrt(a: object) -> Tensor:
    """Return the square root; all entries must be ≥ 0."""
    a = as_tensor(a)
    if not (a.data >= 0).all():
        raise ValueError(f"sqrt: expected entries >= 0, got {a.data.min():g}")
    return power(a, 0.5)


def sin(a: object) -> Tensor:
    """Return the sine."""
    a = as_tensor(a)
    return record(np.sin(a.data), (a, lambda g: multiply(g, cos(a))))


def cos(a: object) -> Tensor:
    """Return the cosine."""
    a = as_tensor(a)
    return record(np.cos(a.data), (a, lambda g: negative(multiply(g, sin(a)))))


def tanh(a: object) -> Tensor:
    """Return the hyperbolic tangent."""
    a = as_tensor(a)

    def vjp(g: Tensor) -> Tensor:
        t = tanh(a)
        return multiply(g, subtract(1.0, multiply(t, t)))

    return record(np.tanh(a.data), (a, vjp))


def sigmoid(a: object) -> Tensor:
    """Return 1 / (1 + e⁻ᵃ), without overflow: ½ (1 + tanh(a/2))."""
    return multiply(add(tanh(multiply(a, 0.5)), 1.0), 0.5)


def where(condition: np.ndarray, a: object, b: object) -> Tensor:
    """Return a where the condition holds, else b."""
    a, b = pair(a, b)
    mask = np.asarray(condition, dtype=a.dtype)
    return record(
        np.where(condition, a.data, b.data),
        (a, lambda g: unbroadcast(multiply(g, mask), a.shape)),
        (b, lambda g: unbroadcast(multiply(g, 1.0 - mask), b.shape)),
    )


def maximum(a: object, b: object) -> Tensor:
    """Return the larger entry; where both are equal the slope is shared."""
    a, b = pair(a, b)
    share = _share(a.data, b.data, a.dtype)
    return record(
        np.maximum(a.data, b.data),
        (a, lambda g: unbroadcast(multiply(g, share), a.shape)),
        (b, lambda g: unbroadcast(multiply(g, 1.0 - share), b.shape)),
    )


def _share(a: np.ndarray, b: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return 1 where a is larger, 0 where b is, ½ where they tie."""
    return ((a > b) + 0.5 * (a == b)).astype(dtype)


def minimum(a: object, b: object) -> Tensor:
    """Return the smaller entry."""
    a, b = pair(a, b)
    return negative(maximum(negative(a), negative(b)))


def relu(a: object) -> Tensor:
    """Return max(a, 0), with slope 0 at the kink."""
    a = as_tensor(a)
    mask = (a.data > 0).astype(a.dtype)
    return record(a.data * mask, (a, lambda g: multiply(g, mask)))


def absolute(a: object) -> Tensor:
    """Return |a|, with slope 0 at the kink."""
    a = as_tensor(a)
    sign = np.sign(a.data)
    return record(np.abs(a.data), (a, lambda g: multiply(g, sign)))


def _reflected(operation):
    return lambda self, other: operation(other, self)


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__sub__, Tensor.__rsub__ = subtract, _reflected(subtract)
Tensor.__truediv__, Tensor.__rtruediv__ = divide, _reflected(divide)
Tensor.__neg__ = negative
Tensor.__pow__ = power
