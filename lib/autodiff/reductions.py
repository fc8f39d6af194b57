"""Means, maxima and the softmax family; the sum itself is in `shapes`, beside its adjoint."""

from __future__ import annotations

import numpy as np

from lib.autodiff.elementwise import exp, multiply, subtract
from lib.autodiff.shapes import Axis, axes_of, broadcast_to, kept, reshape, sum_over
from lib.autodiff.tensor import Tensor, as_tensor, compute


def _count(a: Tensor, axes: tuple[int, ...], operation: str) -> int:
    count = int(np.prod([a.shape[i] for i in axes]))
    if count == 0:
        raise ValueError(
            f"{operation}: expected at least one entry, got shape {a.shape}"
        )
    return count


def mean(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over one axis, several, or all."""
    a = as_tensor(a)
    count = _count(a, axes_of(a, axis), "mean")
    return multiply(sum_over(a, axis, keepdims), 1.0 / count)


def maximum_over(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest entry; where several tie they share the slope."""
    a = as_tensor(a)
    axes = axes_of(a, axis)
    _count(a, axes, "max")
    low = kept(a.shape, axes)

    def share(y: Tensor) -> np.ndarray:
        ties = (a.data == y.data.reshape(low)).astype(a.dtype)
        return ties / ties.sum(axis=axes, keepdims=True)

    return compute(
        "max",
        lambda x: x.max(axis=axes, keepdims=keepdims),
        (
            a,
            lambda g, y: multiply(broadcast_to(reshape(g, low), a.shape), share(y)),
            lambda t, y: sum_over(multiply(t, share(y)), axes, keepdims),
        ),
    )


def logsumexp(a: object, axis: int = -1, keepdims: bool = False) -> Tensor:
    """Return log Σ exp along an axis, shifted by the maximum so that nothing overflows."""
    a = as_tensor(a)
    axes = axes_of(a, axis)
    _count(a, axes, "logsumexp")
    low = kept(a.shape, axes)

    def shifted(x: np.ndarray) -> np.ndarray:
        top = x.max(axis=axes, keepdims=True)
        value = np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top
        return value if keepdims else value.squeeze(axes)

    def slope(y: Tensor) -> Tensor:  # the softmax
        return exp(subtract(a, reshape(y, low)))

    return compute(
        "logsumexp",
        shifted,
        (
            a,
            lambda g, y: multiply(reshape(g, low), slope(y)),
            lambda t, y: sum_over(multiply(t, slope(y)), axes, keepdims),
        ),
    )


def log_softmax(a: object, axis: int = -1) -> Tensor:
    """Return a − logsumexp(a) along an axis."""
    a = as_tensor(a)
    axes = axes_of(a, axis)
    _count(a, axes, "log_softmax")

    def shifted(x: np.ndarray) -> np.ndarray:
        low = x - x.max(axis=axes, keepdims=True)
        return low - np.log(np.exp(low).sum(axis=axes, keepdims=True))

    return compute(
        "log_softmax",
        shifted,
        (
            a,
            lambda g, y: subtract(g, multiply(exp(y), sum_over(g, axes, True))),
            lambda t, y: subtract(t, sum_over(multiply(exp(y), t), axes, True)),
        ),
    )


def softmax(a: object, axis: int = -1) -> Tensor:
    """Return the softmax along an axis."""
    return exp(log_softmax(a, axis))


Tensor.mean = mean
Tensor.max = maximum_over
