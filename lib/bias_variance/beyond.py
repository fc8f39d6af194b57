"""Bias and variance for other losses: cross-entropy, and counting mistakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_array, as_labels, as_matrix


@dataclass(frozen=True)
class EntropyParts:
    """The parts of the expected cross-entropy at each of m inputs, all (m,)."""

    bias: np.ndarray  # KL(truth ‖ central model)
    variance: np.ndarray  # mean KL(central model ‖ model)
    noise: np.ndarray  # entropy of the truth

    @property
    def error(self) -> np.ndarray:
        """Return bias + variance + noise, (m,)."""
        return self.bias + self.variance + self.noise


def geometric_mean(q: object) -> np.ndarray:
    """Return the normalised geometric mean over the first axis of q (L, m, K), shape (m, K).

    It is the softmax of the averaged log-probabilities.
    """
    logs = np.log(_open_distributions(q, "q", 3)).mean(axis=0)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def cross_entropy_decomposition(p: object, q: object) -> EntropyParts:
    """Split the mean over L models q (L, m, K) of −Σₖ pₖ log qₖ, for true p (m, K).

    All probabilities of the models lie strictly between 0 and 1.
    """
    q = _open_distributions(q, "q", 3)
    p = as_matrix(p, "p", rows=q.shape[1], columns=q.shape[2])
    if p.min() < 0 or np.abs(p.sum(axis=1) - 1).max() > 1e-8:
        raise ValueError("p: expected rows that are probabilities and sum to 1")
    centre = geometric_mean(q)
    log_p = np.log(np.where(p > 0, p, 1.0))  # 0 log 0 = 0
    spread = (centre * (np.log(centre) - np.log(q))).sum(axis=2)
    return EntropyParts(
        bias=(p * (log_p - np.log(centre))).sum(axis=1),
        variance=spread.mean(axis=0),
        noise=-(p * log_p).sum(axis=1),
    )


@dataclass(frozen=True)
class MajorityParts:
    """The parts of the expected number of mistakes at each of m inputs, all (m,).

    Two classes, no noise: error = bias + (1 − 2·bias) · variance. Where the majority of models
    is right, variance costs; where it is wrong, variance helps.
    """

    bias: np.ndarray  # 1 where the majority vote is wrong, else 0
    variance: np.ndarray  # share of models that disagree with the majority

    @property
    def error(self) -> np.ndarray:
        """Return the share of models that are wrong, (m,)."""
        return self.bias + (1.0 - 2.0 * self.bias) * self.variance


def majority_decomposition(labels: object, truth: object) -> MajorityParts:
    """Split the mistakes of labels (L, m) in {0, 1} of L models against the truth (m,)."""
    votes = as_matrix(labels, "labels")
    odd = votes[(votes != 0) & (votes != 1)]
    if odd.size:
        raise ValueError(f"labels: expected 0 or 1, got {odd[0]:g}")
    truth = as_labels(truth, "truth", classes=2, length=votes.shape[1])
    share = votes.mean(axis=0)  # of models that say 1
    majority = (share > 0.5).astype(np.int64)  # a tie goes to class 0
    return MajorityParts(
        bias=(majority != truth).astype(float),
        variance=np.where(majority == 1, 1.0 - share, share),
    )


def _open_distributions(q: object, name: str, ndim: int) -> np.ndarray:
    """Return q as an array of distributions along its last axis, every entry above zero."""
    q = as_array(q, name, ndim=ndim)
    if q.min() <= 0:
        raise ValueError(f"{name}: expected probabilities above 0, got {q.min():g}")
    if np.abs(q.sum(axis=-1) - 1).max() > 1e-8:
        raise ValueError(
            f"{name}: expected probabilities that sum to 1 along the last axis"
        )
    return q
