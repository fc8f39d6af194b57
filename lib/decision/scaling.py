"""Scaling features one by one, and whitening them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_matrix, as_symmetric, as_vector


@dataclass(frozen=True)
class Scaling:
    """An affine map x ↦ A(x − mean): mean (d,), A (d, d)."""

    mean: np.ndarray
    A: np.ndarray

    def __call__(self, X: object) -> np.ndarray:
        """Return the mapped rows of X (n, d)."""
        return (as_matrix(X, "X", columns=len(self.mean)) - self.mean) @ self.A.T


def standardise(X: object) -> Scaling:
    """Fit x ↦ (x − mean)/deviation, feature by feature: unit variances, correlations kept."""
    X = as_matrix(X, "X", min_rows=2)
    deviation = X.std(axis=0, ddof=1)
    if (deviation == 0).any():
        raise ValueError(
            f"X: expected features that vary, feature {deviation.argmin()} does not"
        )
    return Scaling(X.mean(axis=0), np.diag(1.0 / deviation))


def whiten(X: object) -> Scaling:
    """Fit x ↦ Σ^{-1/2}(x − mean): unit variances and no correlations left.

    Of all square roots of Σ⁻¹ the symmetric one moves the points least.
    """
    X = as_matrix(X, "X", min_rows=2)
    gap = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(gap.T @ gap / (len(X) - 1))
    if values[0] <= 1e-12 * max(values[-1], 1e-300):
        raise ValueError("X: expected a covariance of full rank, got a singular one")
    return Scaling(X.mean(axis=0), (vectors / np.sqrt(values)) @ vectors.T)


def mahalanobis(X: object, mean: object, covariance: object) -> np.ndarray:
    """Return √((x − mean)ᵀ Σ⁻¹ (x − mean)) for each row of X (n, d), (n,)."""
    X = as_matrix(X, "X")
    gap = X - as_vector(mean, "mean", length=X.shape[1])
    covariance = as_symmetric(covariance, "covariance", size=X.shape[1])
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise ValueError("covariance: expected a positive definite matrix") from None
    return np.linalg.norm(np.linalg.solve(root, gap.T), axis=0)
