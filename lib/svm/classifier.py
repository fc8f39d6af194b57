"""The support vector classifier: train by SMO, predict with the support vectors alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lib.kernels import RBF, Kernel, Linear
from lib.svm.smo import solve_dual
from lib.validation import as_matrix


@dataclass
class SupportVectorClassifier:
    """A two-class kernel machine with labels −1 and +1.

    After `fit`: `support` holds the indices of the support vectors (s,), `vectors` the points
    (s, d), `weights` the products αᵢ yᵢ (s,), `intercept` the offset b.
    """

    kernel: Kernel = field(default_factory=RBF)
    C: float | np.ndarray = 1.0
    tol: float = 1e-3

    def fit(self, X: object, y: object) -> SupportVectorClassifier:
        """Solve the dual for X (n, d) and y (n,) and keep the support vectors."""
        X = as_matrix(X, "X")
        solution = solve_dual(self.kernel, X, y, self.C, tol=self.tol)
        self.alpha, self.intercept = solution.alpha, solution.intercept
        self.iterations = solution.iterations
        self.support = np.flatnonzero(self.alpha > 0)
        self.vectors = X[self.support].copy()
        self.weights = (self.alpha * np.asarray(y, dtype=float))[self.support]
        return self

    def decision(self, X: object) -> np.ndarray:
        """Return f(x) = Σᵢ αᵢ yᵢ k(xᵢ, x) + b for each row of X (n, d), shape (n,)."""
        if not hasattr(self, "vectors"):
            raise ValueError(
                "decision: expected a fitted machine; call fit(X, y) first"
            )
        X = as_matrix(X, "X", columns=self.vectors.shape[1])
        return self.kernel(X, self.vectors) @ self.weights + self.intercept

    def predict(self, X: object) -> np.ndarray:
        """Return the label −1 or +1 of each row, shape (n,)."""
        return np.where(self.decision(X) >= 0, 1.0, -1.0)

    @property
    def normal(self) -> np.ndarray:
        """The weight vector w = Σᵢ αᵢ yᵢ xᵢ (d,), which only the linear kernel has."""
        if not isinstance(self.kernel, Linear):
            raise ValueError(f"normal: expected a linear kernel, got {self.kernel}")
        return self.weights @ self.vectors
