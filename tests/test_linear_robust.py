"""Robust regression and gradient descent against SciPy's solvers and brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from lib.linear import (
    absolute_loss,
    absolute_regression,
    absolute_slope,
    descend,
    huber_loss,
    huber_regression,
    huber_slope,
    least_squares,
    step_limit,
    weighted_least_squares,
    with_intercept,
)


@st.composite
def wild_samples(draw):
    """A line with heavy-tailed noise; sometimes duplicated rows, sometimes whole numbers."""
    d = draw(st.integers(0, 3))
    n = draw(st.integers(d + 2, 25))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = np.column_stack([np.ones(n), rng.normal(size=(n, d))])
    y = X @ rng.normal(size=d + 1) + rng.standard_t(1.5, size=n)
    if draw(st.booleans()):
        X, y = np.round(X), np.round(y)
    if draw(st.booleans()):
        X, y = np.vstack([X, X[:2]]), np.concatenate([y, y[:2]])
    return X, y


def _best_absolute(X, y):
    n, d = X.shape
    answer = optimize.linprog(
        np.concatenate([np.zeros(d), np.ones(n)]),
        A_ub=np.block([[X, -np.eye(n)], [-X, -np.eye(n)]]),
        b_ub=np.concatenate([y, -y]),
        bounds=[(None, None)] * d + [(0, None)] * n,
    )
    return answer.fun


@settings(deadline=None, max_examples=40)
@given(wild_samples())
def test_absolute_regression_against_linear_programming(sample):
    X, y = sample
    fit, best = absolute_regression(X, y), _best_absolute(X, y)
    slack = 1e-9 * (1 + np.abs(y).sum())
    assert best - slack <= fit.total <= best * (1 + 1e-6) + slack
    assert fit.lower_bound <= best + slack
    np.testing.assert_allclose(
        fit.total, np.abs(y - X @ fit.theta).sum(), rtol=1e-12, atol=1e-12
    )


def test_the_best_constant_is_a_median():
    y = np.array([1.0, 2.0, 3.0, 10.0, 200.0])
    np.testing.assert_allclose(
        absolute_regression(np.ones((5, 1)), y).theta, [3.0], atol=1e-3
    )


@settings(deadline=None, max_examples=40)
@given(wild_samples(), st.floats(0.05, 5.0))
def test_huber_regression_is_stationary_and_beats_scipy(sample, delta):
    X, y = sample
    theta = huber_regression(X, y, delta)
    gradient = X.T @ huber_slope(y - X @ theta, delta)
    np.testing.assert_allclose(
        gradient, 0, atol=1e-8 * len(y) * delta * np.abs(X).max()
    )
    reference = optimize.least_squares(
        lambda t: y - X @ t,
        least_squares(X, y),
        loss="huber",
        f_scale=delta,
        xtol=1e-12,
    )
    assert huber_loss(y - X @ theta, delta).sum() <= reference.cost * (1 + 1e-9) + 1e-12


def test_huber_limits_are_least_squares_and_absolute_error():
    rng = np.random.default_rng(2)
    X = with_intercept(rng.normal(size=(31, 1)))
    y = X @ [1.0, 2.0] + rng.standard_t(2, size=31)
    np.testing.assert_allclose(
        huber_regression(X, y, 1e6), least_squares(X, y), rtol=1e-10
    )
    total = np.abs(y - X @ huber_regression(X, y, 1e-6)).sum()
    np.testing.assert_allclose(total, _best_absolute(X, y), rtol=1e-5)


@pytest.mark.parametrize(
    ("x_unit", "y_unit"), [(1e150, 1.0), (1e-150, 1e-150), (1e100, 1e200)]
)
def test_robust_fits_at_extreme_scales(x_unit, y_unit):
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(15, 2)), rng.standard_t(2, size=15)
    moved = huber_regression(x_unit * X, y_unit * y, 0.5 * y_unit)
    np.testing.assert_allclose(
        moved * (x_unit / y_unit), huber_regression(X, y, 0.5), rtol=1e-9
    )
    fit, plain = absolute_regression(x_unit * X, y_unit * y), absolute_regression(X, y)
    np.testing.assert_allclose(fit.total / y_unit, plain.total, rtol=2e-6)


def test_exact_data_are_fitted_exactly():
    X = with_intercept(np.arange(5.0)[:, None])
    y = X @ [1.0, -2.0]
    np.testing.assert_allclose(absolute_regression(X, y).theta, [1.0, -2.0], rtol=1e-12)
    np.testing.assert_allclose(huber_regression(X, y), [1.0, -2.0], rtol=1e-12)
    assert absolute_regression(X, np.zeros(5)).total == 0.0


def test_losses_and_slopes():
    r = np.array([-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(huber_loss(r), [2.5, 0.5, 0.03125, 0.0, 0.125, 0.5, 1.5])
    np.testing.assert_allclose(huber_loss(r, 2.0), optimize_huber(r, 2.0))
    np.testing.assert_allclose(huber_slope(r, 2.0), [-2, -1, -0.25, 0, 0.5, 1, 2])
    np.testing.assert_allclose(absolute_loss(r), np.abs(r))
    np.testing.assert_allclose(absolute_slope(r), [-1, -1, -1, 0, 1, 1, 1])
    for bad in (0.0, -1.0, np.inf):
        with pytest.raises(ValueError, match="delta"):
            huber_loss(r, bad)


def optimize_huber(r, delta):
    """SciPy's definition, an independent one."""
    from scipy.special import huber

    return huber(delta, r)


def test_weights_count_rows():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    counts = np.array([1, 2, 1, 3, 1, 1])
    np.testing.assert_allclose(
        weighted_least_squares(X, y, counts.astype(float)),
        least_squares(np.repeat(X, counts, axis=0), np.repeat(y, counts)),
        rtol=1e-10,
    )
    with pytest.raises(ValueError, match="weights"):
        weighted_least_squares(X, y, -np.ones(6))
    with pytest.raises(ValueError, match="weights"):
        weighted_least_squares(X, y, np.ones(5))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_descent_converges_below_the_limit_and_not_above(seed, d):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(d + 6, d)), rng.normal(size=d + 6)
    limit = step_limit(X)
    np.testing.assert_allclose(
        limit, len(X) / np.linalg.eigvalsh(X.T @ X)[-1], rtol=1e-9
    )
    best = least_squares(X, y)
    start = best + np.linalg.eigh(X.T @ X)[1][:, -1]  # along the steepest axis
    shrinking = descend(X, y, 0.99 * limit, 40, start)
    growing = descend(X, y, 1.01 * limit, 40, start)
    np.testing.assert_allclose(
        np.linalg.norm(shrinking[-1] - best), 0.98**40, rtol=1e-6
    )
    np.testing.assert_allclose(np.linalg.norm(growing[-1] - best), 1.02**40, rtol=1e-6)


def test_descent_reaches_the_least_squares_solution():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    path = descend(X, y, 0.5 * step_limit(X), 400)
    assert path.shape == (401, 3)
    np.testing.assert_allclose(path[-1], least_squares(X, y), rtol=1e-9)


def test_divergence_is_named():
    X, y = np.array([[1e3], [1e3]]), np.array([1.0, 2.0])
    with pytest.raises(
        ValueError, match=r"expected a step below 1e-06, got 1.*at step"
    ):
        descend(X, y, 1.0, 1000)
    with pytest.raises(ValueError, match="eta"):
        descend(X, y, 0.0, 10)
    with pytest.raises(ValueError, match="steps"):
        descend(X, y, 0.1, 0)
    with pytest.raises(ValueError, match="all zeros"):
        step_limit(np.zeros((2, 2)))
