"""Two-class logistic regression against scikit-learn, SciPy and central differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats
from sklearn.linear_model import LogisticRegression

from lib.logistic import (
    curvature_bound,
    descend_logistic,
    fit_logistic,
    likelihood_ratio_test,
    logistic_hessian,
    logistic_inference,
    logistic_loss,
    separation,
    sigmoid,
    squared_sigmoid_loss,
)

few = settings(deadline=None, max_examples=25)
LOSSES = (logistic_loss, squared_sigmoid_loss)


@st.composite
def samples(draw, max_rows=40):
    """Features, labels of both classes; sometimes whole numbers, repeats, dull columns."""
    n, d = draw(st.integers(2, max_rows)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n, d))
    if draw(st.booleans()):
        X = np.round(X)
    if draw(st.booleans()):
        X = np.column_stack([X, np.full(n, 3.7), 2 * X[:, 0]])  # constant, collinear
    y = (rng.random(n) < special.expit(X[:, 0] - 0.3)).astype(float)
    y[0], y[-1] = 0.0, 1.0
    if draw(st.booleans()):
        X, y = np.vstack([X, X[:3]]), np.concatenate([y, y[:3]])
    return X, y


def overlapping(seed=0, n=300, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1.0, 5.0, 0.2][:d] + [0.0, 30.0, -2.0][:d]
    z = X @ np.array([0.9, 0.2, -2.0])[:d]
    return X, (rng.random(n) < special.expit(z - z.mean())).astype(float)


def reference(X, y, lam, **settings):
    C = np.inf if lam == 0 else 1 / (lam * len(y))
    model = LogisticRegression(
        C=C, tol=1e-12, max_iter=1000, solver="newton-cholesky", **settings
    )
    return model.fit(X, y)


def central(f, theta, step=1e-5):
    return np.array(
        [(f(theta + step * e) - f(theta - step * e)) / (2 * step) for e in np.eye(len(theta))]
    )  # fmt: skip


# --- losses -----------------------------------------------------------------------------


@few
@given(samples(), st.sampled_from([0.0, 0.3]))
def test_gradients_are_those_of_central_differences(sample, lam):
    X, y = sample
    theta = np.linspace(-0.8, 0.9, X.shape[1] + 1)
    for loss in LOSSES:
        gradient = loss(theta, X, y, lam)[1]
        slopes = central(lambda t, loss=loss: loss(t, X, y, lam)[0], theta)
        np.testing.assert_allclose(gradient, slopes, atol=1e-7)


@few
@given(samples(), st.sampled_from([0.0, 0.3]))
def test_the_hessian_is_that_of_central_differences(sample, lam):
    X, y = sample
    theta = np.linspace(-0.8, 0.9, X.shape[1] + 1)
    slopes = central(lambda t: logistic_loss(t, X, y, lam)[1], theta)
    np.testing.assert_allclose(logistic_hessian(theta, X, lam), slopes, atol=1e-6)


def test_the_hessian_in_blocks_is_the_hessian():
    rng = np.random.default_rng(3)
    X, theta = rng.normal(size=(30_000, 5)), rng.normal(size=6)  # more than one block
    p = special.expit(X @ theta[1:] + theta[0])
    design = np.column_stack([np.ones(len(X)), X])
    np.testing.assert_allclose(
        logistic_hessian(theta, X),
        design.T @ (design * (p * (1 - p))[:, None]) / len(X),
        rtol=1e-10,
    )


def test_losses_by_hand():
    X, y = np.array([[1.0], [-2.0]]), np.array([1.0, 0.0])
    theta = np.array([0.5, 2.0])  # scores 2.5 and -3.5
    p = special.expit([2.5, -3.5])
    assert logistic_loss(theta, X, y)[0] == pytest.approx(
        -(np.log(p[0]) + np.log(1 - p[1])) / 2
    )
    assert squared_sigmoid_loss(theta, X, y)[0] == pytest.approx(
        ((1 - p[0]) ** 2 + p[1] ** 2) / 4
    )
    assert logistic_loss(theta, X, y, 0.1)[0] - logistic_loss(theta, X, y)[
        0
    ] == pytest.approx(0.05 * 4.0)


def test_losses_of_huge_scores_are_exact():
    X, y = np.array([[1.0], [1.0]]), np.array([1.0, 0.0])
    loss, gradient = logistic_loss(np.array([0.0, 5000.0]), X, y)
    assert loss == 2500.0
    np.testing.assert_allclose(gradient, [0.5, 0.5])
    tiny = logistic_loss(np.array([0.0, 60.0]), X[:1], y[:1])[0]
    assert tiny == pytest.approx(np.exp(-60.0), rel=1e-12)
    H = logistic_hessian(np.array([0.0, 60.0]), X)
    assert H[0, 0] == pytest.approx(np.exp(-60.0), rel=1e-12)


# --- Newton's fit -----------------------------------------------------------------------


@few
@given(samples(), st.floats(1e-4, 10.0))
def test_penalised_fit_is_scikit_learns(sample, lam):
    X, y = sample
    model, library = fit_logistic(X, y, lam), reference(X, y, lam)
    np.testing.assert_allclose(model.weights, library.coef_[0], atol=1e-5)
    np.testing.assert_allclose(model.intercept, library.intercept_[0], atol=1e-5)
    np.testing.assert_allclose(
        model.probabilities(X), library.predict_proba(X)[:, 1], atol=1e-6
    )


@few
@given(samples())
def test_plain_fit_is_a_minimum_or_there_is_none(sample):
    X, y = sample
    if separation(X, y).kind == "none":
        model = fit_logistic(X, y)
        theta = np.append(model.intercept, model.weights)
        np.testing.assert_allclose(logistic_loss(theta, X, y)[1], 0, atol=1e-6)
    else:
        with pytest.raises(ValueError, match="lam: expected a penalty > 0"):
            fit_logistic(X, y)


@pytest.mark.parametrize("seed", range(4))
def test_plain_fit_is_scikit_learns(seed):
    X, y = overlapping(seed)
    model, library = fit_logistic(X, y), reference(X, y, 0.0)
    np.testing.assert_allclose(model.weights, library.coef_[0], rtol=1e-7)
    np.testing.assert_allclose(model.intercept, library.intercept_[0], rtol=1e-7)
    assert (np.diff(model.losses) < 0).all()
    assert model.losses[0] == pytest.approx(np.log(2))


@pytest.mark.parametrize("factor", [1e-200, 1e-9, 1e7, 1e200])
def test_units_of_a_feature_change_nothing_but_its_weight(factor):
    X, y = overlapping()
    plain = fit_logistic(X, y)
    X_other = X.copy()
    X_other[:, 1] *= factor
    other = fit_logistic(X_other, y)
    np.testing.assert_allclose(
        other.weights * [1.0, factor, 1.0], plain.weights, rtol=1e-6
    )
    np.testing.assert_allclose(other.intercept, plain.intercept, rtol=1e-6)


def test_an_offset_changes_only_the_intercept():
    X, y = overlapping()
    plain, moved = fit_logistic(X, y), fit_logistic(X + [0, 1e6, 0], y)
    np.testing.assert_allclose(moved.weights, plain.weights, rtol=1e-5)


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_extreme_scales_with_a_penalty_stay_finite(factor):
    X, y = overlapping()
    model = fit_logistic(X * factor, y, 0.1)
    assert np.isfinite(model.weights).all()
    assert np.isfinite(model.probabilities(X * factor)).all()


def test_a_constant_and_a_repeated_column_carry_no_extra_weight():
    X, y = overlapping()
    plain = fit_logistic(X, y)
    for column in (np.full(len(y), 7.3), np.full(len(y), 1e300), X[:, 0]):
        more = fit_logistic(np.column_stack([X, column]), y)
        shared = np.column_stack([X, column])
        np.testing.assert_allclose(
            more.probabilities(shared), plain.probabilities(X), atol=1e-7
        )


def test_one_feature_that_says_nothing_leaves_the_base_rate():
    y = np.array([0.0, 1.0, 1.0, 1.0])
    model = fit_logistic(np.zeros((4, 1)), y)
    assert model.intercept == pytest.approx(np.log(3.0))
    assert model.weights[0] == 0.0


def test_two_samples_with_a_penalty():
    model = fit_logistic([[-1.0], [1.0]], [0, 1], 0.1)
    w = optimize.brentq(lambda w: -special.expit(-w) + 0.1 * w, 0, 10)
    assert model.weights[0] == pytest.approx(w, rel=1e-8)
    assert model.intercept == pytest.approx(0.0, abs=1e-9)


def test_a_tiny_penalty_is_enough_for_separable_data():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = np.array([0.0, 0.0, 1.0, 1.0])
    norms = [fit_logistic(X, y, lam).weights[0] for lam in (1e-2, 1e-4, 1e-6, 1e-9)]
    assert (np.diff(norms) > 1).all()


def test_strong_but_overlapping_classes_are_fitted():
    """Scores far beyond 10 are no reason to cry separation."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-10, 10, size=2000)
    y = (rng.random(2000) < special.expit(12 * x)).astype(float)
    assert separation(x[:, None], y).kind == "none"
    assert fit_logistic(x[:, None], y).weights[0] > 5


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        ([[1.0], [2.0]], [1, 1], "both labels"),
        ([[1.0]], [0], "both labels"),
        ([[1.0], [np.nan]], [0, 1], "finite"),
        ([[1.0], [np.inf]], [0, 1], "finite"),
        ([1.0, 2.0], [0, 1], "shape"),
        ([[1.0], [2.0]], [0, 2], "labels 0 or 1"),
        ([[1.0], [2.0]], [0, 1, 1], "entries"),
        ([[1.0], [2.0]], [0, 1], "penalty > 0"),
        (np.zeros((0, 2)), [], "row"),
    ],
)
def test_bad_data_is_named(X, y, said):
    with pytest.raises(ValueError, match=said):
        fit_logistic(X, y)


