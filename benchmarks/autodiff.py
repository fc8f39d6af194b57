"""One training step of a 784-128-10 network on 64 samples: the engine beside torch."""

from collections.abc import Iterator

import numpy as np
import torch

from benchmarks.timing import Race
from lib.autodiff import grad, log_softmax, relu, tensor


def races() -> Iterator[Race]:
    """Yield forward pass, gradients and an update, in single precision."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(64, 784)).astype(np.float32), rng.integers(0, 10, 64)
    shapes = ((128, 784), (128,), (10, 128), (10,))
    start = [0.05 * rng.normal(size=s).astype(np.float32) for s in shapes]
    ours = [tensor(p, requires_grad=True) for p in start]
    theirs = [torch.tensor(p, requires_grad=True) for p in start]
    inputs, rows = tensor(X), np.arange(64)
    inputs_torch, y_torch = torch.tensor(X), torch.tensor(y)

    def step() -> None:
        W1, b1, W2, b2 = ours
        scores = log_softmax(relu(inputs @ W1.T + b1) @ W2.T + b2)
        for p, g in zip(ours, grad(-scores[rows, y].mean(), ours), strict=True):
            p.data = p.data - 0.01 * g.data

    def step_torch() -> None:
        W1, b1, W2, b2 = theirs
        scores = torch.relu(inputs_torch @ W1.T + b1) @ W2.T + b2
        loss = torch.nn.functional.cross_entropy(scores, y_torch)
        gradients = torch.autograd.grad(loss, theirs)
        with torch.no_grad():
            for p, g in zip(theirs, gradients, strict=True):
                p -= 0.01 * g

    torch.set_num_threads(1)
    yield Race(
        "training step, 784-128-10, batch 64", {"lib": step, "torch": step_torch}
    )
