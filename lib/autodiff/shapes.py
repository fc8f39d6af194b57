"""Operations that move entries without changing them, and the matrix product."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib.autodiff.tensor import Tensor, as_tensor, pair, record


def unbroadcast(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum a gradient over the axes along which a value of `shape` was repeated."""
    if g.shape == shape:
        return g
    extra = len(g.shape) - len(shape)
    axes = tuple(range(extra)) + tuple(
        extra + i
        for i, size in enumerate(shape)
        if size == 1 and g.shape[extra + i] != 1
    )
    from lib.autodiff.reductions import sum_over

    return reshape(sum_over(g, axes), shape)


def broadcast_to(a: object, shape: Sequence[int]) -> Tensor:
    """Return a repeated to a larger shape."""
    a = as_tensor(a)
    return record(
        np.broadcast_to(a.data, tuple(shape)), (a, lambda g: unbroadcast(g, a.shape))
    )


def reshape(a: object, shape: Sequence[int] | int) -> Tensor:
    """Return the same entries in another shape."""
    a = as_tensor(a)
    return record(a.data.reshape(shape), (a, lambda g: reshape(g, a.shape)))


def transpose(a: object, axes: Sequence[int] | None = None) -> Tensor:
    """Return a with its axes permuted (reversed by default)."""
    a = as_tensor(a)
    axes = tuple(range(a.ndim))[::-1] if axes is None else tuple(axes)
    back = tuple(int(i) for i in np.argsort(axes))
    return record(a.data.transpose(axes), (a, lambda g: transpose(g, back)))


def swap_last(a: Tensor) -> Tensor:
    """Return a with its last two axes exchanged."""
    return transpose(a, (*range(a.ndim - 2), a.ndim - 1, a.ndim - 2))


def take(a: object, index: object) -> Tensor:
    """Return a[index], for any index that NumPy knows."""
    a = as_tensor(a)
    return record(a.data[index], (a, lambda g: _put(g, index, a.shape)))


def _put(g: Tensor, index: object, shape: tuple[int, ...]) -> Tensor:
    """Return zeros of `shape` with g added at `index`: what pulls back an indexing."""
    out = np.zeros(shape, dtype=g.dtype)
    np.add.at(out, index, g.data)  # an entry taken twice gets two gradients
    return record(out, (g, lambda h: take(h, index)))


def concatenate(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Return the tensors joined along an axis."""
    tensors = [as_tensor(t) for t in tensors]
    data = np.concatenate([t.data for t in tensors], axis=axis)
    ends = np.cumsum([t.shape[axis] for t in tensors])
    parts = []
    for t, end in zip(tensors, ends, strict=True):
        index = [slice(None)] * data.ndim
        index[axis] = slice(int(end) - t.shape[axis], int(end))
        parts.append((t, lambda g, index=tuple(index): take(g, index)))
    return record(data, *parts)


def matmul(a: object, b: object) -> Tensor:
    """Return a @ b for matrices, stacks of matrices, and vectors."""
    a, b = pair(a, b)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError(
            f"matmul: expected at least one axis each, got {a.shape} and {b.shape}"
        )
    if a.ndim == 1 or b.ndim == 1:  # a vector is a matrix with one row or one column
        left = reshape(a, (1, -1)) if a.ndim == 1 else a
        right = reshape(b, (-1, 1)) if b.ndim == 1 else b
        out = matmul(left, right)
        keep = out.shape[:-2] + (() if a.ndim == 1 else out.shape[-2:-1])
        return reshape(out, keep + (() if b.ndim == 1 else out.shape[-1:]))
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"matmul: expected inner sizes that agree, got {a.shape} and {b.shape}"
        )
    return record(
        a.data @ b.data,
        (a, lambda g: unbroadcast(matmul(g, swap_last(b)), a.shape)),
        (b, lambda g: unbroadcast(matmul(swap_last(a), g), b.shape)),
    )


Tensor.__matmul__ = matmul
Tensor.__rmatmul__ = lambda self, other: matmul(other, self)
Tensor.__getitem__ = take
Tensor.reshape = lambda self, *shape: reshape(
    self, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
)
Tensor.T = property(transpose)
