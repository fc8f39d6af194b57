"""How sure is an unpenalised logistic fit of its weights? Wald's and the likelihood ratio.

For many samples the estimate is close to normal around the truth, with the inverse of the
log-likelihood's curvature, (n 𝓛″)⁻¹, as its covariance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from lib.logistic.binary import fit_logistic
from lib.logistic.losses import logistic_hessian
from lib.logistic.scaling import even_units
from lib.validation import as_binary, as_matrix, between, whole


@dataclass(frozen=True)
class LogisticInference:
    """Estimates θ = (b, w) of shape (d + 1,) and their covariance (d + 1, d + 1)."""

    theta: np.ndarray
    covariance: np.ndarray
    log_likelihood: float

    @property
    def standard_errors(self) -> np.ndarray:
        """The estimated standard deviation of each estimate, (d + 1,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def z_scores(self) -> np.ndarray:
        """Each estimate in units of its standard error, (d + 1,): Wald's statistic."""
        return self.theta / self.standard_errors

    @property
    def p_values(self) -> np.ndarray:
        """The two-sided p-values of Wald's test that a parameter is zero, (d + 1,)."""
        return 2.0 * stats.norm.sf(np.abs(self.z_scores))

    def intervals(self, level: float = 0.95) -> np.ndarray:
        """Return Wald's confidence intervals, (d + 1, 2)."""
        level = between(level, "level", 0.0, 1.0, inclusive=False)
        reach = stats.norm.ppf(0.5 + level / 2.0) * self.standard_errors
        return np.column_stack([self.theta - reach, self.theta + reach])


def logistic_inference(X: object, y: object) -> LogisticInference:
    """Fit X (n, d), y (n,) without a penalty and return the estimates with covariance.

    Linearly dependent columns have no covariance and raise a ValueError.
    """
    X = as_matrix(X, "X")
    model = fit_logistic(X, y)
    y = as_binary(y, "y")
    Z, _, scaler = even_units(X, 0.0)
    # In standard units the slopes are w s and the constant is b + mean·w.
    theta = np.append(
        model.intercept + scaler.mean @ model.weights, model.weights * scaler.scale
    )
    H = len(X) * logistic_hessian(theta, Z)
    if np.linalg.matrix_rank(H, hermitian=True) < len(H):
        raise ValueError(
            "X: expected linearly independent columns besides the constant"
        )
    # θ in the caller's units is back @ θ in standard units.
    back = np.column_stack([scaler.original_units(e) for e in np.eye(len(H))])
    covariance = back @ np.linalg.inv(H) @ back.T
    estimate = np.append(model.intercept, model.weights)
    return LogisticInference(estimate, covariance, -len(X) * float(model.losses[-1]))


def likelihood_ratio_test(X: object, y: object, dropped: int) -> tuple[float, float]:
    """Return (statistic, p-value) for "weight `dropped` (0 … d−1) is zero".

    Twice the gain in log-likelihood that the feature brings is χ² with one degree of
    freedom, for many samples, when the weight is zero.
    """
    X = as_matrix(X, "X")
    dropped = whole(dropped, "dropped", at_most=X.shape[1] - 1)
    full = fit_logistic(X, y).losses[-1]
    rest = np.delete(X, dropped, axis=1)
    if rest.shape[1] == 0:
        rest = np.zeros((len(X), 1))  # the constant alone
    less = fit_logistic(rest, y).losses[-1]
    statistic = 2.0 * len(X) * max(float(less - full), 0.0)
    return statistic, float(stats.chi2.sf(statistic, 1))
