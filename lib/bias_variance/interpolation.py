"""Least squares across the interpolation threshold, where double descent can be computed.

Targets are y = xᵀθ + ε with x ~ N(0, I). The model sees only p of the coordinates: the weights it
can reach have squared length `inside`, those it cannot `outside`.
"""

from __future__ import annotations

import numpy as np

from lib.validation import nonnegative, whole


def gaussian_features_risk(
    n: int, p: int, inside: float, outside: float, noise: float
) -> tuple[float, float]:
    """Return the exact bias² and variance of the shortest least-squares fit.

    Their sum plus s = `outside` + `noise` is the expected squared error on a new sample: what the
    model cannot see acts as more noise. For p ≤ n − 2 the bias is zero and the variance
    s·p/(n − p − 1); for p ≥ n + 2 they are inside·(1 − n/p) and s·n/(p − n − 1). Between, at
    |p − n| ≤ 1, the variance is infinite.
    """
    n, p = whole(n, "n", at_least=1), whole(p, "p", at_least=0)
    inside, outside = nonnegative(inside, "inside"), nonnegative(outside, "outside")
    s = outside + nonnegative(noise, "noise")
    bias2 = inside * (1.0 - n / p) if p > n else 0.0
    if p == 0 or s == 0.0:
        return bias2, 0.0
    gap = abs(n - p) - 1
    return bias2, (s * min(n, p) / gap if gap > 0 else np.inf)


def measured_features_risk(
    n: int,
    p: int,
    theta: np.ndarray,
    noise: float,
    count: int,
    rng: np.random.Generator,
    lam: float = 0.0,
) -> np.ndarray:
    """Return the squared error on new samples of `count` fits, (count,), for weights θ (D,).

    Each fit sees n samples and the first p of D coordinates, and is the shortest least-squares
    solution (or ridge with penalty λ = `lam`). x ~ N(0, I) makes the error on new samples
    ‖θ − θ̂‖² + noise exactly, so no test samples are drawn.
    """
    n, p = whole(n, "n", at_least=1), whole(p, "p", at_least=1, at_most=len(theta))
    noise, lam = nonnegative(noise, "noise"), nonnegative(lam, "lam")
    X = rng.standard_normal((count, n, p))
    # The unseen coordinates enter only through a sum, which is normal.
    unseen = float(np.sum(theta[p:] ** 2))
    y = X @ theta[:p] + np.sqrt(unseen + noise) * rng.standard_normal((count, n))
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    coordinates = s / (s**2 + lam) * np.einsum("lnr,ln->lr", U, y)
    fitted = np.einsum("lrp,lr->lp", Vt, coordinates)
    return ((fitted - theta[:p]) ** 2).sum(axis=1) + unseen + noise
