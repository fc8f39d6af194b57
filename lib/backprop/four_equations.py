"""Backpropagation: the four equations for a whole batch, one matrix product each.

With the samples in rows, Δ⁽ˡ⁾ (n, d_l) holds the errors ∂𝓛/∂Z⁽ˡ⁾ of all of them, and

    Δ⁽ᴸ⁾   = ∂𝓛/∂A⁽ᴸ⁾ ⊙ φ′(Z⁽ᴸ⁾)                   (1)
    Δ⁽ˡ⁾   = (Δ⁽ˡ⁺¹⁾ W⁽ˡ⁺¹⁾) ⊙ φ′(Z⁽ˡ⁾)              (2)
    ∂𝓛/∂b⁽ˡ⁾ = the column sums of Δ⁽ˡ⁾                 (3)
    ∂𝓛/∂W⁽ˡ⁾ = Δ⁽ˡ⁾ᵀ A⁽ˡ⁻¹⁾                           (4)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.backprop.losses import Loss
from lib.backprop.network import Network, Trace


@dataclass(frozen=True)
class Gradients:
    """The derivatives of a scalar by every parameter, in the shapes of the parameters."""

    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]

    def parameters(self) -> tuple[np.ndarray, ...]:
        """Return the gradients of W⁽¹⁾, b⁽¹⁾, W⁽²⁾, b⁽²⁾, …, as `Network.parameters` does."""
        return tuple(
            g for pair in zip(self.weights, self.biases, strict=True) for g in pair
        )

    def vector(self) -> np.ndarray:
        """Return all of it as one vector (p,), in the order of `Network.vector`."""
        return np.concatenate([g.ravel() for g in self.parameters()])


def errors(
    network: Network, trace: Trace, output_slope: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return Δ⁽¹⁾, …, Δ⁽ᴸ⁾, each (n, d_l), given a forward pass and ∂𝓛/∂A⁽ᴸ⁾ (n, K)."""
    Z, A = (
        trace.pre_activations,
        trace.activations,
    )  # A[0] = X, A[l] belongs to Z[l - 1]
    if np.shape(output_slope) != A[-1].shape:
        raise ValueError(
            f"output_slope: expected shape {A[-1].shape}, got {np.shape(output_slope)}"
        )
    delta = np.asanyarray(output_slope, dtype=network.dtype)
    delta = delta * network.activations[-1].slope(Z[-1], A[-1])  # (1)
    deltas = [delta]
    for l in reversed(range(network.depth - 1)):
        slope = network.activations[l].slope(Z[l], A[l + 1])
        delta = (delta @ network.weights[l + 1]) * slope  # (2)
        deltas.append(delta)
    return tuple(reversed(deltas))


def backward(network: Network, trace: Trace, output_slope: np.ndarray) -> Gradients:
    """Return the gradients of 𝓛, given a forward pass and ∂𝓛/∂A⁽ᴸ⁾ (n, K)."""
    deltas = errors(network, trace, output_slope)
    inputs = trace.activations[:-1]  # layer l is fed by A⁽ˡ⁻¹⁾
    db = tuple(delta.sum(axis=0) for delta in deltas)  # (3)
    dW = tuple(
        delta.T @ A
        for delta, A in zip(deltas, inputs, strict=True)  # (4)
    )
    return Gradients(dW, db)


def loss_and_gradients(
    network: Network, X: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Return the mean loss 𝓛 over the rows of X and its gradients: forward, then backward."""
    trace = network.forward(X)
    losses, slopes = loss(y, trace.output)  # (n,), (n, K)
    return float(losses.mean()), backward(network, trace, slopes / len(losses))
