"""Exercises of the chapter on decisions, calibration and ROC curves."""

import math

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("decide", chapter="decisions")
class Decide:
    """Write `decide(P, costs)`: for each row of P the action of least expected cost.

    P has shape (n, K); costs[k, a] is the cost of action a when the class is k.
    """

    def solution(P, costs):
        return np.argmin(P @ costs, axis=1)

    why = (
        "`P @ costs` holds $\\sum_k P(k \\mid x)\\,C_{ka}$ for every sample and action."
    )

    def cases(rng):
        costs = np.array([[0.0, 1.0], [10.0, 0.0]])
        yield case(
            np.array([[0.8, 0.2], [0.95, 0.05]]), costs, label="a miss costs ten"
        )
        for n, K, A in ((5, 3, 3), (8, 3, 2), (20, 4, 4)):
            yield case(rng.dirichlet(np.ones(K), size=n), rng.uniform(size=(K, A)))

    hints = (
        "What does action a cost on average, given the probabilities of one row?",
        "That is a product of a row of P with a column of costs.",
    )

    @wrong("You chose the most probable class; the costs are not used.")
    def most_probable(P, costs):
        return np.argmax(P, axis=1)

    @wrong("You chose the most expensive action: take the smallest expected cost.")
    def dearest(P, costs):
        return np.argmax(P @ costs, axis=1)

    @wrong(
        "You summed over actions for each class: rows of costs are classes, columns actions."
    )
    def transposed(P, costs):
        if costs.shape[0] != costs.shape[1]:
            return np.argmin(costs[np.argmax(P, axis=1)], axis=1)
        return np.argmin(P @ costs.T, axis=1)


@exercise("auc-by-pairs", chapter="decisions")
class AucByPairs:
    """Write `auc(y, scores)`: the chance that a positive outranks a negative, ties one half.

    y holds 0 and 1, both at least once.
    """

    def solution(y, scores):
        gaps = scores[y == 1][:, None] - scores[y == 0][None, :]
        return np.mean((gaps > 0) + 0.5 * (gaps == 0))

    why = "All differences positive minus negative; a positive one is a pair won, a zero half won."

    def cases(rng):
        yield case(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8]))
        yield case(np.array([0, 1]), np.array([0.5, 0.5]), label="a tie")
        for n in (8, 20, 50):
            y = rng.permutation(np.arange(n) % 2)
            yield case(y, np.round(rng.normal(size=n) + y, 1))

    hints = (
        "Split the scores into those of positives and those of negatives.",
        "a[:, None] - b[None, :] holds all differences.",
    )

    @wrong("Ties are counted as lost; each is worth one half.")
    def ties_lost(y, scores):
        gaps = scores[y == 1][:, None] - scores[y == 0][None, :]
        return np.mean(gaps > 0)

    @wrong("Ties are counted as won; each is worth one half.")
    def ties_won(y, scores):
        gaps = scores[y == 1][:, None] - scores[y == 0][None, :]
        return np.mean(gaps >= 0)

    @wrong("That is the chance that the negative outranks the positive: turn it round.")
    def reversed_roles(y, scores):
        gaps = scores[y == 0][:, None] - scores[y == 1][None, :]
        return np.mean((gaps > 0) + 0.5 * (gaps == 0))


@exercise("calibration-error", chapter="decisions")
class CalibrationError:
    """Write `ece(confidence, correct, bins)`: Σᵢ nᵢ/n |accuracy − mean confidence| over bins.

    confidence lies in [0, 1], correct holds 0 and 1; bin i is [i/bins, (i + 1)/bins), the last
    one includes 1.
    """

    def solution(confidence, correct, bins):
        which = np.minimum((confidence * bins).astype(int), bins - 1)
        gap = np.bincount(which, correct - confidence, minlength=bins)
        return np.sum(np.abs(gap)) / len(confidence)

    why = (
        "In bin $i$, $n_i|a_i - p_i| = |\\sum(\\text{correct} - \\text{confidence})|$, so the "
        "counts cancel and one weighted `bincount` does it all."
    )

    def cases(rng):
        yield case(np.array([0.9, 0.8]), np.array([1.0, 0.0]), 2)
        yield case(
            np.array([1.0, 0.2]), np.array([1.0, 1.0]), 5, label="a confidence of one"
        )
        for n, bins in ((20, 4), (100, 10)):
            q = rng.uniform(0.01, 0.99, size=n)
            yield case(q, (rng.random(n) < 0.5).astype(float), bins)

    hints = (
        "Which bin does each confidence fall into?",
        "np.bincount with weights sums a quantity bin by bin.",
        "Empty bins contribute nothing.",
    )

    @wrong(
        "You averaged |correct − confidence| over samples; average inside a bin first."
    )
    def per_sample(confidence, correct, bins):
        return np.mean(np.abs(correct - confidence))

    @wrong(
        "All bins count the same in your answer; weigh each by its share of the samples."
    )
    def unweighted(confidence, correct, bins):
        which = np.minimum((confidence * bins).astype(int), bins - 1)
        count = np.bincount(which, minlength=bins)
        gap = np.bincount(which, correct - confidence, minlength=bins)
        return np.mean(np.abs(gap[count > 0] / count[count > 0]))

    @wrong(
        "You compare only the overall accuracy and confidence: gaps of opposite sign cancel."
    )
    def one_bin(confidence, correct, bins):
        return abs(np.mean(correct) - np.mean(confidence))


@exercise("conformal-threshold", chapter="decisions")
class ConformalThreshold:
    """Write `threshold(scores, alpha)`: the ⌈(n + 1)(1 − α)⌉-th smallest score, or infinity."""

    def solution(scores, alpha):
        rank = math.ceil((len(scores) + 1) * (1 - alpha) - 1e-9)
        return np.sort(scores)[rank - 1] if rank <= len(scores) else np.inf

    why = (
        "The rank is counted among $n + 1$ scores, the new one included. The $10^{-9}$ guards "
        "against $(n + 1)(1 - \\alpha)$ coming out a hair above a whole number."
    )

    def cases(rng):
        yield case(np.arange(1.0, 10.0), 0.1, label="nine scores")
        yield case(np.arange(1.0, 9.0), 0.1, label="too few scores")
        yield case(np.arange(1.0, 100.0), 0.1, label="ninety-nine scores")
        for n, alpha in ((20, 0.15), (50, 0.25), (37, 0.33)):
            yield case(rng.exponential(size=n), alpha)

    hints = (
        "Sort the scores; rank r is at index r − 1.",
        "If the rank exceeds n, no finite threshold can keep the promise.",
    )

    @wrong(
        "The plain quantile of n scores is too small: the new sample counts too, n + 1."
    )
    def plain(scores, alpha):
        rank = math.ceil(len(scores) * (1 - alpha) - 1e-9)
        return np.sort(scores)[rank - 1]

    @wrong("Rank r sits at index r − 1, since Python counts from zero.")
    def off_by_one(scores, alpha):
        rank = math.ceil((len(scores) + 1) * (1 - alpha) - 1e-9)
        return np.sort(scores)[rank] if rank < len(scores) else np.inf

    @wrong(
        "You took the α quantile: most scores should lie below the threshold, not above."
    )
    def other_tail(scores, alpha):
        rank = max(math.ceil((len(scores) + 1) * alpha - 1e-9), 1)
        return np.sort(scores)[rank - 1]
