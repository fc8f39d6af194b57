"""Exercises of the chapter on probability and information."""

import math
from collections import Counter

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("anagrams", chapter="probability")
class Anagrams:
    """Write `anagrams(word)`: how many different orderings the letters of a word have.

    Return a whole number. MISSISSIPPI has 34,650.
    """

    def solution(word):
        orders = math.factorial(len(word))
        for repeats in Counter(word).values():
            orders //= math.factorial(repeats)
        return orders

    why = (
        "There are $n!$ orders of labelled letters. Equal letters can be exchanged among "
        "themselves in $k_j!$ ways without changing the word, so each different ordering was "
        "counted $\\prod_j k_j!$ times. Whole-number division keeps the count exact."
    )

    def cases(rng):
        yield case("aab")
        yield case("MISSISSIPPI")
        yield case("abc", label="no letter twice")
        yield case("zzzz", label="one letter only")
        for length in (5, 9):
            yield case("".join(rng.choice(list("aabc"), length)))

    hints = (
        "How many orders would there be if all letters were different?",
        "Which exchanges of letters change nothing that one can see?",
    )

    @wrong("Equal letters cannot be told apart: divide by the ways to exchange them.")
    def all_different(word):
        return math.factorial(len(word))

    @wrong("You divided by how often a letter comes, not by its factorial.")
    def by_counts(word):
        orders = math.factorial(len(word))
        for repeats in Counter(word).values():
            orders //= repeats
        return orders

    @wrong("You counted the choices for one letter only; the others repeat as well.")
    def one_letter(word):
        return math.comb(len(word), max(Counter(word).values()))


@exercise("sum-pmf", chapter="probability")
class SumPmf:
    """Write `sum_pmf(p, q)`: the masses of X + Y for independent X and Y.

    p[i] is P(X = i) and q[j] is P(Y = j), both counted from 0. Return an array of length
    len(p) + len(q) − 1.
    """

    def solution(p, q):
        total = np.zeros(len(p) + len(q) - 1)
        for i, mass in enumerate(p):
            total[i : i + len(q)] += mass * q
        return total

    why = (
        "The pair $(i, j)$ has probability $p_iq_j$ and belongs to the sum $i + j$; row $i$ adds "
        "$p_iq$ shifted by $i$ places. This is what `np.convolve(p, q)` does."
    )

    def cases(rng):
        yield case(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
        yield case(
            np.array([0.0, 1.0]), np.array([0.2, 0.3, 0.5]), label="X is always 1"
        )
        for size in (3, 6):
            yield case(rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(size)))

    hints = (
        "Which pairs (i, j) give the sum s, and how probable is each?",
        "Go through all i and j and add p[i] q[j] to total[i + j].",
    )

    @wrong("The probability of a pair is a product: independent masses multiply.")
    def added(p, q):
        total = np.zeros(len(p) + len(q) - 1)
        for i, mass in enumerate(p):
            total[i : i + len(q)] += (mass + q) / (len(p) + len(q))
        return total

    @wrong(
        "That is the distribution of the difference Y − X: one of the two is reversed."
    )
    def reversed_one(p, q):
        return np.convolve(p[::-1], q)

    @wrong("Only pairs with i = j are in your sum; the others are possible, too.")
    def equal_only(p, q):
        total = np.zeros(len(p) + len(q) - 1)
        for i in range(min(len(p), len(q))):
            total[2 * i] = p[i] * q[i]
        return total


@exercise("variance-of-the-mean", chapter="probability")
class VarianceOfTheMean:
    """Write `variance_of_the_mean(cov)`: the variance of the mean of n variables.

    `cov` is their covariance matrix, shape (n, n).
    """

    def solution(cov):
        return cov.sum() / len(cov) ** 2

    why = (
        "$\\operatorname{Var}(\\frac1n\\sum_iX_i) = \\frac1{n^2}\\sum_{i,j}"
        "\\operatorname{Cov}(X_i, X_j)$: each entry counts: the diagonal once, a pair twice."
    )

    def cases(rng):
        yield case(np.eye(4), label="independent")
        yield case(np.array([[1.0, 0.9], [0.9, 1.0]]), label="two that agree")
        yield case(np.array([[2.0, -1.0], [-1.0, 3.0]]), label="two that cancel")
        for n in (3, 6):
            root = rng.normal(size=(n, n))
            yield case(root @ root.T)

    hints = (
        "Write the variance of a sum as a double sum of covariances.",
        "The factor 1/n of the mean comes out of a variance squared.",
    )

    @wrong("You left out the covariances: that holds for independent variables only.")
    def diagonal_only(cov):
        return np.trace(cov) / len(cov) ** 2

    @wrong("The factor 1/n comes out of the variance squared.")
    def divided_once(cov):
        return cov.sum() / len(cov)

    @wrong("Each pair (i, j) occurs twice, also as (j, i).")
    def pairs_once(cov):
        return np.triu(cov).sum() / len(cov) ** 2


