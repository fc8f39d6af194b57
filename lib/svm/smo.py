"""Sequential minimal optimisation for the dual of the soft-margin support vector machine.

The dual asks for the minimiser over α of

    D(α) = ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ k(xᵢ, xⱼ) − Σᵢ αᵢ   subject to  0 ≤ αᵢ ≤ Cᵢ  and  Σᵢ αᵢ yᵢ = 0.

One multiplier cannot move alone without leaving the line Σ αᵢ yᵢ = 0, so the smallest useful
problem has two, and that one is solved by a formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.kernels import Kernel
from lib.validation import as_matrix, as_signs, as_vector, positive, whole

_FLAT = (
    1e-12  # curvature used along a direction in which the objective is flat or concave
)


@dataclass(frozen=True)
class DualSolution:
    """What SMO found: multipliers (n,), intercept, how far from optimal, how many steps."""

    alpha: np.ndarray
    intercept: float
    violation: float
    iterations: int


class GramRows:
    """Rows of the Gram matrix k(xᵢ, xⱼ), all at once for small n, else one by one as needed.

    SMO visits few rows when few points are support vectors, so most of a large matrix is never
    looked at; a small one is cheapest as a single matrix product.
    """

    ALL_AT_ONCE = 4000  # samples; the matrix then takes 128 MB

    def __init__(self, kernel: Kernel, X: np.ndarray) -> None:
        self.kernel, self.X = kernel, X
        self.diagonal = kernel.diagonal(X)
        small = len(X) <= self.ALL_AT_ONCE
        self._rows = dict(enumerate(kernel(X, X))) if small else {}

    def __getitem__(self, i: int) -> np.ndarray:
        """Return k(xᵢ, ·) over all samples, shape (n,)."""
        row = self._rows.get(i)
        if row is None:
            row = self._rows[i] = self.kernel(self.X, self.X[i : i + 1])[:, 0]
        return row


def _box(C: object, n: int) -> np.ndarray:
    """Return the upper bounds Cᵢ as a vector (n,)."""
    if np.ndim(C) == 0:
        return np.full(n, positive(C, "C"))
    bounds = as_vector(C, "C", length=n)
    if bounds.min() <= 0:
        raise ValueError(f"C: expected bounds > 0, got {bounds.min():g}")
    return bounds


def solve_dual(
    kernel: Kernel,
    X: object,
    y: object,
    C: object = 1.0,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
) -> DualSolution:
    """Minimise the dual for samples X (n, d), labels y (n,) of −1 and +1, and bound C.

    `C` is one bound or one for each sample (n,). `tol` is the largest violation of the
    optimality conditions that is accepted, on the scale of the margin. The working pair is
    chosen by the decrease that a second-order model of the objective promises.
    """
    X, y, C = _checked(X, y, C)
    tol = positive(tol, "tol")
    max_iterations = whole(max_iterations, "max_iterations", at_least=1)

    gram = GramRows(kernel, X)
    alpha = np.zeros(len(X))
    slack = y.copy()  # sᵢ = yᵢ − Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) = −yᵢ ∂D/∂αᵢ
    # A multiplier may move "up" (in the direction that raises yᵢαᵢ) or "down" unless its box
    # stops it. A forbidden move gets −inf, so that argmax never picks it.
    up = np.where(y > 0, 0.0, -np.inf)
    down = np.where(y < 0, 0.0, -np.inf)

    for iteration in range(max_iterations):  # noqa: B007 (the count is part of the answer)
        i = int(np.argmax(slack + up))
        gap = (
            slack[i] - slack + down
        )  # how much each partner violates optimality with i
        violation = float(gap.max())
        if violation <= tol:
            break
        j = _best_partner(gram, i, gap)
        curvature = gram.diagonal[i] + gram.diagonal[j] - 2.0 * gram[i][j]
        # Stay in the box: yᵢαᵢ rises by the step, yⱼαⱼ falls by it.
        step = min(
            gap[j] / max(curvature, _FLAT),
            C[i] - alpha[i] if y[i] > 0 else alpha[i],
            alpha[j] if y[j] > 0 else C[j] - alpha[j],
        )
        for k, move in ((i, y[i] * step), (j, -y[j] * step)):
            # Snapping to the bound keeps "at the bound" an exact statement.
            alpha[k] = _snap(alpha[k] + move, C[k])
            rise, fall = alpha[k] < C[k], alpha[k] > 0
            up[k] = 0.0 if (rise if y[k] > 0 else fall) else -np.inf
            down[k] = 0.0 if (fall if y[k] > 0 else rise) else -np.inf
        slack -= step * (gram[i] - gram[j])
    else:
        raise ValueError(
            f"max_iterations: no convergence to tol={tol:g} in {max_iterations} steps "
            f"(violation {violation:.3g}); scale the features, lower C or raise the limit"
        )
    return DualSolution(
        alpha, _intercept(alpha, slack, C, up, down), violation, iteration
    )


def _checked(
    X: object, y: object, C: object
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return samples (n, d), labels (n,) of both signs and bounds (n,)."""
    X = as_matrix(X, "X")
    y = as_signs(y, "y", length=len(X))
    if y.min() == y.max():
        raise ValueError(f"y: expected both labels -1 and +1, got only {y[0]:+g}")
    return X, y, _box(C, len(X))


def _best_partner(gram: GramRows, i: int, gap: np.ndarray) -> int:
    """Return the j that promises the largest decrease, gap²/(2·curvature), with i."""
    curvature = gram.diagonal[i] + gram.diagonal - 2.0 * gram[i]
    np.maximum(curvature, _FLAT, out=curvature)
    promise = np.maximum(gap, 0.0)
    promise *= promise
    promise /= curvature
    return int(np.argmax(promise))


def _snap(value: float, bound: float) -> float:
    if value <= 1e-12 * bound:
        return 0.0
    return bound if value >= bound * (1.0 - 1e-12) else value


def _intercept(
    alpha: np.ndarray,
    slack: np.ndarray,
    C: np.ndarray,
    up: np.ndarray,
    down: np.ndarray,
) -> float:
    """Return b: on free support vectors yᵢ f(xᵢ) = 1, so the slack there is b itself."""
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(slack[free].mean())
    return float(0.5 * ((slack + up).max() + (slack - down).min()))
