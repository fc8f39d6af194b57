"""Many data sets at once: draw them, fit a model to each, predict with all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lib.linear.singular_values import rank_threshold
from lib.validation import as_matrix, as_vector, finite, nonnegative, whole

Basis = Callable[[np.ndarray], np.ndarray]
"""Inputs (n,) to features (n, p)."""

_BLOCK = 4_000_000  # numbers in the features of one block of data sets: about 32 MB


def draw_datasets(
    truth: Callable[[np.ndarray], np.ndarray],
    n: int,
    count: int,
    noise: float,
    rng: np.random.Generator,
    *,
    low: float = 0.0,
    high: float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs and targets of `count` data sets of n samples, both (count, n).

    Inputs are uniform on [low, high], targets truth(x) + ε with ε ~ N(0, noise²).
    """
    n, count = whole(n, "n", at_least=1), whole(count, "count", at_least=1)
    low, high = finite(low, "low"), finite(high, "high")
    if not low < high:
        raise ValueError(f"low: expected a number below high = {high:g}, got {low:g}")
    x = rng.uniform(low, high, (count, n))
    return x, truth(x) + nonnegative(noise, "noise") * rng.standard_normal((count, n))


@dataclass(frozen=True)
class ManyFits:
    """What L fits of one model predict, and how well each fits its own data."""

    predictions: np.ndarray  # (L, m)
    training_error: np.ndarray  # (L,) mean squared error on the training samples
    weight_norm: np.ndarray  # (L,) length of θ


def fit_many(
    basis: Basis, x: object, y: object, x_new: object, lam: float = 0.0
) -> ManyFits:
    """Fit θ to each data set (rows of x and y, (L, n)) and predict at x_new (m,).

    Minimises ‖y − Φθ‖² + λ‖θ‖² with λ = `lam`; for λ = 0 the shortest least-squares solution.
    All data sets of a block go through one stacked singular value decomposition.
    """
    x = as_matrix(x, "x")
    y = as_matrix(y, "y", rows=len(x), columns=x.shape[1])
    lam = nonnegative(lam, "lam")
    Phi_new = as_matrix(basis(as_vector(x_new, "x_new")), "basis(x_new)")
    width = Phi_new.shape[1]
    block = max(1, _BLOCK // (x.shape[1] * width))
    thetas, errors = [], []
    for start in range(0, len(x), block):
        rows = slice(start, start + block)
        Phi = as_matrix(basis(x[rows].ravel()), "basis(x)", columns=width)
        Phi = Phi.reshape(-1, x.shape[1], width)  # (block, n, p)
        theta = _fit_stack(Phi, y[rows], lam)
        residual = y[rows] - np.einsum("lnp,lp->ln", Phi, theta)
        thetas.append(theta)
        errors.append((residual**2).mean(axis=1))
    theta = np.concatenate(thetas)  # (L, p)
    return ManyFits(
        theta @ Phi_new.T, np.concatenate(errors), np.linalg.norm(theta, axis=1)
    )


def _fit_stack(Phi: np.ndarray, y: np.ndarray, lam: float) -> np.ndarray:
    """Return θ (L, p) for features (L, n, p) and targets (L, n)."""
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)  # (L,n,r), (L,r), (L,r,p)
    kept = s > rank_threshold(Phi.shape[1:]) * s[:, :1]
    s = np.where(kept, s, 1.0)
    filters = np.where(kept, s / (s**2 + lam), 0.0)
    projected = np.einsum("lnr,ln->lr", U, y)
    return np.einsum("lrp,lr->lp", Vt, filters * projected)
