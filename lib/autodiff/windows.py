"""Padding and sliding windows: with a matrix product they make a convolution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib.autodiff.shapes import linear, take
from lib.autodiff.tensor import Tensor, as_tensor
from lib.validation import whole


def pad(a: object, widths: Sequence[tuple[int, int]]) -> Tensor:
    """Return a with zeros (before, after) the entries of each of its last axes."""
    a = as_tensor(a)
    widths = [
        (whole(i, "widths", at_least=0), whole(j, "widths", at_least=0))
        for i, j in widths
    ]
    if len(widths) > a.ndim:
        raise ValueError(
            f"widths: expected at most {a.ndim} pairs for shape {a.shape}, got {len(widths)}"
        )
    inner = (
        ...,
        *(slice(i, i + n) for (i, _), n in zip(widths, _last(a, widths), strict=True)),
    )
    rest = [(0, 0)] * (a.ndim - len(widths))
    return linear(
        "pad",
        np.pad(a.data, rest + widths),
        a,
        lambda t: pad(t, widths),
        lambda g: take(g, inner),
    )


def _last(a: Tensor, like: Sequence) -> tuple[int, ...]:
    return a.shape[a.ndim - len(like) :]


def windows(
    a: object, size: Sequence[int], *, stride: int = 1, dilation: int = 1
) -> Tensor:
    """Return every window of a along its last axes, one axis for each entry of `size`.

    For a of shape (…, H, W) and size (k, m) the result has the shape (…, H', W', k, m), where
    H' = ⌊(H − dilation·(k − 1) − 1) / stride⌋ + 1 and W' likewise.
    """
    a = as_tensor(a)
    size = tuple(whole(k, "size", at_least=1) for k in size)
    stride = whole(stride, "stride", at_least=1)
    dilation = whole(dilation, "dilation", at_least=1)
    spans = tuple(dilation * (k - 1) + 1 for k in size)
    if len(size) > a.ndim or any(
        span > n for span, n in zip(spans, _last(a, size), strict=True)
    ):
        raise ValueError(f"windows: size {size} does not fit into shape {a.shape}")
    axes = tuple(range(a.ndim - len(size), a.ndim))
    views = np.lib.stride_tricks.sliding_window_view(a.data, spans, axis=axes)
    steps = (slice(None, None, stride),) * len(size)
    holes = (slice(None, None, dilation),) * len(size)
    lead = (slice(None),) * (a.ndim - len(size))
    return linear(
        "windows",
        views[(*lead, *steps, *holes)],
        a,
        lambda t: windows(t, size, stride=stride, dilation=dilation),
        lambda g: overlay(g, a.shape, size, stride, dilation),
    )


def overlay(
    g: Tensor,
    shape: tuple[int, ...],
    size: tuple[int, ...],
    stride: int,
    dilation: int,
) -> Tensor:
    """Return windows laid back into `shape` and added where they overlap: the adjoint."""
    out = np.zeros(shape, dtype=g.dtype)
    counts = g.shape[g.ndim - 2 * len(size) : g.ndim - len(size)]
    for offset in np.ndindex(size):  # one entry of all windows at a time
        places = tuple(
            slice(dilation * i, dilation * i + stride * (n - 1) + 1, stride)
            for i, n in zip(offset, counts, strict=True)
        )
        out[(..., *places)] += g.data[(..., *offset)]
    return linear(
        "overlay",
        out,
        g,
        lambda t: overlay(t, shape, size, stride, dilation),
        lambda h: windows(h, size, stride=stride, dilation=dilation),
    )