def test_bad_settings_are_named():
    X, y = overlapping()
    for settings_ in ({"lam": -1.0}, {"tol": 0.0}, {"max_steps": 0}, {"lam": np.nan}):
        with pytest.raises(ValueError, match=next(iter(settings_))):
            fit_logistic(X, y, **settings_)
    with pytest.raises(ValueError, match="max_steps: no convergence"):
        fit_logistic(X, y, max_steps=1)
    model = fit_logistic(X, y)
    with pytest.raises(ValueError, match="threshold"):
        model.predict(X, 1.5)
    with pytest.raises(ValueError, match="columns"):
        model.predict(X[:, :2])


def test_prediction_compares_with_the_threshold():
    X, y = overlapping()
    model = fit_logistic(X, y)
    p = model.probabilities(X)
    np.testing.assert_allclose(p, sigmoid(model.scores(X)))
    for threshold in (0.0, 0.3, 0.5, 1.0):
        np.testing.assert_array_equal(model.predict(X, threshold), p > threshold)


# --- separation -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "kind"),
    [
        ([0, 1, 2, 3], [0, 0, 1, 1], "complete"),
        ([0, 1, 1, 2], [0, 0, 1, 1], "weak"),
        ([0, 1, 2, 3], [0, 1, 0, 1], "none"),
        ([0, 0, 0], [0, 1, 1], "none"),
        ([5, 6], [1, 1], "complete"),
    ],
)
def test_separation_on_a_line(x, y, kind):
    assert separation(np.array(x, float)[:, None], y).kind == kind


