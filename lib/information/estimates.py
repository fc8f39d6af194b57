"""Entropy and mutual information from samples of labels, and their bias.

The plug-in estimate treats observed frequencies as probabilities. It is biased: chance makes a
sample look less even than its source (entropy too low) and two labels look related (mutual
information too high), to first order by half a degree of freedom per sample.
"""

from __future__ import annotations

import numpy as np

from lib.information.measures import entropy
from lib.information.mutual import mutual_information
from lib.validation import as_array, one_of

CORRECTIONS = ("none", "miller-madow")


def contingency(x: object, y: object) -> np.ndarray:
    """Return how often each pair of labels occurs, shape (K, L), labels in sorted order."""
    x, y = _labels(x, "x"), _labels(y, "y")
    if x.shape != y.shape:
        raise ValueError(f"y: expected {x.size} labels as in x, got {y.size}")
    kinds_x, rows = np.unique(x, return_inverse=True)
    kinds_y, columns = np.unique(y, return_inverse=True)
    pairs = rows * kinds_y.size + columns
    counts = np.bincount(pairs, minlength=kinds_x.size * kinds_y.size)
    return counts.reshape(kinds_x.size, kinds_y.size)


def entropy_from_counts(counts: object, correction: str = "none") -> float:
    """Return the entropy of the frequencies; Miller and Madow add (K − 1) / (2n), K kinds seen."""
    counts = _counts(counts)
    plug_in = entropy(counts / counts.sum())
    if one_of(correction, "correction", CORRECTIONS) == "none":
        return plug_in
    return plug_in + (np.count_nonzero(counts) - 1) / (2 * counts.sum())


def mutual_information_from_counts(counts: object, correction: str = "none") -> float:
    """Return the mutual information of a table (K, L) of counts.

    Corrected, it is Ĥ(X) + Ĥ(Y) − Ĥ(X, Y) with each entropy corrected. It may then be negative:
    that is what an unbiased estimate of a small quantity must sometimes be.
    """
    counts = _counts(counts)
    if counts.ndim != 2:
        raise ValueError(
            f"counts: expected a table of shape (K, L), got {counts.shape}"
        )
    if one_of(correction, "correction", CORRECTIONS) == "none":
        return mutual_information(counts / counts.sum())
    margins = [counts.sum(axis=1), counts.sum(axis=0)]
    whole = sum(entropy_from_counts(margin, correction) for margin in margins)
    return whole - entropy_from_counts(counts, correction)


def independent_bias(counts: object) -> float:
    """Return (K − 1)(L − 1) / (2n): the plug-in estimate to expect by chance alone."""
    counts = _counts(counts)
    if counts.ndim != 2:
        raise ValueError(
            f"counts: expected a table of shape (K, L), got {counts.shape}"
        )
    rows = np.count_nonzero(counts.sum(axis=1))
    columns = np.count_nonzero(counts.sum(axis=0))
    return (rows - 1) * (columns - 1) / (2 * counts.sum())


def _labels(value: object, name: str) -> np.ndarray:
    labels = np.asarray(value)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(
            f"{name}: expected a vector of labels, got shape {labels.shape}"
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError(f"{name}: expected labels, got NaN or infinite numbers")
    return labels


def _counts(value: object) -> np.ndarray:
    counts = as_array(value, "counts")
    odd = counts[(counts < 0) | (counts != np.floor(counts))]
    if odd.size:
        raise ValueError(f"counts: expected whole numbers >= 0, got {odd[0]:g}")
    if counts.sum() == 0:
        raise ValueError("counts: expected at least one sample, got none")
    return counts
