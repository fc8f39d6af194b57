"""Training a network with mini-batches: gradient descent with momentum, in plain NumPy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lib.backprop.four_equations import loss_and_gradients
from lib.backprop.gradient_check import Rule
from lib.backprop.losses import Loss
from lib.backprop.network import Network, as_rows
from lib.validation import between, positive, whole


@dataclass
class History:
    """What happened in each epoch: the mean loss of its mini-batches, and a measure."""

    losses: list[float] = field(default_factory=list)
    measures: list[float] = field(default_factory=list)


def train(
    network: Network,
    X: np.ndarray,
    y: np.ndarray,
    loss: Loss,
    *,
    epochs: int,
    rng: np.random.Generator,
    batch: int = 64,
    eta: float = 0.05,
    momentum: float = 0.9,
    rule: Rule = loss_and_gradients,
    measure=None,
) -> tuple[Network, History]:
    """Return a trained copy of the network and its history.

    Each epoch visits the rows of X (n, d) once, in a new random order, `batch` at a time, with
    v ← μ v − η g and θ ← θ + v. `rule` computes g; `measure(network)` is recorded after each
    epoch. A loss that is no longer finite raises a ValueError.
    """
    X = as_rows(X, "X", network.widths[0], network.dtype)
    y = np.asarray(y)
    if len(y) != len(X):
        raise ValueError(
            f"y: expected {len(X)} targets, one for each row, got {len(y)}"
        )
    epochs, batch = (
        whole(epochs, "epochs", at_least=1),
        whole(batch, "batch", at_least=1),
    )
    eta, momentum = positive(eta, "eta"), between(momentum, "momentum", 0.0, 1.0)
    own = replace(
        network,
        weights=tuple(W.copy() for W in network.weights),
        biases=tuple(b.copy() for b in network.biases),
    )
    velocity = [np.zeros_like(p) for p in own.parameters()]
    history = History()
    for _ in range(epochs):
        total = 0.0
        order = rng.permutation(len(X))
        for start in range(0, len(X), batch):
            rows = order[start : start + batch]
            value, gradients = rule(own, X[rows], y[rows], loss)
            if not np.isfinite(value):
                raise ValueError(
                    f"eta: expected a step at which the loss stays finite, got {eta:g}"
                )
            total += value * len(rows)
            for p, v, g in zip(
                own.parameters(), velocity, gradients.parameters(), strict=True
            ):
                v *= momentum
                v -= eta * g
                p += v
        history.losses.append(total / len(X))
        if measure is not None:
            history.measures.append(float(measure(own)))
    return own, history


def accuracy(network: Network, X: np.ndarray, labels: np.ndarray) -> float:
    """Return the share of rows whose largest output is at the place of their label."""
    return float(np.mean(network(X).argmax(axis=1) == np.asarray(labels)))
