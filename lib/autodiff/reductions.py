"""Sums, means, maxima and the stable log-sum-exp."""

from __future__ import annotations

import numpy as np

from lib.autodiff.elementwise import exp, multiply, subtract
from lib.autodiff.shapes import broadcast_to, reshape
from lib.autodiff.tensor import Tensor, as_tensor, record

Axis = int | tuple[int, ...] | None


def _axes(a: Tensor, axis: Axis) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(a.ndim))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    for i in axes:
        if not -a.ndim <= i < a.ndim:
            raise ValueError(
                f"axis: expected one of the {a.ndim} axes of {a.shape}, got {i}"
            )
    return tuple(i % a.ndim for i in axes)


def _kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with 1 in place of the axes that were reduced."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape))


def sum_over(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the sum over one axis, several, or all."""
    a = as_tensor(a)
    axes = _axes(a, axis)
    kept = _kept(a.shape, axes)
    return record(
        a.data.sum(axis=axes, keepdims=keepdims),
        (a, lambda g: broadcast_to(reshape(g, kept), a.shape)),
    )


def mean(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over one axis, several, or all."""
    a = as_tensor(a)
    count = int(np.prod([a.shape[i] for i in _axes(a, axis)]))
    if count == 0:
        raise ValueError(f"mean: expected at least one entry, got shape {a.shape}")
    return multiply(sum_over(a, axis, keepdims), 1.0 / count)


def maximum_over(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest entry; where several tie they share the slope."""
    a = as_tensor(a)
    axes = _axes(a, axis)
    kept = _kept(a.shape, axes)
    top = a.data.max(axis=axes, keepdims=True)
    share = (a.data == top).astype(a.dtype)
    share /= share.sum(axis=axes, keepdims=True)
    return record(
        top
        if keepdims
        else top.reshape([s for i, s in enumerate(a.shape) if i not in axes]),
        (a, lambda g: multiply(broadcast_to(reshape(g, kept), a.shape), share)),
    )


def logsumexp(a: object, axis: int = -1, keepdims: bool = False) -> Tensor:
    """Return log Σ exp along an axis, shifted by the maximum so that nothing overflows."""
    a = as_tensor(a)
    top = a.data.max(axis=axis, keepdims=True)
    value = np.log(np.exp(a.data - top).sum(axis=axis, keepdims=True)) + top
    kept = value.shape

    def vjp(g: Tensor) -> Tensor:  # the slope of log-sum-exp is the softmax
        return multiply(reshape(g, kept), softmax(a, axis))

    return record(value if keepdims else value.squeeze(axis), (a, vjp))


def log_softmax(a: object, axis: int = -1) -> Tensor:
    """Return a − logsumexp(a) along an axis."""
    a = as_tensor(a)
    return subtract(a, logsumexp(a, axis, keepdims=True))


def softmax(a: object, axis: int = -1) -> Tensor:
    """Return the softmax along an axis."""
    return exp(log_softmax(a, axis))


Tensor.sum = sum_over
Tensor.mean = mean
Tensor.max = maximum_over
