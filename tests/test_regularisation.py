"""Ridge, lasso, elastic net and criteria against scikit-learn, SciPy and brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from sklearn.linear_model import ElasticNet, Lasso, Ridge, lars_path

from lib.linear import (
    aic,
    bic,
    duality_gap,
    effective_parameters,
    elastic_net,
    gaussian_log_likelihood,
    kkt_violation,
    largest_lambda,
    lasso_path,
    least_squares,
    prediction_error,
    ridge,
    ridge_left_out_error,
    ridge_objective,
    ridge_path,
    shrinkage,
    soft_threshold,
)
from lib.linear.positive_definite import trusted_solver

QUICK = settings(deadline=None, max_examples=30)


@st.composite
def designs(draw):
    """A random X (n, d) and y (n,), wide or tall, with copies, constants or zeros now and then."""
    n, d = draw(st.integers(1, 14)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    kind = draw(st.sampled_from(["plain", "copy", "zero", "constant", "duplicates"]))
    if kind == "copy" and d > 1:
        X[:, 1] = 2 * X[:, 0]
    if kind == "zero":
        X[:, -1] = 0.0
    if kind == "constant":
        X[:, 0] = 1.0
    if kind == "duplicates":
        X[n // 2 :], y[n // 2 :] = X[0], y[0]
    return X, y


# --- ridge ---


@QUICK
@given(design=designs(), lam=st.sampled_from([1e-4, 0.3, 7.0, 1e5]))
def test_ridge_is_scikit_learns(design, lam):
    X, y = design
    expected = Ridge(lam, fit_intercept=False, solver="svd").fit(X, y).coef_
    np.testing.assert_allclose(ridge(X, y, lam), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ridge_path(X, y, [lam])[0], expected, atol=1e-8)


@QUICK
@given(design=designs(), lam=st.sampled_from([1e-3, 1.0, 50.0]))
def test_ridge_is_least_squares_with_extra_rows(design, lam):
    X, y = design
    d = X.shape[1]
    tall = np.vstack([X, np.sqrt(lam) * np.eye(d)])
    expected = least_squares(tall, np.concatenate([y, np.zeros(d)]))
    np.testing.assert_allclose(ridge(X, y, lam), expected, rtol=1e-7, atol=1e-9)


@QUICK
@given(design=designs(), scale=st.sampled_from([1e-150, 1e-9, 1e9, 1e160]))
def test_ridge_at_any_scale(design, scale):
    X, y = design
    lam = 0.5 * scale**2 if scale < 1e150 else 1e300
    expected = ridge_path(X, y, [lam / scale / scale])[0] / scale
    np.testing.assert_allclose(ridge(scale * X, y, lam), expected, rtol=1e-6, atol=0)


def test_ridge_of_collinear_columns_with_a_penalty_near_rounding():
    x = np.linspace(1, 2, 9)
    X, y = np.column_stack([x, x, 3 * x]), np.sin(x)
    # θ = c·(1, 1, 3) with c = xᵀy / (11 xᵀx + λ)
    for lam in (1e-3, 1e-9, 1e-13, 1e-16):
        c = x @ y / (11 * x @ x + lam)
        np.testing.assert_allclose(ridge(X, y, lam), c * np.array([1, 1, 3]), rtol=1e-7)


def test_ridge_path_ends_at_the_shortest_least_squares():
    rng = np.random.default_rng(1)
    for shape in ((8, 3), (3, 8)):
        X, y = rng.normal(size=shape), rng.normal(size=shape[0])
        np.testing.assert_allclose(
            ridge_path(X, y, [0.0])[0], np.linalg.pinv(X) @ y, atol=1e-10
        )
    X = np.outer(np.arange(1.0, 6), [1.0, 2.0])  # rank one
    y = np.arange(5.0)
    np.testing.assert_allclose(
        ridge_path(X, y, [0.0])[0], np.linalg.pinv(X) @ y, atol=1e-12
    )
    assert ridge_path(X, y, []).shape == (0, 2)


@QUICK
@given(design=designs(), lam=st.sampled_from([0.01, 1.0, 100.0]))
def test_effective_parameters_are_the_trace_of_the_hat(design, lam):
    X, _ = design
    hat = X @ np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1])) @ X.T
    assert effective_parameters(X, lam) == pytest.approx(np.trace(hat), abs=1e-8)
    kept = shrinkage(X, lam)
    assert ((kept >= 0) & (kept < 1)).all()


def test_ridge_objective_is_least_at_ridge():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(20, 4)), rng.normal(size=20)
    best = ridge(X, y, 2.0)
    value = ridge_objective(X, y, best, 2.0)
    for _ in range(20):
        assert ridge_objective(X, y, best + 0.1 * rng.normal(size=4), 2.0) > value
    by_hand = np.sum((y - X @ best) ** 2) + 2.0 * np.sum(best**2)
    assert value == pytest.approx(by_hand)


@pytest.mark.parametrize("lam", [0.0, -1.0, np.nan, np.inf, "1", None])
def test_ridge_wants_a_positive_penalty(lam):
    with pytest.raises(ValueError, match="lam: expected"):
        ridge(np.eye(2), np.ones(2), lam)


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: ridge(X, y, 1.0),
        lambda X, y: ridge_path(X, y, [1.0]),
        lambda X, y: elastic_net(X, y, 1.0),
        lambda X, y: lasso_path(X, y, [1.0]),
        largest_lambda,
        lambda X, y: ridge_left_out_error(X, y, [1.0]),
    ],
)
def test_bad_data_is_refused(fit):
    good = np.arange(6.0).reshape(3, 2)
    for X, y in (
        (good, np.ones(2)),
        (np.where(good == 3, np.nan, good), np.ones(3)),
        (good, np.array([1.0, np.inf, 0.0])),
        (good[0], np.ones(2)),
        (np.empty((0, 2)), np.empty(0)),
        ([["a"]], [1.0]),
    ):
        with pytest.raises(ValueError, match=r"^[Xy]: expected"):
            fit(X, y)


def test_weights_beyond_a_float_are_refused():
    X, y = np.full((2, 1), 1e-300), np.full(2, 1e300)
    with pytest.raises(ValueError, match="range of a float"):
        ridge_path(X, y, [0.0])
    with pytest.raises(ValueError, match="range of a float"):
        elastic_net(X, y, 1e-10)


def test_columns_of_different_units():
    rng = np.random.default_rng(13)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    units = np.array([1e-30, 1.0, 1e25])
    tiny = 1e-80  # next to no penalty for any of them
    expected = np.linalg.lstsq(X, y, rcond=None)[0] / units
    np.testing.assert_allclose(ridge(X * units, y, tiny), expected, rtol=1e-9)


def test_trusted_solver_solves():
    rng = np.random.default_rng(14)
    A = rng.normal(size=(5, 5))
    A, b = A @ A.T + np.eye(5), rng.normal(size=5)
    solve = trusted_solver(A)
    np.testing.assert_allclose(solve(b), np.linalg.solve(A, b))
    B = rng.normal(size=(5, 3))
    np.testing.assert_allclose(solve(B), np.linalg.solve(A, B))


def test_trusted_solver_says_no():
    assert trusted_solver(np.eye(3)) is not None
    assert trusted_solver(np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]])) is None
    assert trusted_solver(np.diag([1.0, -1.0])) is None
    assert trusted_solver(np.full((2, 2), np.inf)) is None


# --- lasso and elastic net ---


@QUICK
@given(
    design=designs(),
    share=st.sampled_from([1.0, 0.7, 0.05]),
    strength=st.sampled_from([0.9, 0.3, 0.03]),
)
def test_elastic_net_reaches_scikit_learns_minimum(design, share, strength):
    X, y = design
    lam = strength * (largest_lambda(X, y, share) or 1.0)
    ours = elastic_net(X, y, lam, share, tol=1e-12)
    reference = ElasticNet(
        lam, l1_ratio=share, fit_intercept=False, tol=1e-14, max_iter=500_000
    )
    theirs = reference.fit(X, y).coef_

    def objective(theta):
        penalty = share * np.abs(theta).sum() + (1 - share) / 2 * theta @ theta
        return np.sum((y - X @ theta) ** 2) / (2 * len(y)) + lam * penalty

    assert objective(ours.theta) <= objective(theirs) + 1e-9 * objective(0 * theirs)
    gap = duality_gap(X, y, ours.theta, lam, share)
    assert gap == pytest.approx(ours.gap, abs=1e-14)
    assert kkt_violation(X, y, ours.theta, lam, share) <= 1e-3 * lam


def test_lasso_weights_are_scikit_learns():
    rng = np.random.default_rng(3)
    for n, d in ((60, 20), (25, 60), (200, 5)):
        X = rng.normal(size=(n, d)) * rng.uniform(0.5, 2, d)
        y = X[:, :3] @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=n)
        for strength in (0.5, 0.1, 0.02):
            lam = strength * largest_lambda(X, y)
            ours = elastic_net(X, y, lam, tol=1e-13).theta
            reference = Lasso(lam, fit_intercept=False, tol=1e-15, max_iter=10**6)
            theirs = reference.fit(X, y).coef_
            np.testing.assert_allclose(ours, theirs, atol=1e-5)
            np.testing.assert_array_equal(ours == 0, np.abs(theirs) < 1e-6)


def test_lasso_path_is_that_of_least_angles():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(50, 8))
    y = X @ rng.normal(size=8) + rng.normal(size=50)
    lams, _, kinks = lars_path(X, y, method="lasso")
    ours = lasso_path(X, y, lams[1:-1], tol=1e-13)
    np.testing.assert_allclose(ours, kinks.T[1:-1], atol=1e-5)


@QUICK
@given(design=designs(), share=st.sampled_from([1.0, 0.4]))
def test_largest_lambda_is_where_the_last_weight_dies(design, share):
    X, y = design
    top = largest_lambda(X, y, share)
    if top == 0.0:  # only zeros, or y perpendicular to all columns
        return
    assert not elastic_net(X, y, top * (1 + 1e-9), share).theta.any()
    assert elastic_net(X, y, top * 0.99, share, tol=1e-12).theta.any()


@QUICK
@given(
    design=designs(),
    a=st.sampled_from([1e-150, 1e-8, 1e8, 1e150]),
    b=st.sampled_from([1e-150, 1e-6, 1e150]),
)
def test_lasso_at_any_scale(design, a, b):
    X, y = design
    lam = 0.2 * (largest_lambda(X, y) or 1.0)
    plain = elastic_net(X, y, lam, tol=1e-12).theta
    if not 1e-300 < lam * a * b < 1e300:
        return
    scaled = elastic_net(a * X, b * y, lam * a * b, tol=1e-12)
    fit, expected = a * X @ scaled.theta / b, X @ plain
    np.testing.assert_allclose(fit, expected, atol=1e-4 * (np.abs(y).max() or 1.0))
    assert np.isfinite(scaled.gap)


def test_lasso_of_an_orthonormal_design_is_soft_thresholding():
    rng = np.random.default_rng(5)
    Q, _ = np.linalg.qr(rng.normal(size=(30, 6)))
    X = Q * np.sqrt(30)  # XᵀX/n = I
    y = rng.normal(size=30)
    theta = elastic_net(X, y, 0.1, tol=1e-14).theta
    np.testing.assert_allclose(theta, soft_threshold(X.T @ y / 30, 0.1), atol=1e-9)


@pytest.mark.parametrize("t", [0.0, 0.4, 3.0])
def test_soft_threshold_minimises_its_objective(t):
    for x in (-2.0, -0.4, -0.1, 0.0, 0.3, 5.0):
        grid = np.linspace(-6, 6, 120_001)
        best = grid[np.argmin((grid - x) ** 2 / 2 + t * np.abs(grid))]
        assert soft_threshold(np.array([x]), t)[0] == pytest.approx(best, abs=1e-4)


def test_duality_gap_bounds_the_distance_to_the_minimum():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(30, 5)), rng.normal(size=30)
    for share in (1.0, 0.5):
        best = elastic_net(X, y, 0.1, share, tol=1e-14).theta

        def objective(theta, share=share):
            penalty = share * np.abs(theta).sum() + (1 - share) / 2 * theta @ theta
            return np.sum((y - X @ theta) ** 2) / 60 + 0.1 * penalty

        for _ in range(30):
            theta = best + rng.normal(size=5) * rng.choice([0.01, 0.3, 3.0])
            above = objective(theta) - objective(best)
            assert above <= duality_gap(X, y, theta, 0.1, share) + 1e-12


def test_kkt_violation_sees_every_kind_of_fault():
    X, y = np.eye(2) * np.sqrt(2), np.array([3.0, 0.1])  # XᵀX/n = I
    best = soft_threshold(X.T @ y / 2, 0.5)
    assert kkt_violation(X, y, best, 0.5) == pytest.approx(0.0, abs=1e-15)
    assert best[1] == 0
    assert kkt_violation(X, y, best + [0.1, 0.0], 0.5) == pytest.approx(0.1)
    assert kkt_violation(X, y, np.zeros(2), 0.5) == pytest.approx(best[0])
    assert kkt_violation(X, y, best + [0.0, 0.01], 0.5) > 0.4  # should be off


def test_many_more_features_than_samples():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(40, 3000))
    y = X[:, :4].sum(axis=1) + 0.1 * rng.normal(size=40)
    for strength in (0.6, 0.05):  # more wanted at the start than the working set holds
        lam = strength * largest_lambda(X, y)
        ours = elastic_net(X, y, lam, tol=1e-10).theta
        reference = Lasso(lam, fit_intercept=False, tol=1e-12, max_iter=10**6)
        np.testing.assert_allclose(ours, reference.fit(X, y).coef_, atol=1e-4)


def test_a_warm_start_saves_sweeps_and_changes_nothing():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(80, 30)) + rng.normal(size=(80, 1))
    y = X @ rng.normal(size=30) + rng.normal(size=80)
    cold = elastic_net(X, y, 0.05, tol=1e-12)
    warm = elastic_net(X, y, 0.05, tol=1e-12, start=cold.theta)
    assert warm.sweeps == 0
    np.testing.assert_array_equal(warm.theta, cold.theta)
    from_far = elastic_net(X, y, 0.05, tol=1e-13, start=rng.normal(size=30))
    np.testing.assert_allclose(from_far.theta, cold.theta, atol=1e-4)


def test_bad_settings_of_the_elastic_net():
    X, y = np.eye(3), np.ones(3)
    with pytest.raises(ValueError, match="that is ridge regression"):
        elastic_net(X, y, 1.0, 0.0)
    with pytest.raises(ValueError, match="l1_share: expected"):
        largest_lambda(X, y, 1.5)
    with pytest.raises(ValueError, match="lam: expected"):
        kkt_violation(X, y, np.zeros(3), -1.0)
    with pytest.raises(ValueError, match="theta: expected 3 entries"):
        duality_gap(X, y, np.zeros(2), 1.0)
    with pytest.raises(ValueError, match="start: expected 3 entries"):
        elastic_net(X, y, 1.0, start=np.zeros(4))
    x = np.linspace(0, 1, 20)
    with pytest.raises(ValueError, match="no convergence in 3 sweeps"):
        elastic_net(x[:, None] ** np.arange(8), np.sin(9 * x), 1e-6, max_sweeps=3)


# --- complexity criteria ---


def test_left_out_error_of_ridge_by_leaving_out():
    rng = np.random.default_rng(9)
    for n, d in ((12, 4), (6, 10)):
        X, y = rng.normal(size=(n, d)), rng.normal(size=n)
        for lam in (0.1, 3.0):
            misses = []
            for i in range(n):
                rest = np.arange(n) != i
                misses.append(y[i] - X[i] @ ridge(X[rest], y[rest], lam))
            expected = np.mean(np.square(misses))
            assert ridge_left_out_error(X, y, [lam])[0] == pytest.approx(expected)


def test_information_criteria_against_scipy():
    rng = np.random.default_rng(10)
    y = rng.normal(2.0, 3.0, size=50)
    mse = np.mean((y - y.mean()) ** 2)
    log_likelihood = stats.norm.logpdf(y, y.mean(), np.sqrt(mse)).sum()
    assert gaussian_log_likelihood(mse, 50) == pytest.approx(log_likelihood)
    assert aic(log_likelihood, 2) == pytest.approx(4 - 2 * log_likelihood)
    assert bic(log_likelihood, 2, 50) == pytest.approx(
        2 * np.log(50) - 2 * log_likelihood
    )
    with pytest.raises(ValueError, match="mse: expected a number > 0"):
        gaussian_log_likelihood(0.0, 5)


def test_prediction_error_is_unbiased():
    rng = np.random.default_rng(11)
    n, d, lam = 40, 12, 5.0
    X, theta = rng.normal(size=(n, d)), rng.normal(size=d)
    gamma = effective_parameters(X, lam)
    hat = X @ np.linalg.solve(X.T @ X + lam * np.eye(d), X.T)
    clean = X @ theta
    y = clean + rng.normal(size=(4000, n))
    fresh = clean + rng.normal(size=(4000, n))
    fit = y @ hat
    training, new = ((y - fit) ** 2).mean(), ((fresh - fit) ** 2).mean()
    assert prediction_error(training, n, gamma, 1.0) == pytest.approx(new, rel=0.02)
    assert training + gamma / n < 0.97 * new  # half the price is too little


def test_lasso_beats_a_general_optimiser():
    rng = np.random.default_rng(12)
    X, y = rng.normal(size=(15, 3)), rng.normal(size=15)

    def objective(theta):
        return np.sum((y - X @ theta) ** 2) / 30 + 0.05 * np.abs(theta).sum()

    found = optimize.minimize(
        objective,
        np.zeros(3),
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 10_000},
    )
    theta = elastic_net(X, y, 0.05, tol=1e-14).theta
    assert objective(theta) == pytest.approx(found.fun, abs=1e-9)
