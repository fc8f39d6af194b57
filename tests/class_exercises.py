"""An exercise that asks for a class, kept out of the registry of the course."""

from lib.course import exercise as exercises
from lib.course.exercise import case, exercise, wrong

_kept = dict(exercises._registry)


@exercise("running-variance", chapter="how_this_book_works")
class RunningVariance:
    """Write a class with `add(x)` and `variance()`, the variance (divided by n) of all
    values added so far, without keeping them."""

    class solution:
        def __init__(self):
            self.n, self.mean, self.squares = 0, 0.0, 0.0

        def add(self, x):
            self.n += 1
            step = x - self.mean
            self.mean += step / self.n
            self.squares += step * (x - self.mean)

        def variance(self):
            return self.squares / self.n

    why = (
        "With $m_n$ the mean of $n$ values, $m_n = m_{n-1} + (x_n - m_{n-1})/n$, and the sum of "
        "squared deviations grows by $(x_n - m_{n-1})(x_n - m_n)$. Unlike "
        "$\\overline{x^2} - \\bar x^2$ it loses no digits when the mean is large."
    )

    def run(answer, x):
        stream = answer()
        for value in x:
            stream.add(value)
        return stream.variance()

    def cases(rng):
        yield case([1.0, 3.0])
        yield case([5.0], label="one value")
        yield case([1e9, 1e9 + 1, 1e9 + 2], label="a large mean", tol=1e-4)
        yield case(list(rng.normal(size=20)))

    hints = (
        "How does the mean change when one value is added?",
        "Keep n, the mean, and the sum of squared deviations from it.",
        "The sum of squares grows by (x − old mean)(x − new mean).",
    )

    @wrong(
        "Right for small numbers, but mean(x²) − mean(x)² cancels when the mean is large: try 1e9."
    )
    class cancels:
        def __init__(self):
            self.n, self.sum, self.squares = 0, 0.0, 0.0

        def add(self, x):
            self.n, self.sum, self.squares = (
                self.n + 1,
                self.sum + x,
                self.squares + x * x,
            )

        def variance(self):
            return self.squares / self.n - (self.sum / self.n) ** 2

    @wrong("You divide by n − 1; here the variance is divided by n.")
    class unbiased:
        def __init__(self):
            self.n, self.mean, self.squares = 0, 0.0, 0.0

        def add(self, x):
            self.n += 1
            step = x - self.mean
            self.mean += step / self.n
            self.squares += step * (x - self.mean)

        def variance(self):
            return self.squares / max(self.n - 1, 1)


exercises._registry.clear()
exercises._registry.update(_kept)
