"""Exercises of the chapter on support vector machines and kernels."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("street-width", chapter="support_vectors")
class StreetWidth:
    """Write `street_width(w)`: the distance between the kerbs f(x) = −1 and f(x) = +1."""

    def solution(w):
        return 2.0 / np.sqrt(np.sum(w**2))

    why = (
        "Along the unit normal the kerbs are $\\frac{(1 - b) - (-1 - b)}{\\lVert w\\rVert} "
        "= \\frac{2}{\\lVert w\\rVert}$ apart. The intercept cancels."
    )

    def cases(rng):
        yield case(np.array([2.0, 0.0]))
        yield case(np.array([3.0, 4.0]), label="a normal of length 5")
        for size in (1, 3, 10):
            yield case(rng.normal(size=size))

    hints = (
        "How far is a point with f(x) = 1 from the hyperplane?",
        "Divide by the length of w, then count both sides.",
    )

    @wrong(
        "That is the distance from the boundary to one kerb; the street has two sides."
    )
    def one_side(w):
        return 1.0 / np.sqrt(np.sum(w**2))

    @wrong(
        "You divided by the squared length; a distance divides by the length itself."
    )
    def squared_length(w):
        return 2.0 / np.sum(w**2)

    @wrong("A longer w means a narrower street: divide, do not multiply.")
    def multiplied(w):
        return 2.0 * np.sqrt(np.sum(w**2))


def _labelled(rng, n, d):
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    return rng.normal(size=d), float(rng.normal()), rng.normal(size=(n, d)), y


@exercise("hinge-objective", chapter="support_vectors")
class HingeObjective:
    """Write `hinge_objective(w, b, X, y, C)`: ½‖w‖² + C Σᵢ max(0, 1 − yᵢ(wᵀxᵢ + b)).

    X has shape (n, d), y holds −1 and +1.
    """

    def solution(w, b, X, y, C):
        margins = y * (X @ w + b)
        return 0.5 * w @ w + C * np.sum(np.maximum(0.0, 1.0 - margins))

    why = (
        "`y * (X @ w + b)` holds every $y_i f(x_i)$; a point pays $1 - y_i f(x_i)$ when that is "
        "positive and nothing otherwise."
    )

    def cases(rng):
        yield case(
            np.array([1.0]), 0.0, np.array([[2.0], [0.5]]), np.array([1.0, 1.0]), 1.0
        )
        yield case(
            np.array([1.0]),
            0.0,
            np.array([[-1.0]]),
            np.array([-1.0]),
            3.0,
            label="on the kerb",
        )
        for n, d in ((4, 2), (30, 5)):
            w, b, X, y = _labelled(rng, n, d)
            yield case(w, b, X, y, 0.7)

    hints = (
        "Compute all margins y f(x) at once.",
        "np.maximum(0, 1 - margins) is the slack of every sample.",
    )

    @wrong(
        "You count the points on the street; the hinge adds up how far they miss their kerb."
    )
    def counts(w, b, X, y, C):
        return 0.5 * w @ w + C * np.sum(y * (X @ w + b) < 1)

    @wrong("Points past their kerb get a reward in your loss: take the maximum with 0.")
    def no_maximum(w, b, X, y, C):
        return 0.5 * w @ w + C * np.sum(1.0 - y * (X @ w + b))

    @wrong("Your street has no kerb: the hinge starts at y f(x) = 1, not at 0.")
    def perceptron(w, b, X, y, C):
        return 0.5 * w @ w + C * np.sum(np.maximum(0.0, -y * (X @ w + b)))

    @wrong("The norm is not halved: the objective has ½‖w‖².")
    def whole_norm(w, b, X, y, C):
        return w @ w + C * np.sum(np.maximum(0.0, 1.0 - y * (X @ w + b)))


@exercise("pair-step", chapter="support_vectors")
class PairStep:
    """Write `pair_step(K, y, alpha, C, i, j)`: the multipliers after the best pair move.

    The move raises yᵢαᵢ by t and lowers yⱼαⱼ by t, with t = (sᵢ − sⱼ)/η clipped to the box, where
    s = y − K(α∘y) and η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ. Assume sᵢ > sⱼ, i ∈ Up, j ∈ Down. Return a new array.
    """

    def solution(K, y, alpha, C, i, j):
        s = y - K @ (alpha * y)
        t = (s[i] - s[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        t = min(t, C - alpha[i] if y[i] > 0 else alpha[i])
        t = min(t, alpha[j] if y[j] > 0 else C - alpha[j])
        moved = alpha.copy()
        moved[i] += y[i] * t
        moved[j] -= y[j] * t
        return moved

    why = (
        "Along the move $W$ is the parabola $(s_i - s_j)t - \\frac12\\eta t^2$, with its peak at "
        "$t = (s_i - s_j)/\\eta$. For $y_i = 1$ the multiplier $\\alpha_i$ rises by $t$ and stops "
        "at $C$; for $y_i = -1$ it falls and stops at 0. For $j$ it is the other way round."
    )

    def cases(rng):
        X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
        y = np.array([1.0, -1.0, 1.0])
        yield case(X @ X.T, y, np.zeros(3), 10.0, 0, 1, label="far from the box")
        yield case(X @ X.T, y, np.zeros(3), 0.3, 0, 1, label="stopped by the box")
        found = 0
        while found < 6:
            X, y = rng.normal(size=(6, 3)), np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
            C, half = 0.8, rng.uniform(0, 0.8, size=3)
            alpha = np.concatenate([half, half])  # balanced, inside the box
            s = y - X @ X.T @ (alpha * y)
            i, j = (int(k) for k in rng.choice(6, size=2, replace=False))
            if s[i] > s[j]:
                found += 1
                yield case(X @ X.T, y, alpha, C, i, j)

    hints = (
        "Work out t first, then the two bounds that the box puts on it.",
        "For y = +1 the multiplier of i may rise to C; for y = −1 it may fall to 0.",
        "Copy alpha before you change it.",
    )

    @wrong("Your step ignores the box: t must stop where a multiplier reaches 0 or C.")
    def unclipped(K, y, alpha, C, i, j):
        s = y - K @ (alpha * y)
        t = (s[i] - s[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        moved = alpha.copy()
        moved[i] += y[i] * t
        moved[j] -= y[j] * t
        return moved

    @wrong(
        "Both multipliers rise in your move, so Σ αᵢyᵢ = 0 breaks; mind the labels' signs."
    )
    def no_signs(K, y, alpha, C, i, j):
        s = y - K @ (alpha * y)
        t = (s[i] - s[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        t = min(t, C - alpha[i], C - alpha[j])
        moved = alpha.copy()
        moved[i] += t
        moved[j] += t
        return moved

    @wrong("The curvature is K_ii + K_jj − 2K_ij: you dropped the cross term.")
    def no_cross_term(K, y, alpha, C, i, j):
        s = y - K @ (alpha * y)
        t = (s[i] - s[j]) / (K[i, i] + K[j, j])
        t = min(t, C - alpha[i] if y[i] > 0 else alpha[i])
        t = min(t, alpha[j] if y[j] > 0 else C - alpha[j])
        moved = alpha.copy()
        moved[i] += y[i] * t
        moved[j] -= y[j] * t
        return moved


@exercise("rbf-gram", chapter="support_vectors")
class RbfGram:
    """Write `rbf_gram(A, B, gamma)`: the matrix of exp(−γ‖a − b‖²) for rows a of A, b of B."""

    def solution(A, B, gamma):
        gaps = A[:, None, :] - B[None, :, :]
        return np.exp(-gamma * np.sum(gaps**2, axis=-1))

    why = (
        "`A[:, None, :] - B[None, :, :]` holds all differences, shape (n, m, d); summing the "
        "squares over the last axis leaves the squared distances, shape (n, m)."
    )

    def cases(rng):
        yield case(np.zeros((1, 2)), np.array([[3.0, 4.0]]), 0.1)
        yield case(np.eye(2), np.eye(2), 1.0, label="a point with itself gives 1")
        for n, m, d in ((3, 5, 2), (7, 2, 4)):
            yield case(rng.normal(size=(n, d)), rng.normal(size=(m, d)), 0.4)

    hints = (
        "What shape has the answer for A of shape (n, d) and B of shape (m, d)?",
        "Broadcast: A[:, None, :] - B[None, :, :].",
    )

    @wrong("That is exp(−γ‖a − b‖): the distance in the exponent is squared.")
    def not_squared(A, B, gamma):
        gaps = A[:, None, :] - B[None, :, :]
        return np.exp(-gamma * np.sqrt(np.sum(gaps**2, axis=-1)))

    @wrong(
        "You divide by 2γ², which takes γ for a width; here γ multiplies the squared distance."
    )
    def width(A, B, gamma):
        gaps = A[:, None, :] - B[None, :, :]
        return np.exp(-np.sum(gaps**2, axis=-1) / (2 * gamma**2))

    @wrong("The sign is missing: the kernel falls with distance, it does not grow.")
    def grows(A, B, gamma):
        gaps = A[:, None, :] - B[None, :, :]
        return np.exp(gamma * np.sum(gaps**2, axis=-1))
