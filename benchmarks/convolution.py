"""Convolution, batch 64: NumPy's im2col and lib.nn's layer beside torch's, and the plain loops."""

from collections.abc import Iterator

import numpy as np
import torch

from benchmarks.timing import Race
from lib.convolution import conv2d, conv2d_backward, conv2d_loops
from lib.nn import Conv2d, MaxPool2d

SIZES = ((16, 32, 28, 3), (16, 32, 28, 5), (32, 64, 13, 3), (1, 32, 28, 3))


def races() -> Iterator[Race]:
    """Yield forward and backward passes in single precision, padding that keeps the size."""
    torch.set_num_threads(1)
    for inward, out, side, kernel in SIZES:
        yield from _numpy_races(inward, out, side, kernel)
    for inward, out, side, kernel in SIZES:
        yield _layer_race(inward, out, side, kernel)
    yield _loop_race()
    yield _pooling_race()


def _arrays(n: int, inward: int, out: int, side: int, kernel: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = ((n, inward, side, side), (out, inward, kernel, kernel), (out,))
    return [rng.normal(size=s).astype(np.float32) for s in shapes]


def _numpy_races(inward: int, out: int, side: int, kernel: int) -> Iterator[Race]:
    X, W, b = _arrays(64, inward, out, side, kernel)
    padding = kernel // 2
    x, w, c = (torch.tensor(a, requires_grad=True) for a in (X, W, b))
    z = torch.conv2d(x, w, c, padding=padding)
    delta = torch.randn(z.shape)
    dZ = delta.numpy()

    def forward_torch() -> torch.Tensor:
        with torch.no_grad():
            return torch.conv2d(x, w, c, padding=padding)

    size = f"{inward} → {out} channels, {side}×{side}, kernel {kernel}"
    yield Race(
        f"forward, {size}",
        {
            "lib, im2col": lambda: conv2d(X, W, b, padding=padding),
            "torch": forward_torch,
        },
    )
    yield Race(
        f"backward, {size}",
        {
            "lib, im2col": lambda: conv2d_backward(dZ, X, W, padding=padding),
            "torch": lambda: torch.autograd.grad(
                z, (x, w, c), delta, retain_graph=True
            ),
        },
    )


def _layer_race(inward: int, out: int, side: int, kernel: int) -> Race:
    """Forward and backward of lib.nn's layer beside torch.nn's."""
    X, *_ = _arrays(64, inward, out, side, kernel)
    x = torch.tensor(X, requires_grad=True)
    ours = Conv2d(inward, out, kernel, padding=kernel // 2)
    theirs = torch.nn.Conv2d(inward, out, kernel, padding=kernel // 2)

    def both_ways(layer: torch.nn.Module) -> None:
        torch.autograd.grad(layer(x).sum(), [x, *layer.parameters()])

    return Race(
        f"layer both ways, {inward} → {out} channels, {side}×{side}, kernel {kernel}",
        {"lib.nn": lambda: both_ways(ours), "torch.nn": lambda: both_ways(theirs)},
    )


def _loop_race() -> Race:
    """One image, because the plain loops are some thousand times slower."""
    X, W, b = _arrays(1, 2, 4, 28, 3)
    return Race(
        "forward, one image, 2 → 4 channels, 28×28, kernel 3",
        {
            "lib, im2col": lambda: conv2d(X, W, b, padding=1),
            "plain loops": lambda: conv2d_loops(X, W, b, padding=1),
        },
    )


def _pooling_race() -> Race:
    x = torch.randn(64, 32, 28, 28, requires_grad=True)
    ours, theirs = MaxPool2d(2), torch.nn.MaxPool2d(2)
    return Race(
        "max pooling both ways, 32 channels, 28×28, window 2",
        {
            "lib.nn": lambda: torch.autograd.grad(ours(x).sum(), x),
            "torch.nn": lambda: torch.autograd.grad(theirs(x).sum(), x),
        },
    )
