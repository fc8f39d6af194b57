"""The dense layer: every output is a weighted sum of every input."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from lib.nn.initialisation import start_bias, start_weight
from lib.validation import whole


class Linear(Module):
    """z = W a + b on the last axis: (…, in) → (…, out).

    `weight` has shape (out, in), `bias` shape (out,) or is None. `start` names the rule for the
    first weights (see ``lib.nn.initialisation.start_weight``); the default is the one of
    ``torch.nn.Linear``, and with the same seed it draws the same numbers.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        *,
        start: str = "torch",
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = whole(in_features, "in_features", at_least=1)
        self.out_features = whole(out_features, "out_features", at_least=1)
        shape = (self.out_features, self.in_features)
        self.weight = Parameter(start_weight(torch.empty(shape, dtype=dtype), start))
        self.bias = None
        if bias:
            values = torch.empty(self.out_features, dtype=dtype)
            self.bias = Parameter(start_bias(values, self.in_features, start))

    def forward(self, a: Tensor) -> Tensor:
        """Return W a + b for each row: (…, in) → (…, out)."""
        if a.ndim == 0 or a.shape[-1] != self.in_features:
            raise ValueError(
                f"input: expected shape (…, {self.in_features}), got {tuple(a.shape)}"
            )
        if a.dtype != self.weight.dtype:
            raise ValueError(
                f"input: expected {self.weight.dtype} as the weights have, got {a.dtype}"
            )
        z = a @ self.weight.T
        return z if self.bias is None else z + self.bias

    def extra_repr(self) -> str:
        """Return what ``print(layer)`` shows between the parentheses."""
        return f"{self.in_features}, {self.out_features}, bias={self.bias is not None}"
