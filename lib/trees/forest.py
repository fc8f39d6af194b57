"""Random forests: many trees, each on a bootstrap sample and random features at every split."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lib.trees.cart import ClassificationTree, RegressionTree
from lib.validation import as_labels, as_matrix, as_vector, whole


@dataclass
class _Forest:
    """What both kinds of forest share: bootstrap, out-of-bag samples, averaging."""

    trees: int = 100
    max_features: int | None = None
    max_depth: int | None = None
    min_leaf: int = 1
    rng: np.random.Generator = field(default_factory=np.random.default_rng, repr=False)

    def _grow_all(self, X: np.ndarray, y: np.ndarray) -> None:
        whole(self.trees, "trees", at_least=1)
        n = len(X)
        self.members, self.out_of_bag = [], np.empty((self.trees, n), dtype=bool)
        for t in range(self.trees):
            # A sample drawn twice counts twice: weights instead of copies.
            times = np.bincount(self.rng.integers(n, size=n), minlength=n)
            self.out_of_bag[t] = times == 0
            self.members.append(self._tree().fit(X, y, weight=times))

    def _average(self, X: np.ndarray) -> np.ndarray:
        """Return the mean prediction of all trees, (n, K)."""
        if not hasattr(self, "members"):
            raise ValueError("predict: expected a fitted forest; call fit(X, y) first")
        return sum(tree.values(X) for tree in self.members) / len(self.members)

    def _out_of_bag_average(self, X: np.ndarray) -> np.ndarray:
        """Return for each training row the mean over the trees that never saw it, (n, K)."""
        total = np.zeros((len(X), self.members[0].tree.value.shape[1]))
        for tree, unseen in zip(self.members, self.out_of_bag, strict=True):
            if unseen.any():
                total[unseen] += tree.values(X[unseen])
        votes = self.out_of_bag.sum(axis=0)[:, None]
        return np.divide(total, votes, out=np.full_like(total, np.nan), where=votes > 0)

    def importances(self) -> np.ndarray:
        """Return the mean impurity importance of each feature over the trees, (d,)."""
        if not hasattr(self, "members"):
            raise ValueError(
                "importances: expected a fitted forest; call fit(X, y) first"
            )
        return np.mean([tree.importances() for tree in self.members], axis=0)


@dataclass
class ClassificationForest(_Forest):
    """Averages class shares; `oob_error` is the error on samples the voting trees never saw.

    `max_features` defaults to the square root of the number of features.
    """

    criterion: str = "gini"

    def _tree(self) -> ClassificationTree:
        return ClassificationTree(
            max_depth=self.max_depth,
            min_leaf=self.min_leaf,
            max_features=self._features,
            rng=self.rng,
            criterion=self.criterion,
            classes=self.classes,
        )

    def fit(self, X: object, y: object) -> ClassificationForest:
        """Grow the forest on X (n, d) and labels y (n,)."""
        X = as_matrix(X, "X")
        y = as_labels(y, "y", length=len(X))
        self.classes = int(y.max()) + 1
        self._features = self.max_features or max(1, int(np.sqrt(X.shape[1])))
        self._grow_all(X, y)
        shares = self._out_of_bag_average(X)
        judged = ~np.isnan(shares[:, 0])
        wrong = shares[judged].argmax(axis=1) != y[judged]
        self.oob_error = float(wrong.mean()) if judged.any() else float("nan")
        return self

    def probabilities(self, X: object) -> np.ndarray:
        """Return the mean class shares, (n, K)."""
        return self._average(as_matrix(X, "X"))

    def predict(self, X: object) -> np.ndarray:
        """Return the class with the largest mean share, (n,)."""
        return self.probabilities(X).argmax(axis=1)


@dataclass
class RegressionForest(_Forest):
    """Averages leaf means; `oob_error` is the mean squared error on unseen samples.

    `max_features` defaults to a third of the features.
    """

    def _tree(self) -> RegressionTree:
        return RegressionTree(
            max_depth=self.max_depth,
            min_leaf=self.min_leaf,
            max_features=self._features,
            rng=self.rng,
        )

    def fit(self, X: object, y: object) -> RegressionForest:
        """Grow the forest on X (n, d) and targets y (n,)."""
        X = as_matrix(X, "X")
        y = as_vector(y, "y", length=len(X))
        self._features = self.max_features or max(1, X.shape[1] // 3)
        self._grow_all(X, y)
        mean = self._out_of_bag_average(X)[:, 0]
        judged = ~np.isnan(mean)
        errors = (mean[judged] - y[judged]) ** 2
        self.oob_error = float(errors.mean()) if judged.any() else float("nan")
        return self

    def predict(self, X: object) -> np.ndarray:
        """Return the mean prediction, (n,)."""
        return self._average(as_matrix(X, "X"))[:, 0]
