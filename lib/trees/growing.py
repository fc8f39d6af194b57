"""Growing a tree: split the samples, then split each part, until a rule says stop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.trees.impurity import Purity
from lib.trees.splitting import Split, best_split
from lib.trees.structure import LEAF, Tree
from lib.validation import whole


@dataclass(frozen=True)
class Growth:
    """When to stop, and how many features each split may look at (None: all)."""

    max_depth: int | None = None
    min_split: int = 2
    min_leaf: int = 1
    max_features: int | None = None

    def __post_init__(self) -> None:
        if self.max_depth is not None:
            whole(self.max_depth, "max_depth", at_least=0)
        whole(self.min_split, "min_split", at_least=2)
        whole(self.min_leaf, "min_leaf", at_least=1)
        if self.max_features is not None:
            whole(self.max_features, "max_features", at_least=1)


def grow(
    X: np.ndarray,
    targets: np.ndarray,
    weight: np.ndarray,
    purity: Purity,
    base: np.ndarray,
    growth: Growth,
    rng: np.random.Generator | None = None,
) -> Tree:
    """Grow a tree on X (n, d), targets (n, K) and sample weights (n,).

    `base` (n,) is what purity is subtracted from: a node's total impurity is the weighted sum
    of its `base` minus its purity (1 for Gini, 0 for entropy, Σₖ y² for squared error).
    """
    if growth.max_features is not None and rng is None:
        raise ValueError(
            "rng: expected a generator, since max_features draws features at random"
        )
    weighted = targets * weight[:, None]
    based = base * weight
    total_weight = weight.sum()
    nodes: list[list] = []  # [feature, threshold, left, right, weight, risk, value]
    # An explicit stack: a tree may be deeper than Python's recursion limit. Each entry holds
    # the samples of a node, its depth, and the parent's slot that waits for its number.
    stack = [(np.flatnonzero(weight > 0), 0, None)]
    while stack:
        index, depth, slot = stack.pop()
        sums, mass = weighted[index].sum(axis=0), weight[index].sum()
        impurity = max(float(based[index].sum() - purity(sums, mass)), 0.0)
        node = len(nodes)
        nodes.append([0, 0.0, LEAF, LEAF, mass, impurity / total_weight, sums / mass])
        if slot is not None:
            nodes[slot[0]][slot[1]] = node
        if (
            len(index) < growth.min_split
            or (growth.max_depth is not None and depth >= growth.max_depth)
            or impurity <= 1e-12 * max(mass, float(np.abs(based[index]).sum()))
        ):
            continue
        split = _split(X[index], weighted[index], weight[index], purity, growth, rng)
        if split is None:
            continue
        nodes[node][0], nodes[node][1] = split.feature, split.threshold
        goes_left = X[index, split.feature] <= split.threshold
        # Left is pushed last, so it is grown first and nodes are numbered depth first.
        stack.append((index[~goes_left], depth + 1, (node, 3)))
        stack.append((index[goes_left], depth + 1, (node, 2)))
    return _packed(nodes)


def _split(
    X: np.ndarray,
    weighted: np.ndarray,
    weight: np.ndarray,
    purity: Purity,
    growth: Growth,
    rng: np.random.Generator | None,
) -> Split | None:
    """Return the best split of a node, over all features or over some drawn at random."""
    features = np.arange(X.shape[1])
    some = growth.max_features
    if some is None or some >= len(features):
        return best_split(X, weighted, weight, features, purity, growth.min_leaf)
    drawn = rng.permutation(features)
    # The features drawn may not vary in this node: draw on until one gives a split.
    for start in range(0, len(drawn), some):
        subset = drawn[start : start + some]
        split = best_split(X, weighted, weight, subset, purity, growth.min_leaf)
        if split is not None:
            return split
    return None


def _packed(nodes: list[list]) -> Tree:
    feature, threshold, left, right, weight, risk, value = zip(*nodes, strict=True)
    return Tree(
        feature=np.array(feature),
        threshold=np.array(threshold),
        left=np.array(left),
        right=np.array(right),
        weight=np.array(weight, dtype=float),
        risk=np.array(risk, dtype=float),
        value=np.array(value),
    )
