"""Linear operations that repeat, add up or move entries; each is written beside its adjoint.

A linear map pushes a tangent forward by itself and pulls a gradient back by its adjoint (its
transpose): repeating ↔ adding up, taking ↔ putting into zeros, permuting ↔ permuting back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lib.autodiff.tensor import Tensor, as_tensor, compute, pair, record

Axis = int | tuple[int, ...] | None
Map = Callable[[Tensor], Tensor]


def linear(operation: str, data: np.ndarray, a: Tensor, same: Map, adjoint: Map):
    """Record a linear map of a: `same` is the map itself, `adjoint` its transpose."""
    return record(operation, data, (a, lambda g, _: adjoint(g), lambda t, _: same(t)))


def axes_of(a: Tensor, axis: Axis) -> tuple[int, ...]:
    """Return the axes that `axis` names, counted from 0; None names all."""
    if axis is None:
        return tuple(range(a.ndim))
    axes = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    for i in axes:
        if not isinstance(i, int | np.integer) or not -a.ndim <= i < a.ndim:
            raise ValueError(
                f"axis: expected one of the {a.ndim} axes of shape {a.shape}, got {i!r}"
            )
    axes = tuple(int(i) % a.ndim for i in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis: expected each axis once, got {axis}")
    return axes


def kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape with 1 in place of the axes that were reduced."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape))


def sum_over(a: object, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the sum over one axis, several, or all."""
    a = as_tensor(a)
    axes = axes_of(a, axis)
    low = kept(a.shape, axes)
    return compute(
        "sum",
        lambda x: x.sum(axis=axes, keepdims=keepdims),
        (
            a,
            lambda g, _: broadcast_to(reshape(g, low), a.shape),
            lambda t, _: sum_over(t, axes, keepdims),
        ),
    )


def broadcast_to(a: object, shape: Sequence[int]) -> Tensor:
    """Return a repeated to a larger shape."""
    a, shape = as_tensor(a), tuple(shape)
    if a.shape == shape:
        return a
    try:
        data = np.broadcast_to(a.data, shape)
    except ValueError:
        raise ValueError(
            f"broadcast_to: shape {a.shape} cannot be repeated to {shape}"
        ) from None
    return linear(
        "broadcast_to",
        data,
        a,
        lambda t: broadcast_to(t, shape),
        lambda g: unbroadcast(g, a.shape),
    )


def unbroadcast(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Add up a gradient over the axes along which a value of `shape` was repeated."""
    if g.shape == shape:
        return g
    extra = g.ndim - len(shape)
    stretched = [
        extra + i for i, n in enumerate(shape) if n == 1 and g.shape[extra + i] != 1
    ]
    return reshape(sum_over(g, (*range(extra), *stretched)), shape)


def reshape(a: object, shape: Sequence[int] | int) -> Tensor:
    """Return the same entries in another shape."""
    a = as_tensor(a)
    if a.shape == shape:
        return a
    try:
        data = a.data.reshape(shape)
    except ValueError:
        raise ValueError(
            f"reshape: {a.size} entries of shape {a.shape} do not fill {shape}"
        ) from None
    shape = data.shape
    return linear(
        "reshape",
        data,
        a,
        lambda t: reshape(t, shape),
        lambda g: reshape(g, a.shape),
    )


def transpose(a: object, axes: Sequence[int] | None = None) -> Tensor:
    """Return a with its axes permuted (reversed by default)."""
    a = as_tensor(a)
    axes = tuple(range(a.ndim))[::-1] if axes is None else axes_of(a, tuple(axes))
    if len(axes) != a.ndim:
        raise ValueError(f"axes: expected all {a.ndim} axes once, got {axes}")
    back = tuple(sorted(range(a.ndim), key=axes.__getitem__))
    return linear(
        "transpose",
        a.data.transpose(axes),
        a,
        lambda t: transpose(t, axes),
        lambda g: transpose(g, back),
    )


def swap_last(a: Tensor) -> Tensor:
    """Return a with its last two axes exchanged."""
    return transpose(a, (*range(a.ndim - 2), a.ndim - 1, a.ndim - 2))


def take(a: object, index: object) -> Tensor:
    """Return a[index], for any index that NumPy knows."""
    a, index = as_tensor(a), _own(index)
    return linear(
        "take",
        a.data[index],
        a,
        lambda t: take(t, index),
        lambda g: put(g, index, a.shape),
    )


def _own(index: object) -> object:
    """Return the index, with a copy of every array in it: nobody changes it later."""
    if isinstance(index, Tensor):
        raise ValueError("index: expected whole numbers, got a tensor of floats")
    if isinstance(index, tuple):
        return tuple(_own(part) for part in index)
    return np.array(index) if isinstance(index, list | np.ndarray) else index


def put(g: Tensor, index: object, shape: tuple[int, ...]) -> Tensor:
    """Return zeros of `shape` with g added at `index`: the adjoint of taking."""
    out = np.zeros(shape, dtype=g.dtype)
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, np.ndarray) for part in parts):
        np.add.at(out, index, g.data)  # an entry taken twice gets two gradients
    else:
        out[index] = g.data
    return linear(
        "put", out, g, lambda t: put(t, index, shape), lambda h: take(h, index)
    )


def concatenate(tensors: Sequence[object], axis: int = 0) -> Tensor:
    """Return the tensors joined along an axis."""
    tensors = [as_tensor(t) for t in tensors]
    if not tensors:
        raise ValueError("concatenate: expected at least one tensor, got none")
    for t in tensors:
        pair(tensors[0], t)
    (axis,) = axes_of(tensors[0], axis)
    try:
        data = np.concatenate([t.data for t in tensors], axis=axis)
    except ValueError:
        shapes = ", ".join(str(t.shape) for t in tensors)
        raise ValueError(
            f"concatenate: shapes {shapes} differ beyond axis {axis}"
        ) from None
    ends = np.cumsum([t.shape[axis] for t in tensors])
    edges = []
    for t, end in zip(tensors, ends, strict=True):
        place = (slice(None),) * axis + (slice(int(end) - t.shape[axis], int(end)),)
        edges.append(
            (
                t,
                lambda g, _, place=place: take(g, place),
                lambda v, y, place=place: put(v, place, y.shape),
            )
        )
    return record("concatenate", data, *edges)


def stack(tensors: Sequence[object], axis: int = 0) -> Tensor:
    """Return the tensors, all of one shape, joined along a new axis."""
    tensors = [as_tensor(t) for t in tensors]
    axes = tensors[0].ndim + 1 if tensors else 1
    if not -axes <= axis < axes:
        raise ValueError(f"axis: expected one of the {axes} of the result, got {axis}")
    where = axis % axes
    return concatenate(
        [reshape(t, (*t.shape[:where], 1, *t.shape[where:])) for t in tensors], where
    )


Tensor.sum = sum_over
Tensor.__getitem__ = take
Tensor.reshape = lambda self, *shape: reshape(
    self, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
)
Tensor.T = property(transpose)
