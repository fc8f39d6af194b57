"""Losses of a network's output: the loss of each sample, and its slope by that output.

Each is a function `loss(y, output)` with outputs of shape (n, K); it returns (n,) and (n, K). The
two with "entropy" act on scores, the pre-activations of the last layer: softmax and logarithm (or
sigmoid and logarithm) are differentiated together, and the slope is simply p − y.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.losses import binary_cross_entropy as _binary_entries
from lib.losses import cross_entropy
from lib.validation import as_matrix

__all__ = ["Loss", "binary_cross_entropy", "cross_entropy", "half_squared"]

Loss = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def half_squared(y: np.ndarray, output: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ½‖ŷ − y‖² for each row of y and ŷ (n, K), and its slope ŷ − y."""
    output = as_matrix(output, "output")
    y = as_matrix(y, "y", rows=output.shape[0], columns=output.shape[1])
    residual = output - y
    return 0.5 * np.sum(residual**2, axis=1), residual


def binary_cross_entropy(
    y: np.ndarray, output: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return −Σₖ log Ber(yₖ; σ(zₖ)) for labels 0 and 1 and scores z (n, K); slope σ(z) − y."""
    output = as_matrix(output, "output")
    y = as_matrix(y, "y", rows=output.shape[0], columns=output.shape[1])
    entries, slope = _binary_entries(y, output)
    return entries.sum(axis=1), slope
