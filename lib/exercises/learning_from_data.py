"""Exercises of the chapter on learning from data."""

import math

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("pinball", chapter="learning_from_data")
class Pinball:
    """Write `pinball(y, q, tau)`: the mean of τ(y − q), or (1 − τ)(q − y) where y < q."""

    def solution(y, q, tau):
        residual = y - q
        return np.mean(np.maximum(tau * residual, (tau - 1) * residual))

    why = (
        "For $r = y - q \\ge 0$ the first entry $\\tau r$ is the larger one, for $r < 0$ "
        "the second, $(\\tau - 1)r = (1 - \\tau)|r|$. The maximum needs no case distinction."
    )

    def cases(rng):
        yield case(np.array([2.0]), np.array([0.0]), 0.9, label="prediction too low")
        yield case(np.array([0.0]), np.array([2.0]), 0.9, label="prediction too high")
        for size in (3, 10, 40):
            yield case(
                rng.normal(size=size), rng.normal(size=size), rng.uniform(0.1, 0.4)
            )

    hints = (
        "Work with the residual r = y − q and ask for its sign.",
        "np.where(r >= 0, tau * r, (tau - 1) * r) is one way; both branches are ≥ 0.",
    )

    @wrong("The weights are swapped: τ belongs to y above q, 1 − τ to y below.")
    def swapped(y, q, tau):
        residual = y - q
        return np.mean(np.maximum((1 - tau) * residual, -tau * residual))

    @wrong("That is the sum; take the mean over the samples.")
    def summed(y, q, tau):
        residual = y - q
        return np.sum(np.maximum(tau * residual, (tau - 1) * residual))

    @wrong(
        "Your loss can be negative: below q it is (1 − τ)(q − y), not (1 − τ)(y − q)."
    )
    def signed(y, q, tau):
        residual = y - q
        return np.mean(np.where(residual >= 0, tau, 1 - tau) * residual)


def _softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@exercise("cross-entropy-gradient", chapter="learning_from_data")
class CrossEntropyGradient:
    """Write `cross_entropy_gradient(labels, scores)`: the gradient (n, K) of the mean loss."""

    def solution(labels, scores):
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        gradient = e / e.sum(axis=1, keepdims=True)
        gradient[np.arange(len(labels)), labels] -= 1.0
        return gradient / len(labels)

    why = (
        "The slope of one loss is prediction minus truth, $\\operatorname{softmax}(z) - e_y$; "
        "the mean divides by $n$. Subtracting the maximum leaves the softmax as it is and "
        "keeps the exponentials below one."
    )

    def cases(rng):
        yield case(np.array([0]), np.array([[0.0, 0.0]]), label="two equal scores")
        yield case(
            np.array([1, 0]),
            np.array([[1000.0, 0.0, -1000.0], [3.0, 1000.0, 2.0]]),
            label="scores of 1000",
        )
        for n, k in ((3, 2), (5, 4), (20, 3)):
            yield case(rng.integers(0, k, size=n), rng.normal(size=(n, k)))

    hints = (
        "Prediction minus truth: what is the prediction, what is the truth as a vector?",
        "Subtract the largest score of each row before the exponential.",
    )

    @wrong("You forgot the mean: divide by the number of samples.")
    def not_averaged(labels, scores):
        return _softmax(scores) - np.eye(scores.shape[1])[labels]

    @wrong("The sign is reversed: prediction minus truth, not truth minus prediction.")
    def reversed_sign(labels, scores):
        return (np.eye(scores.shape[1])[labels] - _softmax(scores)) / len(labels)

    @wrong("exp overflows for scores of 1000: subtract each row's maximum first.")
    def overflowing(labels, scores):
        with np.errstate(over="ignore", invalid="ignore"):
            e = np.exp(scores)
            p = e / e.sum(axis=1, keepdims=True)
        return (p - np.eye(scores.shape[1])[labels]) / len(labels)


