"""Risk, expected and empirical, and what may be said about the gap between the two.

A learner is a function ``fit(X, y)`` that returns a predictor, itself a function of X. That is
all cross-validation needs to know about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lib.losses import Loss
from lib.splitting import Fold
from lib.validation import as_array, as_distribution, between, positive, whole

Predictor = Callable[[np.ndarray], np.ndarray]
Learner = Callable[[np.ndarray, np.ndarray], Predictor]


def empirical_risk(loss: Loss, y: np.ndarray, prediction: np.ndarray) -> float:
    """Return the mean loss over the samples."""
    return float(np.mean(loss(y, prediction)[0]))


def expected_risk(costs: np.ndarray, joint: np.ndarray, decisions: np.ndarray) -> float:
    """Return E[cost(Y, f(X))] for finitely many x, y and predictions.

    ``costs[y, a]`` is the loss of predicting a when y is true, ``joint[x, y]`` = P(X=x, Y=y)
    and ``decisions[x]`` the prediction f(x), a number of a column of `costs`.
    """
    costs, joint = as_array(costs, "costs", ndim=2), as_array(joint, "joint", ndim=2)
    as_distribution(joint.ravel(), "joint")
    decisions = np.asarray(decisions)
    if joint.shape[1] != costs.shape[0] or decisions.shape != (joint.shape[0],):
        raise ValueError(
            "expected costs (Y, A), joint (X, Y) and decisions (X,), got shapes "
            f"{costs.shape}, {joint.shape} and {decisions.shape}"
        )
    return float(np.sum(joint * costs[:, decisions].T))


def best_predictions(costs: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """Return for each x the prediction of least expected cost, (X,); the first one on ties."""
    return np.argmin(as_array(joint, "joint") @ as_array(costs, "costs"), axis=1)


def gap_bound(n: int, hypotheses: int = 1, delta: float = 0.05) -> float:
    """Return ε such that |risk − empirical risk| ≤ ε for all hypotheses, with probability 1 − δ.

    For losses in [0, 1] and n independent samples: Hoeffding's inequality for each hypothesis
    and the union bound over all, ε = √(log(2 H / δ) / 2n).
    """
    n = whole(n, "n", at_least=1)
    hypotheses = whole(hypotheses, "hypotheses", at_least=1)
    delta = between(delta, "delta", 0.0, 1.0, inclusive=False)
    return float(np.sqrt((np.log(2.0 / delta) + np.log(hypotheses)) / (2 * n)))


def samples_needed(epsilon: float, hypotheses: int = 1, delta: float = 0.05) -> int:
    """Return the least n for which `gap_bound` promises a gap of at most ε."""
    epsilon = positive(epsilon, "epsilon")
    return int(np.ceil((gap_bound(1, hypotheses, delta) / epsilon) ** 2))


@dataclass(frozen=True)
class CrossValidation:
    """What cross-validation measured: the loss of each held-out sample, and its fold."""

    losses: np.ndarray  # (m,) in the order of `sample`
    sample: np.ndarray  # (m,) which sample
    fold: np.ndarray  # (m,) in which fold it was held out

    @property
    def risk(self) -> float:
        """The mean loss over all held-out samples."""
        return float(self.losses.mean())

    @property
    def fold_risks(self) -> np.ndarray:
        """The mean loss of each fold, (k,)."""
        return np.bincount(self.fold, self.losses) / np.bincount(self.fold)

    @property
    def naive_standard_error(self) -> float:
        """The spread of the fold risks over √k: right if folds were independent. They are not."""
        risks = self.fold_risks
        if len(risks) < 2:
            raise ValueError(f"expected at least two folds, got {len(risks)}")
        return float(risks.std(ddof=1) / np.sqrt(len(risks)))


def cross_validate(
    fit: Learner, loss: Loss, X: np.ndarray, y: np.ndarray, folds: Sequence[Fold]
) -> CrossValidation:
    """Fit on the training part of every fold and return the losses on its held-out part."""
    X, y = np.asarray(X), np.asarray(y)
    if len(X) != len(y) or not len(folds):
        raise ValueError(
            f"expected one target per row and a fold, got {len(X)} rows, "
            f"{len(y)} targets and {len(folds)} folds"
        )
    losses, samples, numbers = [], [], []
    for number, (train, test) in enumerate(folds):
        if np.intersect1d(train, test).size:
            raise ValueError(
                f"folds: fold {number} shares samples between its two parts"
            )
        predict = fit(X[train], y[train])
        losses.append(loss(y[test], predict(X[test]))[0])
        samples.append(test)
        numbers.append(np.full(len(test), number))
    return CrossValidation(
        np.concatenate(losses), np.concatenate(samples), np.concatenate(numbers)
    )
