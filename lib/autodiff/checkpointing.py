"""Gradient checkpointing: forget what lies inside a part of a program, compute it again later."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lib.autodiff.derivatives import track
from lib.autodiff.forward import one_result
from lib.autodiff.reverse import grad, history
from lib.autodiff.tensor import (
    Tensor,
    as_tensor,
    enable_grad,
    is_recording,
    no_grad,
    only_below,
    record,
    wrap,
)


def checkpoint(f: Callable[..., Tensor], *inputs: object) -> Tensor:
    """Return f(*inputs) and keep nothing of what happens inside f.

    When a gradient is asked for, f runs again, this time recorded. It must be deterministic, and
    every tensor that wants a gradient must be among its inputs; both are checked.
    """
    tensors = [as_tensor(x) for x in inputs]
    with no_grad():
        value = one_result(f(*tensors))
    waiting: dict[tuple[int, bool], tuple[Tensor, list[Tensor | None]]] = {}

    def pull_of(i: int):
        def pull(g: Tensor, y: Tensor) -> Tensor:
            key = id(g), is_recording()
            if key not in waiting or waiting[key][1][i] is None:
                # The first input that asks runs f again; the others find their parts.
                waiting[key] = g, _again(f, tensors, g, y)
            parts = waiting[key][1]
            part, parts[i] = parts[i], None
            if all(p is None for p in parts):
                del waiting[key]
            return part

        return pull

    edges = [(x, pull_of(i), None) for i, x in enumerate(tensors)]
    with only_below(-1):  # tangents have been pushed through f already
        out = record("checkpoint", value.data, *edges)
    out.tangents = value.tangents
    return out


def _again(
    f: Callable[..., Tensor], inputs: Sequence[Tensor], g: Tensor, before: Tensor
) -> list[Tensor | None]:
    """Run f once more and return the gradients of its inputs."""
    keep = is_recording()  # as it was when the gradient was asked for
    fresh = [track(x) if x.requires_grad else x for x in inputs]
    with enable_grad():
        y = f(*fresh)
    if not np.array_equal(y.data, before.data):
        raise ValueError(
            "checkpoint: expected f to give the same result twice; it is not deterministic"
        )
    wanted = [x for x in fresh if x.requires_grad]
    known = {id(x) for x in wanted}
    for node in history(y, until=wanted):
        if node.requires_grad and not node.parents and id(node) not in known:
            raise ValueError(
                f"checkpoint: f uses a tensor of shape {node.shape} that wants a gradient; "
                "pass it as an input"
            )
    if not y.requires_grad:  # f does not depend on them
        return [wrap(np.zeros(x.shape, x.dtype)) for x in fresh]
    parts = iter(grad(y, wanted, g, create_graph=keep))
    return [next(parts) if x.requires_grad else None for x in fresh]


def stored(result: Tensor) -> tuple[int, int]:
    """Return how many arrays the history of `result` keeps alive, and their bytes."""
    sizes: dict[int, int] = {}
    for node in history(result):
        owner = node.data
        while isinstance(owner.base, np.ndarray):  # a view shares its owner's memory
            owner = owner.base
        sizes[id(owner)] = owner.nbytes
    return len(sizes), sum(sizes.values())
