"""CART: classification and regression trees."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lib.trees.growing import Growth, grow
from lib.trees.impurity import PURITY, purity_of_squares
from lib.trees.structure import Tree
from lib.validation import as_labels, as_matrix, as_vector, one_of


def as_weights(weight: object | None, n: int) -> np.ndarray:
    """Return sample weights (n,) ≥ 0, not all zero; ones when None."""
    if weight is None:
        return np.ones(n)
    array = as_vector(weight, "weight", length=n)
    if array.min() < 0 or array.sum() <= 0:
        raise ValueError("weight: expected weights >= 0 that are not all zero")
    return array


@dataclass
class _Cart:
    """What both kinds of tree share: growing limits, the grown tree, the way to a leaf."""

    max_depth: int | None = None
    min_split: int = 2
    min_leaf: int = 1
    max_features: int | None = None
    rng: np.random.Generator | None = field(default=None, repr=False)
    tree: Tree | None = field(default=None, init=False, repr=False)
    features: int = field(default=0, init=False, repr=False)

    @property
    def _growth(self) -> Growth:
        return Growth(self.max_depth, self.min_split, self.min_leaf, self.max_features)

    def values(self, X: object) -> np.ndarray:
        """Return what the leaf of each row of X (n, d) predicts, (n, K)."""
        if self.tree is None:
            raise ValueError("values: expected a fitted tree; call fit(X, y) first")
        X = as_matrix(X, "X", columns=self.features)
        return self.tree.value[self.tree.apply(X)]

    def importances(self) -> np.ndarray:
        """Return each feature's share of the drop in impurity, (d,)."""
        if self.tree is None:
            raise ValueError(
                "importances: expected a fitted tree; call fit(X, y) first"
            )
        return self.tree.importances(self.features)


@dataclass
class ClassificationTree(_Cart):
    """Predicts the class shares of the leaf; labels are 0, …, K−1."""

    criterion: str = "gini"
    classes: int | None = None

    def fit(
        self, X: object, y: object, weight: object | None = None
    ) -> ClassificationTree:
        """Grow the tree on X (n, d), labels y (n,) and optional sample weights (n,)."""
        X = as_matrix(X, "X")
        y = as_labels(y, "y", classes=self.classes, length=len(X))
        purity = PURITY[one_of(self.criterion, "criterion", PURITY)]
        targets = np.eye(self.classes or int(y.max()) + 1)[y]  # one-hot (n, K)
        base = np.full(len(X), 1.0 if self.criterion == "gini" else 0.0)
        weight = as_weights(weight, len(X))
        self.features = X.shape[1]
        self.tree = grow(X, targets, weight, purity, base, self._growth, self.rng)
        return self

    def probabilities(self, X: object) -> np.ndarray:
        """Return the class shares of each row's leaf, (n, K)."""
        return self.values(X)

    def predict(self, X: object) -> np.ndarray:
        """Return the most frequent class of each row's leaf (n,); ties go to the lowest."""
        return self.values(X).argmax(axis=1)


@dataclass
class RegressionTree(_Cart):
    """Predicts the mean target of the leaf."""

    def fit(self, X: object, y: object, weight: object | None = None) -> RegressionTree:
        """Grow the tree on X (n, d), targets y (n,) and optional sample weights (n,)."""
        X = as_matrix(X, "X")
        y = as_vector(y, "y", length=len(X))
        weight = as_weights(weight, len(X))
        # Centred and scaled targets keep Σ y² − (Σ y)²/n from cancelling or overflowing.
        centre = float(np.average(y, weights=weight))
        scale = float(np.abs(y - centre).max()) or 1.0
        targets = (y - centre)[:, None] / scale
        self.features = X.shape[1]
        grown = grow(
            X,
            targets,
            weight,
            purity_of_squares,
            targets[:, 0] ** 2,
            self._growth,
            self.rng,
        )
        self.tree = Tree(
            grown.feature,
            grown.threshold,
            grown.left,
            grown.right,
            grown.weight,
            grown.risk * scale**2,
            grown.value * scale + centre,
        )
        return self

    def predict(self, X: object) -> np.ndarray:
        """Return the mean of each row's leaf, (n,)."""
        return self.values(X)[:, 0]
