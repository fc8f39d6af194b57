"""A grown tree as flat arrays, so that prediction moves all samples at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEAF = -1


@dataclass(frozen=True)
class Tree:
    """Node 0 is the root; a leaf has left = right = −1.

    feature, left, right (N,) are integers; threshold, weight, risk (N,) floats, where risk is
    the node's share of the total weight times its impurity, R(t); value (N, K) holds what the
    node predicts (class shares or one mean).
    """

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weight: np.ndarray
    risk: np.ndarray
    value: np.ndarray

    @property
    def is_leaf(self) -> np.ndarray:
        """Which nodes are leaves, (N,)."""
        return self.left == LEAF

    @property
    def depth(self) -> int:
        """The number of splits on the longest way from the root."""
        return int(self.depths().max())

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return int(self.is_leaf.sum())

    def depths(self) -> np.ndarray:
        """Return the depth of each node (N,); children come after their parents."""
        depth = np.zeros(len(self.left), dtype=int)
        for node in np.flatnonzero(~self.is_leaf):
            depth[self.left[node]] = depth[self.right[node]] = depth[node] + 1
        return depth

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Return the leaf that each row of X (n, d) falls into, (n,)."""
        node = np.zeros(len(X), dtype=int)
        moving = np.arange(len(X)) if not self.is_leaf[0] else np.arange(0)
        while moving.size:
            at = node[moving]
            goes_left = X[moving, self.feature[at]] <= self.threshold[at]
            at = np.where(goes_left, self.left[at], self.right[at])
            node[moving] = at
            moving = moving[~self.is_leaf[at]]
        return node

    def importances(self, features: int) -> np.ndarray:
        """Return each feature's share of the total drop in impurity, (features,)."""
        inner = np.flatnonzero(~self.is_leaf)
        drop = (
            self.risk[inner]
            - self.risk[self.left[inner]]
            - self.risk[self.right[inner]]
        )
        total = np.bincount(self.feature[inner], weights=drop, minlength=features)
        return total / total.sum() if total.sum() > 0 else total
