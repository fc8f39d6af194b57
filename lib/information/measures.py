"""Entropy, cross-entropy and divergence of finite distributions.

A distribution is an array of masses of any shape: a joint distribution may keep its shape. All
results are in nats; `to_bits` converts.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import xlogy

from lib.validation import as_array, as_masses, between


def surprise(p: object) -> np.ndarray:
    """Return −log p for probabilities p of any shape; +∞ where p = 0."""
    p = as_array(p, "p")
    if p.min() < 0 or p.max() > 1:
        raise ValueError(
            f"p: expected probabilities in [0, 1], got {p.min():g} to {p.max():g}"
        )
    with np.errstate(divide="ignore"):
        return 0.0 - np.log(
            p
        )  # not -log: the surprise of the certain event is 0, not -0


def entropy(p: object) -> float:
    """Return H(p) = −Σ p log p, with 0 log 0 = 0."""
    p = as_masses(p, "p")
    return float(0.0 - xlogy(p, p).sum())


def cross_entropy(p: object, q: object) -> float:
    """Return H(p, q) = −Σ p log q; +∞ when q rules out what p allows."""
    p, q = _pair(p, q)
    if np.any((q == 0) & (p > 0)):
        return math.inf
    return float(0.0 - xlogy(p, np.where(q > 0, q, 1.0)).sum())


def kl_divergence(p: object, q: object) -> float:
    """Return KL(p‖q) = Σ p log(p/q) ≥ 0; +∞ when q rules out what p allows.

    Summed from the ratios, not as H(p, q) − H(p), which cancels when p and q are close.
    """
    p, q = _pair(p, q)
    if np.any((q == 0) & (p > 0)):
        return math.inf
    here = p > 0
    return max(0.0, float(p[here] @ (np.log(p[here]) - np.log(q[here]))))


def binary_entropy(p: float) -> float:
    """Return the entropy of one trial with probability p."""
    p = between(p, "p", 0.0, 1.0)
    return entropy([p, 1 - p])


def to_bits(nats: object) -> np.ndarray:
    """Return information in bits: one bit is log 2 nats."""
    return np.asarray(nats) / math.log(2)


def _pair(p: object, q: object) -> tuple[np.ndarray, np.ndarray]:
    p, q = as_masses(p, "p"), as_masses(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"q: expected the shape of p, {p.shape}, got {q.shape}")
    return p, q
