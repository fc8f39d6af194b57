"""Logistic regression by gradient descent, with every step kept for a look at it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.design import with_intercept
from lib.logistic.losses import logistic_loss, squared_sigmoid_loss
from lib.validation import (
    as_binary,
    as_matrix,
    as_vector,
    nonnegative,
    one_of,
    positive,
    whole,
)

_LOSSES = {"cross-entropy": logistic_loss, "squared": squared_sigmoid_loss}


@dataclass(frozen=True)
class LogisticDescent:
    """Where a descent went: θ = (b, w) and the loss, from the start to the last step."""

    path: np.ndarray  # (steps + 1, d + 1)
    losses: np.ndarray  # (steps + 1,)


def curvature_bound(X: object, lam: float = 0.0) -> float:
    """Return L = λ_max(X̃ᵀX̃)/4n + λ, which no eigenvalue of the cross-entropy's Hessian
    exceeds, for X (n, d) with a column of ones put in front.

    Descent with a step below 2/L lowers the loss at every step.
    """
    design = with_intercept(as_matrix(X, "X"))
    lam = nonnegative(lam, "lam")
    return float(np.linalg.norm(design, 2) ** 2 / (4 * len(design)) + lam)


def descend_logistic(
    X: object,
    y: object,
    eta: float,
    steps: int,
    *,
    lam: float = 0.0,
    start: object = None,
    loss: str = "cross-entropy",
) -> LogisticDescent:
    """Return the path of θ ← θ − η ∇𝓛(θ) on X (n, d), y (n,), from zero or `start` (d + 1,).

    `loss` is "cross-entropy", or "squared" for the squared error of the sigmoid.
    """
    X = as_matrix(X, "X")
    y = as_binary(y, "y", length=len(X))
    eta, steps = positive(eta, "eta"), whole(steps, "steps", at_least=1)
    lam = nonnegative(lam, "lam")
    objective = _LOSSES[one_of(loss, "loss", _LOSSES)]
    path = np.zeros((steps + 1, X.shape[1] + 1))
    if start is not None:
        path[0] = as_vector(start, "start", length=path.shape[1])
    losses = np.empty(steps + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            losses[t], gradient = objective(path[t], X, y, lam)
            path[t + 1] = path[t] - eta * gradient
            if not np.isfinite(X @ path[t + 1, 1:]).all():
                raise ValueError(
                    f"eta: expected a smaller step, got {eta:.3g}: the scores left the "
                    f"range of floats at step {t + 1}"
                )
        losses[-1] = objective(path[-1], X, y, lam)[0]
    return LogisticDescent(path, losses)
