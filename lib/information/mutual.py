"""Mutual information of a joint distribution, given as a table of masses."""

from __future__ import annotations

import math

import numpy as np

from lib.information.measures import entropy, kl_divergence
from lib.validation import as_masses, between


def mutual_information(joint: object) -> float:
    """Return I(X; Y) = KL(p_xy ‖ p_x p_y) for a table (K, L) of masses p(x, y)."""
    joint = _table(joint)
    return kl_divergence(joint, independent(joint))


def conditional_entropy(joint: object) -> float:
    """Return H(Y | X) = H(X, Y) − H(X) for a table (K, L) of masses p(x, y)."""
    joint = _table(joint)
    return max(0.0, entropy(joint) - entropy(joint.sum(axis=1)))


def independent(joint: object) -> np.ndarray:
    """Return the table (K, L) with the same margins in which X and Y are independent."""
    joint = _table(joint)
    return np.outer(joint.sum(axis=1), joint.sum(axis=0)) / joint.sum()


def gaussian_mutual_information(rho: float) -> float:
    """Return I(X; Y) = −½ log(1 − ρ²) of two jointly normal variables with correlation ρ."""
    rho = between(rho, "rho", -1.0, 1.0, inclusive=False)
    return 0.0 - 0.5 * math.log1p(-(rho**2))


def _table(joint: object) -> np.ndarray:
    joint = as_masses(joint, "joint")
    if joint.ndim != 2:
        raise ValueError(f"joint: expected a table of shape (K, L), got {joint.shape}")
    return joint
