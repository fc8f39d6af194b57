"""Logistic regression for two classes, fitted by Newton's method (iteratively reweighted least
squares).

The objective is the mean negative log-likelihood plus an optional penalty on the weights,

    𝓛(w, b) = (1/n) Σᵢ [ log(1 + e^{zᵢ}) − yᵢ zᵢ ] + λ/2 ‖w‖²,   zᵢ = wᵀxᵢ + b,  yᵢ ∈ {0, 1}.

The intercept b is not penalised.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.logistic.functions import log_sigmoid, sigmoid
from lib.validation import as_binary, as_matrix, nonnegative, positive, whole


@dataclass(frozen=True)
class LogisticModel:
    """A fitted model: weights w (d,), intercept b, and the objective after every step."""

    weights: np.ndarray
    intercept: float
    losses: np.ndarray

    def scores(self, X: object) -> np.ndarray:
        """Return the log odds z = Xw + b for X (n, d), shape (n,)."""
        return (
            as_matrix(X, "X", columns=len(self.weights)) @ self.weights + self.intercept
        )

    def probabilities(self, X: object) -> np.ndarray:
        """Return P(y = 1 | x) for each row, (n,)."""
        return sigmoid(self.scores(X))

    def predict(self, X: object, threshold: float = 0.5) -> np.ndarray:
        """Return 1 where the probability exceeds the threshold, else 0, (n,)."""
        return (self.probabilities(X) > threshold).astype(int)


def logistic_loss(
    theta: np.ndarray, X: np.ndarray, y: np.ndarray, lam: float = 0.0
) -> tuple[float, np.ndarray]:
    """Return the objective and its gradient (d + 1,) at theta = (b, w).

    X is (n, d), y (n,) holds 0 and 1. The gradient is Xᵀ(p − y)/n, where p are the predicted
    probabilities, plus λw.
    """
    b, w = theta[0], theta[1:]
    z = X @ w + b
    # log(1 + eᶻ) − y z is −log σ(z) where y = 1 and −log σ(−z) where y = 0.
    loss = -float(np.mean(log_sigmoid(np.where(y == 1, z, -z)))) + 0.5 * lam * float(
        w @ w
    )
    error = (sigmoid(z) - y) / len(y)
    return loss, np.concatenate([[error.sum()], X.T @ error + lam * w])


def logistic_hessian(theta: np.ndarray, X: np.ndarray, lam: float = 0.0) -> np.ndarray:
    """Return the matrix of second derivatives (d + 1, d + 1), X̃ᵀ diag(p(1 − p)) X̃ / n + λ."""
    p = sigmoid(X @ theta[1:] + theta[0])
    s = p * (1.0 - p) / len(X)  # (n,)
    H = np.empty((len(theta), len(theta)))
    H[0, 0] = s.sum()
    H[0, 1:] = H[1:, 0] = X.T @ s
    H[1:, 1:] = (X * s[:, None]).T @ X
    H[np.arange(1, len(theta)), np.arange(1, len(theta))] += lam
    return H


def fit_logistic(
    X: object, y: object, lam: float = 0.0, *, tol: float = 1e-8, max_steps: int = 100
) -> LogisticModel:
    """Fit X (n, d) and labels y (n,) of 0 and 1 by Newton's method with step halving.

    Stops when no entry of the gradient exceeds `tol` on the scale of the features. Without a
    penalty the loss of separable data has no minimum: its weights grow without bound, which
    is reported as a ValueError.
    """
    X = as_matrix(X, "X")
    y = as_binary(y, "y", length=len(X))
    lam, tol = nonnegative(lam, "lam"), positive(tol, "tol")
    if y.min() == y.max():
        raise ValueError(f"y: expected both labels 0 and 1, got only {y[0]:g}")
    scale = np.concatenate([[1.0], np.maximum(np.abs(X).max(axis=0), 1e-300)])
    theta = np.zeros(X.shape[1] + 1)
    loss, gradient = logistic_loss(theta, X, y, lam)
    losses = [loss]
    for _ in range(whole(max_steps, "max_steps", at_least=1)):
        if np.abs(gradient / scale).max() <= tol:
            return LogisticModel(theta[1:], float(theta[0]), np.array(losses))
        H = logistic_hessian(theta, X, lam)
        # Columns of different size make H ill-conditioned for no reason: scale, solve, undo.
        step = np.linalg.lstsq(
            H / np.outer(scale, scale), gradient / scale, rcond=1e-14
        )[0]
        step /= scale
        size = 1.0
        while size > 1e-10:
            trial = theta - size * step
            new_loss, new_gradient = logistic_loss(trial, X, y, lam)
            if new_loss <= loss - 1e-4 * size * float(gradient @ step):
                break
            size /= 2.0
        else:  # no decrease in floating point: as good as it gets
            return LogisticModel(theta[1:], float(theta[0]), np.array(losses))
        theta, loss, gradient = trial, new_loss, new_gradient
        losses.append(loss)
        if lam == 0.0 and loss < 1e-6:
            break
    raise ValueError(
        "lam: expected a penalty > 0 for classes that a hyperplane separates; without one the "
        "weights grow without bound"
        if losses[-1] < 1e-3
        else f"max_steps: no convergence in {max_steps} steps (loss {losses[-1]:.6g})"
    )
