"""Radial basis function networks: Gaussian bumps around centres, mixed linearly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.kernels import RBF
from lib.linear.ridge import ridge
from lib.validation import as_design, as_matrix, positive


@dataclass(frozen=True)
class RbfNetwork:
    """f(x) = Σⱼ aⱼ exp(−‖x − cⱼ‖²/(2 width²)) with centres (m, d) and weights (m,)."""

    centres: np.ndarray
    width: float
    weights: np.ndarray

    def features(self, X: object) -> np.ndarray:
        """Return the bumps at each row of X (n, d), (n, m)."""
        return RBF(1.0 / (2.0 * self.width**2))(X, self.centres)

    def predict(self, X: object) -> np.ndarray:
        """Return f(x) for each row of X (n, d), (n,)."""
        return (
            self.features(as_matrix(X, "X", columns=self.centres.shape[1]))
            @ self.weights
        )


def fit_rbf_network(
    X: object, y: object, centres: object, width: float, lam: float
) -> RbfNetwork:
    """Fit the weights to X (n, d), y (n,) by ridge regression with penalty λ = `lam` > 0.

    With the centres (m, d) and the width fixed the network is linear in its weights: no
    iteration, one optimum.
    """
    X, y = as_design(X, y)
    centres = as_matrix(centres, "centres", columns=X.shape[1])
    shape = RbfNetwork(centres, positive(width, "width"), np.zeros(len(centres)))
    return RbfNetwork(centres, shape.width, ridge(shape.features(X), y, lam))