def _pair(rng, size):
    return rng.dirichlet(np.ones(size)), rng.dirichlet(np.ones(size))


@exercise("divergence", chapter="probability")
class Divergence:
    """Write `divergence(p, q)`: KL(p‖q) in nats.

    Outcomes with p = 0 count nothing; the result is np.inf where q = 0 and p > 0.
    """

    def solution(p, q):
        here = p > 0
        if np.any(q[here] == 0):
            return np.inf
        return np.sum(p[here] * np.log(p[here] / q[here]))

    why = (
        "Only outcomes that can happen enter the expectation, so pick those with $p > 0$ first. "
        "Among them a $q$ of zero means an infinite surprise."
    )

    def cases(rng):
        yield case(np.array([0.5, 0.5]), np.array([0.25, 0.75]))
        yield case(np.array([0.0, 1.0]), np.array([0.5, 0.5]), label="p = 0 somewhere")
        yield case(np.array([0.5, 0.5]), np.array([1.0, 0.0]), label="q rules it out")
        for size in (3, 7):
            yield case(*_pair(rng, size))

    hints = (
        "The expectation is under p: weights p, ratios p/q.",
        "Pick the outcomes with p > 0 before you divide or take logarithms.",
    )

    @wrong("The roles are swapped: you computed KL(q‖p).")
    def swapped(p, q):
        here = q > 0
        if np.any(p[here] == 0):
            return np.inf
        return np.sum(q[here] * np.log(q[here] / p[here]))

    @wrong("That is the cross-entropy: the entropy of p is still in it.")
    def cross_entropy_instead(p, q):
        here = p > 0
        if np.any(q[here] == 0):
            return np.inf
        return -np.sum(p[here] * np.log(q[here]))

    @wrong("These are bits. Nats want the natural logarithm.")
    def in_bits(p, q):
        here = p > 0
        if np.any(q[here] == 0):
            return np.inf
        return np.sum(p[here] * np.log2(p[here] / q[here]))


@exercise("information-of-counts", chapter="probability")
class InformationOfCounts:
    """Write `information(counts)`: the plug-in mutual information in nats.

    `counts` is a table, shape (K, L); cells may be empty, rows and columns are not.
    """

    def solution(counts):
        joint = counts / counts.sum()
        margins = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        here = joint > 0
        return np.sum(joint[here] * np.log(joint[here] / margins[here]))

    why = (
        "Frequencies stand in for probabilities. The product of the margins, (K, 1) times (1, L), "
        "is the table of independence, and the divergence from it is the mutual information."
    )

    def cases(rng):
        yield case(np.array([[2.0, 0.0], [0.0, 2.0]]), label="one determines the other")
        yield case(np.array([[1.0, 2.0], [2.0, 4.0]]), label="exactly independent")
        for shape in ((2, 3), (4, 4)):
            yield case(rng.integers(0, 9, shape) + np.eye(*shape) + 1.0)
        yield case(np.array([[5.0, 0.0, 1.0], [0.0, 3.0, 1.0]]), label="empty cells")

    hints = (
        "Turn counts into a joint distribution, then find its two margins.",
        "Compare the joint with the product of its margins; skip empty cells.",
    )

    @wrong("You compared with the uniform table. Independence keeps the margins.")
    def against_uniform(counts):
        joint = counts / counts.sum()
        here = joint > 0
        return np.sum(joint[here] * np.log(joint[here] * joint.size))

    @wrong("The counts must become frequencies before they weigh the logarithms.")
    def counts_as_weights(counts):
        joint = counts / counts.sum()
        margins = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        here = joint > 0
        return np.sum(counts[here] * np.log(joint[here] / margins[here]))

    @wrong(
        "That is the joint entropy H(X, Y); mutual information is H(X) + H(Y) minus it."
    )
    def joint_entropy(counts):
        joint = counts / counts.sum()
        here = joint > 0
        return -np.sum(joint[here] * np.log(joint[here]))
