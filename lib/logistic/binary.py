"""Logistic regression for two classes, fitted by Newton's method.

Each step solves a weighted least-squares problem, hence the method's other name: iteratively
reweighted least squares. The objective is `losses.logistic_loss`; b is not penalised.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.logistic.functions import sigmoid
from lib.logistic.losses import logistic_hessian, logistic_loss
from lib.logistic.scaling import even_units
from lib.logistic.separation import separation
from lib.validation import (
    as_binary,
    as_matrix,
    nonnegative,
    positive,
    probability,
    whole,
)

_FLAT = 1e-4  # share of its first curvature below which a direction is looked into


@dataclass(frozen=True)
class LogisticModel:
    """A fitted model: weights w (d,), intercept b, and the objective after every step."""

    weights: np.ndarray
    intercept: float
    losses: np.ndarray

    def scores(self, X: object) -> np.ndarray:
        """Return the log odds z = Xw + b for X (n, d), shape (n,)."""
        X = as_matrix(X, "X", columns=len(self.weights))
        return X @ self.weights + self.intercept

    def probabilities(self, X: object) -> np.ndarray:
        """Return P(y = 1 | x) for each row, (n,)."""
        return sigmoid(self.scores(X))

    def predict(self, X: object, threshold: float = 0.5) -> np.ndarray:
        """Return 1 where the probability exceeds the threshold, else 0, (n,)."""
        threshold = probability(threshold, "threshold")
        return (self.probabilities(X) > threshold).astype(int)


def fit_logistic(
    X: object, y: object, lam: float = 0.0, *, tol: float = 1e-8, max_steps: int = 100
) -> LogisticModel:
    """Fit X (n, d) and labels y (n,) of 0 and 1 by Newton's method with step halving.

    Stops when no entry of the gradient, for features in even units, exceeds `tol`.
    Without a penalty the loss of separable data has no minimum: its weights grow without
    bound, which is reported as a ValueError, as is a penalty that vanishes beside features
    of astronomic size.
    """
    X = as_matrix(X, "X")
    y = as_binary(y, "y", length=len(X))
    lam, tol = nonnegative(lam, "lam"), positive(tol, "tol")
    max_steps = whole(max_steps, "max_steps", at_least=1)
    if y.min() == y.max():
        raise ValueError(f"y: expected both labels 0 and 1, got only {y[0]:g}")
    Z, penalties, scaler = even_units(X, lam)
    theta, losses, steepest, curvatures = _newton(Z, y, penalties, tol, max_steps)
    if not (penalties > 0).all() and _is_flat(*curvatures):
        _require_minimum(Z, y)
    if steepest > max(tol, 1e-7):
        raise ValueError(
            f"max_steps: no convergence in {max_steps} steps (gradient {steepest:.2g})"
        )
    theta = scaler.original_units(theta)
    return LogisticModel(theta[1:], float(theta[0]), np.array(losses))


def _newton(
    Z: np.ndarray, y: np.ndarray, penalties: np.ndarray, tol: float, max_steps: int
) -> tuple[np.ndarray, list[float], float, tuple[np.ndarray, np.ndarray]]:
    """Return θ, the loss at every step, the largest entry of the last gradient, and the
    first and the last Hessian."""
    theta = np.zeros(Z.shape[1] + 1)
    loss, gradient = logistic_loss(theta, Z, y, penalties)
    first = H = logistic_hessian(theta, Z, penalties)
    losses = [loss]
    for t in range(max_steps):
        if np.abs(gradient).max() <= tol:
            break
        if t > 0:
            H = logistic_hessian(theta, Z, penalties)
        step = _newton_step(H, gradient)
        size = 1.0
        while True:
            trial = theta - size * step
            new_loss, new_gradient = logistic_loss(trial, Z, y, penalties)
            if new_loss <= loss - 1e-4 * size * float(gradient @ step):
                break
            size /= 2.0
            if size < 1e-10:  # no decrease in floating point: as good as it gets
                return theta, losses, float(np.abs(gradient).max()), (first, H)
        theta, loss, gradient = trial, new_loss, new_gradient
        losses.append(loss)
    return theta, losses, float(np.abs(gradient).max()), (first, H)


def _newton_step(H: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Return the shortest solution of H step = gradient, scaled to a diagonal of ones.

    A zero or repeated column of features makes H singular; its directions get no step.
    """
    size = np.sqrt(np.diag(H))
    size[size == 0] = 1.0
    scaled = H / size[:, None] / size[None, :]
    return np.linalg.lstsq(scaled, gradient / size, rcond=1e-13)[0] / size


def _is_flat(first: np.ndarray, last: np.ndarray) -> bool:
    """Return whether some direction has lost nearly all the curvature it had at zero.

    `first` and `last` are Hessians. Along a direction in which the loss falls for ever the
    curvature dies out; directions in which the data never varied do not count.
    """
    size = np.sqrt(np.maximum(np.diag(first), np.finfo(float).tiny))
    units = np.outer(size, size)
    values, vectors = np.linalg.eigh(first / units)
    varies = values > 1e-10 * values[-1]
    root = vectors[:, varies] / np.sqrt(values[varies])  # root.T @ first @ root = I
    return bool(np.linalg.eigvalsh(root.T @ (last / units) @ root)[0] < _FLAT)


def _require_minimum(Z: np.ndarray, y: np.ndarray) -> None:
    """Raise if a hyperplane separates the classes: then the loss has no minimum."""
    if separation(Z, y).kind != "none":
        raise ValueError(
            "lam: expected a penalty > 0, since a hyperplane separates the classes: without "
            "one the weights grow without bound"
        )
