"""The lasso and the elastic net, by coordinate descent.

The objective is

    (1/2n) ‖y − Xθ‖² + λ (s ‖θ‖₁ + (1 − s)/2 ‖θ‖²),

with s = 1 the lasso. Along one coordinate it is a parabola plus an absolute value, whose minimum
is a formula: soft thresholding. Most weights of a sparse fit stay zero, so the sweeps run over a
small working set, which grows until no weight outside it wants to move. Data are not centred
here: centre X and y first (or append a column of ones, which is then penalised too).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lib.validation import (
    as_array,
    as_design,
    as_vector,
    between,
    nonnegative,
    positive,
    whole,
)


def soft_threshold(x: object, t: float) -> np.ndarray:
    """Return sign(x)·max(|x| − t, 0): the minimiser of ½(θ − x)² + t|θ|, entry by entry."""
    x = as_array(x, "x")
    return np.sign(x) * np.maximum(np.abs(x) - nonnegative(t, "t"), 0.0)


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
    problem = _Problem(X, y)
    if start is not None:
        start = as_vector(start, "start", length=X.shape[1])
    return problem.solve(lam, l1_share, tol, start, max_sweeps)


def lasso_path(
    X: object,
    y: object,
    lams: Iterable[float],
    l1_share: float = 1.0,
    *,
    tol: float = 1e-9,
    max_sweeps: int = 100_000,
) -> np.ndarray:
    """Return the weights for each λ, (len(lams), d), each fit started from the one before.

    Give λ from large to small: neighbouring solutions are close, and the early ones sparse.
    """
    X, y = as_design(X, y)
    problem, start, thetas = _Problem(X, y), None, []
    for lam in lams:
        start = problem.solve(lam, l1_share, tol, start, max_sweeps).theta
        thetas.append(start)
    return np.array(thetas).reshape(-1, X.shape[1])


def largest_lambda(X: object, y: object, l1_share: float = 1.0) -> float:
    """Return the smallest λ at which every weight is zero: max |Xᵀy| / (n s)."""
    X, y = as_design(X, y)
    return float(np.abs(X.T @ y).max()) / (len(y) * _share(l1_share))


def duality_gap(
    X: object, y: object, theta: object, lam: float, l1_share: float = 1.0
) -> float:
    """Return primal minus dual objective at theta (d,), at least zero, zero only at the optimum.

    The L2 part is absorbed as extra rows √(nλ(1−s))·I of X with targets 0; the scaled residual
    is then a feasible point of the lasso's dual.
    """
    X, y = as_design(X, y)
    theta = as_vector(theta, "theta", length=X.shape[1])
    l1, l2 = _penalties(lam, l1_share)
    residual = y - X @ theta
    return _gap(y, residual, X.T @ residual / len(y), theta, l1, l2)


def kkt_violation(
    X: object, y: object, theta: object, lam: float, l1_share: float = 1.0
) -> float:
    """Return how far theta (d,) is from satisfying the optimality conditions, at most.

    With g = Xᵀ(y − Xθ)/n − λ(1−s)θ they are: gⱼ = λs·sign(θⱼ) where θⱼ ≠ 0, |gⱼ| ≤ λs elsewhere.
    """
    X, y = as_design(X, y)
    theta = as_vector(theta, "theta", length=X.shape[1])
    l1, l2 = _penalties(lam, l1_share)
    return _violation(X.T @ (y - X @ theta) / len(y), theta, l1, l2)


def _share(l1_share: float) -> float:
    share = between(l1_share, "l1_share", 0.0, 1.0)
    if share == 0.0:
        raise ValueError(
            "l1_share: expected a share > 0, got 0; that is ridge regression"
        )
    return share


def _penalties(lam: float, l1_share: float) -> tuple[float, float]:
    """Return the weight of ‖θ‖₁ and that of ½‖θ‖²."""
    lam, share = positive(lam, "lam"), _share(l1_share)
    return lam * share, lam * (1.0 - share)


class _Problem:
    """X and y in units in which nothing overflows, and what the sweeps need of them.

    Dividing X by a and y by b (powers of two: exact) divides λs by ab, λ(1−s) by a², and
    multiplies θ by a/b.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.a, self.b = _power_of_two(X), _power_of_two(y)
        self.X, self.y = X / self.a, y / self.b
        self._known = np.empty(0, dtype=int)  # columns that were ever in a working set
        self._products = np.empty((0, 0))  # their XᵀX/n

    def solve(
        self,
        lam: float,
        l1_share: float,
        tol: float,
        start: np.ndarray | None,
        max_sweeps: int,
    ) -> ElasticNet:
        """Sweep until the gap is small enough; θ and the gap in the caller's units."""
        l1, l2 = _penalties(lam, l1_share)
        tol = positive(tol, "tol")
        max_sweeps = whole(max_sweeps, "max_sweeps", at_least=1)
        with np.errstate(over="ignore"):
            # A penalty beyond all floats acts like the largest: every weight is zero.
            l1 = min(l1 / self.a / self.b, 1e300)
            l2 = min(l2 / self.a / self.a, 1e300)
        n, d = self.X.shape
        theta = np.zeros(d) if start is None else start / self.b * self.a
        enough = tol * float(self.y @ self.y) / (2 * n)
        sweeps = 0
        while True:
            residual = self.y - self.X @ theta
            # anew each round: updating it for ever would collect rounding
            gradient = self.X.T @ residual / n
            gap = _gap(self.y, residual, gradient, theta, l1, l2)
            if gap <= enough:
                break
            if sweeps >= max_sweeps:
                raise ValueError(
                    f"max_sweeps: no convergence in {max_sweeps} sweeps (gap "
                    f"{gap / enough:.2g} times what tol asks for); scale the features, "
                    "raise lam, tol or max_sweeps"
                )
            chosen = _working_set(gradient, theta, l1, l2)
            sweeps += self._improve(
                chosen, gradient, theta, l1, l2, max_sweeps - sweeps
            )
        with np.errstate(over="ignore"):
            theta = theta * self.b / self.a
        if not np.isfinite(theta).all():
            raise ValueError(
                "X, y: expected weights within the range of a float, got larger ones"
            )
        return ElasticNet(theta, float(gap * self.b * self.b), sweeps)

    def _improve(
        self,
        chosen: np.ndarray,
        gradient: np.ndarray,
        theta: np.ndarray,
        l1: float,
        l2: float,
        max_sweeps: int,
    ) -> int:
        """Sweep over the chosen coordinates, theta in place; return the number of sweeps.

        Until they are a thousand times nearer to optimal than all coordinates were.
        """
        target = 1e-3 * _violation(gradient, theta, l1, l2)
        gram = self._gram(chosen)
        part, pull = theta[chosen], gradient[chosen]
        sweeps = 0
        while sweeps < max_sweeps:
            _sweep(gram, pull, part, l1, l2)
            sweeps += 1
            if _violation(pull, part, l1, l2) <= target:
                break
        theta[chosen] = part
        return sweeps

    def _gram(self, chosen: np.ndarray) -> np.ndarray:
        """Return XᵀX/n of the chosen columns; products once computed are kept."""
        new = np.setdiff1d(chosen, self._known)
        if new.size:
            old, self._known = len(self._known), np.concatenate([self._known, new])
            fresh = self.X[:, self._known].T @ self.X[:, new] / len(self.X)
            products = np.empty((len(self._known),) * 2)
            products[:old, :old] = self._products
            products[:, old:], products[old:, :old] = fresh, fresh[:old].T
            self._products = products
        order = np.argsort(self._known)
        where = order[np.searchsorted(self._known, chosen, sorter=order)]
        return self._products[np.ix_(where, where)]


