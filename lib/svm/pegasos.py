"""Pegasos: stochastic subgradient descent on the hinge loss, without ever forming the dual."""

from __future__ import annotations

import numpy as np

from lib.validation import as_matrix, as_signs, positive, whole


def pegasos(
    X: object,
    y: object,
    lam: float,
    *,
    steps: int,
    rng: np.random.Generator,
    batch: int = 1,
) -> np.ndarray:
    """Minimise λ/2 ‖w‖² + (1/n) Σᵢ max(0, 1 − yᵢ wᵀxᵢ) and return w (d,).

    X is (n, d), y (n,) holds −1 and +1. Step t uses the rate 1/(λt), and w is the average of
    the last half of the iterates, which has a smaller variance than the last one. For an
    intercept append a column of ones (it is then penalised like any weight).
    """
    X = as_matrix(X, "X")
    y = as_signs(y, "y", length=len(X))
    lam = positive(lam, "lam")
    steps = whole(steps, "steps", at_least=1)
    batch = whole(batch, "batch", at_least=1)

    signed = y[:, None] * X  # yᵢxᵢ, all that the loss needs of the data
    chosen = rng.integers(len(X), size=(steps, batch))
    w = np.zeros(X.shape[1])
    total, kept = np.zeros_like(w), 0
    radius = np.sqrt(
        2.0 / lam
    )  # the optimum is inside: λ/2 ‖w*‖² ≤ the objective at 0, which is 1
    for t in range(1, steps + 1):
        rows = signed[chosen[t - 1]]  # (batch, d)
        violating = rows @ w < 1.0
        w *= 1.0 - 1.0 / t  # the penalty's subgradient λw times the rate 1/(λt)
        w += rows[violating].sum(axis=0) / (lam * t * batch)
        norm = np.linalg.norm(w)
        if norm > radius:
            w *= radius / norm
        if 2 * t > steps:
            total += w
            kept += 1
    return total / kept
