"""The evidence p(y | α, β): the probability of the data under the prior, weights integrated out.

It rewards a good fit and charges for weights that the data had to pin down. Its maximum over
α and β sets the regularisation strength without a validation set: λ = α/β.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.bayes.posterior import prior_precisions
from lib.validation import as_design, positive, whole


class Spectrum:
    """X (n, d) and y (n,) in the directions of X = UΣVᵀ: all that the evidence depends on."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.n, self.d = X.shape
        U, self.s, _ = np.linalg.svd(X, full_matrices=False)
        self.projected = U.T @ y  # (r,)
        off = y - U @ self.projected
        self.outside = float(off @ off)  # ‖y‖² off the column space

    def at(self, alpha: float, beta: float) -> tuple[float, float, float, float]:
        """Return log evidence, γ, ‖m‖² and ‖y − Xm‖² at precisions α and β."""
        mu = beta * self.s * self.s  # eigenvalues of βXᵀX
        m = beta * self.s * self.projected / (alpha + mu)
        left = alpha * self.projected / (alpha + mu)  # Uᵀ(y − Xm), without cancellation
        error, length = float(left @ left) + self.outside, float(m @ m)
        # log det(αI + βXᵀX) − d log α, where zero eigenvalues cancel
        log_det = float(np.log1p(mu / alpha).sum())
        log_evidence = 0.5 * (
            self.n * np.log(beta / (2 * np.pi))
            - beta * error
            - alpha * length
            - log_det
        )
        return float(log_evidence), float((mu / (alpha + mu)).sum()), length, error


def log_evidence(X: object, y: object, alpha: object, beta: float) -> float:
    """Return log p(y | α, β) for X (n, d), y (n,) and α a number or one for each weight (d,).

    ½ [ d log α + n log β − β‖y − Xm‖² − α‖m‖² − log det(αI + βXᵀX) − n log 2π ], where m is the
    posterior mean. Separate precisions are the case α = 1 for columns divided by √αⱼ; an
    infinite αⱼ switches weight j off.
    """
    X, y = as_design(X, y)
    beta = positive(beta, "beta")
    if np.ndim(alpha) == 0:
        return _finite(Spectrum(X, y), positive(alpha, "alpha"), beta)
    alpha = np.asarray(alpha, dtype=float)
    on = ~np.isposinf(alpha)
    if alpha.shape == (X.shape[1],) and not on.any():
        return _finite(Spectrum(np.zeros((len(y), 1)), y), 1.0, beta)
    if alpha.shape == (X.shape[1],):
        X, alpha = X[:, on], alpha[on]
    scaled = X / np.sqrt(prior_precisions(alpha, X.shape[1]))
    return _finite(Spectrum(scaled, y), 1.0, beta)


def _finite(spectrum: Spectrum, alpha: float, beta: float) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        value = spectrum.at(alpha, beta)[0]
    if not np.isfinite(value):
        raise ValueError(
            "X, y: expected β‖X‖²/α and β‖y‖² within the range of a float, got more"
        )
    return value


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
    alpha: float | None = None,
    beta: float | None = None,
    tol: float = 1e-10,
    max_steps: int = 10_000,
) -> EvidenceFit:
    """Find α and β by fixed-point iteration, from a start that suits the scale of the data.

    With the eigenvalues μⱼ of βXᵀX, γ = Σⱼ μⱼ/(α + μⱼ) counts the weights that the data
    determine; then α ← γ/‖m‖² and β ← (n − γ)/‖y − Xm‖². When X explains nothing of y, α runs
    to infinity; the fit then has α = inf and γ = 0.
    """
    X, y = as_design(X, y)
    tol, max_steps = positive(tol, "tol"), whole(max_steps, "max_steps", at_least=1)
    if not y.any() or not X.any():
        raise ValueError("X, y: expected entries that are not all zero")
    a, b = float(np.abs(X).max()), float(np.abs(y).max())
    spectrum = Spectrum(X / a, y / b)  # θ in units of b/a: squares stay in range
    n, total = len(y), float(y / b @ (y / b))
    # The default start splits the variance of y evenly between weights and noise.
    alpha = (
        2 * float(spectrum.s @ spectrum.s) / total
        if alpha is None
        else positive(alpha, "alpha") * (b / a) * (b / a)
    )
    beta = 2 * n / total if beta is None else positive(beta, "beta") * b * b
    history: list[float] = []
    for _ in range(max_steps):
        value, gamma, length, error = spectrum.at(alpha, beta)
        history.append(value - n * np.log(b))
        if n - gamma <= 1e-9 * n or error <= 1e-14 * total:
            raise ValueError(
                "X, y: expected noise to estimate, got data that the model fits exactly"
            )
        new_beta = (n - gamma) / error
        if length == 0 or gamma / length > 1e12 * new_beta * float(spectrum.s[0]) ** 2:
            return _nothing_explained(spectrum, history, n, b)
        new_alpha = gamma / length
        change = max(abs(np.log(new_alpha / alpha)), abs(np.log(new_beta / beta)))
        alpha, beta = new_alpha, new_beta
        if change <= tol:
            value, gamma, _, _ = spectrum.at(alpha, beta)
            history.append(value - n * np.log(b))
            return EvidenceFit(
                float(alpha * (a / b) * (a / b)),
                float(beta / b / b),
                gamma,
                np.array(history),
            )
    raise ValueError(f"max_steps: no convergence in {max_steps} steps")


def _nothing_explained(
    spectrum: Spectrum, history: list[float], n: int, b: float
) -> EvidenceFit:
    """The limit α → ∞: all weights zero, β from the targets alone."""
    total = float(spectrum.projected @ spectrum.projected) + spectrum.outside
    beta = n / total
    history.append(0.5 * n * (np.log(beta / (2 * np.pi)) - 1.0) - n * np.log(b))
    return EvidenceFit(np.inf, float(beta / b / b), 0.0, np.array(history))
