"""Exercises of the page "How this book works": one asks for code, one for a value."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("running-mean", chapter="how_this_book_works")
class RunningMean:
    """Write `running_mean(x)`: entry i of the result is the mean of x[0], …, x[i]."""

    def solution(x):
        return np.cumsum(x) / np.arange(1, len(x) + 1)

    why = (
        "Entry $i$ of `np.cumsum(x)` is $x_0 + \\dots + x_i$, a sum of $i + 1$ terms, "
        "so dividing it by $i + 1$ gives the mean."
    )

    def cases(rng):
        yield case(np.array([2.0, 4.0]))
        yield case(np.array([3.0]), label="a single entry")
        yield case(np.array([1.0, -1.0, 1.0, -1.0]))
        for size in (5, 17, 100):
            yield case(rng.normal(size=size))

    hints = (
        "What is the mean of the first two entries? Of the first three?",
        "np.cumsum gives all the running sums at once.",
        "Entry i is a sum of i + 1 terms: divide by np.arange(1, n + 1).",
    )

    @wrong("You divide every running sum by n; entry i has only i + 1 terms.")
    def divided_by_n(x):
        return np.cumsum(x) / len(x)

    @wrong("These are running sums; divide each by its number of terms.")
    def only_the_sum(x):
        return np.cumsum(x)

    @wrong("Off by one: np.arange(n) starts at 0, but the first mean is over one term.")
    def counts_from_zero(x):
        with np.errstate(all="ignore"):
            return np.cumsum(x) / np.arange(len(x))

    @wrong(
        "This is the mean of all of x, one number; a mean is wanted for every prefix."
    )
    def one_mean(x):
        return np.mean(x)


@exercise("two-heads", chapter="how_this_book_works")
class TwoHeads:
    """A fair coin is thrown three times. What is the probability of exactly two heads?"""

    def solution():
        return 3 * 0.5**3

    why = (
        "Two of three throws are heads in $\\binom{3}{2} = 3$ of the $2^3 = 8$ "
        "equally likely outcomes."
    )

    tol = 0.001

    hints = (
        "List all eight outcomes.",
        "In how many of them is exactly one throw a tail?",
    )

    @wrong(
        "That is the probability of one given order, heads, heads, tails; there are three orders."
    )
    def one_order():
        return 0.5**3

    @wrong("That counts three heads as well; exactly two are wanted.")
    def at_least_two():
        return 0.5

    @wrong("That is the probability of two heads in two throws; here there are three.")
    def two_throws():
        return 0.25
