"""Derivatives of functions: gradients, Jacobians by rows or columns, Hessian products."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.autodiff.forward import as_inputs, jvp, one_result, same
from lib.autodiff.reverse import grad
from lib.autodiff.shapes import reshape, stack
from lib.autodiff.tensor import Tensor, as_tensor, enable_grad, wrap
from lib.validation import one_of

Function = Callable[..., Tensor]


def track(x: Tensor) -> Tensor:
    """Return a tensor with the value of x from which everything is recorded."""
    with enable_grad():
        y = same(x)
    y.requires_grad = True
    return y


def vjp(
    f: Function, inputs: object
) -> tuple[Tensor, Callable[[object], Tensor | tuple[Tensor, ...]]]:
    """Return f(x) and a function that maps a seed v, of the shape of f(x), to Jᵀv.

    Several inputs come as a tuple; then so do their gradients. The pass forward is done once; the
    function may be called with many seeds.
    """
    points = as_inputs(inputs)
    leaves = [track(x) for x in points]
    with enable_grad():
        y = one_result(f(*leaves))
    keep = any(x.requires_grad for x in points)

    def pull(seed: object) -> Tensor | tuple[Tensor, ...]:
        if not y.requires_grad:  # a constant function
            parts = [wrap(np.zeros(x.shape, x.dtype)) for x in leaves]
        else:
            parts = grad(y, leaves, seed, create_graph=keep)
        return tuple(parts) if isinstance(inputs, tuple) else parts[0]

    return y, pull


def gradient(f: Function) -> Callable[[object], Tensor]:
    """Return the function x ↦ ∇f(x) of a scalar f of one input; it can be differentiated again."""

    def slope(x: object) -> Tensor:
        y, pull = vjp(f, as_tensor(x))
        if y.size != 1:
            raise ValueError(f"f: expected one number, got shape {y.shape}")
        return pull(np.ones(y.shape, y.dtype))

    return slope


def jacobian(f: Function, x: object, *, by: str | None = None) -> Tensor:
    """Return ∂f/∂x at x, of shape (shape of f(x)) + (shape of x).

    `by="rows"` takes one vector-Jacobian product for each entry of f(x), `by="columns"` one
    Jacobian-vector product for each entry of x; None takes the fewer.
    """
    x = as_tensor(x)
    if by is not None:
        one_of(by, "by", ("rows", "columns"))
    if by != "columns" or x.size == 0:
        y, pull = vjp(f, x)
        if x.size == 0 or y.size == 0:
            return wrap(np.zeros(y.shape + x.shape, x.dtype))
        if by == "rows" or y.size <= x.size:
            return reshape(stack([pull(e) for e in _units(y)]), y.shape + x.shape)
    columns = [jvp(f, x, e)[1] for e in _units(x)]
    return reshape(stack(columns, axis=-1), columns[0].shape + x.shape)


def _units(like: Tensor) -> list[Tensor]:
    """Return the tensors of this shape with a single 1."""
    units = np.eye(like.size, dtype=like.dtype).reshape(like.size, *like.shape)
    return [wrap(unit.copy()) for unit in units]


def hvp(f: Function, x: object, v: object) -> Tensor:
    """Return H v, the Hessian of a scalar f at x times v, without the Hessian.

    The gradient (reverse) is differentiated along v (forward): a few gradients' work, no matrix.
    """
    return jvp(gradient(f), as_tensor(x), as_tensor(v))[1]


def hessian(f: Function, x: object) -> Tensor:
    """Return the second derivatives of a scalar f at x, of shape (shape of x) + (shape of x)."""
    return jacobian(gradient(f), x, by="columns")
