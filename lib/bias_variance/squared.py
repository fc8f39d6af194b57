"""Squared error = bias² + variance + noise, point by point.

Once from predictions of models that were trained on many data sets, once exactly for predictions
that are linear in the targets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.singular_values import rank_threshold
from lib.validation import as_matrix, as_vector, nonnegative


@dataclass(frozen=True)
class Decomposition:
    """The three parts of the expected squared error at each of m inputs."""

    bias2: np.ndarray  # (m,) squared distance of the mean prediction from the truth
    variance: np.ndarray  # (m,) spread of the predictions around their mean
    noise: float  # variance of a fresh target around the truth

    @property
    def error(self) -> np.ndarray:
        """Return bias² + variance + noise, (m,)."""
        return self.bias2 + self.variance + self.noise

    @property
    def means(self) -> tuple[float, float, float]:
        """Return bias², variance and noise, averaged over the inputs."""
        return float(self.bias2.mean()), float(self.variance.mean()), self.noise


def decompose(
    predictions: object, truth: object, noise: float = 0.0, *, corrected: bool = False
) -> Decomposition:
    """Split the error of predictions (L, m) of L models at m inputs with the truth f(x), (m,).

    Averages stand for expectations, divisor L. The average of L models still wobbles, which adds
    Var/L to the plain bias²; `corrected` takes it off again (divisor L − 1 for the variance). A
    corrected bias² is right on average and may be slightly negative at a point.
    """
    predictions = as_matrix(predictions, "predictions", min_rows=2 if corrected else 1)
    truth = as_vector(truth, "truth", length=predictions.shape[1])
    count = len(predictions)
    bias2 = (predictions.mean(axis=0) - truth) ** 2
    variance = predictions.var(axis=0, ddof=1 if corrected else 0)
    if corrected:
        bias2 = bias2 - variance / count
    return Decomposition(bias2, variance, nonnegative(noise, "noise"))


def smoother_matrix(Phi: object, Phi_new: object, lam: float = 0.0) -> np.ndarray:
    """Return S (m, n) with predictions S y, for training features (n, p) and new ones (m, p).

    Ridge with penalty λ = `lam` on ‖θ‖² (the sum of squares plus λ‖θ‖²); λ = 0 is least squares,
    the shortest solution when there are several.
    """
    Phi = as_matrix(Phi, "Phi")
    Phi_new = as_matrix(Phi_new, "Phi_new", columns=Phi.shape[1])
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    kept = s > rank_threshold(Phi.shape) * s[0]
    lam = nonnegative(lam, "lam")
    inverse = np.zeros_like(s)
    inverse[kept] = s[kept] / (s[kept] ** 2 + lam)
    return (Phi_new @ Vt.T * inverse) @ U.T


def exact_decomposition(
    S: object, truth: object, truth_new: object, noise: float
) -> Decomposition:
    """Split the error of the predictions S y exactly, for y = truth + noise of variance `noise`.

    E[S y] = S f and Cov(S y) = noise · S Sᵀ: with fixed inputs nothing needs to be sampled.
    """
    S = as_matrix(S, "S")
    truth = as_vector(truth, "truth", length=S.shape[1])
    truth_new = as_vector(truth_new, "truth_new", length=S.shape[0])
    noise = nonnegative(noise, "noise")
    bias2 = (S @ truth - truth_new) ** 2
    return Decomposition(bias2, noise * (S * S).sum(axis=1), noise)
