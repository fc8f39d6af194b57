"""The autodiff engine beside torch and beside an engine of single numbers, on one thread."""

from collections.abc import Callable, Iterator

import numpy as np
import torch

from benchmarks.timing import Race
from lib.autodiff import grad, log_softmax, relu, tensor, transpose, windows
from lib.autodiff.scalar import Number, Tape, dot, exp, log
from lib.autodiff.scalar import relu as relu_of_number

SHAPES = ((128, 784), (128,), (10, 128), (10,))


def races() -> Iterator[Race]:
    """Yield a training step, the gradient of one sample, and a convolution."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    start = [0.05 * rng.normal(size=s).astype(np.float32) for s in SHAPES]
    X, y = rng.normal(size=(64, 784)).astype(np.float32), rng.integers(0, 10, 64)
    yield Race(
        "training step, 784-128-10, batch 64",
        {"lib": _step(start, X, y), "torch": _step_torch(start, X, y)},
    )
    yield Race(
        "the same for one sample (the scalar engine takes 64 times as long for the batch)",
        {
            "lib": _step(start, X[:1], y[:1]),
            "torch": _step_torch(start, X[:1], y[:1]),
            "scalar": _step_scalar(start, X[0], int(y[0])),
        },
    )
    yield _convolution(rng)


def _step(start: list[np.ndarray], X: np.ndarray, y: np.ndarray) -> Callable:
    parameters = [tensor(p, requires_grad=True) for p in start]
    inputs, rows = tensor(X), np.arange(len(X))

    def step() -> None:
        W1, b1, W2, b2 = parameters
        scores = log_softmax(relu(inputs @ W1.T + b1) @ W2.T + b2)
        gradients = grad(-scores[rows, y].mean(), parameters)
        for p, g in zip(parameters, gradients, strict=True):
            p.data = p.data - 0.01 * g.data

    return step


def _step_torch(start: list[np.ndarray], X: np.ndarray, y: np.ndarray) -> Callable:
    parameters = [torch.tensor(p, requires_grad=True) for p in start]
    inputs, labels = torch.tensor(X), torch.tensor(y)

    def step() -> None:
        W1, b1, W2, b2 = parameters
        scores = torch.relu(inputs @ W1.T + b1) @ W2.T + b2
        loss = torch.nn.functional.cross_entropy(scores, labels)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, g in zip(parameters, gradients, strict=True):
                p -= 0.01 * g

    return step


def _step_scalar(start: list[np.ndarray], x: np.ndarray, label: int) -> Callable:
    W1, b1, W2, b2 = (p.tolist() for p in start)
    pixels = x.tolist()

    def step() -> None:
        tape = Tape()
        hidden_weights = [[tape.write(w) for w in row] for row in W1]
        hidden_biases = [tape.write(b) for b in b1]
        output_weights = [[tape.write(w) for w in row] for row in W2]
        output_biases = [tape.write(b) for b in b2]
        hidden = [
            relu_of_number(dot(row, pixels) + b)
            for row, b in zip(hidden_weights, hidden_biases, strict=True)
        ]
        scores = [
            dot(row, hidden) + b
            for row, b in zip(output_weights, output_biases, strict=True)
        ]
        slopes = tape.gradients(_cross_entropy(scores, label))
        for rows, numbers in ((W1, hidden_weights), (W2, output_weights)):
            for row, places in zip(rows, numbers, strict=True):
                for j, w in enumerate(places):
                    row[j] -= 0.01 * slopes[w.place]
        for biases, numbers in ((b1, hidden_biases), (b2, output_biases)):
            for j, b in enumerate(numbers):
                biases[j] -= 0.01 * slopes[b.place]

    return step


def _cross_entropy(scores: list[Number], label: int) -> Number:
    total = exp(scores[0])
    for score in scores[1:]:
        total = total + exp(score)
    return log(total) - scores[label]


def _convolution(rng: np.random.Generator) -> Race:
    X = rng.normal(size=(32, 8, 28, 28)).astype(np.float32)
    W = (0.1 * rng.normal(size=(16, 8, 3, 3))).astype(np.float32)
    x, w = tensor(X, requires_grad=True), tensor(W, requires_grad=True)
    x_torch = torch.tensor(X, requires_grad=True)
    w_torch = torch.tensor(W, requires_grad=True)

    def convolve() -> None:
        cut = transpose(windows(x, (3, 3)), (0, 2, 3, 1, 4, 5))  # (32, 26, 26, 8, 3, 3)
        out = cut.reshape(32 * 26 * 26, 72) @ w.reshape(16, 72).T
        grad((out * out).sum(), [x, w])

    def convolve_torch() -> None:
        out = torch.nn.functional.conv2d(x_torch, w_torch)
        torch.autograd.grad((out * out).sum(), [x_torch, w_torch])

    return Race(
        "convolution 3 × 3, 8 to 16 channels, 32 images of 28 × 28, with gradients",
        {"lib": convolve, "torch": convolve_torch},
    )
