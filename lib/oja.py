"""Oja's rule: a single neuron that learns the first principal component, one sample at a time."""

from __future__ import annotations

import numpy as np

from lib.validation import as_matrix, as_vector, positive, whole


def oja(
    X: object,
    *,
    rate: float,
    epochs: int,
    rng: np.random.Generator,
    start: object | None = None,
) -> np.ndarray:
    """Return the weights after every epoch, (epochs + 1, d), for centred samples X (n, d).

    The rule is w ← w + η y (x − y w) with y = wᵀx. Hebb's term η y x grows the weights along
    directions of large variance; −η y² w keeps their length near one.
    """
    X = as_matrix(X, "X")
    rate, epochs = positive(rate, "rate"), whole(epochs, "epochs", at_least=1)
    if start is None:
        w = rng.normal(size=X.shape[1])
        w /= np.linalg.norm(w)
    else:
        w = as_vector(start, "start", length=X.shape[1]).copy()
    path = [w.copy()]
    for _ in range(epochs):
        for i in rng.permutation(len(X)):
            y = w @ X[i]
            w = w + rate * y * (X[i] - y * w)
        if not np.isfinite(w).all():
            raise ValueError(
                f"rate: expected a rate small enough to converge, got {rate:g}; "
                "Oja's rule needs about rate < 1 / max ‖x‖²"
            )
        path.append(w.copy())
    return np.array(path)


def sanger(
    X: object, k: int, *, rate: float, epochs: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the first k components (k, d), learned by Sanger's generalised Hebbian rule.

    Neuron j follows Oja's rule on what is left of x after the neurons before it,
    w_j ← w_j + η y_j (x − Σ_{i ≤ j} y_i w_i). X (n, d) is centred.
    """
    X = as_matrix(X, "X")
    rate, epochs = positive(rate, "rate"), whole(epochs, "epochs", at_least=1)
    k = whole(k, "k", at_least=1, at_most=X.shape[1])
    W = np.linalg.qr(rng.normal(size=(X.shape[1], k)))[0].T  # (k, d), orthonormal rows
    for _ in range(epochs):
        for i in rng.permutation(len(X)):
            y = W @ X[i]  # (k,)
            W = W + rate * (np.outer(y, X[i]) - np.tril(np.outer(y, y)) @ W)
        if not np.isfinite(W).all():
            raise ValueError(
                f"rate: expected a rate small enough to converge, got {rate:g}"
            )
    return W
