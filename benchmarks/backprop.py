"""The four equations: backward beside forward, batches beside a loop over samples, and torch."""

from collections.abc import Iterator

import numpy as np
import torch

from benchmarks.timing import Race
from lib.backprop import (
    Network,
    backward,
    cross_entropy,
    loss_and_gradients,
    mean_over_samples,
    start_network,
)

WIDTHS = (784, 256, 128, 10)


def races() -> Iterator[Race]:
    """Yield races on a 784-256-128-10 network, and a deeper one, in single precision."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    net = start_network(WIDTHS, rng, dtype=np.float32)
    X = rng.normal(size=(256, 784)).astype(np.float32)
    y = rng.integers(0, 10, 256)
    yield _one_pass_each("784-256-128-10", net, X)
    equal = start_network((512,) * 9, rng, dtype=np.float32)
    rows = rng.normal(size=(256, 512)).astype(np.float32)
    yield _one_pass_each("8 layers of 512", equal, rows)
    yield _ways_to_a_gradient(net, X[:64], y[:64])


def _one_pass_each(name: str, net: Network, X: np.ndarray) -> Race:
    trace = net.forward(X)
    slopes = np.ones_like(trace.output)
    return Race(
        f"one pass, {name}, batch {len(X)}",
        {
            "lib, forward": lambda: net.forward(X),
            "lib, backward": lambda: backward(net, trace, slopes),
        },
    )


def _ways_to_a_gradient(net: Network, X: np.ndarray, y: np.ndarray) -> Race:
    parameters = [torch.tensor(p, requires_grad=True) for p in net.parameters()]
    inputs, labels = torch.tensor(X), torch.tensor(y)

    def with_torch() -> None:
        W1, b1, W2, b2, W3, b3 = parameters
        linear = torch.nn.functional.linear
        hidden = torch.relu(linear(torch.relu(linear(inputs, W1, b1)), W2, b2))
        loss = torch.nn.functional.cross_entropy(linear(hidden, W3, b3), labels)
        torch.autograd.grad(loss, parameters)

    return Race(
        "loss and gradients, 784-256-128-10, batch 64",
        {
            "lib, batch": lambda: loss_and_gradients(net, X, y, cross_entropy),
            "lib, sample by sample": lambda: mean_over_samples(
                net, X, y, cross_entropy
            ),
            "torch": with_torch,
        },
    )