@exercise("stratified-fold-numbers", chapter="learning_from_data")
class StratifiedFoldNumbers:
    """Write `fold_numbers(labels, k)`: sample number i of its class goes to fold i mod k."""

    def solution(labels, k):
        fold = np.empty(len(labels), dtype=int)
        for label in np.unique(labels):
            members = np.flatnonzero(labels == label)
            fold[members] = np.arange(len(members)) % k
        return fold

    why = (
        "Within each class the samples are dealt in turn to folds $0, \\dots, k-1$, so the "
        "numbers of a class in any two folds differ by at most one."
    )

    def cases(rng):
        yield case(np.array([0, 0, 1, 1, 0, 1]), 2, label="two classes, two folds")
        yield case(np.array([3, 3, 3, 3, 3]), 3, label="one class")
        for size, k in ((8, 2), (20, 3), (50, 5)):
            yield case(rng.integers(0, 3, size=size), k)

    hints = (
        "Treat each class by itself: where are its samples?",
        "np.flatnonzero(labels == label) lists them; number them with np.arange(...) % k.",
    )

    @wrong("You number all samples together; the classes are not looked at.")
    def not_stratified(labels, k):
        return np.arange(len(labels)) % k

    @wrong("You give each class to blocks of folds; go round in turn, i mod k.")
    def blocks(labels, k):
        fold = np.empty(len(labels), dtype=int)
        for label in np.unique(labels):
            members = np.flatnonzero(labels == label)
            fold[members] = np.arange(len(members)) * k // len(members)
        return fold

    @wrong("The turn goes on from one class to the next; start each class at fold 0.")
    def carried_on(labels, k):
        order = np.argsort(labels, kind="stable")
        fold = np.empty(len(labels), dtype=int)
        fold[order] = np.arange(len(labels)) % k
        return fold


@exercise("grid-update", chapter="learning_from_data")
class GridUpdate:
    """Write `update(points, prior, flips)`: posterior probabilities of a coin on a grid."""

    def solution(points, prior, flips):
        heads = np.sum(flips)
        tails = len(flips) - heads
        log_joint = np.log(prior) + heads * np.log(points) + tails * np.log1p(-points)
        weights = np.exp(log_joint - log_joint.max())
        return weights / weights.sum()

    why = (
        "Prior times likelihood, divided by the sum. In logarithms 5000 flips do not "
        "underflow; subtracting the maximum makes the largest weight one before the division."
    )

    def cases(rng):
        third = np.array([0.25, 0.5, 0.75])
        yield case(third, np.full(3, 1 / 3), np.array([1]), label="one head")
        yield case(third, np.array([0.8, 0.1, 0.1]), np.array([1, 1, 0]))
        yield case(
            third,
            np.array([0.2, 0.3, 0.5]),
            rng.integers(0, 2, size=5000),
            label="5000 flips",
        )
        for size in (4, 12, 30):
            points = np.sort(rng.uniform(0.05, 0.95, size=9))
            yield case(points, rng.dirichlet(np.ones(9)), rng.integers(0, 2, size=size))

    hints = (
        "Count heads and tails; the likelihood is p^heads (1 − p)^tails.",
        "Add logarithms, subtract the maximum, take exp, divide by the sum.",
    )

    @wrong("The prior does not appear in your answer.")
    def no_prior(points, prior, flips):
        heads = np.sum(flips)
        log_l = heads * np.log(points) + (len(flips) - heads) * np.log1p(-points)
        weights = np.exp(log_l - log_l.max())
        return weights / weights.sum()

    @wrong("Your weights do not sum to one: divide by the evidence.")
    def not_normalised(points, prior, flips):
        heads = np.sum(flips)
        return prior * points**heads * (1 - points) ** (len(flips) - heads)

    @wrong("With 5000 flips the likelihood underflows to 0: work with logarithms.")
    def underflow(points, prior, flips):
        heads = np.sum(flips)
        weights = prior * points**heads * (1 - points) ** (len(flips) - heads)
        with np.errstate(invalid="ignore"):
            return weights / weights.sum()

    @wrong("You count only the heads; tails are evidence, too.")
    def heads_only(points, prior, flips):
        log_joint = np.log(prior) + np.sum(flips) * np.log(points)
        weights = np.exp(log_joint - log_joint.max())
        return weights / weights.sum()


@exercise("test-set-size", chapter="learning_from_data")
class TestSetSize:
    """How many test samples bring 20 measured errors within 0.02 of the truth, with 95 %?"""

    def solution():
        return math.ceil(math.log(2 * 20 / 0.05) / (2 * 0.02**2))

    why = (
        "$\\epsilon = \\sqrt{\\log(2H/\\delta)/2n}$ solved for $n$ is "
        "$\\log(2\\cdot20/0.05)/(2\\cdot0.02^2) \\approx 8356$."
    )

    tol = 1e-3

    hints = (
        "Solve the bound for n.",
        "H = 20 and δ = 0.05 stand together in log(2H/δ).",
    )

    @wrong("That is for a single model: the union bound multiplies by H = 20.")
    def one_model():
        return math.ceil(math.log(2 / 0.05) / (2 * 0.02**2))

    @wrong("The logarithm is of 2H/δ with δ = 0.05, not with 0.95.")
    def confidence():
        return math.ceil(math.log(2 * 20 / 0.95) / (2 * 0.02**2))

    @wrong("Square ε: the gap falls like one over the square root of n.")
    def not_squared():
        return math.ceil(math.log(2 * 20 / 0.05) / (2 * 0.02))
