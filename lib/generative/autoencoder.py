"""Autoencoders: a network to a narrow code and a network back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from torch import Tensor, nn

from lib.nn import Linear
from lib.validation import whole


def perceptron(widths: Sequence[int]) -> nn.Sequential:
    """Return a multi-layer perceptron with those widths, ReLU between its layers."""
    sizes = [whole(w, "widths", at_least=1) for w in widths]
    if len(sizes) < 2:
        raise ValueError(
            f"widths: expected at least two, input and output, got {sizes}"
        )
    layers: list[nn.Module] = [Linear(sizes[0], sizes[1])]
    for before, after in pairwise(sizes[1:]):
        layers += [nn.ReLU(), Linear(before, after)]
    return nn.Sequential(*layers)


class Autoencoder(nn.Module):
    """x (n, d) → code (n, m) → output (n, d); `hidden` are the widths between, mirrored back.

    The output is raw: logits for a Bernoulli loss, means for a squared error.
    """

    def __init__(self, features: int, hidden: Sequence[int], latent: int) -> None:
        super().__init__()
        self.features, self.latent = features, latent
        self.encoder = perceptron([features, *hidden, latent])
        self.decoder = perceptron([latent, *reversed(hidden), features])

    def encode(self, x: Tensor) -> Tensor:
        """Return the codes: (n, d) → (n, m)."""
        return self.encoder(x)

    def decode(self, z: Tensor) -> Tensor:
        """Return what the codes stand for: (…, m) → (…, d)."""
        return self.decoder(z)

    def forward(self, x: Tensor) -> Tensor:
        """Return the raw reconstruction: (n, d) → (n, d)."""
        return self.decode(self.encode(x))
