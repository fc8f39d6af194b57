"""The two objectives of the soft-margin machine, and how far a solution is from both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.validation import as_signs, as_symmetric, as_vector, finite


def dual_objective(gram: object, y: object, alpha: object) -> float:
    """Return W(α) = Σᵢ αᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ, to be maximised, for a Gram matrix (n, n)."""
    gram = as_symmetric(gram, "gram")
    v = as_signs(y, "y", length=len(gram)) * as_vector(alpha, "alpha", length=len(gram))
    return float(np.sum(alpha) - 0.5 * v @ gram @ v)


def primal_objective(
    gram: object, y: object, alpha: object, intercept: float, C: float | np.ndarray
) -> float:
    """Return P = ½‖w‖² + Σᵢ Cᵢ max(0, 1 − yᵢ f(xᵢ)) for w = Σᵢ αᵢ yᵢ φ(xᵢ)."""
    gram = as_symmetric(gram, "gram")
    y = as_signs(y, "y", length=len(gram))
    v = y * as_vector(alpha, "alpha", length=len(gram))
    margins = y * (gram @ v + finite(intercept, "intercept"))
    return float(0.5 * v @ gram @ v + np.sum(C * np.maximum(0.0, 1.0 - margins)))


@dataclass(frozen=True)
class Optimality:
    """The largest violation of each Karush-Kuhn-Tucker condition."""

    box: float
    balance: float
    margin: float

    @classmethod
    def of(
        cls,
        gram: np.ndarray,
        y: np.ndarray,
        alpha: np.ndarray,
        intercept: float,
        C: float | np.ndarray,
    ) -> Optimality:
        """Measure them: α = 0 asks yf ≥ 1, 0 < α < C asks yf = 1, α = C asks yf ≤ 1."""
        C = np.broadcast_to(np.asarray(C, dtype=float), alpha.shape)
        margins = y * (gram @ (alpha * y) + intercept)
        below, above = np.maximum(1.0 - margins, 0.0), np.maximum(margins - 1.0, 0.0)
        wrong = np.where(alpha < C, below, 0.0) + np.where(alpha > 0, above, 0.0)
        return cls(
            box=float(np.maximum(np.maximum(-alpha, alpha - C), 0.0).max()),
            balance=float(abs(alpha @ y)),
            margin=float(wrong.max()),
        )