@few
@given(samples())
def test_a_separating_hyperplane_separates(sample):
    X, y = sample
    verdict = separation(X, y)
    margins = (2 * y - 1) * (X @ verdict.weights + verdict.intercept)
    if verdict.kind == "complete":
        assert margins.min() > 0
    elif verdict.kind == "weak":
        assert margins.min() > -1e-6
        assert margins.max() > 1e-6
    else:
        # The loss has a minimum: far out in every direction it is higher than at zero.
        rng = np.random.default_rng(0)
        for direction in rng.normal(size=(20, X.shape[1] + 1)):
            far = logistic_loss(1e6 * direction, X, y)[0]
            # A combination of dependent columns may leave all scores at zero.
            scores = X @ direction[1:] + direction[0]
            assert far > np.log(2) or np.abs(scores).max() < 1e-9


# --- descent ----------------------------------------------------------------------------


def test_descent_reaches_newtons_answer():
    X, y = overlapping(d=1)
    model = fit_logistic(X, y, 0.05)
    run = descend_logistic(X, y, 1 / curvature_bound(X, 0.05), 3000, lam=0.05)
    np.testing.assert_allclose(
        run.path[-1], np.append(model.intercept, model.weights), atol=1e-7
    )
    assert run.path.shape == (3001, 2)
    assert run.losses.shape == (3001,)
    assert run.losses[-1] == pytest.approx(model.losses[-1], abs=1e-12)


