"""The lasso and the elastic net, by coordinate descent.

The objective is

    (1/2n) ‖y − Xθ‖² + λ (s ‖θ‖₁ + (1 − s)/2 ‖θ‖²),

with s = 1 the lasso. Along one coordinate it is a parabola plus an absolute value, whose minimum
is a formula: soft thresholding. Data are not centred here: centre X and y first (or append a
column of ones, which is then penalised too).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lib.validation import as_design, as_vector, between, nonnegative, positive, whole


def soft_threshold(x: np.ndarray, t: float) -> np.ndarray:
    """Return sign(x)·max(|x| − t, 0): the minimiser of ½(θ − x)² + t|θ|, entry by entry."""
    return np.sign(x) * np.maximum(np.abs(x) - t, 0.0)


@dataclass(frozen=True)
class ElasticNet:
    """A fit: weights theta (d,), the duality gap that bounds its error, and sweeps taken."""

    theta: np.ndarray
    gap: float
    sweeps: int


def elastic_net(
    X: object,
    y: object,
    lam: float,
    l1_share: float = 1.0,
    *,
    tol: float = 1e-9,
    start: object | None = None,
    max_sweeps: int = 100_000,
) -> ElasticNet:
    """Minimise the objective above for X (n, d), y (n,), λ = `lam` > 0 and s = `l1_share` > 0.

    Stops when the duality gap, an upper bound on the distance of the objective from its minimum,
    is at most `tol` times the objective at zero. `start` (d,) is a warm start.
    """
    X, y = as_design(X, y)
    lam = positive(lam, "lam")
    l1_share = between(l1_share, "l1_share", 0.0, 1.0)
    if l1_share == 0.0:
        raise ValueError(
            "l1_share: expected a share > 0, got 0; that is ridge regression"
        )
    tol = positive(tol, "tol")
    max_sweeps = whole(max_sweeps, "max_sweeps", at_least=1)
    n, d = X.shape
    theta = np.zeros(d) if start is None else as_vector(start, "start", length=d).copy()
    l1, l2 = lam * l1_share, lam * (1.0 - l1_share)
    # Everything the sweeps need of the data: XᵀX/n and the gradient Xᵀ(y − Xθ)/n.
    gram = X.T @ X / n  # (d, d)
    enough = tol * float(y @ y) / (2 * n)
    sweeps = 0
    while True:
        gradient = X.T @ (y - X @ theta) / n  # anew: updates would collect rounding
        gap = duality_gap(X, y, theta, lam, l1_share)
        if gap <= enough or sweeps >= max_sweeps:
            break
        # One sweep over all coordinates finds the active ones; then sweeps over those alone,
        # until they are ten times nearer to optimal than all coordinates were.
        target = 0.1 * _violation(gradient, theta, l1, l2)
        _sweep(gram, gradient, theta, np.arange(d), l1, l2)
        sweeps += 1
        active = np.flatnonzero(theta)
        while sweeps < max_sweeps:
            _sweep(gram, gradient, theta, active, l1, l2)
            sweeps += 1
            if _violation(gradient[active], theta[active], l1, l2) <= target:
                break
    if gap > enough:
        raise ValueError(
            f"max_sweeps: no convergence in {max_sweeps} sweeps (duality gap {gap:.3g}, "
            f"wanted {enough:.3g}); scale the features, raise lam or max_sweeps"
        )
    return ElasticNet(theta, gap, sweeps)


def _sweep(
    gram: np.ndarray,
    gradient: np.ndarray,
    theta: np.ndarray,
    coordinates: np.ndarray,
    l1: float,
    l2: float,
) -> None:
    """Minimise along each coordinate in turn, updating theta and gradient in place."""
    curvature = gram.diagonal()
    for j in coordinates.tolist():
        a = curvature[j] + l2
        if a <= 0.0:  # a column of zeros: its weight stays zero
            continue
        old = theta[j]
        pull = gradient[j] + curvature[j] * old
        new = (pull - l1) / a if pull > l1 else (pull + l1) / a if pull < -l1 else 0.0
        if new != old:
            theta[j] = new
            gradient -= (new - old) * gram[j]


def duality_gap(
    X: np.ndarray, y: np.ndarray, theta: np.ndarray, lam: float, l1_share: float = 1.0
) -> float:
    """Return primal minus dual objective at theta (d,), at least zero, zero only at the optimum.

    The L2 part is absorbed as extra rows √(nλ(1−s))·I of X with targets 0; the scaled residual
    is then a feasible point of the lasso's dual.
    """
    n = len(y)
    l1, l2 = lam * l1_share, lam * (1.0 - l1_share)
    residual = y - X @ theta
    steepest = float(np.abs(X.T @ residual / n - l2 * theta).max())
    scale = 1.0 if steepest <= l1 else l1 / steepest
    square = float(residual @ residual) + n * l2 * float(theta @ theta)
    primal = square / (2 * n) + l1 * float(np.abs(theta).sum())
    dual = (2.0 * scale * float(y @ residual) - scale**2 * square) / (2 * n)
    return max(primal - dual, 0.0)


def kkt_violation(
    X: object, y: object, theta: object, lam: float, l1_share: float = 1.0
) -> float:
    """Return how far theta (d,) is from satisfying the optimality conditions, at most.

    With g = Xᵀ(y − Xθ)/n − λ(1−s)θ they are: gⱼ = λs·sign(θⱼ) where θⱼ ≠ 0, |gⱼ| ≤ λs elsewhere.
    """
    X, y = as_design(X, y)
    theta = as_vector(theta, "theta", length=X.shape[1])
    l1, l2 = nonnegative(lam, "lam") * l1_share, lam * (1.0 - l1_share)
    return _violation(X.T @ (y - X @ theta) / len(y), theta, l1, l2)


def _violation(gradient: np.ndarray, theta: np.ndarray, l1: float, l2: float) -> float:
    g = gradient - l2 * theta
    on = np.abs(g - l1 * np.sign(theta))
    off = np.maximum(np.abs(g) - l1, 0.0)
    return float(np.where(theta != 0, on, off).max(initial=0.0))


def largest_lambda(X: object, y: object, l1_share: float = 1.0) -> float:
    """Return the smallest λ at which every weight is zero: max |Xᵀy| / (n s)."""
    X, y = as_design(X, y)
    return float(np.abs(X.T @ y).max()) / (len(y) * l1_share)


def lasso_path(
    X: object,
    y: object,
    lams: Iterable[float],
    l1_share: float = 1.0,
    *,
    tol: float = 1e-9,
) -> np.ndarray:
    """Return the weights for each λ, (len(lams), d), each fit started from the one before.

    Give λ from large to small: neighbouring solutions are close, and the early ones sparse.
    """
    thetas, start = [], None
    for lam in lams:
        start = elastic_net(X, y, lam, l1_share, tol=tol, start=start).theta
        thetas.append(start)
    return np.array(thetas)
