"""Fuzzy c-means: every sample belongs to every cluster, to a degree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.kernels import squared_distances
from lib.validation import as_matrix, positive, whole


@dataclass(frozen=True)
class FuzzyClusters:
    """Centres (k, d), memberships (n, k) with rows that sum to one, objective per sweep."""

    centres: np.ndarray
    memberships: np.ndarray
    objectives: np.ndarray


def memberships(squares: np.ndarray, fuzziness: float) -> np.ndarray:
    """Return u_ij = 1 / Σ_l (d_ij² / d_il²)^{1/(m−1)} for squared distances (n, k).

    A sample that sits on a centre belongs to it alone (shared equally between coinciding ones).
    """
    nearest = squares.min(axis=1, keepdims=True)
    on_centre = nearest == 0
    ratio = np.divide(nearest, squares, out=np.zeros_like(squares), where=squares > 0)
    weight = np.where(
        on_centre, (squares == 0).astype(float), ratio ** (1.0 / (fuzziness - 1.0))
    )
    return weight / weight.sum(axis=1, keepdims=True)


def fuzzy_c_means(
    X: object,
    k: int,
    *,
    fuzziness: float = 2.0,
    rng: np.random.Generator,
    max_sweeps: int = 300,
    tol: float = 1e-9,
) -> FuzzyClusters:
    """Minimise Σᵢⱼ u_ijᵐ ‖xᵢ − cⱼ‖² over centres and memberships, m = `fuzziness` > 1.

    Alternates the two closed-form minimisers until the objective falls by less than `tol` times
    its value.
    """
    X = as_matrix(X, "X")
    k = whole(k, "k", at_least=1, at_most=len(X))
    if positive(fuzziness, "fuzziness") <= 1.0:
        raise ValueError(f"fuzziness: expected a number > 1, got {fuzziness:g}")
    u = rng.dirichlet(np.ones(k), size=len(X))
    objectives: list[float] = []
    for _ in range(whole(max_sweeps, "max_sweeps", at_least=1)):
        power = u**fuzziness  # (n, k)
        centres = (power.T @ X) / power.sum(axis=0)[:, None]
        squares = squared_distances(X, centres)
        u = memberships(squares, fuzziness)
        objectives.append(float((u**fuzziness * squares).sum()))
        if (
            len(objectives) > 1
            and objectives[-2] - objectives[-1] <= tol * objectives[-2]
        ):
            break
    return FuzzyClusters(centres, u, np.array(objectives))
