"""Exercises of the chapter on automatic differentiation."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("ad-dual-quotient", chapter="automatic_differentiation")
class DualQuotient:
    """Write `dual_quotient(a, da, b, db)`: value and tangent of (a + ȧε)/(b + ḃε), as a tuple."""

    def solution(a, da, b, db):
        return a / b, (da * b - a * db) / b**2

    why = (
        "$\\frac{(a + \\dot a\\varepsilon)(b - \\dot b\\varepsilon)}{(b + \\dot b\\varepsilon)"
        "(b - \\dot b\\varepsilon)} = \\frac{ab + (\\dot ab - a\\dot b)\\varepsilon}{b^2}$, as "
        "$\\varepsilon^2 = 0$ in the numerator and in the denominator."
    )

    def cases(rng):
        yield case(1.0, 1.0, 2.0, 0.0, label="a constant below")
        yield case(3.0, 0.0, 2.0, 1.0, label="a constant above")
        yield case(3.0, 1.0, -2.0, 1.5)
        for _ in range(3):
            a, da, b, db = rng.normal(size=4)
            yield case(float(a), float(da), float(b) + 3.0, float(db))

    hints = (
        "Multiply above and below by $b - \\dot b\\varepsilon$.",
        "The denominator becomes $b^2$: all terms with $\\varepsilon$ cancel or vanish.",
    )

    @wrong(
        "The tangent is not the quotient of the tangents: that rule exists for sums only."
    )
    def parts(a, da, b, db):
        return a / b, da / db if db else da / b

    @wrong("The sign: a growing denominator makes the quotient smaller.")
    def plus(a, da, b, db):
        return a / b, (da * b + a * db) / b**2

    @wrong("You divided by b once; the quotient rule divides by b squared.")
    def once(a, da, b, db):
        return a / b, (da * b - a * db) / b


def _random_tape(rng, inputs, steps):
    slopes = [[] for _ in range(inputs)]
    for k in range(inputs, inputs + steps):
        parents = rng.integers(0, k, size=int(rng.integers(1, 3)))
        slopes.append([(int(i), float(rng.normal())) for i in parents])
    return slopes


@exercise("ad-sweep", chapter="automatic_differentiation")
class Sweep:
    """Write `adjoints(slopes)`: ∂v_N/∂v_i for every i; slopes[k] lists pairs (parent, slope)."""

    def solution(slopes):
        bar = [0.0] * len(slopes)
        bar[-1] = 1.0
        for k in reversed(range(len(slopes))):
            for i, slope in slopes[k]:
                bar[i] += bar[k] * slope
        return bar

    why = (
        "A value comes after all that use it, so its adjoint is complete when it is passed on. "
        "Where two paths meet, their contributions **add**."
    )

    def cases(rng):
        yield case([[], [(0, 2.0)], [(1, 3.0)]], label="a chain")
        yield case([[], [(0, 2.0)], [(0, 3.0), (1, 5.0)]], label="two paths")
        yield case([[], [(0, 1.5), (0, 1.5)]], label="a parent twice")
        for inputs, steps in ((1, 5), (3, 8), (2, 15)):
            yield case(_random_tape(rng, inputs, steps))

    hints = (
        "Start with zeros and a 1 at the end; walk backwards.",
        "bar[i] += bar[k] * slope, for every parent of k.",
    )

    @wrong("A value that is used twice gets two contributions: add, do not overwrite.")
    def overwrite(slopes):
        bar = [0.0] * len(slopes)
        bar[-1] = 1.0
        for k in reversed(range(len(slopes))):
            for i, slope in slopes[k]:
                bar[i] = bar[k] * slope
        return bar

    @wrong(
        "You walk forwards: adjoints are passed on before they are complete. Start at the end."
    )
    def forwards(slopes):
        bar = [0.0] * len(slopes)
        bar[-1] = 1.0
        for k in range(len(slopes)):
            for i, slope in slopes[k]:
                bar[i] += bar[k] * slope
        return bar

    @wrong("Every adjoint starts at 0 but the last one, which is 1.")
    def all_ones(slopes):
        bar = [1.0] * len(slopes)
        for k in reversed(range(len(slopes))):
            for i, slope in slopes[k]:
                bar[i] += bar[k] * slope
        return bar


@exercise("ad-softmax-pullback", chapter="automatic_differentiation")
class SoftmaxPullback:
    """Write `softmax_pullback(p, p_bar)`: the adjoint of z, for p = softmax(z)."""

    def solution(p, p_bar):
        return p * (p_bar - p @ p_bar)

    why = (
        "Push: $\\dot p_i = p_i(\\dot z_i - \\sum_kp_k\\dot z_k)$. Pair with $\\bar p$ and "
        "collect what stands beside $\\dot z_i$: $p_i\\bar p_i - p_i\\sum_kp_k\\bar p_k$. "
        "The Jacobian $\\operatorname{diag}(p) - pp^\\top$ is symmetric, so push and "
        "pull are the same map."
    )

    def cases(rng):
        yield case(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
        yield case(np.array([0.2, 0.3, 0.5]), np.array([2.0, 2.0, 2.0]), label="flat")
        for size in (2, 5, 9):
            z = rng.normal(size=size)
            p = np.exp(z) / np.exp(z).sum()
            yield case(p, rng.normal(size=size))

    hints = (
        "The Jacobian is diag(p) − p pᵀ.",
        "Its product with p_bar needs one inner product and one product entry by entry.",
    )

    @wrong(
        "That treats the softmax as entry by entry. Each output depends on every score."
    )
    def diagonal(p, p_bar):
        return p * (1 - p) * p_bar

    @wrong(
        "You left out the part that the common denominator sends back, $-p\\,(p^\\top\\bar p)$."
    )
    def no_denominator(p, p_bar):
        return p * p_bar

    @wrong(
        "The inner product is subtracted inside the bracket, so p multiplies it too."
    )
    def outside(p, p_bar):
        return p * p_bar - p @ p_bar


@exercise("ad-bilinear-pullback", chapter="automatic_differentiation")
class BilinearPullback:
    """Write `bilinear_pullback(U, M, V, y_bar)`: (Ū, M̄, V̄) for yᵢ = uᵢᵀ M vᵢ, rows uᵢ and vᵢ."""

    def solution(U, M, V, y_bar):
        weighted = y_bar[:, None] * U
        return y_bar[:, None] * (V @ M.T), weighted.T @ V, weighted @ M

    why = (
        "$\\dot y_i = \\dot u_i^\\top Mv_i + u_i^\\top\\dot Mv_i + u_i^\\top M\\dot v_i$. "
        "Pair with $\\bar y$: $\\bar u_i = \\bar y_iMv_i$, "
        "$\\bar M = \\sum_i\\bar y_iu_iv_i^\\top$ "
        "and $\\bar v_i = \\bar y_iM^\\top u_i$. The samples add up in $\\bar M$ only."
    )

    def cases(rng):
        one = np.ones(1)
        yield case(
            np.array([[1.0, 2.0]]), np.eye(2), np.array([[3.0, 4.0]]), one, label="one"
        )
        for n, p, q in ((3, 2, 2), (4, 3, 2), (5, 1, 4), (2, 3, 3)):
            U, M, V = (rng.normal(size=s) for s in ((n, p), (p, q), (n, q)))
            yield case(U, M, V, rng.normal(size=n))

    hints = (
        "Differentiate along a direction: three terms, one for each argument.",
        "$\\bar M = \\sum_i\\bar y_iu_iv_i^\\top$ is one matrix product.",
    )

    @wrong("Each sample has its own weight $\\bar y_i$; you left it out.")
    def unweighted(U, M, V, y_bar):
        return V @ M.T, U.T @ V, U @ M

    @wrong("M belongs to all samples: its gradient is the sum over them, not the mean.")
    def averaged(U, M, V, y_bar):
        weighted = y_bar[:, None] * U
        return y_bar[:, None] * (V @ M.T), weighted.T @ V / len(U), weighted @ M
