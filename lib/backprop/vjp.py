"""Vector-Jacobian products of the basic operations.

Each function computes a value and returns with it a *pullback*: given v̄ = ∂𝓛/∂v for the value v,
the pullback returns ∂𝓛/∂x for each argument x, in the shape of x. No Jacobian is ever formed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.backprop.activations import Activation, activation
from lib.logistic.functions import log_softmax as _log_softmax
from lib.logistic.functions import softmax as _softmax
from lib.validation import as_array, as_labels, as_matrix

Pullback = Callable[[np.ndarray], tuple[np.ndarray, ...]]
Operation = tuple[np.ndarray, Pullback]


def summed_to(grad: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return `grad` summed over the axes along which an array of `shape` was repeated.

    This is the transpose of broadcasting: an entry that was used many times collects the
    derivatives of all its uses.
    """
    grad = np.asarray(grad)
    extra = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(extra)))
    repeated = tuple(i for i, n in enumerate(shape) if n == 1 and grad.shape[i] != 1)
    return grad.sum(axis=repeated, keepdims=True) if repeated else grad


def add(a: np.ndarray, b: np.ndarray) -> Operation:
    """v = a + b, with broadcasting: ā = v̄, b̄ = v̄, each summed to its shape."""
    a, b = as_array(a, "a"), as_array(b, "b")
    return a + b, lambda v: (summed_to(v, a.shape), summed_to(v, b.shape))


def multiply(a: np.ndarray, b: np.ndarray) -> Operation:
    """v = a ⊙ b, with broadcasting: ā = v̄ ⊙ b, b̄ = v̄ ⊙ a."""
    a, b = as_array(a, "a"), as_array(b, "b")
    return a * b, lambda v: (summed_to(v * b, a.shape), summed_to(v * a, b.shape))


def matmul(A: np.ndarray, B: np.ndarray) -> Operation:
    """V = A B for A (m, h) and B (h, k): Ā = V̄ Bᵀ, B̄ = Aᵀ V̄."""
    A = as_matrix(A, "A")
    B = as_matrix(B, "B", rows=A.shape[1])
    return A @ B, lambda V: (V @ B.T, A.T @ V)


def transpose(A: np.ndarray) -> Operation:
    """V = Aᵀ: Ā = V̄ᵀ."""
    A = as_matrix(A, "A")
    return A.T, lambda V: (V.T,)


def elementwise(phi: str | Activation, z: np.ndarray) -> Operation:
    """v = φ(z), entry by entry: z̄ = v̄ ⊙ φ′(z). The Jacobian is diagonal."""
    phi, z = activation(phi), as_array(z, "z")
    a = phi.value(z)
    return a, lambda v: (v * phi.slope(z, a),)


def exp(x: np.ndarray) -> Operation:
    """v = eˣ: x̄ = v̄ ⊙ v."""
    value = np.exp(as_array(x, "x"))
    return value, lambda v: (v * value,)


def log(x: np.ndarray) -> Operation:
    """v = log x for x > 0: x̄ = v̄ / x."""
    x = as_array(x, "x")
    if x.min() <= 0:
        raise ValueError(f"x: expected positive numbers, got {x.min():g}")
    return np.log(x), lambda v: (v / x,)


def total(x: np.ndarray) -> Operation:
    """v = Σ x, a number: every entry of x̄ is v̄."""
    x = as_array(x, "x")
    return x.sum(), lambda v: (np.full(x.shape, v, dtype=float),)


def pick(x: np.ndarray, labels: np.ndarray) -> Operation:
    """v_i = x[i, labels_i] for x (n, K): x̄ is v̄_i at those places and 0 elsewhere."""
    x = as_matrix(x, "x")
    labels = as_labels(labels, "labels", classes=x.shape[1], length=len(x))
    rows = np.arange(len(x))

    def pull(v: np.ndarray) -> tuple[np.ndarray]:
        grad = np.zeros_like(x)
        grad[rows, labels] = v
        return (grad,)

    return x[rows, labels], pull


def softmax(z: np.ndarray) -> Operation:
    """p = softmax(z) along the last axis: z̄ = p ⊙ (p̄ − p̄ᵀp). Here every output sees every z."""
    p = _softmax(as_array(z, "z"))
    return p, lambda v: (p * (v - np.sum(v * p, axis=-1, keepdims=True)),)


def log_softmax(z: np.ndarray) -> Operation:
    """v = log softmax(z) along the last axis: z̄ = v̄ − p Σ v̄."""
    value = _log_softmax(as_array(z, "z"))
    p = np.exp(value)
    return value, lambda v: (v - p * np.sum(v, axis=-1, keepdims=True),)
