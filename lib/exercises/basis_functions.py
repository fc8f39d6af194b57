"""Exercises of the chapter on basis functions, bias and variance."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("gaussian-design", chapter="basis_functions")
class GaussianDesign:
    """Write `gaussian_design(x, centres, width)`: a column of ones, then one bump for each centre.

    The bump of centre c is exp(−(x − c)² / (2 width²)); x has shape (n,), centres (M,).
    """

    def solution(x, centres, width):
        bumps = np.exp(-((x[:, None] - centres) ** 2) / (2 * width**2))
        return np.column_stack([np.ones(len(x)), bumps])

    why = (
        "`x[:, None] - centres` has shape $(n, M)$: every input against every centre. The "
        "column of ones is $\\phi_0$."
    )

    def cases(rng):
        yield case(np.array([0.0, 1.0]), np.array([0.0, 1.0, 2.0]), 1.0)
        yield case(np.array([0.5]), np.array([0.0]), 0.25, label="one input, one bump")
        for n, m in ((4, 2), (3, 5)):
            yield case(rng.normal(size=n), rng.normal(size=m), rng.uniform(0.3, 2))

    hints = (
        "Broadcast: x as a column against centres as a row.",
        "The exponent is minus the squared distance over twice the squared width.",
    )

    @wrong("The column of ones is missing: φ₀ carries the intercept.")
    def no_ones(x, centres, width):
        return np.exp(-((x[:, None] - centres) ** 2) / (2 * width**2))

    @wrong("The exponent divides by 2·width², with the width squared.")
    def width_not_squared(x, centres, width):
        bumps = np.exp(-((x[:, None] - centres) ** 2) / (2 * width))
        return np.column_stack([np.ones(len(x)), bumps])

    @wrong("The factor 2 in the exponent's denominator is missing.")
    def no_two(x, centres, width):
        bumps = np.exp(-((x[:, None] - centres) ** 2) / width**2)
        return np.column_stack([np.ones(len(x)), bumps])


@exercise("legendre-recurrence", chapter="basis_functions")
class LegendreRecurrence:
    """Write `legendre_columns(u, degree)`: P₀(u), …, P_degree(u) as columns, not normalised.

    P₀ = 1, P₁ = u and (k + 1) P_{k+1} = (2k + 1) u P_k − k P_{k−1}; degree ≥ 1.
    """

    def solution(u, degree):
        columns = [np.ones_like(u), u]
        for k in range(1, degree):
            columns.append(
                ((2 * k + 1) * u * columns[k] - k * columns[k - 1]) / (k + 1)
            )
        return np.column_stack(columns)

    why = (
        "Each step uses the last two columns. The list index of a column is its degree, so "
        "`columns[k]` is $P_k$."
    )

    def cases(rng):
        yield case(np.array([-1.0, 0.0, 1.0]), 3, label="the ends and the middle")
        yield case(np.array([0.5]), 1)
        for degree in (4, 9):
            yield case(rng.uniform(-1, 1, 5), degree)

    hints = (
        "Start the list with P₀ and P₁ and append.",
        "Solve the recurrence for P_{k+1}: do not forget to divide by k + 1.",
    )

    @wrong("You did not divide by k + 1.")
    def undivided(u, degree):
        columns = [np.ones_like(u), u]
        for k in range(1, degree):
            columns.append((2 * k + 1) * u * columns[k] - k * columns[k - 1])
        return np.column_stack(columns)

    @wrong("That is Chebyshev's recurrence, T_{k+1} = 2u T_k − T_{k−1}.")
    def chebyshev(u, degree):
        columns = [np.ones_like(u), u]
        for k in range(1, degree):
            columns.append(2 * u * columns[k] - columns[k - 1])
        return np.column_stack(columns)

    @wrong("These are monomials. They span the same space, but they are not P_k.")
    def powers(u, degree):
        return u[:, None] ** np.arange(degree + 1)


@exercise("bias-and-variance", chapter="basis_functions")
class BiasAndVariance:
    """Write `bias_and_variance(predictions, truth)`: mean bias² and mean variance over the inputs.

    `predictions` has shape (L, m): L models at m inputs; `truth` (m,). Use divisor L. Return the
    two numbers as a tuple.
    """

    def solution(predictions, truth):
        mean = predictions.mean(axis=0)
        return np.mean((mean - truth) ** 2), np.mean((predictions - mean) ** 2)

    why = (
        "First average over the models, which gives $\\bar f$ at each input. Bias compares "
        "$\\bar f$ with the truth, variance compares each model with $\\bar f$."
    )

    def cases(rng):
        yield case(np.array([[0.0, 2.0], [2.0, 2.0]]), np.array([1.0, 0.0]))
        yield case(np.array([[1.0, 5.0]]), np.array([0.0, 5.0]), label="a single model")
        for shape in ((3, 4), (10, 2)):
            yield case(rng.normal(size=shape), rng.normal(size=shape[1]))

    hints = (
        "The mean prediction is an average over models: axis 0.",
        "Square after averaging for the bias, before averaging for the variance.",
    )

    @wrong(
        "Your bias² is the average of (prediction − truth)²: that is bias² plus variance. "
        "Average the predictions first, then square."
    )
    def squared_first(predictions, truth):
        mean = predictions.mean(axis=0)
        return np.mean((predictions - truth) ** 2), np.mean((predictions - mean) ** 2)

    @wrong(
        "You averaged over the inputs (axis 1); the mean prediction averages over models."
    )
    def wrong_axis(predictions, truth):
        mean = predictions.mean(axis=1, keepdims=True)
        return np.mean((mean - truth) ** 2), np.mean((predictions - mean) ** 2)

    @wrong(
        "Your variance compares models with the truth; compare them with their own mean."
    )
    def around_truth(predictions, truth):
        mean = predictions.mean(axis=0)
        return np.mean((mean - truth) ** 2), np.mean((predictions - truth) ** 2)


@exercise("exact-variance", chapter="basis_functions")
class ExactVariance:
    """Write `prediction_variance(Phi, Phi_new, sigma)`: the variance of least squares, (m,).

    `Phi` (n, p) has independent columns and holds the training features, `Phi_new` (m, p) those of
    m new inputs; the noise has standard deviation sigma. Nothing is to be sampled.
    """

    def solution(Phi, Phi_new, sigma):
        S = Phi_new @ np.linalg.pinv(Phi)
        return sigma**2 * (S**2).sum(axis=1)

    why = (
        "Predictions are $S y$ with $S = \\Phi_\\text{new}\\Phi^+$, so their covariance is "
        "$\\sigma^2 SS^\\top$; the variances are its diagonal, the squared length of each row."
    )

    def cases(rng):
        yield case(np.ones((4, 1)), np.ones((1, 1)), 2.0, label="the mean of four")
        yield case(np.eye(3), np.eye(3), 0.5, label="interpolation")
        for n, p, m in ((8, 3, 4), (6, 2, 1)):
            yield case(rng.normal(size=(n, p)), rng.normal(size=(m, p)), 1.5)

    hints = (
        "Write the predictions as a matrix times y. What is the covariance of A y?",
        "Cov(S y) = σ² S Sᵀ. You need only its diagonal.",
    )

    @wrong("σ is the standard deviation; the variance of the noise is σ².")
    def sigma_not_squared(Phi, Phi_new, sigma):
        S = Phi_new @ np.linalg.pinv(Phi)
        return sigma * (S**2).sum(axis=1)

    @wrong(
        "That is the variance of a new target: the noise of the sample itself is on top."
    )
    def with_noise(Phi, Phi_new, sigma):
        S = Phi_new @ np.linalg.pinv(Phi)
        return sigma**2 * (1 + (S**2).sum(axis=1))

    @wrong("Sum the squares of each row of S, not the row itself.")
    def not_squared(Phi, Phi_new, sigma):
        return sigma**2 * (Phi_new @ np.linalg.pinv(Phi)).sum(axis=1)


@exercise("new-sample-error", chapter="basis_functions")
class NewSampleError:
    """A Gaussian world (n = 50, all weights in reach, noise variance 2): which expected error?

    Give the expected squared error on a new sample of least squares with p = 24 parameters, when
    the truth uses only those 24.
    """

    def solution():
        return 2.0 * (1 + 24 / (50 - 24 - 1))

    why = "$\\tau^2\\bigl(1 + \\frac{p}{n - p - 1}\\bigr) = 2\\,(1 + \\frac{24}{25}) = 3.92$."

    hints = (
        "Nothing is out of reach, so τ² is the noise alone.",
        "Do not forget the noise of the new sample.",
    )

    @wrong("That is the error of the weights alone; a new sample brings its own noise.")
    def no_noise():
        return 2.0 * 24 / 25

    @wrong("That is σ²(1 + p/n), which holds for new targets at the *same* inputs.")
    def fixed_inputs():
        return 2.0 * (1 + 24 / 50)

    @wrong("The denominator is n − p − 1.")
    def off_by_one():
        return 2.0 * (1 + 24 / 26)
