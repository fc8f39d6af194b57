"""Sigmoid, softmax and their logarithms, written so that no input overflows.

Infinite scores are welcome where they have a meaning (σ(−∞) = 0; a softmax entry of −∞ is
ruled out); NaN is refused, since it would pass silently into everything that follows.
"""

from __future__ import annotations

import numpy as np

from lib.validation import positive


def _scores(z: object) -> np.ndarray:
    """Return z as floats without NaN."""
    z = np.asarray(z, dtype=float)
    if np.isnan(z).any():
        raise ValueError(f"z: expected numbers, got {int(np.isnan(z).sum())} NaN")
    return z


def _score_vectors(z: object) -> tuple[np.ndarray, np.ndarray]:
    """Return z (…, K) with K ≥ 1 and its maxima along the last axis, kept as (…, 1)."""
    z = _scores(z)
    if z.ndim == 0 or z.shape[-1] == 0:
        raise ValueError(
            f"z: expected scores of at least one class, got shape {z.shape}"
        )
    return z, z.max(axis=-1, keepdims=True)


def sigmoid(z: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + e⁻ᶻ), entry by entry.

    For z < 0 the equal form eᶻ / (1 + eᶻ) is used, so the exponent is never positive.
    """
    z = _scores(z)
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, e) / (1.0 + e)


def log_sigmoid(z: np.ndarray) -> np.ndarray:
    """Return log σ(z) = −log(1 + e⁻ᶻ) = min(z, 0) − log(1 + e^{−|z|}), entry by entry."""
    z = _scores(z)
    return np.minimum(z, 0.0) - np.log1p(np.exp(-np.abs(z)))


def logit(p: np.ndarray) -> np.ndarray:
    """Return the log odds log(p / (1 − p)), the inverse of the sigmoid, for 0 < p < 1."""
    p = np.asarray(p, dtype=float)
    if not ((p > 0) & (p < 1)).all():
        raise ValueError("p: expected probabilities strictly between 0 and 1")
    return np.log(p) - np.log1p(-p)


def logsumexp(z: np.ndarray) -> np.ndarray:
    """Return log Σₖ exp(zₖ) along the last axis of z (…, K).

    Shifting by the maximum m leaves the value unchanged, m + log Σ exp(zₖ − m), and makes
    the largest term exp(0) = 1: the sum neither overflows nor vanishes.
    """
    z, m = _score_vectors(z)
    m = np.where(np.isfinite(m), m, 0.0)  # all −∞: log 0 = −∞; some +∞: +∞
    with np.errstate(divide="ignore", over="ignore"):
        return np.log(np.exp(z - m).sum(axis=-1)) + m[..., 0]


def log_softmax(z: np.ndarray) -> np.ndarray:
    """Return zₖ − log Σⱼ exp(zⱼ) along the last axis of z (…, K)."""
    z, m = _score_vectors(z)
    _require_finite(m)
    shifted = z - m  # so that the subtraction below is between small numbers
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def softmax(z: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Return exp(zₖ/τ) / Σⱼ exp(zⱼ/τ) along the last axis of z (…, K), τ = `temperature`."""
    z, m = _score_vectors(z)
    _require_finite(m)
    tau = positive(temperature, "temperature")
    with np.errstate(over="ignore"):  # a gap over a tiny τ is −∞, and its exponential 0
        e = np.exp((z - m) / tau)
    return e / e.sum(axis=-1, keepdims=True)


def _require_finite(largest: np.ndarray) -> None:
    if not np.isfinite(largest).all():
        odd = largest[~np.isfinite(largest)][0]
        raise ValueError(f"z: expected a finite largest score, got {odd}")
