"""The receiver operating characteristic: what every threshold would do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from lib.validation import as_binary, as_vector


@dataclass(frozen=True)
class RocCurve:
    """False and true positive rates (m,), and the thresholds (m,): positive when score ≥ it."""

    fpr: np.ndarray
    tpr: np.ndarray
    thresholds: np.ndarray

    @property
    def auc(self) -> float:
        """The area under the curve, by trapezoids (exact: the curve is made of segments)."""
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1]) / 2.0))


def _both(y: object, scores: object) -> tuple[np.ndarray, np.ndarray]:
    y = as_binary(y, "y")
    if y.min() == y.max():
        raise ValueError(f"y: expected both labels 0 and 1, got only {y[0]:g}")
    return y, as_vector(scores, "scores", length=len(y))


def roc_curve(y: object, scores: object) -> RocCurve:
    """Return the curve for labels y (n,) of 0 and 1 and scores (n,), larger for class 1.

    One sort, then running counts. Equal scores move together: they share one point.
    """
    y, scores = _both(y, scores)
    order = np.argsort(-scores, kind="stable")
    y, scores = y[order], scores[order]
    last = np.append(
        np.flatnonzero(np.diff(scores)), len(y) - 1
    )  # last of each equal run
    tp = np.cumsum(y)[last]
    fp = last + 1 - tp
    return RocCurve(
        np.concatenate([[0.0], fp / fp[-1]]),
        np.concatenate([[0.0], tp / tp[-1]]),
        np.concatenate([[np.inf], scores[last]]),
    )


def auc_by_ranks(y: object, scores: object) -> float:
    """Return P(score of a random positive > score of a random negative), ties counting half.

    The sum of the positives' ranks counts, for each positive, the samples it beats; taking away
    the positives among themselves, n₊(n₊ + 1)/2, leaves the pairs won.
    """
    y, scores = _both(y, scores)
    positives = y.sum()
    won = rankdata(scores)[y == 1].sum() - positives * (positives + 1) / 2.0
    return float(won / (positives * (len(y) - positives)))
