"""Exercises of the chapter "Linear regression"."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("fit-plane", chapter="linear_regression")
class FitPlane:
    """Write `fit_plane(X, y)`: the least-squares intercept and slopes, intercept first, for raw
    features X (n, d) without a column of ones; the shortest solution when there are several."""

    def solution(X, y):
        design = np.column_stack([np.ones(len(X)), X])
        return np.linalg.pinv(design) @ y

    why = (
        "A column of ones turns the intercept into one more weight. The pseudo-inverse solves "
        "$X^\\top X\\theta = X^\\top y$ whether or not the columns are independent, and picks the "
        "shortest solution when they are not."
    )

    def cases(rng):
        yield case(
            np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 3.0, 5.0]), label="a line"
        )
        yield case(np.array([[1.0], [2.0], [4.0]]), np.array([1.0, 1.0, 4.0]))
        x = np.array([0.0, 1.0, 2.0, 4.0])
        yield case(np.column_stack([x, 2 * x]), x + 1.0, label="collinear features")
        for n, d in ((6, 2), (20, 3), (9, 5)):
            yield case(rng.normal(size=(n, d)), rng.normal(size=n))

    hints = (
        "Which column makes the intercept a weight like the others?",
        "np.column_stack([np.ones(n), X]) is the design matrix.",
        "Collinear features: XᵀX has no inverse, but np.linalg.pinv and lstsq do not mind.",
    )

    @wrong("There is no intercept: every plane of yours passes through the origin.")
    def no_intercept(X, y):
        return np.linalg.pinv(X) @ y

    @wrong("The intercept is wanted first; you return it last.")
    def intercept_last(X, y):
        return np.linalg.pinv(np.column_stack([X, np.ones(len(X))])) @ y

    @wrong("Right for independent columns; for collinear features XᵀX has no inverse.")
    def inverse_of_gram(X, y):
        design = np.column_stack([np.ones(len(X)), X])
        try:
            return np.linalg.inv(design.T @ design) @ design.T @ y
        except np.linalg.LinAlgError:
            return np.full(design.shape[1], np.nan)


@exercise("mse-gradient", chapter="linear_regression")
class MseGradient:
    """Write `mse_gradient(X, y, theta)`: the gradient of the mean squared error, shape (p,)."""

    def solution(X, y, theta):
        return 2 / len(y) * X.T @ (X @ theta - y)

    why = (
        "$\\frac1n\\lVert y - X\\theta\\rVert^2$ is a sum of squares; the chain rule brings "
        "down the 2 and, from inside, $-X^\\top$. Multiplying $X\\theta$ first keeps the "
        "cost at $2np$."
    )

    def cases(rng):
        yield case(
            np.array([[1.0, 2.0]]),
            np.array([3.0]),
            np.array([0.0, 0.0]),
            label="one sample",
        )
        yield case(np.eye(3), np.array([1.0, 2.0, 3.0]), np.zeros(3))
        for n, p in ((4, 2), (30, 3), (7, 6)):
            yield case(rng.normal(size=(n, p)), rng.normal(size=n), rng.normal(size=p))

    hints = (
        "Write the loss as a sum and differentiate one term with respect to θ_j.",
        "One term gives 2 (x_iᵀθ - y_i) x_ij; the mean divides the sum by n.",
        "All j at once: X.T @ (X @ theta - y), times 2/n.",
    )

    @wrong(
        "The factor is missing: differentiating a square gives 2, and the mean divides by n."
    )
    def no_factor(X, y, theta):
        return X.T @ (X @ theta - y)

    @wrong("The sign is wrong: this points downhill, and a gradient points uphill.")
    def downhill(X, y, theta):
        return 2 / len(y) * X.T @ (y - X @ theta)

    @wrong("That is the gradient of the sum; the mean divides by n.")
    def of_the_sum(X, y, theta):
        return 2 * X.T @ (X @ theta - y)

    @wrong("The 2 from differentiating the square is missing.")
    def without_two(X, y, theta):
        return X.T @ (X @ theta - y) / len(y)


@exercise("noise-variance", chapter="linear_regression")
class NoiseVariance:
    """Write `noise_variance(X, y)`: the unbiased estimate of σ² from a least-squares fit."""

    def solution(X, y):
        theta = np.linalg.lstsq(X, y, rcond=None)[0]
        n, p = X.shape
        return np.sum((y - X @ theta) ** 2) / (n - p)

    why = (
        "The residual is $(I - H)\\varepsilon$, so its expected squared length is "
        "$\\sigma^2\\operatorname{tr}(I - H) = \\sigma^2(n - p)$: $p$ of the $n$ dimensions "
        "were used up by the fit."
    )

    def cases(rng):
        ones = np.ones((4, 1))
        yield case(ones, np.array([1.0, 2.0, 3.0, 6.0]), label="only a constant")
        x = np.arange(5.0)
        yield case(
            np.column_stack([np.ones(5), x]), np.array([0.0, 1.0, 1.0, 4.0, 3.0])
        )
        for n, p in ((6, 3), (40, 4), (5, 4)):
            yield case(rng.normal(size=(n, p)), rng.normal(size=n))

    hints = (
        "Fit first; the noise shows in what is left over.",
        "On average the residual sum of squares is (n - p) σ².",
        "p counts all columns of X, the ones included.",
    )

    @wrong(
        "You divide by n: that is the maximum-likelihood estimate, too small on average."
    )
    def maximum_likelihood(X, y):
        theta = np.linalg.lstsq(X, y, rcond=None)[0]
        return np.mean((y - X @ theta) ** 2)

    @wrong("You divide by n - 1; the fit has used up p dimensions, not one.")
    def one_dimension(X, y):
        theta = np.linalg.lstsq(X, y, rcond=None)[0]
        return np.sum((y - X @ theta) ** 2) / (len(y) - 1)

    @wrong("That is the standard deviation; the variance is its square.")
    def root(X, y):
        theta = np.linalg.lstsq(X, y, rcond=None)[0]
        return np.sqrt(np.sum((y - X @ theta) ** 2) / (X.shape[0] - X.shape[1]))


@exercise("r2-anywhere", chapter="linear_regression")
class RSquaredAnywhere:
    """Write `r2(y, predictions)`: one minus residual over total sum of squares."""

    def solution(y, predictions):
        return 1 - np.sum((y - predictions) ** 2) / np.sum((y - np.mean(y)) ** 2)

    why = (
        "Measured against predicting the mean of the sample at hand: 1 is perfect, 0 is no "
        "better, negative is worse. The other definitions agree with it only on the "
        "sample of the fit."
    )

    def cases(rng):
        y = np.array([1.0, 2.0, 3.0])
        yield case(y, y + 1.0, label="a constant offset")
        yield case(y, np.array([2.0, 2.0, 2.0]), label="predicting the mean")
        yield case(y, np.array([3.0, 2.0, 1.0]), label="the wrong way round")
        for n in (4, 12, 50):
            yield case(rng.normal(size=n), rng.normal(size=n))

    hints = (
        "Compare the squared error with that of a model that always predicts the mean.",
        "It can be negative.",
        "1 - RSS / TSS, with the mean of y, not of the predictions.",
    )

    @wrong(
        "That is the explained over the total sum of squares; on new data it can exceed 1."
    )
    def explained(y, predictions):
        return np.sum((predictions - np.mean(y)) ** 2) / np.sum((y - np.mean(y)) ** 2)

    @wrong(
        "A squared correlation does not see an offset or a wrong scale, and is never negative."
    )
    def correlation(y, predictions):
        if np.ptp(predictions) == 0:
            return 0.0
        return np.corrcoef(y, predictions)[0, 1] ** 2

    @wrong(
        "The variance of the residuals ignores a constant offset; take their sum of squares."
    )
    def variances(y, predictions):
        return 1 - np.var(y - predictions) / np.var(y)


@exercise("huber-weights", chapter="linear_regression")
class HuberWeights:
    """Write `huber_weights(r, delta)`: slope of the Huber loss over the residual, 1 at zero."""

    def solution(r, delta):
        return delta / np.maximum(np.abs(r), delta)

    why = (
        "Inside $\\pm\\delta$ the slope is $r$ itself, so the weight is 1. Outside it is "
        "$\\delta\\operatorname{sign}(r)$, so the weight is $\\delta/|r|$. The maximum joins the "
        "two and never divides by zero."
    )

    def cases(rng):
        yield case(np.array([0.0, 0.5, -2.0, 4.0]), 1.0)
        yield case(np.array([0.0, 0.0]), 2.0, label="residuals of zero")
        yield case(np.array([-3.0, 3.0, 1.5]), 1.5, label="both signs, and the border")
        for n, delta in ((6, 0.3), (20, 1.345), (9, 4.0)):
            yield case(rng.normal(0, 2, size=n), delta)

    hints = (
        "What is the slope of ½r², divided by r?",
        "Outside, the slope is ±δ; divided by r that is δ/|r|.",
        "np.maximum(np.abs(r), delta) is a denominator that works for both, and for r = 0.",
    )

    @wrong("A weight cannot be negative: divide by |r|, not by r.")
    def signed(r, delta):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.abs(r) <= delta, 1.0, delta / r)

    @wrong("Those are the slopes of the loss; divide them by the residuals.")
    def slopes(r, delta):
        return np.clip(r, -delta, delta)

    @wrong("Outside ±δ the weight is δ/|r|, not 1/|r|.")
    def without_delta(r, delta):
        return np.where(np.abs(r) <= delta, 1.0, 1.0 / np.maximum(np.abs(r), 1e-300))

    @wrong("Huber does not drop a sample beyond δ; it gives it the weight δ/|r|.")
    def trimmed(r, delta):
        return np.where(np.abs(r) <= delta, 1.0, 0.0)


@exercise("largest-step", chapter="linear_regression")
class LargestStep:
    """Rows (1, 1), (1, -1), (1, 2), (1, -2): below which η does descent on the MSE converge?"""

    def solution():
        X = np.array([[1.0, 1.0], [1.0, -1.0], [1.0, 2.0], [1.0, -2.0]])
        hessian = 2 / len(X) * X.T @ X  # diag(2, 5)
        return 2 / np.linalg.eigvalsh(hessian)[-1]

    why = (
        "The columns are perpendicular: $X^\\top X = \\operatorname{diag}(4, 10)$. The Hessian is "
        "$\\frac24$ of it, $\\operatorname{diag}(2, 5)$, and the limit is "
        "$2/\\lambda_{\\max} = 2/5$."
    )

    tol = 0.001

    hints = (
        "Work out XᵀX first; the columns are perpendicular.",
        "The Hessian of the mean squared error is (2/n) XᵀX.",
        "The limit is two over the largest eigenvalue of the Hessian.",
    )

    @wrong(
        "Is that 2/λ_max of XᵀX, or 1/λ_max of the Hessian? It is 2/λ_max of the Hessian."
    )
    def of_the_gram():
        return 0.2

    @wrong("That uses the smallest eigenvalue; the steepest direction decides.")
    def of_the_smallest():
        return 1.0

    @wrong("The factor 2 of the Hessian is missing: it is (2/n) XᵀX, not XᵀX/n.")
    def half_the_hessian():
        return 0.8

    @wrong("That is the best step, 2/(λ_min + λ_max); descent survives a larger one.")
    def best_step():
        return 2 / 7
