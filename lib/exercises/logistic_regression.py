"""Exercises of the chapter on logistic and softmax regression."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


def _labelled(rng, n, p):
    """A design with a column of ones, labels 0 and 1, and parameters of moderate size."""
    X = np.column_stack([np.ones(n), rng.normal(size=(n, p - 1))])
    return X, (rng.random(n) < 0.5).astype(float), rng.normal(size=p)


@exercise("logistic-gradient", chapter="logistic_regression")
class LogisticGradient:
    """Write `logistic_gradient(X, y, theta)`: the gradient of the mean cross-entropy, (p,).

    X (n, p) has its column of ones already, y (n,) holds 0 and 1.
    """

    def solution(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        return X.T @ (p - y) / len(y)

    why = (
        "By the score the loss of one sample has the slope $p_i - y_i$, and the score is "
        "$x_i^\\top\\theta$, so its gradient by $\\theta$ is $(p_i - y_i)\\,x_i$. "
        "`X.T @ (p - y)` adds these up and `len(y)` makes the sum a mean."
    )

    def cases(rng):
        yield case(
            np.array([[1.0, 2.0]]),
            np.array([1.0]),
            np.array([0.0, 0.0]),
            label="one sample, all parameters zero",
        )
        yield case(
            np.array([[1.0, 0.5], [1.0, -3.0]]),
            np.array([0.0, 1.0]),
            np.array([0.2, 1.0]),
        )
        for n, p in ((5, 2), (30, 4), (3, 6)):
            yield case(*_labelled(rng, n, p))

    hints = (
        "Start from one sample: what is the slope of log(1 + eᶻ) − y z by z?",
        "That slope is σ(z) − y, and z = xᵀθ has the gradient x.",
        "For all samples: X.T @ (p - y), then divide by n.",
    )

    @wrong(
        "The sign is wrong: this is the gradient of the log-likelihood, which climbs."
    )
    def uphill(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        return X.T @ (y - p) / len(y)

    @wrong("That is the gradient of the sum of the losses; the mean divides by n.")
    def of_the_sum(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        return X.T @ (p - y)

    @wrong(
        "The factor p(1 − p) belongs to the squared loss; in the cross-entropy it cancels."
    )
    def of_the_squared_loss(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        return X.T @ ((p - y) * p * (1 - p)) / len(y)

    @wrong("You compared the scores with the labels: the sigmoid is missing.")
    def without_sigmoid(X, y, theta):
        return X.T @ (X @ theta - y) / len(y)


@exercise("logistic-newton", chapter="logistic_regression")
class LogisticNewton:
    """Write `newton_step(X, y, theta)`: the parameters after one step of Newton's method.

    X (n, p) has its column of ones already and independent columns, y (n,) holds 0 and 1.
    """

    def solution(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        S = p * (1.0 - p)  # (n,), the diagonal
        return theta - np.linalg.solve(X.T @ (S[:, None] * X), X.T @ (p - y))

    why = (
        "Newton's step is $\\theta - H^{-1}g$ with $g = \\frac1n X^\\top(p - y)$ and "
        "$H = \\frac1n X^\\top S X$. The two $\\frac1n$ cancel. `S[:, None] * X` multiplies "
        "row $i$ by $s_i$ without building an $n \\times n$ matrix."
    )

    def cases(rng):
        yield case(
            np.ones((4, 1)),
            np.array([1.0, 0.0, 1.0, 1.0]),
            np.zeros(1),
            label="only an intercept",
        )
        for n, p in ((12, 2), (40, 3), (25, 5)):
            X, y, theta = _labelled(rng, n, p)
            yield case(X, y, 0.5 * theta)

    hints = (
        "Newton: solve H step = g and subtract the step.",
        "H is XᵀSX/n with sᵢ = pᵢ(1 − pᵢ), g is Xᵀ(p − y)/n; the n cancels.",
        "np.linalg.solve(X.T @ (S[:, None] * X), X.T @ (p - y)) is the step.",
    )

    @wrong("You stepped uphill: Newton's step is subtracted.")
    def uphill(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        S = p * (1.0 - p)
        return theta + np.linalg.solve(X.T @ (S[:, None] * X), X.T @ (p - y))

    @wrong("The weights p(1 − p) are missing: XᵀX is the Hessian of least squares.")
    def unweighted(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        return theta - np.linalg.solve(X.T @ X, X.T @ (p - y))

    @wrong("One of gradient and Hessian is a mean and the other a sum.")
    def mean_and_sum(X, y, theta):
        p = 1.0 / (1.0 + np.exp(-(X @ theta)))
        S = p * (1.0 - p)
        return theta - np.linalg.solve(X.T @ (S[:, None] * X), X.T @ (p - y) / len(y))


@exercise("stable-log-softmax", chapter="logistic_regression")
class StableLogSoftmax:
    """Write `log_softmax(Z)`: the logarithms of the softmax of every row of Z (n, K).

    Scores of a thousand must not hurt.
    """

    def solution(Z):
        shifted = Z - Z.max(axis=1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    why = (
        "Subtracting the row's largest score changes nothing, as the softmax does not notice "
        "a shift. Then every exponent is at most 0, and one is exactly 0: the sum lies "
        "between 1 and $K$, and its logarithm is harmless."
    )

    def cases(rng):
        yield case(np.array([[0.0, np.log(3.0)]]))
        yield case(np.array([[1.0, 2.0, 3.0], [5.0, 0.0, 5.0]]))
        yield case(np.array([[1000.0, 999.0, 0.0]]), label="large scores")
        yield case(np.array([[-1000.0, -1002.0]]), label="large negative scores")
        yield case(
            np.array([[0.0, 1.0], [800.0, 801.0], [-900.0, -901.0]]),
            label="rows of very different size",
        )
        yield case(rng.normal(size=(6, 4)) * 3)

    hints = (
        "log softmax(z) = z − log Σ exp(z), and the exponential overflows beyond 709.",
        "The softmax of z and of z − c are equal for every c. Which c keeps every exponent ≤ 0?",
        "Shift each row by its own maximum, with keepdims=True.",
    )

    @wrong(
        "Right for small scores, but exp overflows (or every term vanishes) for large."
    )
    def naive(Z):
        with np.errstate(all="ignore"):
            return Z - np.log(np.exp(Z).sum(axis=1, keepdims=True))

    @wrong(
        "One maximum for all rows: a row that lies far below it vanishes altogether."
    )
    def global_maximum(Z):
        with np.errstate(all="ignore"):
            shifted = Z - Z.max()
            return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    @wrong("You normalised down the columns; a row is one sample with its K scores.")
    def down_the_columns(Z):
        shifted = Z - Z.max(axis=0)
        return shifted - np.log(np.exp(shifted).sum(axis=0))

    @wrong("You shifted inside the sum only: z − m is wanted in front as well.")
    def half_a_shift(Z):
        shifted = Z - Z.max(axis=1, keepdims=True)
        return Z - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


@exercise("softmax-regression-gradient", chapter="logistic_regression")
class SoftmaxRegressionGradient:
    """Write `softmax_gradient(W, X, y)`: the gradient (K, d) of the mean cross-entropy.

    W (K, d) holds one row of weights a class, X (n, d) has its column of ones already, y (n,)
    holds labels 0, …, K−1.
    """

    def solution(W, X, y):
        Z = X @ W.T  # (n, K)
        E = np.exp(Z - Z.max(axis=1, keepdims=True))
        P = E / E.sum(axis=1, keepdims=True)
        Y = np.eye(len(W))[y]  # (n, K), one-hot
        return (P - Y).T @ X / len(y)

    why = (
        "By the logits the loss of one sample has the gradient $p - e_y$, and $z = Wx$, so by "
        "$W$ it is $(p - e_y)\\,x^\\top$. `(P - Y).T @ X` adds these outer products up over "
        "the samples."
    )

    def cases(rng):
        yield case(
            np.zeros((2, 1)),
            np.array([[1.0]]),
            np.array([1]),
            label="one sample, two classes, weights zero",
        )
        yield case(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]),
            np.array([[1.0, 2.0], [1.0, -1.0]]),
            np.array([2, 0]),
        )
        for K, n, d in ((3, 6, 4), (2, 20, 3), (5, 8, 2)):
            yield case(
                rng.normal(size=(K, d)),
                rng.normal(size=(n, d)),
                rng.integers(0, K, size=n),
            )

    hints = (
        "What is the gradient of −z_y + log Σ exp(z_j) by the logits?",
        "It is p − e_y, one row a sample: P - Y with Y the one-hot labels.",
        "Row k of the answer sums (p_k − [y = k]) x over the samples: (P - Y).T @ X / n.",
    )

    @wrong("The sign is wrong: this points to where the data become more likely.")
    def uphill(W, X, y):
        E = np.exp(X @ W.T)
        P = E / E.sum(axis=1, keepdims=True)
        return (np.eye(len(W))[y] - P).T @ X / len(y)

    @wrong("That is the gradient of the sum of the losses; the mean divides by n.")
    def of_the_sum(W, X, y):
        E = np.exp(X @ W.T)
        P = E / E.sum(axis=1, keepdims=True)
        return (P - np.eye(len(W))[y]).T @ X

    @wrong(
        "You left out the labels: subtract the one-hot vector from the probabilities."
    )
    def no_labels(W, X, y):
        E = np.exp(X @ W.T)
        P = E / E.sum(axis=1, keepdims=True)
        return P.T @ X / len(y)

    @wrong(
        "Each class got a sigmoid of its own; the softmax ties the classes together."
    )
    def one_sigmoid_each(W, X, y):
        P = 1.0 / (1.0 + np.exp(-(X @ W.T)))
        return (P - np.eye(len(W))[y]).T @ X / len(y)


@exercise("prior-shift", chapter="logistic_regression")
class PriorShift:
    """Write `shifted_intercept(b, old, new)`: b for a world where P(y = 1) is `new`.

    The model was fitted where P(y = 1) was `old`; p(x | y) is the same in both worlds.
    """

    def solution(b, old, new):
        return b + np.log(new / (1 - new)) - np.log(old / (1 - old))

    why = (
        "In $\\log\\frac{p(x \\mid 1)}{p(x \\mid 0)} + \\log\\frac{\\pi}{1 - \\pi}$ only the "
        "second term knows the prior: take out the old log odds, put in the new. The weights "
        "stay as they are."
    )

    def cases(rng):
        yield case(0.0, 0.5, 0.1)
        yield case(1.3, 0.2, 0.2, label="nothing changed")
        yield case(-0.4, 0.5, 0.9)
        for _ in range(3):
            yield case(float(rng.normal()), *map(float, rng.uniform(0.05, 0.95, 2)))

    hints = (
        "By Bayes the log odds are a log-likelihood ratio plus the prior log odds.",
        "Only the prior log odds change: log(π/(1 − π)), from the old π to the new one.",
    )

    @wrong("Old and new are swapped: rarer positives must lower the intercept.")
    def swapped(b, old, new):
        return b + np.log(old / (1 - old)) - np.log(new / (1 - new))

    @wrong("You shifted by the ratio of the priors; it is the odds that count.")
    def ratio_of_priors(b, old, new):
        return b + np.log(new / old)

    @wrong("You forgot to take out the prior that is already in b.")
    def not_taken_out(b, old, new):
        return b + np.log(new / (1 - new))
