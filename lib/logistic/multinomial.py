"""Softmax regression: logistic regression for K classes.

The objective is (1/n) Σᵢ [ logsumexp(zᵢ) − z_{i,yᵢ} ] + λ/2 ‖W‖² with zᵢ = W xᵢ + b. Adding the
same vector to every row of W changes no probability, so without a penalty the minimiser is not
unique; with one it is, and the rows of W sum to zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from lib.logistic.functions import log_softmax, softmax
from lib.validation import as_labels, as_matrix, positive, whole


@dataclass(frozen=True)
class SoftmaxModel:
    """A fitted model: weights W (K, d), intercepts b (K,), final objective, iterations."""

    weights: np.ndarray
    intercepts: np.ndarray
    loss: float
    iterations: int

    def scores(self, X: object) -> np.ndarray:
        """Return the logits XWᵀ + b for X (n, d), shape (n, K)."""
        X = as_matrix(X, "X", columns=self.weights.shape[1])
        return X @ self.weights.T + self.intercepts

    def probabilities(self, X: object) -> np.ndarray:
        """Return the class probabilities of each row, (n, K)."""
        return softmax(self.scores(X))

    def predict(self, X: object) -> np.ndarray:
        """Return the most probable class of each row, (n,)."""
        return self.scores(X).argmax(axis=1)


def softmax_loss(
    W: np.ndarray, b: np.ndarray, X: np.ndarray, y: np.ndarray, lam: float = 0.0
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the objective and its gradients with respect to W (K, d) and b (K,).

    X is (n, d), y (n,) holds labels 0, …, K−1. The gradient by the logits is (P − Y)/n: predicted
    probabilities minus one-hot labels.
    """
    rows = np.arange(len(y))
    logp = log_softmax(X @ W.T + b)  # (n, K)
    loss = -float(logp[rows, y].mean()) + 0.5 * lam * float((W * W).sum())
    error = np.exp(logp)
    error[rows, y] -= 1.0
    error /= len(y)
    return loss, error.T @ X + lam * W, error.sum(axis=0)


def fit_softmax(
    X: object,
    y: object,
    lam: float = 1e-3,
    *,
    classes: int | None = None,
    tol: float = 1e-6,
    max_steps: int = 1000,
) -> SoftmaxModel:
    """Fit X (n, d) and labels y (n,) with penalty `lam` > 0 by L-BFGS on our loss and gradient."""
    X = as_matrix(X, "X")
    y = as_labels(y, "y", classes=classes, length=len(X))
    lam, tol = positive(lam, "lam"), positive(tol, "tol")
    K, d = classes or int(y.max()) + 1, X.shape[1]
    if K < 2:
        raise ValueError(f"y: expected at least two classes, got {K}")

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        W, b = theta[: K * d].reshape(K, d), theta[K * d :]
        loss, by_W, by_b = softmax_loss(W, b, X, y, lam)
        return loss, np.concatenate([by_W.ravel(), by_b])

    found = minimize(
        objective,
        np.zeros(K * (d + 1)),
        jac=True,
        method="L-BFGS-B",
        options={
            "maxiter": whole(max_steps, "max_steps", at_least=1),
            "gtol": tol,
            "ftol": 0.0,
        },
    )
    if np.abs(found.jac).max() > 100 * tol and found.nit >= max_steps:
        raise ValueError(
            f"max_steps: no convergence in {max_steps} steps; scale the features or raise it"
        )
    W, b = found.x[: K * d].reshape(K, d), found.x[K * d :]
    return SoftmaxModel(W, b - b.mean(), float(found.fun), int(found.nit))
