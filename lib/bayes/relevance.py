"""Automatic relevance determination: a prior variance for each weight, set by the evidence.

Let C = I/β + Σⱼ vⱼxⱼxⱼᵀ be the covariance of the targets, with xⱼ column j of X and vⱼ = 1/αⱼ its
prior variance. As a function of one vⱼ alone the evidence has a closed form. With s = xⱼᵀC₋ⱼ⁻¹xⱼ
and q = xⱼᵀC₋ⱼ⁻¹y, feature j left out of C, the best vⱼ is (q² − s)/s² if that is positive, and 0
otherwise: the weight is switched off, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.bayes.evidence import log_evidence
from lib.bayes.posterior import posterior
from lib.validation import as_design, positive, whole


@dataclass(frozen=True)
class RelevanceFit:
    """Weights theta (d,), precisions alpha (d,) (inf where off), noise precision beta, and the
    log evidence after every sweep, which never falls."""

    theta: np.ndarray
    alpha: np.ndarray
    beta: float
    log_evidences: np.ndarray

    @property
    def relevant(self) -> np.ndarray:
        """Which weights are on, (d,)."""
        return np.isfinite(self.alpha)


def fit_relevance(
    X: object, y: object, *, tol: float = 1e-9, max_sweeps: int = 10_000
) -> RelevanceFit:
    """Fit X (n, d), y (n,) by maximising the evidence over one prior variance after another.

    After each sweep the noise variance takes its EM step, (‖y − Xm‖² + Σγⱼ/β)/n with
    γⱼ = 1 − αⱼSⱼⱼ. Neither step can lower the evidence. Stops when a sweep raises it by at most
    `tol` per sample.
    """
    X, y = as_design(X, y)
    tol = positive(tol, "tol")
    max_sweeps = whole(max_sweeps, "max_sweeps", at_least=1)
    n, d = X.shape
    # Unit mean square for every column and for y, so that a variance means the same for each.
    unit = np.abs(X).max(axis=0)
    unit[unit == 0] = 1.0
    unit *= np.sqrt(((X / unit) ** 2).mean(axis=0))
    unit[unit == 0] = 1.0
    b = float(np.abs(y).max())
    if b == 0.0:
        raise ValueError("y: expected targets that are not all zero")
    b *= float(np.sqrt(((y / b) ** 2).mean()))
    Z, t = X / unit, y / b
    v, beta = np.full(d, 1.0 / d), 2.0
    v[~X.any(axis=0)] = 0.0  # a column of zeros explains nothing
    history = [_evidence(Z, t, v, beta)]
    for _ in range(max_sweeps):
        v = _sweep(Z, t, v, beta)
        beta = _noise_precision(Z, t, v, beta)
        history.append(_evidence(Z, t, v, beta))
        if history[-1] - history[-2] <= tol * n:
            break
    else:
        raise ValueError(f"max_sweeps: no convergence in {max_sweeps} sweeps")
    theta, on = np.zeros(d), v > 0
    if on.any():
        theta[on] = posterior(Z[:, on], t, 1.0 / v[on], beta).mean
    alpha = np.full(d, np.inf)
    alpha[on] = unit[on] / b / v[on] * unit[on] / b
    return RelevanceFit(
        theta * b / unit, alpha, beta / b / b, np.array(history) - n * np.log(b)
    )


def _sweep(Z: np.ndarray, t: np.ndarray, v: np.ndarray, beta: float) -> np.ndarray:
    """Return the variances (d,) after setting each in turn to its best value, given the others.

    M = ZᵀC⁻¹Z and h = ZᵀC⁻¹t are all that is needed; changing one variance by δ changes C by
    δ·zzᵀ and so M and h by a term of rank one (Sherman and Morrison).
    """
    gram, v = Z.T @ Z, v.copy()
    system = np.eye(len(v)) + beta * gram * v  # ZᵀC⁻¹ = (I + βGV)⁻¹ βZᵀ
    M, h = (
        np.linalg.solve(system, beta * gram),
        np.linalg.solve(system, beta * (Z.T @ t)),
    )
    for j in range(len(v)):
        if gram[j, j] == 0.0:
            continue
        rest = 1.0 - v[j] * M[j, j]  # 1 − γⱼ
        s, q = M[j, j] / rest, h[j] / rest
        best = max(q * q - s, 0.0) / s**2
        column = M[:, j] * ((best - v[j]) / (1.0 + (best - v[j]) * M[j, j]))
        hj = h[j]
        M = M - np.outer(column, M[j])
        h = h - column * hj
        v[j] = best
    return v


def _noise_precision(Z: np.ndarray, t: np.ndarray, v: np.ndarray, beta: float) -> float:
    """Return the EM step for β: n over the expected squared error under the posterior."""
    on = v > 0
    if not on.any():
        return len(t) / float(t @ t)
    post = posterior(Z[:, on], t, 1.0 / v[on], beta)
    gamma = 1.0 - np.diag(post.covariance) / v[on]
    residual = t - Z[:, on] @ post.mean
    noise = (float(residual @ residual) + float(gamma.sum()) / beta) / len(t)
    if noise <= 1e-12 * float(t @ t) / len(t):
        raise ValueError("X, y: expected noise to estimate, got data that fit exactly")
    return 1.0 / noise


def _evidence(Z: np.ndarray, t: np.ndarray, v: np.ndarray, beta: float) -> float:
    with np.errstate(divide="ignore"):
        return log_evidence(Z, t, 1.0 / v, beta)
