"""Solvers of least squares against NumPy and exact fractions, at any shape, rank and scale."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lib.linear import (
    Standardiser,
    cholesky,
    condition_number,
    correct_digits,
    exact_least_squares,
    least_squares,
    pseudoinverse,
    solve_by_cholesky,
    solve_by_qr,
    solve_by_svd,
    squared_error,
    squared_error_gradient,
    with_intercept,
)
from lib.linear.least_squares import equilibrate
from lib.linear.triangular import solve_lower, solve_upper

SOLVERS = [least_squares, solve_by_cholesky, solve_by_qr, solve_by_svd]


@st.composite
def designs(draw, tall=True):
    """A random X (n, d) and y (n,)."""
    d = draw(st.integers(1, 6))
    n = draw(st.integers(d, d + 12)) if tall else draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.normal(size=(n, d)), rng.normal(size=n)


@pytest.mark.parametrize("solve", SOLVERS)
@settings(deadline=None)
@given(design=designs())
def test_every_solver_agrees_with_numpy(solve, design):
    X, y = design
    assume(np.linalg.cond(X) < 1e3)
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(solve(X, y), expected, rtol=1e-8, atol=1e-8)


@settings(deadline=None)
@given(design=designs(tall=False), copies=st.integers(0, 2), zero=st.booleans())
def test_shortest_solution_at_any_rank(design, copies, zero):
    X, y = design
    for j in range(copies):  # collinear: multiples of a column
        X = np.column_stack([X, (j + 2.0) * X[:, 0]])
    if zero:
        X = np.column_stack([X, np.zeros(len(X))])
    s = np.linalg.svd(X, compute_uv=False)
    assume(not np.any((s > 1e-12 * s[0]) & (s < 1e-3 * s[0])))
    expected = np.linalg.lstsq(X, y, rcond=1e-10)[0]
    for solve in (least_squares, solve_by_svd):
        np.testing.assert_allclose(solve(X, y), expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(
        pseudoinverse(X), np.linalg.pinv(X, rcond=1e-10), atol=1e-9
    )


@settings(deadline=None)
@given(
    design=designs(),
    column_powers=st.lists(st.integers(-150, 150), min_size=6, max_size=6),
    y_power=st.integers(-100, 100),
)
def test_units_do_not_matter(design, column_powers, y_power):
    """Columns from 1e-150 to 1e150 side by side: θ scales by exactly the units."""
    X, y = design
    assume(np.linalg.cond(X) < 1e3)
    scale = 10.0 ** np.array(column_powers[: X.shape[1]])
    expected = least_squares(X, y)
    moved = least_squares(X * scale, y * 10.0**y_power)
    np.testing.assert_allclose(
        moved * scale / 10.0**y_power,
        expected,
        rtol=1e-9,
        atol=1e-9 * np.abs(expected).max(),
    )


def test_weights_out_of_range_are_refused():
    with pytest.raises(ValueError, match="range of a float"):
        least_squares(np.full((3, 1), 1e-200), np.full(3, 1e200))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_one_column_is_a_ratio(n):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=n), rng.normal(size=n)
    np.testing.assert_allclose(
        least_squares(x[:, None], y), [x @ y / (x @ x)], rtol=1e-12
    )


def test_constant_and_duplicated_columns_share_the_mean():
    y = np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(
        least_squares(np.ones((3, 2)), y), [1.5, 1.5], rtol=1e-12
    )
    np.testing.assert_array_equal(least_squares(np.zeros((3, 2)), y), [0.0, 0.0])
    np.testing.assert_array_equal(least_squares(np.ones((3, 1)), np.zeros(3)), [0.0])


def test_exact_fractions_are_the_referee():
    X = with_intercept(np.vander(np.linspace(0.0, 1.0, 9), 5))[:, :5]
    y = np.sin(7 * X[:, 1])
    exact = exact_least_squares(X, y)
    rows = [[Fraction(float(a)) for a in row] for row in X]
    residual = [
        Fraction(float(t)) - sum(a * e for a, e in zip(row, exact, strict=True))
        for t, row in zip(y, rows, strict=True)
    ]
    for column in zip(*rows, strict=True):  # Xᵀ r = 0, exactly
        assert sum(a * r for a, r in zip(column, residual, strict=True)) == 0
    for solve in (least_squares, solve_by_qr, solve_by_svd):
        assert correct_digits(solve(X, y), exact) > 11


def test_squaring_the_condition_number_costs_digits():
    """The Läuchli matrix: full rank, yet Xᵀ X is singular in floating point."""
    e = 1e-9
    X = np.array([[1.0, 1.0], [e, 0.0], [0.0, e]])
    y = np.array([2.0, e, e])  # θ = (1, 1) exactly
    np.testing.assert_allclose(solve_by_qr(X, y), [1.0, 1.0], rtol=1e-6)
    np.testing.assert_allclose(least_squares(X, y), [1.0, 1.0], rtol=1e-6)
    with pytest.raises(ValueError, match="positive definite"):
        solve_by_cholesky(X, y)


@settings(deadline=None)
@given(design=designs())
def test_condition_number_is_squared_by_the_gram_matrix(design):
    X, _ = design
    assume(np.linalg.cond(X) < 1e4)
    np.testing.assert_allclose(condition_number(X), np.linalg.cond(X), rtol=1e-9)
    np.testing.assert_allclose(
        condition_number(X.T @ X), condition_number(X) ** 2, rtol=1e-4
    )


def test_reflections_do_not_cancel():
    """A column that nearly is an axis: reflected the other way, v would lose its digits."""
    X = np.array([[1.0, 2.0], [1e-8, 1.0], [0.0, 3.0]])
    y = np.array([1.0, 2.0, -1.0])
    exact = exact_least_squares(X, y)
    assert correct_digits(solve_by_qr(X, y), exact) > 14


@pytest.mark.parametrize("n", [1023, 1024, 1025, 5000])
def test_many_rows_are_reduced_in_blocks(n):
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(n, 3)), rng.normal(size=n)
    X[:, 2] *= 1e-9
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(least_squares(X, y), expected, rtol=1e-9)


def test_condition_number_of_a_deficient_matrix_is_infinite():
    assert condition_number(np.ones((4, 2))) == np.inf
    assert condition_number(1e200 * np.eye(3)) == 1.0


@settings(deadline=None)
@given(design=designs())
def test_cholesky_factor(design):
    X, _ = design
    A = X.T @ X + 0.1 * np.eye(X.shape[1])
    np.testing.assert_allclose(
        cholesky(A), np.linalg.cholesky(A), rtol=1e-9, atol=1e-12
    )


def test_cholesky_refuses_what_is_not_positive_definite():
    with pytest.raises(ValueError, match="pivot -3 in column 1"):
        cholesky([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="symmetric"):
        cholesky([[1.0, 2.0], [0.0, 1.0]])


def test_triangular_systems():
    rng = np.random.default_rng(3)
    T, b = np.tril(rng.normal(size=(6, 6))) + 3 * np.eye(6), rng.normal(size=6)
    np.testing.assert_allclose(solve_lower(T, b), np.linalg.solve(T, b), rtol=1e-10)
    np.testing.assert_allclose(solve_upper(T.T, b), np.linalg.solve(T.T, b), rtol=1e-10)
    with pytest.raises(ValueError, match=r"got 0 at \(1, 1\)"):
        solve_lower([[1.0, 0.0], [1.0, 0.0]], [1.0, 1.0])


@settings(deadline=None)
@given(design=designs(), seed=st.integers(0, 1000))
def test_gradient_by_central_differences(design, seed):
    X, y = design
    theta = np.random.default_rng(seed).normal(size=X.shape[1])
    step = 1e-5
    numeric = [
        (squared_error(X, y, theta + step * e) - squared_error(X, y, theta - step * e))
        / (2 * step)
        for e in np.eye(X.shape[1])
    ]
    np.testing.assert_allclose(squared_error_gradient(X, y, theta), numeric, atol=1e-6)


def test_standardiser():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.normal(5, 3, 40), np.full(40, 7.0), 1e160 * rng.normal(size=40)]
    )
    scaler = Standardiser.of(X)
    Z = scaler.forward(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(Z.std(axis=0), [1, 0, 1], atol=1e-12)
    y = rng.normal(size=40)
    raw = scaler.original_units(least_squares(with_intercept(Z), y))
    fitted = with_intercept(Z) @ least_squares(with_intercept(Z), y)
    np.testing.assert_allclose(
        with_intercept(X[:, :2]) @ raw[:3] + X[:, 2] * raw[3], fitted
    )


def test_equilibrate_is_exact():
    X = np.array([[3.0, 0.0, 1e-300], [-5.0, 0.0, 2e-300]])
    scaled, exponents = equilibrate(X)
    np.testing.assert_array_equal(np.ldexp(scaled, exponents), X)
    assert np.abs(scaled).max() <= 1


@pytest.mark.parametrize("solve", [*SOLVERS, exact_least_squares])
@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.ones((3, 1)), [1.0, np.nan, 2.0], "y: expected finite"),
        (np.array([[1.0], [np.inf]]), [1.0, 2.0], "X: expected finite"),
        (np.ones((3, 1)), [1.0, 2.0], "y: expected 3 entries, got 2"),
        (np.ones(3), [1.0, 2.0, 3.0], "X: expected a matrix"),
        (np.ones((0, 2)), [], "X: expected at least one row"),
    ],
)
def test_bad_input_is_named(solve, X, y, words):
    with pytest.raises(ValueError, match=words):
        solve(X, y)


def test_too_few_rows_and_dependent_columns_are_named():
    with pytest.raises(ValueError, match="at least 3 rows, got 2"):
        solve_by_qr(np.ones((2, 3)), [1.0, 2.0])
    with pytest.raises(ValueError, match="independent columns"):
        exact_least_squares([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="positive definite"):
        solve_by_cholesky([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0])


def test_powers_to_degree_300_still_fit_best():
    x = np.linspace(-2, 2, 400)
    X = np.vander(x, 301, increasing=True)  # columns from 1 to 2^300, of low rank
    y = x**3 + np.random.default_rng(0).normal(size=400)
    fitted = X @ least_squares(X, y)
    basis = np.linalg.qr(np.polynomial.chebyshev.chebvander(x / 2, 20))[0]
    by_degree_20 = np.mean((y - basis @ (basis.T @ y)) ** 2)
    assert np.mean((y - fitted) ** 2) <= by_degree_20 * (1 + 1e-6)
