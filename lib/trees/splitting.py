"""The best split of a node, over all thresholds of all candidate features at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.trees.impurity import Purity


@dataclass(frozen=True)
class Split:
    """Send x left when x[feature] ≤ threshold; `gain` is the drop in total impurity."""

    feature: int
    threshold: float
    gain: float


def best_split(
    X: np.ndarray,
    targets: np.ndarray,
    weight: np.ndarray,
    features: np.ndarray,
    purity: Purity,
    min_leaf: int,
) -> Split | None:
    """Return the split of the node's samples with the largest gain, or None if there is none.

    X is (m, d), the node's samples; targets (m, K), already multiplied by the weights;
    weight (m,); features (f,), the columns to try. Each column is sorted once, then running
    sums give the children of every threshold: O(f m log m) instead of O(f m²).
    """
    m = len(X)
    columns = X[:, features]  # (m, f)
    order = np.argsort(columns, axis=0, kind="stable")
    values = np.take_along_axis(columns, order, axis=0)
    # A threshold lies between two different values and leaves min_leaf samples on each side.
    low, high = min_leaf - 1, m - min_leaf
    if low >= high:
        return None
    allowed = values[low:high] < values[low + 1 : high + 1]  # (h, f)
    if not allowed.any():
        return None
    left = np.cumsum(targets[order], axis=0)  # (m, f, K)
    left_weight = np.cumsum(weight[order], axis=0)  # (m, f)
    total, total_weight = left[-1], left_weight[-1]
    left, left_weight = left[low:high], left_weight[low:high]
    right, right_weight = total - left, total_weight - left_weight
    # Samples of weight zero can leave a child empty in weight; such a split is no split.
    allowed &= (left_weight > 0) & (right_weight > 0)
    if not allowed.any():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        score = purity(left, left_weight) + purity(right, right_weight)
    score = np.where(allowed, score, -np.inf)
    # Rounding differs from column to column (each sums in its own order), so ties are settled
    # on a scale that rounding cannot reach: the first feature, then the lowest threshold.
    best = score.max()
    tied = score >= best - 1e-12 * max(1.0, abs(best))
    column, row = np.unravel_index(np.argmax(tied.T), tied.T.shape)
    gain = float(best - purity(total[0], total_weight[0]))
    below, above = values[low + row, column], values[low + row + 1, column]
    threshold = 0.5 * below + 0.5 * above  # in halves: the sum itself may overflow
    if (
        not below <= threshold < above
    ):  # two neighbouring floats have no midpoint between
        threshold = below
    return Split(int(features[column]), float(threshold), gain)
