"""Kernels: inner products k(x, x') = φ(x)ᵀφ(x') computed without building φ.

Every kernel is a small frozen dataclass that is called with two sample matrices, A of shape
(n, d) and B of shape (m, d), and returns the Gram matrix of shape (n, m). ``diagonal(A)`` gives
k(a, a) for every row without forming the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lib.validation import as_matrix, as_symmetric, finite, nonnegative, positive, whole


class Kernel(Protocol):
    """What every kernel offers."""

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return the Gram matrix of shape (n, m)."""

    def diagonal(self, A: np.ndarray) -> np.ndarray:
        """Return k(a, a) for each row a of A, shape (n,)."""


def _pair(A: object, B: object) -> tuple[np.ndarray, np.ndarray]:
    A = as_matrix(A, "A")
    return A, as_matrix(B, "B", columns=A.shape[1])


def squared_distances(A: object, B: object) -> np.ndarray:
    """Return ‖a − b‖² for every row a of A (n, d) and b of B (m, d), shape (n, m).

    Expanding the square turns the double loop into one matrix product. Both sets are centred
    first: the expansion cancels badly for points that are close together but far from zero.
    """
    A, B = _pair(A, B)
    centre = A.mean(axis=0)
    A, B = A - centre, B - centre
    squares = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1)[None, :] - 2.0 * (A @ B.T)
    return np.maximum(squares, 0.0, out=squares)  # rounding may leave −1e−17


@dataclass(frozen=True)
class Linear:
    """k(a, b) = aᵀb."""

    def __call__(self, A: object, B: object) -> np.ndarray:
        A, B = _pair(A, B)
        return A @ B.T

    def diagonal(self, A: object) -> np.ndarray:
        A = as_matrix(A, "A")
        return (A * A).sum(axis=1)


@dataclass(frozen=True)
class Polynomial:
    """k(a, b) = (γ aᵀb + c)ᵖ with γ > 0, c ≥ 0 and a whole p ≥ 1."""

    degree: int = 3
    scale: float = 1.0
    offset: float = 1.0

    def __post_init__(self) -> None:
        whole(self.degree, "degree", at_least=1)
        positive(self.scale, "scale")
        nonnegative(self.offset, "offset")  # c < 0 is no kernel: see the chapter

    def __call__(self, A: object, B: object) -> np.ndarray:
        A, B = _pair(A, B)
        return (self.scale * (A @ B.T) + self.offset) ** self.degree

    def diagonal(self, A: object) -> np.ndarray:
        A = as_matrix(A, "A")
        return (self.scale * (A * A).sum(axis=1) + self.offset) ** self.degree


@dataclass(frozen=True)
class RBF:
    """k(a, b) = exp(−γ ‖a − b‖²), the Gaussian kernel; γ = 1 / (2 width²)."""

    gamma: float = 1.0

    def __post_init__(self) -> None:
        positive(self.gamma, "gamma")

    def __call__(self, A: object, B: object) -> np.ndarray:
        distances = squared_distances(A, B)
        distances *= -self.gamma
        return np.exp(distances, out=distances)

    def diagonal(self, A: object) -> np.ndarray:
        return np.ones(len(as_matrix(A, "A")))


@dataclass(frozen=True)
class Sigmoid:
    """tanh(γ aᵀb + c). Often called a kernel, although its Gram matrix may be indefinite."""

    scale: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        finite(self.scale, "scale")
        finite(self.offset, "offset")

    def __call__(self, A: object, B: object) -> np.ndarray:
        A, B = _pair(A, B)
        return np.tanh(self.scale * (A @ B.T) + self.offset)

    def diagonal(self, A: object) -> np.ndarray:
        A = as_matrix(A, "A")
        return np.tanh(self.scale * (A * A).sum(axis=1) + self.offset)


def smallest_eigenvalue(gram: object) -> float:
    """Return the smallest eigenvalue of a symmetric Gram matrix (n, n).

    Mercer's condition on a finite sample: a kernel's Gram matrix is positive semi-definite, so
    this is at least zero up to rounding.
    """
    return float(np.linalg.eigvalsh(as_symmetric(gram, "gram"))[0])
