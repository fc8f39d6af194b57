"""The matrix product."""

from __future__ import annotations

import numpy as np

from lib.autodiff.shapes import reshape, swap_last, unbroadcast
from lib.autodiff.tensor import Tensor, compute, pair


def matmul(a: object, b: object) -> Tensor:
    """Return a @ b for matrices, stacks of matrices, and vectors."""
    a, b = pair(a, b)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError(
            f"matmul: expected at least one axis each, got {a.shape} and {b.shape}"
        )
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise ValueError(
            f"matmul: expected inner sizes that agree, got {a.shape} and {b.shape}"
        )
    if a.ndim == 1 or b.ndim == 1:  # a vector is a matrix with one row or one column
        left = reshape(a, (1, a.size)) if a.ndim == 1 else a
        right = reshape(b, (b.size, 1)) if b.ndim == 1 else b
        out = matmul(left, right)
        rows = () if a.ndim == 1 else out.shape[-2:-1]
        columns = () if b.ndim == 1 else out.shape[-1:]
        return reshape(out, out.shape[:-2] + rows + columns)
    return compute(
        "matmul",
        np.matmul,
        (
            a,
            lambda g, _: unbroadcast(matmul(g, swap_last(b)), a.shape),
            lambda t, _: matmul(t, b),
        ),
        (
            b,
            lambda g, _: unbroadcast(matmul(swap_last(a), g), b.shape),
            lambda t, _: matmul(a, t),
        ),
    )


Tensor.__matmul__ = matmul
Tensor.__rmatmul__ = lambda self, other: matmul(other, self)
