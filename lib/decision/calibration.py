"""Calibration: when a model says 80 %, is it right 80 % of the time?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from lib.logistic.functions import log_softmax
from lib.validation import as_labels, as_matrix, as_vector, one_of, whole


@dataclass(frozen=True)
class CalibrationBins:
    """Non-empty bins: mean confidence (m,), accuracy (m,), samples (m,); all edges (B + 1,)."""

    confidence: np.ndarray
    accuracy: np.ndarray
    count: np.ndarray
    edges: np.ndarray


def calibration_bins(
    confidence: object, correct: object, bins: int = 10, *, strategy: str = "width"
) -> CalibrationBins:
    """Group predictions by confidence (n,) in [0, 1] and compare with `correct` (n,) of 0 and 1.

    `strategy` makes bins of equal "width" or of equal "count".
    """
    confidence = as_vector(confidence, "confidence")
    correct = as_vector(correct, "correct", length=len(confidence))
    if confidence.min() < 0 or confidence.max() > 1:
        raise ValueError("confidence: expected probabilities in [0, 1]")
    bins = whole(bins, "bins", at_least=1)
    if one_of(strategy, "strategy", ("width", "count")) == "width":
        edges = np.linspace(0.0, 1.0, bins + 1)
    else:
        edges = np.quantile(confidence, np.linspace(0.0, 1.0, bins + 1))
        edges[0], edges[-1] = 0.0, 1.0
    # Bins are (low, high]; a confidence of exactly 0 goes to the first.
    which = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, bins - 1)
    count = np.bincount(which, minlength=bins)
    filled = count > 0
    mean = np.bincount(which, confidence, bins)[filled] / count[filled]
    share = np.bincount(which, correct, bins)[filled] / count[filled]
    return CalibrationBins(mean, share, count[filled], edges)


def expected_calibration_error(
    confidence: object, correct: object, bins: int = 10, *, strategy: str = "width"
) -> float:
    """Return Σ_b (n_b/n) |accuracy_b − confidence_b|."""
    b = calibration_bins(confidence, correct, bins, strategy=strategy)
    return float((b.count * np.abs(b.accuracy - b.confidence)).sum() / b.count.sum())


def fit_temperature(logits: object, y: object) -> float:
    """Return the τ > 0 that minimises the negative log-likelihood of softmax(logits/τ).

    logits (n, K), labels y (n,). The loss is convex in 1/τ, so one-dimensional search finds the
    minimum; dividing by τ never changes which class is largest.
    """
    logits = as_matrix(logits, "logits")
    y = as_labels(y, "y", classes=logits.shape[1], length=len(logits))
    rows = np.arange(len(y))

    def loss(log_tau: float) -> float:
        return -float(log_softmax(logits / np.exp(log_tau))[rows, y].mean())

    found = minimize_scalar(
        loss, bounds=(-10.0, 10.0), method="bounded", options={"xatol": 1e-10}
    )
    return float(np.exp(found.x))
