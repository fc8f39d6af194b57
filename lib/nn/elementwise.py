"""Layers that treat every entry alone: ReLU and dropout."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import Module

from lib.validation import between


class ReLU(Module):
    """max(0, z), with derivative 1 where z > 0 and 0 elsewhere, at 0 too."""

    def forward(self, z: Tensor) -> Tensor:
        """Return max(0, z), entry by entry."""
        return torch.relu(z)


class Dropout(Module):
    """In training, zero each entry with probability p and divide the others by 1 - p.

    The mean over the draws is the input itself, so nothing happens in evaluation.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = between(p, "p", 0.0, 1.0)

    def forward(self, a: Tensor) -> Tensor:
        """Return a, thinned out in training mode."""
        if not self.training or self.p == 0:
            return a
        if self.p == 1:
            return torch.zeros_like(a)
        kept = torch.rand_like(a) >= self.p
        return a * kept / (1 - self.p)

    def extra_repr(self) -> str:
        """Return what ``print(layer)`` shows between the parentheses."""
        return f"p={self.p:g}"
