"""Boosting: trees grown one after another, each on what its predecessors got wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lib.trees.cart import ClassificationTree, RegressionTree
from lib.validation import (
    as_labels,
    as_matrix,
    as_signs,
    as_vector,
    between,
    one_of,
    whole,
)


@dataclass
class AdaBoost:
    """Discrete AdaBoost with shallow trees and labels −1 and +1.

    Round t weighs its tree by ½ log((1 − ε)/ε), where ε is its weighted error, and multiplies
    the weight of each sample by exp(−vote · y · h(x)): coordinate descent on Σ exp(−y F(x)).
    """

    rounds: int = 50
    max_depth: int = 1
    trees: list[ClassificationTree] = field(
        default_factory=list, init=False, repr=False
    )
    votes: list[float] = field(default_factory=list, init=False, repr=False)

    def fit(self, X: object, y: object) -> AdaBoost:
        """Grow the committee on X (n, d) and y (n,)."""
        X = as_matrix(X, "X")
        y = as_signs(y, "y", length=len(X))
        whole(self.rounds, "rounds", at_least=1)
        self.trees, self.votes = [], []
        weight = np.full(len(X), 1.0 / len(X))
        for _ in range(self.rounds):
            tree = ClassificationTree(max_depth=self.max_depth, classes=2)
            tree.fit(X, (y > 0).astype(int), weight)
            says = 2.0 * tree.predict(X) - 1.0
            error = float(weight[says != y].sum())
            if error >= 0.5:  # no better than a coin: nothing left to learn
                break
            vote = 0.5 * np.log((1.0 - error) / max(error, 1e-16))
            self.trees.append(tree)
            self.votes.append(float(vote))
            if error <= 1e-16:  # a perfect tree outvotes everything after it
                break
            weight = weight * np.exp(-vote * y * says)
            weight /= weight.sum()
        if not self.trees:
            raise ValueError(
                "X: expected a tree better than chance, got none at this depth"
            )
        return self

    def staged_scores(self, X: object) -> np.ndarray:
        """Return F after each round, (rounds, n)."""
        if not self.trees:
            raise ValueError(
                "decision: expected a fitted committee; call fit(X, y) first"
            )
        says = np.array([2.0 * tree.predict(X) - 1.0 for tree in self.trees])
        return np.cumsum(np.array(self.votes)[:, None] * says, axis=0)

    def predict(self, X: object) -> np.ndarray:
        """Return the sign of the weighted vote, (n,)."""
        return np.where(self.staged_scores(X)[-1] >= 0, 1.0, -1.0)


@dataclass
class GradientBoosting:
    """Gradient boosting: each regression tree fits the negative gradient of the loss.

    `loss` is "squared" (targets y) or "logistic" (labels 0 and 1; scores are log odds, and each
    leaf takes one Newton step).
    """

    loss: str = "squared"
    rounds: int = 100
    rate: float = 0.1
    max_depth: int = 3
    min_leaf: int = 1
    trees: list[RegressionTree] = field(default_factory=list, init=False, repr=False)

    def fit(self, X: object, y: object) -> GradientBoosting:
        """Grow the sequence on X (n, d) and y (n,)."""
        one_of(self.loss, "loss", ("squared", "logistic"))
        whole(self.rounds, "rounds", at_least=1)
        between(self.rate, "rate", 0.0, 1.0)
        X = as_matrix(X, "X")
        if self.loss == "squared":
            y = as_vector(y, "y", length=len(X))
            self.start = float(y.mean())
        else:
            y = as_labels(y, "y", classes=2, length=len(X)).astype(float)
            if y.min() == y.max():
                raise ValueError(f"y: expected both labels 0 and 1, got only {y[0]:g}")
            self.start = float(np.log(y.mean() / (1.0 - y.mean())))
        self.trees = []
        score = np.full(len(X), self.start)
        for _ in range(self.rounds):
            tree = RegressionTree(max_depth=self.max_depth, min_leaf=self.min_leaf)
            score = score + self.rate * self._fit_one(tree, X, y, score)
            self.trees.append(tree)
        return self

    def _fit_one(
        self, tree: RegressionTree, X: np.ndarray, y: np.ndarray, score: np.ndarray
    ) -> np.ndarray:
        """Fit `tree` to the negative gradient at `score` and return its step for each row."""
        if self.loss == "squared":
            return tree.fit(X, y - score).predict(X)
        p = 1.0 / (1.0 + np.exp(-np.clip(score, -500, 500)))
        tree.fit(X, y - p)
        # Newton's step in each leaf: Σ (y − p) / Σ p (1 − p), instead of the mean gradient.
        leaf = tree.tree.apply(X)
        size = len(tree.tree.left)
        gradient = np.bincount(leaf, weights=y - p, minlength=size)
        curvature = np.bincount(leaf, weights=p * (1.0 - p), minlength=size)
        step = gradient / np.maximum(curvature, 1e-150)
        tree.tree.value[:, 0] = np.where(tree.tree.is_leaf, step, tree.tree.value[:, 0])
        return tree.tree.value[leaf, 0]

    def staged_scores(self, X: object) -> np.ndarray:
        """Return the score after each round, (rounds, n)."""
        if not self.trees:
            raise ValueError("decision: expected a fitted model; call fit(X, y) first")
        steps = np.array([tree.predict(X) for tree in self.trees])
        return self.start + self.rate * np.cumsum(steps, axis=0)

    def predict(self, X: object) -> np.ndarray:
        """Return predictions (n,): the score itself, or the label with positive log odds."""
        score = self.staged_scores(X)[-1]
        return score if self.loss == "squared" else (score > 0).astype(int)
