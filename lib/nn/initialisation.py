"""Starting weights: one rule for every layer that multiplies by a weight tensor.

A weight tensor has shape (out, in, …): each output is a sum over `fan_in` products, each input
takes part in `fan_out` of them. A start whose variance is about 1 / fan_in keeps the size of a
signal from layer to layer; the rules differ in the constant.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lib.validation import one_of

STARTS = ("torch", "kaiming", "glorot", "zeros")


def fans(weight: Tensor) -> tuple[int, int]:
    """Return (fan_in, fan_out) of a weight tensor of shape (out, in, *kernel)."""
    if weight.ndim < 2:
        raise ValueError(
            f"weight: expected at least 2 dimensions (out, in, …), got shape {tuple(weight.shape)}"
        )
    kernel = math.prod(weight.shape[2:])
    return weight.shape[1] * kernel, weight.shape[0] * kernel


@torch.no_grad()
def start_weight(
    weight: Tensor, start: str = "torch", *, fan_in: int | None = None
) -> Tensor:
    """Fill `weight` of shape (out, in, …) in place from torch's global generator; return it.

    - ``"torch"``: uniform on ±1/√fan_in, variance 1/(3 fan_in), the start of ``torch.nn``;
    - ``"kaiming"``: normal, variance 2/fan_in, for a layer that a ReLU follows;
    - ``"glorot"``: uniform on ±√(6/(fan_in + fan_out)), for tanh, sigmoid or linear outputs;
    - ``"zeros"``: zero, for a last layer that should start out silent.

    `fan_in` replaces the count taken from the shape, for tensors stored in another order.
    """
    one_of(start, "start", STARTS)
    counted_in, fan_out = fans(weight)
    fan_in = counted_in if fan_in is None else fan_in
    if start == "torch":
        bound = 1 / math.sqrt(fan_in)
        return weight.uniform_(-bound, bound)
    if start == "kaiming":
        return weight.normal_(0.0, math.sqrt(2 / fan_in))
    if start == "glorot":
        bound = math.sqrt(6 / (fan_in + fan_out))
        return weight.uniform_(-bound, bound)
    return weight.zero_()


@torch.no_grad()
def start_bias(bias: Tensor, fan_in: int, start: str = "torch") -> Tensor:
    """Fill `bias` in place: uniform on ±1/√fan_in for ``"torch"``, else zero; return it."""
    one_of(start, "start", STARTS)
    if start == "torch":
        bound = 1 / math.sqrt(fan_in)
        return bias.uniform_(-bound, bound)
    return bias.zero_()
