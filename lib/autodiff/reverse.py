"""Reverse mode: from one result back to everything it was computed from.

Visit the recorded tensors so that each comes after all that use it, and pull its gradient back
to its parents. Where paths meet, gradients add up. Pulls are made of the same operations as
everything else, so with `create_graph` the gradients have a history too and can be
differentiated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np

from lib.autodiff.tensor import Tensor, as_tensor, no_grad, wrap


def history(result: Tensor, until: Sequence[Tensor] = ()) -> list[Tensor]:
    """Return the tape: every recorded tensor behind `result`, arguments before results.

    The search does not go behind the tensors of `until`.
    """
    ends = {id(x) for x in until}
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
            if id(node) not in ends:
                stack.extend((p, False) for p in node.parents if id(p) not in done)
    return finished


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
        return wrap(np.ones(result.shape, dtype=result.dtype))
    seed = as_tensor(seed, result)
    if seed.shape != result.shape or seed.dtype != result.dtype:
        raise ValueError(
            f"seed: expected {result.dtype} of shape {result.shape}, "
            f"got {seed.dtype} of shape {seed.shape}"
        )
    return seed


def _leading_to(tape: list[Tensor], targets: Sequence[Tensor]) -> set[int]:
    """Return the ids of the tensors that were computed from a target, or are one."""
    found = {id(x) for x in targets}
    for node in tape:
        if any(id(parent) in found for parent in node.parents):
            found.add(id(node))
    return found


def _require_unchanged(parent: Tensor, seen: int, operation: str) -> None:
    if parent._version != seen:
        raise ValueError(
            f"data: a tensor of shape {parent.shape} was given new values after "
            f"{operation} used it; its gradient would belong to neither"
        )


def _pull_back(
    result: Tensor,
    targets: Sequence[Tensor],
    seed: object | None,
    create_graph: bool,
) -> dict[int, Tensor]:
    """Return the gradients of the targets, by id; those that play no part are left out."""
    gradients = {id(result): _seed(result, seed)}
    tape = history(result)
    wanted, useful = {id(x) for x in targets}, _leading_to(tape, targets)
    with nullcontext() if create_graph else no_grad():
        for node in reversed(tape):
            if id(node) not in useful or id(node) not in gradients:
                continue
            gradient = gradients[id(node)]
            if id(node) not in wanted:
                del gradients[id(node)]  # nobody asks for it again
            for parent, pull, seen in zip(
                node.parents, node.pulls, node.seen, strict=True
            ):
                if id(parent) not in useful:
                    continue
                _require_unchanged(parent, seen, node.operation)
                part = pull(gradient, node)
                before = gradients.get(id(parent))
                gradients[id(parent)] = part if before is None else before + part
    return gradients


def backward(result: Tensor, seed: object | None = None) -> None:
    """Add the gradient of `result` to `.grad` of every leaf that requires one."""
    leaves = [node for node in history(result) if not node.parents]
    gradients = _pull_back(result, leaves, seed, create_graph=False)
    for leaf in leaves:
        new = gradients[id(leaf)]
        leaf.grad = new if leaf.grad is None else leaf.grad.detach() + new


def grad(
    result: Tensor,
    inputs: Sequence[Tensor],
    seed: object | None = None,
    *,
    create_graph: bool = False,
) -> list[Tensor]:
    """Return ∂result/∂x for each x of `inputs`; zeros where the result does not depend on x.

    For a result with several entries, `seed` says how to weigh them. With `create_graph` the
    gradients can be differentiated again.
    """
    for i, x in enumerate(inputs):
        if not isinstance(x, Tensor) or not x.requires_grad:
            raise ValueError(
                f"inputs[{i}]: expected a tensor with requires_grad=True, got "
                f"{'one without' if isinstance(x, Tensor) else type(x).__name__}"
            )
    gradients = _pull_back(result, inputs, seed, create_graph)
    return [
        gradients[id(x)]
        if id(x) in gradients
        else wrap(np.zeros(x.shape, dtype=x.dtype))
        for x in inputs
    ]
