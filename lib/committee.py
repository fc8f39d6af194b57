"""Committees: averages of several predictors, and the weights that serve them best."""

from __future__ import annotations

import numpy as np

from lib.validation import as_matrix, as_symmetric, as_vector


def ambiguity(predictions: object) -> float:
    """Return the mean squared distance of members from their mean.

    predictions (L, n): row i holds what member i says for each of n samples.
    """
    P = as_matrix(predictions, "predictions")
    return float(((P - P.mean(axis=0)) ** 2).mean())


def error_correlations(predictions: object, y: object) -> np.ndarray:
    """Return C (L, L) with C_ij = mean of ε_i ε_j over samples, ε_i = prediction_i − y."""
    P = as_matrix(predictions, "predictions")
    errors = P - as_vector(y, "y", length=P.shape[1])
    return errors @ errors.T / P.shape[1]


def best_weights(C: object) -> np.ndarray:
    """Return the weights (L,) that sum to one and minimise wᵀCw, for C (L, L) definite.

    A Lagrange multiplier for the sum gives 2Cw = ν1, so w is C⁻¹1 scaled to sum to one.
    """
    C = as_symmetric(C, "C")
    values = np.linalg.eigvalsh(C)
    if values[0] <= 1e-12 * max(values[-1], 1e-300):
        raise ValueError(
            "C: expected a positive definite matrix, got a singular one; "
            "two members make the same errors"
        )
    w = np.linalg.solve(C, np.ones(len(C)))
    return w / w.sum()
