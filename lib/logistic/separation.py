"""Does a hyperplane separate two classes? Decided by linear programming.

Unpenalised logistic regression has a minimiser exactly when none does, not even weakly
(Albert and Anderson 1984). With signs sᵢ = ±1 for the labels, a pair (w, b) separates

- completely, if sᵢ(wᵀxᵢ + b) > 0 for every sample;
- weakly (quasi-separation), if sᵢ(wᵀxᵢ + b) ≥ 0 for every sample and > 0 for at least one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from lib.linear.design import Standardiser, with_intercept
from lib.validation import as_binary, as_matrix

_POSITIVE = 1e-7  # the solver's own tolerance, for columns of size one


@dataclass(frozen=True)
class Separation:
    """The verdict, and a separating (w, b) when there is one.

    `kind` is "complete", "weak" or "none"; with "none" the weights are zero.
    """

    kind: str
    weights: np.ndarray  # (d,)
    intercept: float


def separation(X: object, y: object) -> Separation:
    """Return whether a hyperplane separates X (n, d) by labels y (n,) of 0 and 1.

    Margins below about 1e-7 of a feature's spread are not told from zero. One class alone is
    separated completely, by a hyperplane far away.
    """
    X = as_matrix(X, "X")
    y = as_binary(y, "y", length=len(X))
    scaler = Standardiser.of(X)
    Z = with_intercept(scaler.forward(X)) * (2.0 * y - 1.0)[:, None]  # rows sᵢ(1, zᵢ)
    n, p = Z.shape
    box = [(-1.0, 1.0)] * p
    # Largest t with Zθ ≥ t: positive means strictly right everywhere.
    strict = linprog(
        np.append(np.zeros(p), -1.0),
        A_ub=np.column_stack([-Z, np.ones(n)]),
        b_ub=np.zeros(n),
        bounds=[*box, (None, 1.0)],
    )
    if strict.x[-1] > _POSITIVE:
        return _verdict("complete", strict.x[:-1], scaler)
    # Largest total with Zθ ≥ 0: positive means strictly right somewhere, wrong nowhere.
    weak = linprog(-Z.mean(axis=0), A_ub=-Z, b_ub=np.zeros(n), bounds=box)
    if -weak.fun > _POSITIVE:
        return _verdict("weak", weak.x, scaler)
    return Separation("none", np.zeros(X.shape[1]), 0.0)


def _verdict(kind: str, theta: np.ndarray, scaler: Standardiser) -> Separation:
    theta = scaler.original_units(theta)
    return Separation(kind, theta[1:], float(theta[0]))
