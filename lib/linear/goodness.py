"""Goodness of fit: how much of the spread of y a prediction accounts for.

Three quantities are all called R². They agree for least squares with an intercept on the very
sample it was fitted to, and nowhere else in general; so each has a name of its own here.
"""

from __future__ import annotations

import numpy as np

from lib.validation import as_vector, whole


def r_squared(y: np.ndarray, predictions: np.ndarray) -> float:
    """Return 1 - Σ(y - ŷ)² / Σ(y - ȳ)²: the share of squared error saved over predicting ȳ.

    This is the one that means the same on any sample: 1 for perfect, 0 for no better than the
    mean, negative for worse.
    """
    deviation, residual, _ = _standard_parts(y, predictions)
    return float(1.0 - residual @ residual / (deviation @ deviation))


def explained_ratio(y: np.ndarray, predictions: np.ndarray) -> float:
    """Return Σ(ŷ - ȳ)² / Σ(y - ȳ)²; larger than 1 is possible off the fitted sample."""
    deviation, residual, _ = _standard_parts(y, predictions)
    explained = deviation - residual  # ŷ - ȳ
    return float(explained @ explained / (deviation @ deviation))


def squared_correlation(y: np.ndarray, predictions: np.ndarray) -> float:
    """Return the square of Pearson's correlation between y and ŷ; blind to offset and scale."""
    deviation, _, spread = _standard_parts(y, predictions)
    if not spread @ spread > 0:
        raise ValueError("predictions: expected some that differ, got a constant")
    return float(
        (deviation @ spread) ** 2 / (deviation @ deviation) / (spread @ spread)
    )


def adjusted_r_squared(
    y: np.ndarray, predictions: np.ndarray, parameters: int
) -> float:
    """Return 1 - (RSS / (n - p)) / (TSS / (n - 1)), p counting the intercept."""
    p = whole(parameters, "parameters", at_least=1)
    n = len(as_vector(y, "y"))
    if n <= p:
        raise ValueError(
            f"y: expected more than {p} samples for {p} parameters, got {n}"
        )
    return 1.0 - (1.0 - r_squared(y, predictions)) * (n - 1) / (n - p)


def _standard_parts(y, predictions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return y - ȳ, y - ŷ and ŷ - mean(ŷ), all divided by the size of y (squares stay finite)."""
    y = as_vector(y, "y")
    predictions = as_vector(predictions, "predictions", length=len(y))
    unit = np.abs(y).max() or 1.0
    y, predictions = y / unit, predictions / unit
    deviation = y - y.mean()
    if not np.abs(deviation).max() > 4 * np.finfo(float).eps:
        raise ValueError(
            "y: expected targets that differ, got a constant: no spread to explain"
        )
    return deviation, y - predictions, predictions - predictions.mean()
