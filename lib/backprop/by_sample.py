"""The same gradients one sample at a time: with explicit sums, and with vectors.

Both are slow and say exactly what the four equations say, so they are what the batch form is
compared with.
"""

from __future__ import annotations

import numpy as np

from lib.backprop.four_equations import Gradients
from lib.backprop.losses import Loss
from lib.backprop.network import Network


def one_sample_by_index(
    network: Network, x: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Return the loss of one sample x (d_0,) and its gradients, entry by entry.

    No vector operation: each of the four equations is a loop over its indices. `y` is what
    `loss` expects for a single row, such as a label or a vector of targets.
    """
    W, b = network.weights, network.biases
    trace = network.forward(np.asarray(x)[None, :])
    Z = [z[0] for z in trace.pre_activations]
    A = [a[0] for a in trace.activations]
    losses, slopes = loss(np.asarray(y)[None], trace.output)
    L = network.depth
    slope_of = [
        phi.slope(z, a) for phi, z, a in zip(network.activations, Z, A[1:], strict=True)
    ]
    delta = [np.zeros_like(z) for z in Z]
    dW, db = [np.zeros_like(w) for w in W], [np.zeros_like(c) for c in b]
    for i in range(len(Z[-1])):
        delta[-1][i] = slopes[0, i] * slope_of[-1][i]  # (1)
    for l in reversed(range(L - 1)):
        for j in range(len(Z[l])):
            back = 0.0
            for k in range(len(Z[l + 1])):  # over the units that j feeds
                back += delta[l + 1][k] * W[l + 1][k, j]
            delta[l][j] = slope_of[l][j] * back  # (2)
    for l in range(L):
        for k in range(len(Z[l])):
            db[l][k] = delta[l][k]  # (3)
            for j in range(len(A[l])):
                dW[l][k, j] = delta[l][k] * A[l][j]  # (4)
    return float(losses[0]), Gradients(tuple(dW), tuple(db))


def one_sample(
    network: Network, x: np.ndarray, y: np.ndarray, loss: Loss
) -> tuple[float, Gradients]:
    """Return the loss of one sample x (d_0,) and its gradients, with column vectors."""
    trace = network.forward(np.asarray(x)[None, :])
    Z = [z[0] for z in trace.pre_activations]
    A = [a[0] for a in trace.activations]
    losses, slopes = loss(np.asarray(y)[None], trace.output)
    delta = slopes[0] * network.activations[-1].slope(Z[-1], A[-1])  # (1)
    dW, db = [], []
    for l in reversed(range(network.depth)):
        db.insert(0, delta)  # (3)
        dW.insert(0, np.outer(delta, A[l]))  # (4): a column times a row
        if l > 0:
            slope = network.activations[l - 1].slope(Z[l - 1], A[l])
            delta = (network.weights[l].T @ delta) * slope  # (2)
    return float(losses[0]), Gradients(tuple(dW), tuple(db))


def mean_over_samples(
    network: Network,
    X: np.ndarray,
    y: np.ndarray,
    loss: Loss,
    *,
    by_index: bool = False,
) -> tuple[float, Gradients]:
    """Return the mean loss and its gradients: the mean over a loop, sample by sample."""
    single = one_sample_by_index if by_index else one_sample
    X, y = np.asarray(X), np.asarray(y)
    if len(X) != len(y) or len(X) == 0:
        raise ValueError(
            f"y: expected one target for each of the {len(X)} rows, got {len(y)}"
        )
    total, sums = 0.0, None
    for x_i, y_i in zip(X, y, strict=True):
        value, gradients = single(network, x_i, y_i, loss)
        total += value
        parts = gradients.parameters()
        sums = (
            parts if sums is None else [s + g for s, g in zip(sums, parts, strict=True)]
        )
    means = [s / len(X) for s in sums]
    return total / len(X), Gradients(tuple(means[::2]), tuple(means[1::2]))
