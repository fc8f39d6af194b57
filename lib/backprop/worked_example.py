"""The report's worked example (its Tables 5 to 17): what is printed, and three ways to read it.

A network with 2 inputs, 2 sigmoid units and 1 output, three patterns, one step with η = 1. The
report counts the bias as component 1, so its units i = 2, 3 are the first and second here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.backprop.four_equations import backward, errors
from lib.backprop.losses import Loss, half_squared
from lib.backprop.network import Network
from lib.logistic.functions import log_sigmoid, sigmoid
from lib.validation import as_matrix

INPUTS = np.array([[1.0, 1.0], [0.0, -2.0], [-1.0, 1.0]])
"""Table 5, patterns in rows, without the constant component."""

TARGETS = np.array([[-1.0], [1.0], [1.0]])
"""The targets of Table 11."""

HIDDEN = np.array([[0.4, 0.2, -1.2], [0.7, -0.7, -0.7]])
"""Table 6: a row for each hidden unit, the bias first."""

OUTPUT = np.array([[0.4, -0.5, 2.3]])
"""Table 9: the output unit, the bias first."""

PRINTED: dict[str, np.ndarray] = {
    "tab-7": np.array([[-0.6, 2.8, -1.0], [-0.7, 2.1, 0.7]]),
    "tab-8": np.array([[0.354, 0.942, 0.269], [0.332, 0.891, 0.668]]),
    "tab-10": np.array([[0.986, 1.978, 1.802]]),
    "tab-11": np.array([[1.972, 0.478, 0.322]]),
    "tab-12": np.array([[0.393, 0.104, 0.098]]),
    "tab-13": np.array([[-0.045, -0.003, -0.010], [0.200, 0.023, 0.050]]),
    "tab-14": np.array([[-0.198, -0.088, -0.096]]),
    "tab-15": np.array([[0.019, 0.012, 0.016], [-0.091, -0.050, -0.068]]),
    "tab-16": np.array([[0.202, -0.588, 2.204]]),
    "tab-17": np.array([[0.419, 0.212, -1.184], [0.609, -0.75, -0.768]]),
}
"""What Tables 7 to 17 print: a row for each unit, a column for each pattern or weight."""


@dataclass(frozen=True)
class Reading:
    """One way to read the example: which output activation, and which loss of its output."""

    name: str
    output: str
    loss: Loss


def unannounced_loss(
    y: np.ndarray, output: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return Σₖ ∫ from yₖ to zₖ of (u − yₖ) σ′(u) du, and its slope (z − y) σ′(z), for z (n, K).

    Integrated by parts: (z − y) σ(z) − softplus(z) + softplus(y). It is zero only at z = y, and
    bounded: by softplus(−y) above y and by softplus(y) below.
    """
    z = as_matrix(output, "output")
    y = as_matrix(y, "y", rows=z.shape[0], columns=z.shape[1])
    s = sigmoid(z)
    # softplus(z) = −log σ(−z)
    entries = (z - y) * s + log_sigmoid(-z) - log_sigmoid(-y)
    return entries.sum(axis=1), (z - y) * s * (1.0 - s)


LINEAR = Reading("linear output", "identity", half_squared)
SIGMOID = Reading("sigmoid output", "sigmoid", half_squared)
AS_PRINTED = Reading("as printed", "identity", unannounced_loss)
READINGS = (AS_PRINTED, LINEAR, SIGMOID)
"""The printed deltas, and the two networks whose formulas they mix."""


def network_of(reading: Reading) -> Network:
    """Return the example's network, with the output activation of the reading."""
    return Network(
        (HIDDEN[:, 1:], OUTPUT[:, 1:]),
        (HIDDEN[:, 0], OUTPUT[:, 0]),
        ("sigmoid", reading.output),
    )


def tables(reading: Reading, eta: float = 1.0) -> dict[str, np.ndarray]:
    """Return Tables 7 to 17 in full precision, in the layout of `PRINTED`.

    For `AS_PRINTED`, Table 11 holds the losses that the report prints, ½(z − y)², although its
    deltas are not their derivatives.
    """
    net = network_of(reading)
    trace = net.forward(INPUTS)
    losses, slopes = reading.loss(TARGETS, trace.output)
    if reading is AS_PRINTED:
        losses = half_squared(TARGETS, trace.output)[0]
    deltas = errors(net, trace, slopes)  # of each pattern's loss, without the 1/P
    gradients = backward(net, trace, slopes / len(losses))
    steps = [
        -eta * np.column_stack([b, W])
        for W, b in zip(gradients.weights, gradients.biases, strict=True)
    ]
    return {
        "tab-7": trace.pre_activations[0].T,
        "tab-8": trace.activations[1].T,
        "tab-10": trace.pre_activations[1].T,
        "tab-11": losses[None, :],
        "tab-12": deltas[1].T,
        "tab-13": deltas[0].T,
        "tab-14": steps[1],
        "tab-15": steps[0],
        "tab-16": OUTPUT + steps[1],
        "tab-17": HIDDEN + steps[0],
    }
