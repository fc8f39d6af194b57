"""Softmax regression: logistic regression for K classes, fitted by L-BFGS.

The objective is (1/n) Σᵢ [ logsumexp(zᵢ) − z_{i,yᵢ} ] + λ/2 ‖W‖² with zᵢ = W xᵢ + b. Adding
the same vector to every row of W changes no probability, so without a penalty the minimiser is
not unique; with one it is, and the rows of W sum to zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from lib.logistic.functions import log_softmax, softmax
from lib.logistic.scaling import even_units
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
    W: np.ndarray,
    b: np.ndarray,
    X: np.ndarray,
    y: np.ndarray,
    lam: float | np.ndarray = 0.0,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the objective and its gradients with respect to W (K, d) and b (K,).

    X is (n, d), y (n,) holds labels 0, …, K−1; `lam` is a number, or (d,) with one for each
    feature. The gradient by the logits is (P − Y)/n: probabilities minus one-hot labels.
    """
    rows = np.arange(len(y))
    logp = log_softmax(X @ W.T + b)  # (n, K)
    loss = -np.mean(logp[rows, y]) + 0.5 * np.sum(lam * (W * W))
    error = np.exp(logp)
    error[rows, y] -= 1.0
    error /= len(y)  # (n, K)
    return float(loss), error.T @ X + lam * W, error.sum(axis=0)


def softmax_hessian(
    W: np.ndarray, b: np.ndarray, X: np.ndarray, lam: float = 0.0
) -> np.ndarray:
    """Return the second derivatives, (K(d+1), K(d+1)), by the rows (bₖ, wₖ) in turn.

    Block (k, l) is X̃ᵀ diag(pₖ(1[k = l] − pₗ)) X̃ / n, with λ added for the weights.
    """
    design = np.column_stack([np.ones(len(X)), X])  # (n, d + 1)
    P = softmax(X @ W.T + b)  # (n, K)
    K, p = P.shape[1], design.shape[1]
    curvature = P[:, :, None] * (np.eye(K) - P[:, None, :]) / len(X)  # (n, K, K)
    H = np.einsum("nkl,ni,nj->kilj", curvature, design, design, optimize=True)
    H = H.reshape(K * p, K * p)
    H[np.diag_indices(K * p)] += lam * np.tile(np.arange(p) > 0, K)
    return H


def fit_softmax(
    X: object,
    y: object,
    lam: float = 1e-3,
    *,
    classes: int | None = None,
    tol: float = 1e-6,
    max_steps: int = 1000,
) -> SoftmaxModel:
    """Fit X (n, d) and labels y (n,) of 0, …, K−1 with a penalty `lam` > 0 by L-BFGS.

    Every class needs a sample, or its intercept would fall for ever. Stops when no entry of
    the gradient, for features in even units, exceeds `tol`.
    """
    X = as_matrix(X, "X")
    y = as_labels(y, "y", classes=classes, length=len(X))
    lam, tol = positive(lam, "lam"), positive(tol, "tol")
    max_steps = whole(max_steps, "max_steps", at_least=1)
    K, d = int(y.max()) + 1 if classes is None else classes, X.shape[1]
    missing = np.flatnonzero(np.bincount(y, minlength=K) == 0)
    if len(missing):
        raise ValueError(
            f"y: expected a sample of every class, got none of {missing[0]}"
        )
    if K < 2:
        raise ValueError(f"y: expected at least two classes, got {K}")
    Z, penalties, scaler = even_units(X, lam)

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        W, b = theta[: K * d].reshape(K, d), theta[K * d :]
        loss, by_W, by_b = softmax_loss(W, b, Z, y, penalties)
        return loss, np.concatenate([by_W.ravel(), by_b])

    found = minimize(
        objective,
        np.zeros(K * (d + 1)),
        jac=True,
        method="L-BFGS-B",
        options={
            "maxiter": max_steps,
            "maxfun": 20 * max_steps,
            "gtol": tol,
            "ftol": 0.0,
        },
    )
    steepest = float(np.abs(found.jac).max())
    if steepest > max(100 * tol, 1e-6):
        raise ValueError(
            f"max_steps: no convergence in {found.nit} steps (gradient {steepest:.2g}); "
            "raise lam or max_steps"
        )
    W, b = found.x[: K * d].reshape(K, d), found.x[K * d :]
    answer = np.array([scaler.original_units(np.append(b[k], W[k])) for k in range(K)])
    b = answer[:, 0]
    return SoftmaxModel(answer[:, 1:], b - b.mean(), float(found.fun), int(found.nit))
