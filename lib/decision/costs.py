"""Decisions under a loss matrix: choose the action with the least expected cost."""

from __future__ import annotations

import numpy as np

from lib.validation import as_matrix


def _probabilities(P: object, classes: int | None = None) -> np.ndarray:
    P = as_matrix(P, "P", columns=classes)
    if P.min() < 0 or np.abs(P.sum(axis=1) - 1.0).max() > 1e-6:
        raise ValueError("P: expected probabilities >= 0 whose rows sum to 1")
    return P


def expected_costs(P: object, costs: object) -> np.ndarray:
    """Return the expected cost of every action, (n, A).

    P (n, K) holds class probabilities, costs (K, A) the cost of action a when the class is k:
    R(a | x) = Σₖ P(k | x) · costs[k, a].
    """
    costs = as_matrix(costs, "costs")
    return _probabilities(P, costs.shape[0]) @ costs


def bayes_decisions(P: object, costs: object) -> np.ndarray:
    """Return the action of least expected cost for each row of P (n, K), (n,)."""
    return expected_costs(P, costs).argmin(axis=1)
