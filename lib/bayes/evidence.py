"""The evidence p(y | α, β): the probability of the data under the prior, weights integrated out.

It rewards a good fit and charges for weights that the data had to pin down. Its maximum over
α and β sets the regularisation strength without a validation set: λ = α/β.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.bayes.posterior import posterior
from lib.validation import as_design, positive, whole


def log_evidence(X: object, y: object, alpha: float, beta: float) -> float:
    """Return log p(y | α, β) for X (n, d) and y (n,).

    ½ [ d log α + n log β − β‖y − Xm‖² − α‖m‖² − log det(αI + βXᵀX) − n log 2π ], where m is the
    posterior mean.
    """
    X, y = as_design(X, y)
    alpha, beta = positive(alpha, "alpha"), positive(beta, "beta")
    n, d = X.shape
    m = posterior(X, y, alpha, beta).mean
    residual = y - X @ m
    _, log_det = np.linalg.slogdet(alpha * np.eye(d) + beta * (X.T @ X))
    fit = beta * float(residual @ residual) + alpha * float(m @ m)
    return 0.5 * (
        d * np.log(alpha) + n * np.log(beta) - fit - log_det - n * np.log(2 * np.pi)
    )


@dataclass(frozen=True)
class EvidenceFit:
    """The maximum: alpha, beta, effective parameters γ, log evidence after every step."""

    alpha: float
    beta: float
    gamma: float
    log_evidences: np.ndarray


def maximise_evidence(
    X: object,
    y: object,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    tol: float = 1e-10,
    max_steps: int = 10_000,
) -> EvidenceFit:
    """Find α and β by fixed-point iteration from the given start.

    With the eigenvalues μⱼ of βXᵀX, γ = Σⱼ μⱼ/(α + μⱼ) counts the weights that the data
    determine; then α ← γ/‖m‖² and β ← (n − γ)/‖y − Xm‖².
    """
    X, y = as_design(X, y)
    alpha, beta = positive(alpha, "alpha"), positive(beta, "beta")
    n, d = X.shape
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    projected = U.T @ y
    outside = max(
        float(y @ y - projected @ projected), 0.0
    )  # ‖y‖² off the column space
    if not y.any():
        raise ValueError("y: expected targets that are not all zero")
    history: list[float] = []
    for _ in range(whole(max_steps, "max_steps", at_least=1)):
        mu = beta * s**2
        m = (
            beta * s * projected / (alpha + mu)
        )  # posterior mean along the singular vectors
        error = float(((projected - s * m) ** 2).sum()) + outside
        length = float(m @ m)
        log_det = float(np.log(alpha + mu).sum()) + (d - len(s)) * np.log(alpha)
        history.append(
            0.5
            * (
                d * np.log(alpha)
                + n * np.log(beta)
                - beta * error
                - alpha * length
                - log_det
                - n * np.log(2 * np.pi)
            )
        )
        gamma = float((mu / (alpha + mu)).sum())
        if n - gamma <= 1e-9 * n or error <= 1e-14 * float(y @ y):
            raise ValueError(
                "X, y: expected noise to estimate, got data that the model fits exactly"
            )
        new_alpha, new_beta = gamma / max(length, 1e-300), (n - gamma) / error
        change = max(abs(np.log(new_alpha / alpha)), abs(np.log(new_beta / beta)))
        alpha, beta = new_alpha, new_beta
        if change <= tol:
            return EvidenceFit(alpha, beta, gamma, np.array(history))
        if (
            alpha > 1e14 * beta * float(s[0]) ** 2
        ):  # nothing in X explains y: α runs to infinity
            return EvidenceFit(alpha, beta, gamma, np.array(history))
    raise ValueError(f"max_steps: no convergence in {max_steps} steps")
