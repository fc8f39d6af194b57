"""Inference, leverage, R² and the F-test against SciPy, scikit-learn and brute force."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score

from lib.linear import (
    adjusted_r_squared,
    cubic_spline,
    explained_ratio,
    hat_matrix,
    least_squares,
    left_out_residuals,
    leverage,
    linear_fit,
    nested_f_test,
    r_squared,
    squared_correlation,
    with_intercept,
)


@st.composite
def samples(draw):
    """Features with an intercept column (n, p) and noisy targets (n,), n > p."""
    d = draw(st.integers(1, 4))
    n = draw(st.integers(d + 3, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = with_intercept(rng.normal(size=(n, d)))
    return X, X @ rng.normal(size=d + 1) + rng.normal(size=n)


@settings(deadline=None)
@given(samples())
def test_r_squared_definitions_agree_for_least_squares_with_intercept(sample):
    X, y = sample
    fitted = X @ least_squares(X, y)
    assume(np.ptp(fitted) > 1e-3)
    value = r_squared(y, fitted)
    np.testing.assert_allclose(value, r2_score(y, fitted), atol=1e-10)
    np.testing.assert_allclose(explained_ratio(y, fitted), value, atol=1e-9)
    np.testing.assert_allclose(squared_correlation(y, fitted), value, atol=1e-9)
    np.testing.assert_allclose(np.corrcoef(y, fitted)[0, 1] ** 2, value, atol=1e-9)
    n, p = X.shape
    np.testing.assert_allclose(
        adjusted_r_squared(y, fitted, p),
        1 - (1 - value) * (n - 1) / (n - p),
        atol=1e-12,
    )


@settings(deadline=None)
@given(samples(), st.integers(0, 1000))
def test_r_squared_definitions_differ_elsewhere(sample, seed):
    _, y = sample
    other = y + np.random.default_rng(seed).normal(1.0, 1.0, len(y))
    np.testing.assert_allclose(r_squared(y, other), r2_score(y, other), atol=1e-9)
    np.testing.assert_allclose(
        explained_ratio(y, other),
        np.sum((other - y.mean()) ** 2) / np.sum((y - y.mean()) ** 2),
    )
    np.testing.assert_allclose(
        squared_correlation(y, other), np.corrcoef(y, other)[0, 1] ** 2, atol=1e-12
    )


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_r_squared_has_no_unit(scale):
    y, f = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.5])
    np.testing.assert_allclose(
        r_squared(scale * y, scale * f), r_squared(y, f), rtol=1e-12
    )
    np.testing.assert_allclose(r_squared(y, f), 1 - 0.5 / 4.666666666666667, rtol=1e-12)


def test_r_squared_needs_spread():
    with pytest.raises(ValueError, match="constant: no spread"):
        r_squared([2.0, 2.0], [1.0, 3.0])
    with pytest.raises(ValueError, match="predictions: expected some that differ"):
        squared_correlation([1.0, 2.0], [3.0, 3.0])
    with pytest.raises(ValueError, match="expected more than 3 samples"):
        adjusted_r_squared([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 3)


@settings(deadline=None)
@given(samples())
def test_fit_against_scipy_and_plain_formulas(sample):
    X, y = sample
    fit = linear_fit(X, y)
    reference = LinearRegression().fit(X[:, 1:], y)
    np.testing.assert_allclose(fit.theta[1:], reference.coef_, atol=1e-8)
    inverse = np.linalg.inv(X.T @ X)
    n, p = X.shape
    rss = np.sum((y - X @ fit.theta) ** 2)
    np.testing.assert_allclose(fit.sigma2, rss / (n - p), rtol=1e-8)
    np.testing.assert_allclose(fit.sigma2_ml, rss / n, rtol=1e-8)
    np.testing.assert_allclose(
        fit.covariance, fit.sigma2 * inverse, rtol=1e-6, atol=1e-10
    )
    np.testing.assert_allclose(
        fit.standard_errors, np.sqrt(np.diag(fit.covariance)), rtol=1e-9
    )
    np.testing.assert_allclose(fit.leverage, np.diag(X @ inverse @ X.T), atol=1e-8)
    t = stats.t.ppf(0.95, n - p)
    half = t * np.sqrt(fit.sigma2 * (1 + np.diag(X @ inverse @ X.T)))
    np.testing.assert_allclose(
        fit.prediction_interval(X, 0.9), np.c_[X @ fit.theta - half, X @ fit.theta + half],
        atol=1e-7,
    )  # fmt: skip
    half = t * np.sqrt(fit.sigma2 * np.diag(X @ inverse @ X.T))
    np.testing.assert_allclose(
        fit.mean_interval(X, 0.9),
        np.c_[X @ fit.theta - half, X @ fit.theta + half],
        atol=1e-7,
    )


def test_simple_regression_against_linregress():
    rng = np.random.default_rng(5)
    x = rng.normal(size=25)
    y = 1 + 2 * x + rng.normal(size=25)
    fit, reference = linear_fit(with_intercept(x[:, None]), y), stats.linregress(x, y)
    np.testing.assert_allclose(
        fit.theta, [reference.intercept, reference.slope], rtol=1e-10
    )
    np.testing.assert_allclose(
        fit.standard_errors, [reference.intercept_stderr, reference.stderr], rtol=1e-10
    )
    half = stats.t.ppf(0.975, 23) * reference.stderr
    np.testing.assert_allclose(
        fit.confidence_interval()[1],
        [reference.slope - half, reference.slope + half],
        rtol=1e-9,
    )


def test_fit_at_huge_and_tiny_scales():
    rng = np.random.default_rng(6)
    X, y = with_intercept(rng.normal(size=(12, 2))), rng.normal(size=12)
    unit = np.array([1.0, 1e140, 1e-140])
    fit, moved = linear_fit(X, y), linear_fit(X * unit, y)
    np.testing.assert_allclose(moved.theta * unit, fit.theta, rtol=1e-10)
    np.testing.assert_allclose(
        moved.standard_errors * unit, fit.standard_errors, rtol=1e-10
    )
    np.testing.assert_allclose(
        moved.prediction_interval(X * unit), fit.prediction_interval(X), rtol=1e-9
    )
    with pytest.raises(ValueError, match="squares overflow"):
        _ = linear_fit(X, 1e200 * y).sigma2


def test_fit_refuses_what_it_cannot_know():
    with pytest.raises(ValueError, match="collinear"):
        linear_fit(np.ones((4, 2)), np.arange(4.0))
    with pytest.raises(ValueError, match="at least 3 rows"):
        linear_fit(np.eye(2, 3), [1.0, 2.0])
    exact = linear_fit(np.eye(2), [1.0, 2.0])
    with pytest.raises(ValueError, match="says nothing about the noise"):
        _ = exact.sigma2
    with pytest.raises(ValueError, match="level"):
        linear_fit(
            with_intercept([[1.0], [2.0], [4.0]]), [1.0, 2.0, 1.0]
        ).confidence_interval(1.0)


@settings(deadline=None)
@given(samples(), st.booleans())
def test_hat_matrix_is_an_orthogonal_projector(sample, collinear):
    X, y = sample
    if collinear:
        X = np.column_stack([X, X[:, 0] - X[:, 1]])
    H = hat_matrix(X)
    np.testing.assert_allclose(H, H.T, atol=1e-12)
    np.testing.assert_allclose(H @ H, H, atol=1e-10)
    np.testing.assert_allclose(H @ X, X, atol=1e-9)
    np.testing.assert_allclose(np.trace(H), np.linalg.matrix_rank(X), atol=1e-9)
    np.testing.assert_allclose(leverage(X), np.diag(H), atol=1e-12)
    np.testing.assert_allclose(H @ y, X @ least_squares(X, y), atol=1e-8)


@settings(deadline=None, max_examples=30)
@given(samples())
def test_left_out_residuals_by_leaving_out(sample):
    X, y = sample
    assume(leverage(X).max() < 0.99)
    rows = np.arange(len(y))
    brute = [y[i] - X[i] @ least_squares(X[rows != i], y[rows != i]) for i in rows]
    np.testing.assert_allclose(left_out_residuals(X, y), brute, atol=1e-6)


def test_a_sample_of_leverage_one_is_named():
    with pytest.raises(ValueError, match="got 1 in row 0"):
        left_out_residuals(with_intercept([[1.0], [0.0], [0.0]]), [1.0, 2.0, 3.0])


@settings(deadline=None)
@given(samples(), st.integers(0, 1000))
def test_nested_f_test_by_hand(sample, seed):
    X, y = sample
    extra = np.random.default_rng([seed, 7]).normal(size=(len(y), 1))
    large = np.column_stack([X, extra])
    assume(len(y) > large.shape[1] + 1)
    test = nested_f_test(X, large, y)
    rss = [
        np.sum((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2) for A in (X, large)
    ]
    left = len(y) - large.shape[1]
    f = (rss[0] - rss[1]) / (rss[1] / left)
    np.testing.assert_allclose([test.rss_small, test.rss_large], rss, rtol=1e-8)
    np.testing.assert_allclose(test.f, f, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(
        test.p_value, stats.f.sf(f, 1, left), rtol=1e-5, atol=1e-12
    )
    t = linear_fit(large, y)  # one extra column: F is the square of its t statistic
    np.testing.assert_allclose(
        test.f, (t.theta[-1] / t.standard_errors[-1]) ** 2, rtol=1e-5
    )


def test_nested_f_test_of_groups_is_one_way_anova():
    rng = np.random.default_rng(8)
    groups = np.repeat([0, 1, 2], [5, 7, 6])
    y = rng.normal(size=18) + 0.5 * groups
    test = nested_f_test(np.ones((18, 1)), np.eye(3)[groups], y)
    reference = stats.f_oneway(*(y[groups == g] for g in range(3)))
    np.testing.assert_allclose([test.f, test.p_value], reference, rtol=1e-9)


def test_f_test_needs_nested_models_and_noise():
    X = with_intercept(np.arange(6.0)[:, None])
    y = np.array([1.0, 2.0, 0.0, 1.0, 3.0, 2.0])
    with pytest.raises(ValueError, match="within the span"):
        nested_f_test(X, np.column_stack([np.ones(6), y, y**2]), y)
    with pytest.raises(ValueError, match="got 0 added"):
        nested_f_test(X, X, y)
    with pytest.raises(ValueError, match="0/0"):
        nested_f_test(np.ones((6, 1)), X, np.arange(6.0))


def test_cubic_spline_spans_lines_and_is_smooth():
    x = np.linspace(1890.0, 2030.0, 40)
    B = cubic_spline(x, [1930.0, 1960.0, 1990.0])
    assert B.shape == (40, 7)
    np.testing.assert_allclose(B @ least_squares(B, x), x, rtol=1e-10)
    fine = np.linspace(0.0, 2.0, 2001)
    bend = cubic_spline(fine, [1.0])[:, -1]
    second = np.diff(bend, 2) / 0.001**2
    assert np.abs(np.diff(second)).max() < 0.01  # no jump in the second derivative
    np.testing.assert_allclose(
        np.diff(bend[fine > 1.01], 4), 0, atol=1e-12
    )  # cubic beyond
    with pytest.raises(ValueError, match="rising values between"):
        cubic_spline(x, [1960.0, 1930.0])
    with pytest.raises(ValueError, match="two different values"):
        cubic_spline(np.ones(4), [1.0])
