"""Activation functions that act entry by entry, each with its slope.

The slope is a function of both z and a = φ(z): a backward pass has both in store, and often the
cheaper formula is in a (σ' = a (1 − a)). Results keep the precision of z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lib.validation import one_of


@dataclass(frozen=True)
class Activation:
    """A function φ and its slope φ′, entry by entry: `slope(z, a)` with a = φ(z)."""

    name: str
    value: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray, np.ndarray], np.ndarray]


def _sigmoid(z: np.ndarray) -> np.ndarray:
    # ½ (1 + tanh(z/2)) is 1/(1 + e⁻ᶻ), cannot overflow, and keeps single precision single.
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def _softplus(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z)))


ACTIVATIONS = {
    a.name: a
    for a in (
        Activation("identity", lambda z: z, lambda z, a: np.ones_like(z)),
        Activation("sigmoid", _sigmoid, lambda z, a: a * (1.0 - a)),
        Activation("tanh", np.tanh, lambda z, a: 1.0 - a * a),
        # At the kink the slope is 0, as in torch.
        Activation(
            "relu", lambda z: np.maximum(z, 0.0), lambda z, a: (z > 0).astype(z.dtype)
        ),
        Activation("softplus", _softplus, lambda z, a: _sigmoid(z)),
    )
}
"""The activations by name."""


def activation(choice: str | Activation) -> Activation:
    """Return the activation of that name; an `Activation` is returned as it is."""
    if isinstance(choice, Activation):
        return choice
    return ACTIVATIONS[one_of(choice, "activation", ACTIVATIONS)]
