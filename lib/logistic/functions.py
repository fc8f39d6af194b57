"""Sigmoid, softmax and their logarithms, written so that no input overflows."""

from __future__ import annotations

import numpy as np

from lib.validation import positive


def sigmoid(z: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + e⁻ᶻ), entry by entry.

    For z < 0 the equal form eᶻ / (1 + eᶻ) is used, so the exponent is never positive.
    """
    z = np.asarray(z, dtype=float)
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, e) / (1.0 + e)


def log_sigmoid(z: np.ndarray) -> np.ndarray:
    """Return log σ(z) = −log(1 + e⁻ᶻ) = min(z, 0) − log(1 + e⁻ᶻ with |z|)."""
    z = np.asarray(z, dtype=float)
    return np.minimum(z, 0.0) - np.log1p(np.exp(-np.abs(z)))


def logit(p: np.ndarray) -> np.ndarray:
    """Return the log odds log(p / (1 − p)), the inverse of the sigmoid, for 0 < p < 1."""
    p = np.asarray(p, dtype=float)
    if not ((p > 0) & (p < 1)).all():
        raise ValueError("p: expected probabilities strictly between 0 and 1")
    return np.log(p) - np.log1p(-p)


def logsumexp(z: np.ndarray) -> np.ndarray:
    """Return log Σₖ exp(zₖ) along the last axis of z (…, K).

    Shifting by the maximum m leaves the value unchanged, m + log Σ exp(zₖ − m), and makes the
    largest term exp(0) = 1: the sum neither overflows nor vanishes.
    """
    z = np.asarray(z, dtype=float)
    m = z.max(axis=-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0.0)  # all −inf: log 0, not NaN
    with np.errstate(divide="ignore"):
        return np.log(np.exp(z - m).sum(axis=-1)) + m[..., 0]


def log_softmax(z: np.ndarray) -> np.ndarray:
    """Return zₖ − log Σⱼ exp(zⱼ) along the last axis of z (…, K)."""
    z = np.asarray(z, dtype=float)
    return z - logsumexp(z)[..., None]


def softmax(z: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Return exp(zₖ/τ) / Σⱼ exp(zⱼ/τ) along the last axis of z (…, K), τ = `temperature`."""
    z = np.asarray(z, dtype=float) / positive(temperature, "temperature")
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
