"""One shape, moved to many places: φₖ(x) = φ((x − cₖ) / width)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.kernels import RBF
from lib.logistic.functions import sigmoid
from lib.validation import as_matrix, as_vector, positive


def translates(
    shape: Callable[[np.ndarray], np.ndarray],
    x: object,
    centres: object,
    width: float = 1.0,
) -> np.ndarray:
    """Return shape((x − c) / width) for x (n,) and every centre c (M,), shape (n, M)."""
    x, centres = as_vector(x, "x"), as_vector(centres, "centres")
    return shape((x[:, None] - centres) / positive(width, "width"))


def gaussians(X: object, centres: object, width: float) -> np.ndarray:
    """Return exp(−‖x − c‖² / (2 width²)), shape (n, M).

    X is (n,) with centres (M,), or (n, d) with centres (M, d): the Gaussian kernel between
    inputs and centres.
    """
    if np.ndim(X) == 1:
        X = as_vector(X, "x")[:, None]
        centres = as_vector(centres, "centres")[:, None]
    X = as_matrix(X, "X")
    centres = as_matrix(centres, "centres", columns=X.shape[1])
    scale = positive(width, "width") * np.sqrt(2.0)
    return RBF(1.0)(X / scale, centres / scale)


def sigmoids(x: object, centres: object, width: float) -> np.ndarray:
    """Return σ((x − c) / width), shape (n, M): smooth steps from 0 to 1 at the centres.

    σ(z) = 1 / (1 + e^(−z)) is the logistic function.
    """
    return translates(sigmoid, x, centres, width)


def relus(x: object, knots: object) -> np.ndarray:
    """Return max(0, x − k) for every knot k, shape (n, M): hinges that open to the right."""
    return translates(lambda z: np.maximum(z, 0.0), x, knots)