def _working_set(
    gradient: np.ndarray, theta: np.ndarray, l1: float, l2: float
) -> np.ndarray:
    """Return the coordinates that are on, and of those that should be, the most urgent."""
    urgency = np.where(theta != 0, np.inf, np.abs(gradient - l2 * theta) - l1)
    wanted = int((urgency > 0).sum())
    room = 2 * int((theta != 0).sum()) + 50
    if wanted > room:
        return np.sort(np.argpartition(urgency, -room)[-room:])
    return np.flatnonzero(urgency > 0)


def _power_of_two(values: np.ndarray) -> float:
    """Return a power of two near the largest |value|, 1 for zeros."""
    largest = float(np.abs(values).max())
    return float(2.0 ** np.clip(np.frexp(largest)[1], -1000, 1000)) if largest else 1.0


def _sweep(
    gram: np.ndarray, gradient: np.ndarray, theta: np.ndarray, l1: float, l2: float
) -> None:
    """Minimise along each coordinate in turn, updating theta and gradient in place."""
    curvatures = gram.diagonal().tolist()
    for j, curvature in enumerate(curvatures):
        a = curvature + l2
        if a <= 0.0:  # a column of zeros: its weight stays zero
            continue
        old = theta[j]
        pull = gradient[j] + curvature * old
        new = (pull - l1) / a if pull > l1 else (pull + l1) / a if pull < -l1 else 0.0
        if new != old:
            theta[j] = new
            gradient -= (new - old) * gram[j]


def _gap(
    y: np.ndarray,
    residual: np.ndarray,
    gradient: np.ndarray,
    theta: np.ndarray,
    l1: float,
    l2: float,
) -> float:
    """Primal minus dual objective, from the residual y − Xθ and Xᵀ(y − Xθ)/n."""
    n = len(y)
    steepest = float(np.abs(gradient - l2 * theta).max())
    scale = 1.0 if steepest <= l1 else l1 / steepest
    square = float(residual @ residual) + n * l2 * float(theta @ theta)
    primal = square / (2 * n) + l1 * float(np.abs(theta).sum())
    dual = (2.0 * scale * float(y @ residual) - scale**2 * square) / (2 * n)
    return max(primal - dual, 0.0)


def _violation(gradient: np.ndarray, theta: np.ndarray, l1: float, l2: float) -> float:
    g = gradient - l2 * theta
    on = np.abs(g - l1 * np.sign(theta))
    off = np.maximum(np.abs(g) - l1, 0.0)
    return float(np.where(theta != 0, on, off).max(initial=0.0))
