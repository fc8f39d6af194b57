"""Classic filters, designed by hand: differences, smoothers, and the strength of edges.

All are written for cross-correlation. The edge filters answer with a positive number where the
image is brighter on the left (or, transposed, at the top).
"""

from __future__ import annotations

import numpy as np

from lib.convolution.signals import cross_correlate
from lib.validation import positive, whole

DIFFERENCE = np.array([[1.0, -1.0]])
PREWITT = np.array([[1.0, 0.0, -1.0]] * 3)
SOBEL = np.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
SCHARR = np.array([[3.0, 0.0, -3.0], [10.0, 0.0, -10.0], [3.0, 0.0, -3.0]])
LAPLACE = np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])
SHARPEN = np.array([[0.0, -1.0, 0.0], [-1.0, 5.0, -1.0], [0.0, -1.0, 0.0]])
for _kernel in (DIFFERENCE, PREWITT, SOBEL, SCHARR, LAPLACE, SHARPEN):
    _kernel.setflags(write=False)


def box(size: int) -> np.ndarray:
    """Return the mean over size × size pixels as a kernel."""
    size = whole(size, "size", at_least=1)
    return np.full((size, size), 1 / size**2)


def gaussian(sigma: float, radius: int | None = None) -> np.ndarray:
    """Return a Gaussian kernel of (2 radius + 1)² entries that sum to 1; radius ≈ 3σ if None."""
    sigma = positive(sigma, "sigma")
    radius = round(3 * sigma) if radius is None else whole(radius, "radius")
    x = np.arange(-radius, radius + 1)
    line = np.exp(-0.5 * (x / sigma) ** 2)
    kernel = np.outer(line, line)
    return kernel / kernel.sum()


def edge_strength(image: object, kernel: object = SOBEL) -> np.ndarray:
    """Return √(gx² + gy²), the length of the gradient that the kernel and its transpose see."""
    kernel = np.asarray(kernel, dtype=float)
    across = cross_correlate(image, kernel)
    down = cross_correlate(image, kernel.T)
    return np.hypot(across, down)
