"""Gradient descent on the mean squared error, and the largest step it survives."""

from __future__ import annotations

import numpy as np

from lib.validation import as_design, as_matrix, as_vector, positive, whole


def step_limit(X: np.ndarray) -> float:
    """Return n / λ_max(Xᵀ X): descent on ‖y - Xθ‖² / n converges for every smaller step.

    The Hessian is (2/n) Xᵀ X; the limit is two over its largest eigenvalue.
    """
    X = as_matrix(X, "X")
    unit = np.abs(X).max()
    if unit == 0:
        raise ValueError(
            "X: expected a nonzero entry, got all zeros: every step is harmless"
        )
    largest = np.linalg.norm(
        X / unit, 2
    )  # the largest singular value, in range at any scale
    return float(len(X) / largest / largest / unit / unit)


def descend(
    X: np.ndarray,
    y: np.ndarray,
    eta: float,
    steps: int,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the path (steps + 1, d) of θ ← θ - η (2/n) Xᵀ(Xθ - y), from zero or `start`.

    Two products with X cost 2 n d each; Xᵀ X is never formed. A path that leaves the range of
    floats raises a ``ValueError`` that names the step and the limit for η.
    """
    X, y = as_design(X, y)
    eta, steps = positive(eta, "eta"), whole(steps, "steps", at_least=1)
    path = np.zeros((steps + 1, X.shape[1]))
    if start is not None:
        path[0] = as_vector(start, "start", length=X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            gradient = 2.0 / len(y) * (X.T @ (X @ path[t] - y))
            path[t + 1] = path[t] - eta * gradient
            if not np.isfinite(path[t + 1]).all():
                raise ValueError(
                    f"eta: expected a step below {step_limit(X):.3g}, got {eta:.3g}: "
                    f"the path left the range of floats at step {t + 1}"
                )
    return path
