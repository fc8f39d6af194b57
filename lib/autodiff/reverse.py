"""Reverse mode: from one result back to everything it was computed from.

Visit the recorded tensors so that each comes after all that use it, and pull its gradient back
to its parents. Where paths meet, gradients add up. VJPs are made of the same operations as
everything else, so with `create_graph` the gradients have a history too and can be
differentiated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np

from lib.autodiff.tensor import Tensor, no_grad


def _order(result: Tensor) -> list[Tensor]:
    """Return all recorded tensors behind `result`, each after every tensor that uses it."""
    done: set[int] = set()
    finished: list[Tensor] = []
    stack: list[tuple[Tensor, bool]] = [(result, False)]
    while stack:  # a stack of our own: histories are deeper than Python's recursion
        node, ready = stack.pop()
        if ready:
            finished.append(node)
        elif id(node) not in done:
            done.add(id(node))
            stack.append((node, True))
            stack.extend(
                (parent, False) for parent in node.parents if id(parent) not in done
            )
    return finished[::-1]


def _seed(result: Tensor, seed: object | None) -> Tensor:
    if not result.requires_grad:
        raise ValueError(
            "result: expected a tensor that depends on one with requires_grad=True"
        )
    if seed is None:
        if result.size != 1:
            raise ValueError(
                f"result: expected one number to differentiate, got shape {result.shape}; "
                "sum it, or give a seed of that shape"
            )
        return Tensor(np.ones(result.shape, dtype=result.dtype))
    values = (
        seed.data if isinstance(seed, Tensor) else np.asarray(seed, dtype=result.dtype)
    )
    if values.shape != result.shape:
        raise ValueError(f"seed: expected shape {result.shape}, got {values.shape}")
    return seed if isinstance(seed, Tensor) else Tensor(values)


def _pull_back(
    result: Tensor, seed: object | None, create_graph: bool
) -> dict[int, Tensor]:
    """Return the gradient of every tensor behind `result`, by its id."""
    gradients = {id(result): _seed(result, seed)}
    with nullcontext() if create_graph else no_grad():
        for node in _order(result):
            gradient = gradients.get(id(node))
            if gradient is None:
                continue
            for parent, vjp, seen in zip(
                node.parents, node.vjps, node.seen, strict=True
            ):
                if parent._version != seen:
                    raise ValueError(
                        f"data: a tensor of shape {parent.shape} was given new values after it "
                        "was used; its gradient would belong to neither"
                    )
                part = vjp(gradient)
                before = gradients.get(id(parent))
                gradients[id(parent)] = part if before is None else before + part
    return gradients


def backward(result: Tensor, seed: object | None = None) -> None:
    """Add the gradient of `result` to `.grad` of every leaf that requires one."""
    gradients = _pull_back(result, seed, create_graph=False)
    for node in _order(result):
        if not node.parents and id(node) in gradients:
            new = gradients[id(node)]
            node.grad = new if node.grad is None else Tensor(node.grad.data + new.data)


def grad(
    result: Tensor,
    inputs: Sequence[Tensor],
    seed: object | None = None,
    *,
    create_graph: bool = False,
) -> list[Tensor]:
    """Return ∂result/∂x for each x of `inputs`; zeros where the result does not depend on x."""
    gradients = _pull_back(result, seed, create_graph)
    return [
        gradients.get(id(x), Tensor(np.zeros(x.shape, dtype=x.dtype))) for x in inputs
    ]
