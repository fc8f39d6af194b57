"""Exercises of the chapter on tensors, gradients and Jacobians."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("batched-layer", chapter="tensors_gradients")
class BatchedLayer:
    """Write `layer(X, W, b)`: W x + b for every row x of X, shape (n, out).

    X has shape (n, in), W (out, in), b (out,).
    """

    def solution(X, W, b):
        return X @ W.T + b

    why = "Row $i$ of $XW^\\top$ is $(Wx_i)^\\top$, and $b$ of shape (out,) is added to every row."

    def cases(rng):
        yield case(
            np.array([[1.0, 2.0]]),
            np.array([[3.0, 4.0], [5.0, 6.0]]),
            np.array([0.5, -0.5]),
        )
        yield case(
            np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2), label="no bias"
        )
        for n, d, m in ((4, 3, 2), (3, 3, 3), (6, 2, 5)):
            yield case(
                rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=m)
            )

    hints = (
        "Which product turns (n, in) and (out, in) into (n, out)?",
        "Transpose W; the bias then broadcasts over the rows.",
    )

    @wrong("Your result is (out, n): samples are rows, so transpose it.")
    def columns(X, W, b):
        return W @ X.T + b[:, None]

    @wrong("The bias is missing.")
    def no_bias(X, W, b):
        return X @ W.T

    @wrong(
        "You used W as (in, out): for a square W the shapes fit, but it must be transposed."
    )
    def not_transposed(X, W, b):
        return X @ W + b if W.shape[0] == W.shape[1] else X @ W.T + b


@exercise("quadratic-gradient", chapter="tensors_gradients")
class QuadraticGradient:
    """Write `quadratic_gradient(A, b, x)`: the gradient of ½ xᵀAx − bᵀx; A may be any square."""

    def solution(A, b, x):
        return 0.5 * (A + A.T) @ x - b

    why = "The linear part of $\\frac12(x+h)^\\top A(x+h)$ is $\\frac12h^\\top(A + A^\\top)x$."

    def cases(rng):
        yield case(
            np.array([[0.0, 2.0], [0.0, 0.0]]), np.zeros(2), np.array([1.0, 3.0])
        )
        yield case(np.eye(2), np.array([1.0, 2.0]), np.zeros(2), label="at zero")
        for d in (1, 3, 5):
            yield case(rng.normal(size=(d, d)), rng.normal(size=d), rng.normal(size=d))

    hints = (
        "Write down the part of f(x + h) that is linear in h.",
        "hᵀAx and xᵀAh are both there, and they differ unless A is symmetric.",
    )

    @wrong("That is right only for a symmetric A: average A and its transpose.")
    def symmetric_only(A, b, x):
        return A @ x - b

    @wrong(
        "The factor ½ is lost: the two halves of the quadratic part add up to (A + Aᵀ)x/2."
    )
    def doubled(A, b, x):
        return (A + A.T) @ x - b

    @wrong("The sign of b is wrong: −bᵀx has gradient −b.")
    def plus_b(A, b, x):
        return 0.5 * (A + A.T) @ x + b


@exercise("softmax-jacobian", chapter="tensors_gradients")
class SoftmaxJacobian:
    """Write `softmax_jacobian(z)`: the matrix ∂pᵢ/∂zⱼ of softmax at z (K,)."""

    def solution(z):
        e = np.exp(z - np.max(z))
        p = e / np.sum(e)
        return np.diag(p) - np.outer(p, p)

    why = (
        "From $\\log p_i = z_i - \\log\\sum_k e^{z_k}$ follows $\\partial p_i/\\partial z_j = "
        "p_i(\\delta_{ij} - p_j)$."
    )

    def cases(rng):
        yield case(np.zeros(2))
        yield case(np.array([1000.0, 1000.0]), label="large inputs")
        for K in (2, 3, 6):
            yield case(rng.normal(size=K))

    hints = (
        "Differentiate the logarithm of p first.",
        "∂pᵢ/∂zⱼ = pᵢ (1 if i = j else 0) − pᵢ pⱼ.",
        "Subtract the largest entry before exponentiating.",
    )

    @wrong(
        "Only the diagonal is there; raising one logit lowers all the other probabilities."
    )
    def diagonal(z):
        e = np.exp(z - np.max(z))
        p = e / np.sum(e)
        return np.diag(p * (1 - p))

    @wrong("You treat the denominator as constant: the −p pᵀ part is missing.")
    def constant_denominator(z):
        e = np.exp(z - np.max(z))
        return np.diag(e / np.sum(e))

    @wrong("This overflows for large inputs: subtract the largest entry first.")
    def overflow(z):
        with np.errstate(all="ignore"):
            p = np.exp(z) / np.sum(np.exp(z))
            return np.diag(p) - np.outer(p, p)


def _functions():
    return {
        "a square": lambda v: v @ v,
        "a product": lambda v: v[0] * v[1] + np.sin(v[0]),
        "an exponential": lambda v: np.exp(0.3 * np.sum(v)) + v[-1] ** 3,
    }


@exercise("central-gradient", chapter="tensors_gradients")
class CentralGradient:
    """Write `central_gradient(f, x, h)`: (f(x + h eᵢ) − f(x − h eᵢ)) / 2h for every entry."""

    tol = 1e-6

    def solution(f, x, h):
        g = np.empty(len(x))
        for i in range(len(x)):
            e = np.zeros(len(x))
            e[i] = h
            g[i] = (f(x + e) - f(x - e)) / (2 * h)
        return g

    why = "One entry moves at a time; `x + e` makes a new array, so $x$ itself stays as it was."

    def cases(rng):
        for name, f in _functions().items():
            yield case(f, np.array([0.5, -1.0]), 1e-2, label=name)
        for f in _functions().values():
            yield case(f, rng.normal(size=3), 1e-2)

    hints = (
        "Loop over the entries and move one at a time, both ways.",
        "The two points are 2h apart.",
    )

    @wrong("That is a forward difference; its error is of order h, not h².")
    def forward(f, x, h):
        return np.array([(f(x + h * e) - f(x)) / h for e in np.eye(len(x))])

    @wrong("The two points are 2h apart: divide by 2h.")
    def half(f, x, h):
        return np.array([(f(x + h * e) - f(x - h * e)) / h for e in np.eye(len(x))])

    @wrong(
        "You moved all entries at once: that is one directional derivative, not a gradient."
    )
    def all_at_once(f, x, h):
        return np.full(len(x), (f(x + h) - f(x - h)) / (2 * h))