@few
@given(samples())
def test_steps_below_the_limit_never_raise_the_loss(sample):
    X, y = sample
    bound = curvature_bound(X, 0.1)
    run = descend_logistic(X, y, 1.99 / bound, 40, lam=0.1)
    assert (np.diff(run.losses) <= 1e-12).all()
    rng = np.random.default_rng(0)
    for theta in rng.normal(size=(5, X.shape[1] + 1)):
        H = logistic_hessian(theta, X, 0.1)
        assert np.linalg.eigvalsh(H)[-1] <= bound * (1 + 1e-12)


@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
def test_a_step_follows_the_gradient(loss):
    X, y = overlapping()
    start = np.array([0.1, -0.2, 0.3, 0.4])
    run = descend_logistic(X, y, 0.2, 1, lam=0.7, start=start, loss=loss)
    function = dict(zip(["cross-entropy", "squared"], LOSSES, strict=True))[loss]
    value, gradient = function(start, X, y, 0.7)
    np.testing.assert_allclose(run.path, [start, start - 0.2 * gradient])
    np.testing.assert_allclose(run.losses[0], value)


def test_descent_names_what_is_wrong():
    X, y = overlapping()
    with pytest.raises(ValueError, match="loss: expected one of"):
        descend_logistic(X, y, 0.1, 5, loss="hinge")
    with pytest.raises(ValueError, match="start"):
        descend_logistic(X, y, 0.1, 5, start=[0.0])
    with pytest.raises(ValueError, match="range of floats"):
        descend_logistic(X, y, 1e308, 50, lam=1.0)


# --- inference --------------------------------------------------------------------------


def test_the_covariance_is_the_inverse_curvature_of_the_log_likelihood():
    X, y = overlapping()
    found = logistic_inference(X, y)
    X1 = np.column_stack([np.ones(len(y)), X])

    def nll(theta):  # written afresh, from the Bernoulli mass function
        p = special.expit(X1 @ theta)
        return -stats.bernoulli.logpmf(y.astype(int), p).sum()

    best = optimize.minimize(nll, found.theta, method="Nelder-Mead")
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    p = special.expit(X1 @ found.theta)
    information = (X1 * (p * (1 - p))[:, None]).T @ X1
    np.testing.assert_allclose(
        found.covariance, np.linalg.inv(information), rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(
        found.z_scores, found.theta / np.sqrt(np.diag(found.covariance))
    )


def test_the_two_by_two_table():
    """One binary feature: the log odds ratio and its well-known standard error."""
    a, b, c, d = 30, 12, 10, 25  # (y, x) = (1, 1), (0, 1), (1, 0), (0, 0)
    x = np.repeat([1.0, 1.0, 0.0, 0.0], [a, b, c, d])
    y = np.repeat([1.0, 0.0, 1.0, 0.0], [a, b, c, d])
    found = logistic_inference(x[:, None], y)
    assert found.theta[1] == pytest.approx(np.log(a * d / (b * c)))
    error = np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    assert found.standard_errors[1] == pytest.approx(error)
    low, high = found.intervals(0.9)[1]
    assert (high - low) / 2 == pytest.approx(stats.norm.ppf(0.95) * error)
    assert found.p_values[1] == pytest.approx(
        2 * stats.norm.cdf(-abs(found.theta[1]) / error)
    )
    table = np.array([[a, b], [c, d]])
    g_test = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
    statistic, p_value = likelihood_ratio_test(x[:, None], y, 0)
    assert statistic == pytest.approx(g_test.statistic)
    assert p_value == pytest.approx(g_test.pvalue)


def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    chance = special.expit(0.4 + X @ [1.0, 0.0])
    covered, rejected = 0, 0
    for _ in range(300):
        found = logistic_inference(X, (rng.random(400) < chance).astype(float))
        low, high = found.intervals(0.9)[1]
        covered += low <= 1.0 <= high
        rejected += found.p_values[2] < 0.1
    assert stats.binom.cdf(covered, 300, 0.9) > 1e-3
    assert 0.05 < rejected / 300 < 0.16


def test_inference_needs_independent_columns():
    X, y = overlapping()
    for column in (X[:, 0] * 2, np.ones(len(y))):
        with pytest.raises(ValueError, match="independent columns"):
            logistic_inference(np.column_stack([X, column]), y)
    with pytest.raises(ValueError, match="dropped"):
        likelihood_ratio_test(X, y, 3)
