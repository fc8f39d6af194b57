"""Forward mode: values and tangents side by side, as in the dual numbers v + v̇ε with ε² = 0.

A tensor in forward mode carries a tangent. Every operation computes the tangent of its result
together with the result and keeps nothing else: no history is needed. Each call of `jvp` has a
level of its own, so that one may be used inside another without mixing up their tangents.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from lib.autodiff.tensor import Tensor, as_tensor, only_below, record, wrap

_levels = itertools.count()


def same(x: Tensor) -> Tensor:
    """Return a tensor of its own with the value, the history and the tangents of x."""
    return record("same", x.data, (x, lambda g, _: g, lambda t, _: t))


def as_inputs(inputs: object, name: str = "inputs") -> list[Tensor]:
    """Return one input, or a tuple of several, as a list of tensors."""
    several = inputs if isinstance(inputs, tuple) else (inputs,)
    if not several:
        raise ValueError(f"{name}: expected at least one, got none")
    return [as_tensor(x) for x in several]


def one_result(y: object) -> Tensor:
    """Return the result of a function that is to be differentiated, if it is a tensor."""
    if not isinstance(y, Tensor):
        raise ValueError(f"f: expected it to return a tensor, got {type(y).__name__}")
    return y


def jvp(
    f: Callable[..., Tensor], inputs: object, tangents: object
) -> tuple[Tensor, Tensor]:
    """Return f(x) and J ẋ, the derivative of f at x along ẋ, in one pass.

    `inputs` and `tangents` are arrays or tensors of the same shapes; tuples where f takes several.
    """
    points = as_inputs(inputs)
    directions = as_inputs(tangents, "tangents")
    _require_alike(points, directions)
    level = next(_levels)
    duals = [same(x) for x in points]
    for dual, direction in zip(duals, directions, strict=True):
        dual.tangents = {**(dual.tangents or {}), level: direction}
    y = one_result(f(*duals))
    with only_below(level):
        value = same(y)
    tangent = (y.tangents or {}).get(level)
    return value, wrap(np.zeros(y.shape, y.dtype)) if tangent is None else tangent


def _require_alike(points: Sequence[Tensor], directions: Sequence[Tensor]) -> None:
    if len(points) != len(directions):
        raise ValueError(
            f"tangents: expected {len(points)}, one for each input, got {len(directions)}"
        )
    for x, t in zip(points, directions, strict=True):
        if x.shape != t.shape or x.dtype != t.dtype:
            raise ValueError(
                f"tangents: expected {x.dtype} of shape {x.shape}, "
                f"got {t.dtype} of shape {t.shape}"
            )
