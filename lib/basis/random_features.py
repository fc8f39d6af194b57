"""Random features: a hidden layer that is drawn once and never trained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_matrix, whole


@dataclass(frozen=True)
class RandomReLUs:
    """φₖ(x) = max(0, wₖᵀx + bₖ) with directions (M, d) and offsets (M,) fixed in advance."""

    directions: np.ndarray
    offsets: np.ndarray

    @classmethod
    def draw(cls, features: int, count: int, rng: np.random.Generator) -> RandomReLUs:
        """Draw `count` unit directions in R^features and offsets uniform on [−1, 1]."""
        features = whole(features, "features", at_least=1)
        count = whole(count, "count", at_least=1)
        directions = rng.standard_normal((count, features))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return cls(directions, rng.uniform(-1.0, 1.0, count))

    def __call__(self, X: object) -> np.ndarray:
        """Return the features of X (n, d), shape (n, M)."""
        X = as_matrix(X, "X", columns=self.directions.shape[1])
        return np.maximum(X @ self.directions.T + self.offsets, 0.0)

    def first(self, count: int) -> RandomReLUs:
        """Return the first `count` of the features: nested models, one draw."""
        count = whole(count, "count", at_least=1, at_most=len(self.offsets))
        return RandomReLUs(self.directions[:count], self.offsets[:count])
