"""The design matrix: one row a sample, one column for each thing a parameter multiplies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_matrix, as_vector


def with_intercept(X: np.ndarray) -> np.ndarray:
    """Put a column of ones before the features: (n, d) becomes (n, d + 1)."""
    X = as_matrix(X, "X")
    return np.column_stack([np.ones(len(X)), X])


@dataclass(frozen=True)
class Standardiser:
    """Shift and scale learned from training data: ``z = (x - mean) / scale``, by column.

    A column that never varies is only shifted (its scale is 1), so nothing is divided by zero.
    """

    mean: np.ndarray  # (d,)
    scale: np.ndarray  # (d,)

    @classmethod
    def of(cls, X: np.ndarray) -> Standardiser:
        """Learn mean and standard deviation (divisor n) of every column of X (n, d)."""
        X = as_matrix(X, "X")
        largest = np.abs(X).max(axis=0)
        unit = np.where(
            largest > 0, largest, 1.0
        )  # keeps squares in range at any scale
        mean = (X / unit).mean(axis=0)
        spread = (X / unit - mean).std(axis=0)
        varies = (
            spread > 4 * np.finfo(float).eps
        )  # a constant column shows rounding only
        return cls(mean * unit, np.where(varies, spread * unit, 1.0))

    def forward(self, X: np.ndarray) -> np.ndarray:
        """Return the standardised features, (n, d)."""
        return (as_matrix(X, "X", columns=len(self.mean)) - self.mean) / self.scale

    def original_units(self, theta: np.ndarray) -> np.ndarray:
        """Translate (intercept, slopes) fitted on standardised features to the raw ones.

        From ``b + sum w_j (x_j - m_j) / s_j`` read off slope ``w_j / s_j`` and what is left.
        """
        theta = as_vector(theta, "theta", length=len(self.mean) + 1)
        slopes = theta[1:] / self.scale
        return np.concatenate([[theta[0] - self.mean @ slopes], slopes])
