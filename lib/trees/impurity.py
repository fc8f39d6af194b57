"""How mixed a node is, and how good a split, as functions of sums over the node.

A split is judged by the total impurity of its two children, each weighted by its share of the
samples. The parent's impurity is the same for every split, so it is enough to maximise a
`purity`: large when the children are pure. With counts cₖ and total n it is

    gini     Σₖ cₖ² / n            since  n·(1 − Σₖ (cₖ/n)²)    = n − Σₖ cₖ² / n
    squares  (Σ y)² / n            since  Σ (y − ȳ)²            = Σ y² − (Σ y)² / n
    entropy  Σₖ cₖ log cₖ − n log n  since  −n Σₖ (cₖ/n) log (cₖ/n) = n log n − Σₖ cₖ log cₖ

Gini impurity is thus the squared error of one-hot encoded labels: one formula serves both.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Purity = Callable[[np.ndarray, np.ndarray], np.ndarray]


def gini(p: np.ndarray) -> np.ndarray:
    """Return 1 − Σₖ pₖ² along the last axis of class shares p (…, K)."""
    return 1.0 - (p * p).sum(axis=-1)


def entropy(p: np.ndarray) -> np.ndarray:
    """Return −Σₖ pₖ log pₖ (natural logarithm, 0 log 0 = 0) along the last axis of p (…, K)."""
    return -_xlogx(p).sum(axis=-1)


def _xlogx(x: np.ndarray) -> np.ndarray:
    return x * np.log(np.where(x > 0, x, 1.0))


def purity_of_squares(sums: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return Σₖ sₖ² / n for sums (…, K) and weights (…): Gini or squared error."""
    return np.einsum("...k,...k->...", sums, sums) / weight


def purity_of_entropy(sums: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return Σₖ cₖ log cₖ − n log n for counts (…, K) and weights (…)."""
    return _xlogx(sums).sum(axis=-1) - _xlogx(weight)


PURITY: dict[str, Purity] = {"gini": purity_of_squares, "entropy": purity_of_entropy}
