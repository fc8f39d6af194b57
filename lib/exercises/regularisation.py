"""Exercises of the chapter "Regularisation and Bayesian regression"."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("soft-threshold", chapter="regularisation")
class SoftThreshold:
    """Write `shrink(x, t)`: the minimiser of ½(θ - x)² + t|θ| for every entry of the array x."""

    def solution(x, t):
        return np.sign(x) * np.maximum(np.abs(x) - t, 0.0)

    why = (
        "For $\\theta > 0$ the slope is $\\theta - x + t$, for $\\theta < 0$ it is "
        "$\\theta - x - t$. The first vanishes at $x - t$ if that is positive, the second at "
        "$x + t$ if that is negative. In between, $|x| \\le t$, the kink at zero is the minimum."
    )

    def cases(rng):
        yield case(np.array([3.0, 0.5, -0.2, -2.0]), 1.0)
        yield case(np.array([1.0, -1.0]), 0.0, label="no penalty")
        yield case(np.array([0.7, -0.7]), 0.7, label="exactly at the threshold")
        for _ in range(3):
            yield case(rng.normal(size=6), float(rng.uniform(0.1, 1.5)))

    hints = (
        "Treat x > t, x < -t and the rest separately.",
        "Where |x| ≤ t no sign of θ lowers the objective: the answer there is 0.",
        "sign(x) · max(|x| - t, 0) says all three cases at once.",
    )

    @wrong(
        "You keep large entries as they are: that is hard thresholding. The penalty also "
        "pulls those it does not kill, by t."
    )
    def hard(x, t):
        return np.where(np.abs(x) > t, x, 0.0)

    @wrong("You subtract t from negative entries too: they move away from zero.")
    def one_sided(x, t):
        return np.where(np.abs(x) > t, x - t, 0.0)

    @wrong("Entries smaller than t change their sign: stop at zero.")
    def overshoots(x, t):
        return x - t * np.sign(x)

    @wrong(
        "That is the answer for the penalty ½tθ²: it divides and never reaches zero."
    )
    def divides(x, t):
        return x / (1.0 + t)


@exercise("ridge-free-intercept", chapter="regularisation")
class RidgeFreeIntercept:
    """Write `ridge_fit(X, y, lam)`: ridge weights with an intercept that is not penalised, as one
    array (intercept, w_1, …, w_d)."""

    def solution(X, y, lam):
        center, middle = X.mean(axis=0), y.mean()
        Z = X - center
        w = np.linalg.solve(Z.T @ Z + lam * np.eye(X.shape[1]), Z.T @ (y - middle))
        return np.concatenate([[middle - center @ w], w])

    why = (
        "For any $w$ the best intercept is $\\bar y - \\bar x^\\top w$: only the residual "
        "depends on it. Put in, the objective is ridge on centred columns and targets."
    )

    def cases(rng):
        x = np.array([[0.0], [1.0], [2.0]])
        yield case(x, np.array([11.0, 12.0, 13.0]), 2.0, label="far from the origin")
        yield case(x - 1.0, np.array([1.0, 0.0, 5.0]), 0.5, label="centred feature")
        for n, d in ((6, 2), (12, 4), (3, 5)):
            X = rng.normal(size=(n, d)) + rng.normal(size=d)
            yield case(X, rng.normal(size=n) + 3.0, float(rng.uniform(0.2, 3.0)))

    hints = (
        "Fix w. Which intercept is best?",
        "ȳ - x̄ᵀw. What is left of the objective when you put it in?",
        "Centre X and y, solve ridge without an intercept, and add it afterwards.",
    )

    @wrong("You penalise the intercept too: the first entry of the penalty must be 0.")
    def all_penalised(X, y, lam):
        A = np.column_stack([np.ones(len(X)), X])
        return np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ y)

    @wrong("You centred y, but the columns of X have means as well.")
    def only_y(X, y, lam):
        w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ (y - y.mean()))
        return np.concatenate([[y.mean()], w])

    @wrong("The slopes are right; the intercept is ȳ - x̄ᵀw, not ȳ.")
    def mean_only(X, y, lam):
        Z = X - X.mean(axis=0)
        w = np.linalg.solve(Z.T @ Z + lam * np.eye(X.shape[1]), Z.T @ (y - y.mean()))
        return np.concatenate([[y.mean()], w])

    @wrong("Your λ is n times too strong: the misfit is a sum here, not a mean.")
    def of_the_mean(X, y, lam):
        Z, n = X - X.mean(axis=0), len(y)
        w = np.linalg.solve(
            Z.T @ Z + n * lam * np.eye(X.shape[1]), Z.T @ (y - y.mean())
        )
        return np.concatenate([[y.mean() - X.mean(axis=0) @ w], w])


@exercise("effective-number", chapter="regularisation")
class EffectiveNumber:
    """Write `gamma(X, lam)`: the effective number of parameters of ridge regression."""

    def solution(X, lam):
        s = np.linalg.svd(X, compute_uv=False)
        return np.sum(s**2 / (s**2 + lam))

    why = (
        "The fit is $H_\\lambda y$ with eigenvalues $\\sigma_j^2/(\\sigma_j^2 + \\lambda)$. "
        "Their sum, the trace, counts each direction by the share that it keeps."
    )

    def cases(rng):
        yield case(np.diag([3.0, 1.0]), 1.0, label="singular values 3 and 1")
        yield case(np.ones((4, 2)), 2.0, label="two equal columns")
        for n, d in ((8, 3), (4, 6), (20, 5)):
            yield case(rng.normal(size=(n, d)), float(rng.uniform(0.2, 5.0)))

    hints = (
        "How much of each singular direction does ridge keep?",
        "The share is σ²/(σ² + λ), with the singular values of X.",
        "Or take the trace of X (XᵀX + λI)⁻¹ Xᵀ.",
    )

    @wrong("You used σ/(σ + λ); the shares have squares: σ²/(σ² + λ).")
    def without_squares(X, lam):
        s = np.linalg.svd(X, compute_uv=False)
        return np.sum(s / (s + lam))

    @wrong("That is the rank: ridge keeps only a share of each direction.")
    def rank(X, lam):
        return float(np.linalg.matrix_rank(X))

    @wrong("You added λ/(σ² + λ), the shares that are lost.")
    def lost(X, lam):
        s = np.linalg.svd(X, compute_uv=False)
        return np.sum(lam / (s**2 + lam))

    @wrong(
        "You squared the shares: that is the trace of HᵀH, not of H, and counts too little."
    )
    def squared_shares(X, lam):
        s = np.linalg.svd(X, compute_uv=False)
        return np.sum((s**2 / (s**2 + lam)) ** 2)


@exercise("predictive-moments", chapter="regularisation")
class PredictiveMoments:
    """Write `predictive(X, y, alpha, beta, x)`: mean and variance of a new target at x, as one
    array, for the prior N(0, I/alpha) and noise of precision beta."""

    def solution(X, y, alpha, beta, x):
        S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
        m = beta * S @ X.T @ y
        return np.array([m @ x, 1 / beta + x @ S @ x])

    why = (
        "The posterior has precision $\\alpha I + \\beta X^\\top X$ and mean "
        "$\\beta SX^\\top y$. A new target is $x^\\top\\theta$ plus noise, both Gaussian and "
        "independent, so the variances $x^\\top Sx$ and $1/\\beta$ add."
    )

    def cases(rng):
        one = np.array([[1.0]])
        yield case(one, np.array([2.0]), 1.0, 1.0, np.array([1.0]), label="one point")
        yield case(one, np.array([2.0]), 1.0, 4.0, np.array([0.0]), label="x = 0")
        for n, d in ((5, 2), (2, 4), (12, 3)):
            X, y = rng.normal(size=(n, d)), rng.normal(size=n)
            alpha, beta = rng.uniform(0.3, 4.0, size=2)
            yield case(X, y, float(alpha), float(beta), rng.normal(size=d))

    hints = (
        "First the posterior: its inverse covariance is αI + βXᵀX.",
        "The mean of the weights is β S Xᵀy, with S and not without.",
        "The variance of xᵀθ is xᵀSx; the new target has noise of its own on top.",
    )

    @wrong("The noise of the new target is missing: add 1/beta to the variance.")
    def no_noise(X, y, alpha, beta, x):
        S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
        return np.array([beta * x @ S @ X.T @ y, x @ S @ x])

    @wrong("Your mean lacks S: β Xᵀy is S⁻¹m, not m. (The notes slip here too.)")
    def printed_mean(X, y, alpha, beta, x):
        S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
        return np.array([beta * x @ X.T @ y, 1 / beta + x @ S @ x])

    @wrong("beta is a precision: the variance of the noise is 1/beta.")
    def precision_as_variance(X, y, alpha, beta, x):
        S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
        return np.array([beta * x @ S @ X.T @ y, beta + x @ S @ x])

    @wrong("You return a standard deviation; the variance is its square.")
    def deviation(X, y, alpha, beta, x):
        S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
        return np.array([beta * x @ S @ X.T @ y, np.sqrt(1 / beta + x @ S @ x)])
