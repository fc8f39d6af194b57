"""What a two-class model loses on its samples, with derivatives by θ = (b, w).

The cross-entropy is the mean negative log-likelihood plus an optional penalty,

    𝓛(w, b) = (1/n) Σᵢ [ log(1 + e^{zᵢ}) − yᵢ zᵢ ] + λ/2 ‖w‖²,   zᵢ = wᵀxᵢ + b,  yᵢ ∈ {0, 1}.

The squared loss on the sigmoid is here to show why it is not used. X is (n, d) and y (n,)
throughout; the caller has checked them. `lam` is a number, or (d,) with one for each weight.
"""

from __future__ import annotations

import numpy as np

from lib.logistic.functions import log_sigmoid, sigmoid


def logistic_loss(
    theta: np.ndarray, X: np.ndarray, y: np.ndarray, lam: float | np.ndarray = 0.0
) -> tuple[float, np.ndarray]:
    """Return the cross-entropy with its penalty, and the gradient (d + 1,) at (b, w).

    The gradient is X̃ᵀ(p − y)/n, where X̃ has a leading column of ones and p are the
    predicted probabilities, plus λw in the places of w.
    """
    b, w = theta[0], theta[1:]
    z = X @ w + b  # (n,)
    # log(1 + eᶻ) − y z is −log σ(z) where y = 1 and −log σ(−z) where y = 0.
    loss = -np.mean(log_sigmoid(np.where(y == 1, z, -z))) + 0.5 * np.sum(lam * w * w)
    error = (sigmoid(z) - y) / len(y)  # (n,)
    return float(loss), np.concatenate([[error.sum()], X.T @ error + lam * w])


def logistic_hessian(
    theta: np.ndarray, X: np.ndarray, lam: float | np.ndarray = 0.0
) -> np.ndarray:
    """Return the second derivatives (d + 1, d + 1): X̃ᵀ diag(p(1 − p)) X̃ / n, plus λ."""
    z = X @ theta[1:] + theta[0]
    e = np.exp(-np.abs(z))
    s = (
        e / (1.0 + e) ** 2 / len(X)
    )  # (n,) p(1 − p)/n; 1 − p would round to 0 for large z
    H = np.empty((len(theta), len(theta)))
    H[0, 0] = s.sum()
    H[0, 1:] = H[1:, 0] = X.T @ s
    H[1:, 1:] = _weighted_gram(X, s)
    weights = np.arange(1, len(theta))
    H[weights, weights] += lam
    return H


def _weighted_gram(X: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Return Xᵀ diag(s) X, (d, d), in blocks of rows that stay in the cache.

    An array times its own transpose costs half the multiplications of a general product.
    """
    gram = np.zeros((X.shape[1], X.shape[1]))
    root = np.sqrt(s)[:, None]
    rows = max(1, 100_000 // X.shape[1])
    for start in range(0, len(X), rows):
        block = X[start : start + rows] * root[start : start + rows]
        gram += block.T @ block
    return gram


def squared_sigmoid_loss(
    theta: np.ndarray, X: np.ndarray, y: np.ndarray, lam: float | np.ndarray = 0.0
) -> tuple[float, np.ndarray]:
    """Return Σᵢ (yᵢ − σ(zᵢ))² / 2n plus the penalty, and the gradient (d + 1,) at (b, w).

    The factor σ′(z) = p(1 − p) in the gradient is nearly zero wherever the model is sure,
    right or wrong.
    """
    b, w = theta[0], theta[1:]
    z = X @ w + b  # (n,)
    p = sigmoid(z)
    loss = 0.5 * np.mean((y - p) ** 2) + 0.5 * np.sum(lam * w * w)
    error = (p - y) * p * sigmoid(-z) / len(y)  # (n,)
    return float(loss), np.concatenate([[error.sum()], X.T @ error + lam * w])
