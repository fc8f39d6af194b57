"""Cost-complexity pruning: the nested sequence of best subtrees, one for every price of a leaf.

The cost of a subtree T at price α is R_α(T) = R(T) + α·|leaves of T|. Raising α from zero, the
inner node t whose branch pays for itself least,

    g(t) = (R(t) − R(T_t)) / (|leaves of T_t| − 1),

is the first that is better off as a leaf. Collapsing weakest links one after another gives all
optimal subtrees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lib.trees.structure import LEAF, Tree
from lib.validation import nonnegative

# Prices are differences of risks: two that should be equal differ by rounding of this size,
# relative to the risk of the root.
_ROUNDING = 1e-13


@dataclass(frozen=True)
class PruningPath:
    """The prices at which the best subtree changes (s,), its risk (s,) and its leaves (s,)."""

    alphas: np.ndarray
    risks: np.ndarray
    leaves: np.ndarray


def _collapse_order(tree: Tree) -> tuple[np.ndarray, PruningPath]:
    """Return the price at which each inner node collapses (inf for leaves), and the path."""
    inner = ~tree.is_leaf
    collapse = np.full(len(inner), np.inf)
    alive = inner.copy()
    alphas, risks, leaves = [], [], []
    branch_risk, branch_leaves = _branches(tree, alive)
    alpha = 0.0
    alphas.append(alpha)
    risks.append(branch_risk[0])
    leaves.append(branch_leaves[0])
    parent = np.full(len(inner), LEAF)
    parent[tree.left[inner]] = parent[tree.right[inner]] = np.flatnonzero(inner)
    while alive[0]:
        link = np.full(len(inner), np.inf)
        link[alive] = (tree.risk - branch_risk)[alive] / (branch_leaves[alive] - 1)
        weakest = int(np.argmin(link))
        alpha = max(alpha, float(link[weakest]))
        # What hangs below the collapsed node is gone at the same price.
        gone = [weakest]
        while gone:
            node = gone.pop()
            if alive[node]:
                alive[node] = False
                collapse[node] = alpha
                gone += [int(tree.left[node]), int(tree.right[node])]
        lost_leaves = branch_leaves[weakest] - 1
        more_risk = tree.risk[weakest] - branch_risk[weakest]
        node = weakest
        while node != LEAF:  # only the ancestors' branches change
            branch_leaves[node] -= lost_leaves
            branch_risk[node] += more_risk
            node = parent[node]
        if alpha - alphas[-1] <= _ROUNDING * tree.risk[0]:
            risks[-1], leaves[-1] = branch_risk[0], branch_leaves[0]
        else:
            alphas.append(alpha)
            risks.append(branch_risk[0])
            leaves.append(branch_leaves[0])
    return collapse, PruningPath(
        np.array(alphas), np.array(risks), np.array(leaves, dtype=int)
    )


def _branches(tree: Tree, alive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return R(T_t) and the number of leaves of the branch below each node, (N,) each."""
    risk, leaves = tree.risk.copy(), np.ones(len(alive), dtype=int)
    for node in np.flatnonzero(alive)[::-1]:  # children have higher numbers
        risk[node] = risk[tree.left[node]] + risk[tree.right[node]]
        leaves[node] = leaves[tree.left[node]] + leaves[tree.right[node]]
    return risk, leaves


def pruning_path(tree: Tree) -> PruningPath:
    """Return every price at which the optimal subtree changes, from the full tree to the root."""
    return _collapse_order(tree)[1]


def pruned(tree: Tree, alpha: float) -> Tree:
    """Return the smallest subtree that minimises R(T) + alpha·leaves, to rounding."""
    alpha = nonnegative(alpha, "alpha")
    collapse, _ = _collapse_order(tree)
    kept_inner = ~tree.is_leaf & (collapse > alpha + _ROUNDING * tree.risk[0])
    keep = np.zeros(len(kept_inner), dtype=bool)
    keep[0] = True
    for node in np.flatnonzero(
        kept_inner
    ):  # a kept node's ancestors collapse later: all kept
        keep[tree.left[node]] = keep[tree.right[node]] = True
    number = np.cumsum(keep) - 1
    left = np.where(kept_inner, number[tree.left], LEAF)[keep]
    right = np.where(kept_inner, number[tree.right], LEAF)[keep]
    return replace(
        tree,
        feature=tree.feature[keep],
        threshold=tree.threshold[keep],
        left=left,
        right=right,
        weight=tree.weight[keep],
        risk=tree.risk[keep],
        value=tree.value[keep],
    )
