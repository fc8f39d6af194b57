"""Exercises of the chapter on trees, forests and committees."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("gini-impurity", chapter="trees")
class GiniImpurity:
    """Write `gini_impurity(labels)` for labels 0, …, K−1: 1 − Σₖ pₖ² with pₖ the class shares."""

    def solution(labels):
        shares = np.bincount(labels) / len(labels)
        return 1.0 - np.sum(shares**2)

    why = "`np.bincount` counts each class; divided by $n$ the counts are the shares $p_k$."

    def cases(rng):
        yield case(np.array([0, 0, 1, 1]), label="an even mix of two")
        yield case(np.array([2, 2, 2]), label="a pure group")
        for size in (5, 12, 40):
            yield case(rng.integers(0, 4, size=size))

    hints = (
        "How many labels of each class are there?",
        "Shares are counts divided by the number of labels; square and add them.",
    )

    @wrong("You squared counts, not shares: divide by the number of labels first.")
    def counts(labels):
        return 1.0 - np.sum(np.bincount(labels).astype(float) ** 2)

    @wrong("That is the purity Σ p²; the impurity is one minus it.")
    def purity(labels):
        return np.sum((np.bincount(labels) / len(labels)) ** 2)

    @wrong(
        "That is the error of naming the most frequent class; Gini uses all the shares."
    )
    def error_rate(labels):
        return 1.0 - np.max(np.bincount(labels)) / len(labels)


def _best_by(cost):
    """Return the threshold with the least cost(left, right) over all splits."""

    def find(x, y):
        order = np.argsort(x)
        x, y = x[order], y[order]
        costs = [cost(y[:i], y[i:]) for i in range(1, len(x))]
        i = int(np.argmin(costs)) + 1
        return (x[i - 1] + x[i]) / 2

    return find


def _curve(rng, n):
    x = rng.permutation(n) + rng.uniform(0, 0.5, size=n)
    return x, np.where(x > rng.uniform(1, n - 1), 2.0, -1.0) + rng.normal(size=n)


@exercise("best-threshold", chapter="trees")
class BestThreshold:
    """Write `best_threshold(x, y)`: the threshold of least total squared error on both sides.

    Thresholds lie half way between neighbouring values of x, which are all different.
    """

    def solution(x, y):
        order = np.argsort(x)
        x, y = x[order], y[order]
        count = np.arange(1, len(x))
        left = np.cumsum(y)[:-1]
        right = y.sum() - left
        i = np.argmax(left**2 / count + right**2 / (len(x) - count))
        return (x[i] + x[i + 1]) / 2

    why = (
        "The total squared error is $\\sum y^2 - \\frac{(\\sum_L y)^2}{n_L} - "
        "\\frac{(\\sum_R y)^2}{n_R}$, and the first term is the same for every threshold. "
        "Cumulative sums of the sorted $y$ give $\\sum_L y$ for all of them."
    )

    def cases(rng):
        yield case(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.0, 5.0, 5.0]))
        yield case(
            np.array([3.0, 1.0]), np.array([0.0, 1.0]), label="two samples, unsorted"
        )
        yield case(
            np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            np.array([9.0, 0.1, 0.0, 0.2, 0.0, 0.1]),
        )
        for size in (6, 15, 40):
            yield case(*_curve(rng, size))

    hints = (
        "Sort by x first, and take y along.",
        "The error around a mean is Σy² − (Σy)²/n; the first part never changes.",
        "np.cumsum(y) gives the sum on the left for every threshold.",
    )

    @wrong("You add the two variances; weigh each side by its number of samples.")
    def unweighted(x, y):
        return _best_by(lambda a, b: np.var(a) + np.var(b))(x, y)

    @wrong("You did not sort: neighbours in x are not neighbours in the array.")
    def unsorted(x, y):
        costs = [
            len(y[:i]) * np.var(y[:i]) + len(y[i:]) * np.var(y[i:])
            for i in range(1, len(x))
        ]
        i = int(np.argmin(costs)) + 1
        return (x[i - 1] + x[i]) / 2

    @wrong("You return a value of x; the threshold lies half way to the next one.")
    def at_a_sample(x, y):
        order = np.argsort(x)
        x, y = x[order], y[order]
        costs = [
            len(y[:i]) * np.var(y[:i]) + len(y[i:]) * np.var(y[i:])
            for i in range(1, len(x))
        ]
        return x[int(np.argmin(costs))]


@exercise("committee-weights", chapter="trees")
class CommitteeWeights:
    """Write `committee_weights(errors)`: weights (L,) that sum to one and minimise the error.

    errors has shape (L, n): row i holds the errors of member i.
    """

    def solution(errors):
        C = errors @ errors.T / errors.shape[1]
        w = np.linalg.solve(C, np.ones(len(C)))
        return w / w.sum()

    why = (
        "$C_{ij}$ is the mean of $\\varepsilon_i\\varepsilon_j$. The weights solve "
        "$Cw \\propto \\mathbf 1$; dividing by their sum makes them add up to one."
    )

    def cases(rng):
        yield case(
            np.array([[1.0, -1.0], [2.0, 2.0]]), label="two members, uncorrelated"
        )
        for members, size in ((2, 30), (3, 50), (5, 200)):
            scale = rng.uniform(0.3, 3.0, size=(members, 1))
            yield case(scale * rng.normal(size=(members, size)) + 0.3)

    hints = (
        "First build the matrix of mean products of errors.",
        "Solve C w = 1, then scale.",
    )

    @wrong(
        "All members have the same weight in your answer; better members deserve more."
    )
    def equal(errors):
        return np.full(len(errors), 1.0 / len(errors))

    @wrong("You weigh by 1/variance alone; that forgets that errors are correlated.")
    def inverse_errors(errors):
        w = 1.0 / np.mean(errors**2, axis=1)
        return w / w.sum()

    @wrong("The weights do not sum to one: divide by their sum.")
    def not_scaled(errors):
        C = errors @ errors.T / errors.shape[1]
        return np.linalg.solve(C, np.ones(len(C)))

    @wrong(
        "You centred the errors; a member's bias is an error too, so use mean products."
    )
    def centred(errors):
        C = np.cov(errors)
        w = np.linalg.solve(C, np.ones(len(errors)))
        return w / w.sum()


@exercise("out-of-bag", chapter="trees")
class OutOfBag:
    """Out of 200 bagged trees on n = 1000 samples, how many never saw a given one, on average?"""

    def solution():
        return 200 * (1 - 1 / 1000) ** 1000

    why = (
        "One tree misses it with probability $(1 - \\frac1{1000})^{1000} \\approx 0.368$, "
        "and $200 \\cdot 0.368 \\approx 74$."
    )

    tol = 0.01

    hints = (
        "With what probability does a single draw miss the sample?",
        "A tree makes n draws, all of which must miss it.",
    )

    @wrong("That is the number of trees that did see it.")
    def seen():
        return 200 * (1 - (1 - 1 / 1000) ** 1000)

    @wrong("One draw misses it with probability 1 − 1/n, but a tree makes n draws.")
    def one_draw():
        return 200 * (1 - 1 / 1000)
