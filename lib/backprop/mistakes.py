"""Rules that look like backpropagation and are not: the classic slips, each in a line or two.

Every rule has the signature of `loss_and_gradients`: the true loss, with wrong gradients.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lib.backprop.activations import Activation
from lib.backprop.four_equations import Gradients, backward, errors
from lib.backprop.losses import Loss
from lib.backprop.network import Network


def _run(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss, pretended: Network
) -> tuple[float, Gradients]:
    """Go forward through `network` and backward through `pretended`."""
    trace = network.forward(X)
    losses, slopes = loss(y, trace.output)
    return float(losses.mean()), backward(pretended, trace, slopes / len(losses))


def _without_slope(phi: Activation) -> Activation:
    return replace(phi, slope=lambda z, a: np.ones_like(z))


def no_hidden_slope(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Forget φ′(z) in the hidden layers: δ⁽ˡ⁾ = W⁽ˡ⁺¹⁾ᵀ δ⁽ˡ⁺¹⁾."""
    *hidden, last = network.activations
    phis = (*map(_without_slope, hidden), last)
    return _run(network, X, y, loss, replace(network, activations=phis))


def no_output_slope(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Forget φ′(z) in the output layer: δ⁽ᴸ⁾ = ∂ℓ/∂a⁽ᴸ⁾."""
    *hidden, last = network.activations
    phis = (*hidden, _without_slope(last))
    return _run(network, X, y, loss, replace(network, activations=phis))


def transposed_weight(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Send errors back through W where Wᵀ is due, wherever W is square and the shapes allow it."""
    weights = tuple(W.T if W.shape[0] == W.shape[1] else W for W in network.weights)
    if not any(W.shape[0] == W.shape[1] for W in network.weights[1:]):
        raise ValueError(
            f"network: expected a square weight matrix to mistake, got widths {network.widths}"
        )
    return _run(network, X, y, loss, replace(network, weights=weights))


def flipped_hidden_biases(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Lose the sign of the hidden biases: they climb while everything else descends."""
    value, right = _run(network, X, y, loss, network)
    *hidden, last = right.biases
    return value, Gradients(right.weights, (*(-g for g in hidden), last))


def own_activations(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Use A⁽ˡ⁾ where A⁽ˡ⁻¹⁾ is due, ∂𝓛/∂W⁽ˡ⁾ = Δ⁽ˡ⁾ᵀ A⁽ˡ⁾, wherever the shapes allow it."""
    if not any(W.shape[0] == W.shape[1] for W in network.weights):
        raise ValueError(
            f"network: expected a square weight matrix to mistake, got widths {network.widths}"
        )
    trace = network.forward(X)
    losses, slopes = loss(y, trace.output)
    right = backward(network, trace, slopes / len(losses))
    deltas = errors(network, trace, slopes / len(losses))
    weights = tuple(
        delta.T @ own if W.shape[0] == W.shape[1] else g
        for delta, own, W, g in zip(
            deltas, trace.activations[1:], network.weights, right.weights, strict=True
        )
    )
    return float(losses.mean()), Gradients(weights, right.biases)


def flipped_first_layer(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Lose a sign on the first layer: W⁽¹⁾ and b⁽¹⁾ climb while the others descend."""
    value, right = _run(network, X, y, loss, network)
    weights = (-right.weights[0], *right.weights[1:])
    return value, Gradients(weights, (-right.biases[0], *right.biases[1:]))
