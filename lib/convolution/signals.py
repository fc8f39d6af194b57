"""Convolution and cross-correlation of one image with one kernel, and of circular signals."""

from __future__ import annotations

import numpy as np

from lib.convolution.geometry import Geometry
from lib.convolution.images import as_floats
from lib.convolution.windows import windows
from lib.validation import as_vector, one_of, whole

MODES = ("valid", "same", "full")


def flip(kernel: object) -> np.ndarray:
    """Return the kernel turned by 180°: both axes reversed."""
    return as_floats(kernel, "kernel", ndim=2)[::-1, ::-1]


def cross_correlate(
    image: object, kernel: object, mode: str = "valid", *, stride: int = 1
) -> np.ndarray:
    """Return Σ K[u, v] I[s i + u, s j + v]: slide the kernel as it is, take inner products.

    "valid" keeps the kernel inside the image, "same" pads so that stride 1 keeps the size
    (kernels with odd sides), "full" takes every place where kernel and image touch.
    """
    image = as_floats(image, "image", ndim=2)
    kernel = as_floats(kernel, "kernel", ndim=2)
    kh, kw = kernel.shape
    one_of(mode, "mode", MODES)
    if mode == "same" and not (kh % 2 and kw % 2):
        raise ValueError(
            f"kernel: expected odd sides for mode 'same', got shape {kernel.shape}"
        )
    padding = {
        "valid": (0, 0),
        "same": (kh // 2, kw // 2),
        "full": (kh - 1, kw - 1),
    }[mode]
    view = windows(image[None, None], Geometry.of((kh, kw), stride, padding))[0, 0]
    return np.einsum("uv,uvij->ij", kernel, view)


def convolve(image: object, kernel: object, mode: str = "valid") -> np.ndarray:
    """Return Σ K[u, v] I[i - u, j - v], the convolution of mathematics: the kernel is flipped."""
    return cross_correlate(image, flip(kernel), mode)


def shift(signal: object, by: int) -> np.ndarray:
    """Return the circular signal moved to the right by so many places: (T x)[i] = x[i - by]."""
    return np.roll(as_vector(signal, "signal"), whole(by, "by", at_least=-(2**31)))


def circular_convolve(kernel: object, signal: object) -> np.ndarray:
    """Return y[i] = Σ_j k[i - j] x[j], indices modulo n; both have the shape (n,)."""
    x = as_vector(signal, "signal")
    k = as_vector(kernel, "kernel", length=len(x))
    return circulant(k) @ x


def circulant(kernel: object) -> np.ndarray:
    """Return the matrix C[i, j] = k[(i - j) mod n]: each column is the last, moved by one."""
    k = as_vector(kernel, "kernel")
    i = np.arange(len(k))
    return k[(i[:, None] - i[None, :]) % len(k)]
