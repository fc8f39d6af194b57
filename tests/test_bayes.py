"""Bayesian regression against SciPy's Gaussians, scikit-learn, finite differences and grids."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import ARDRegression, BayesianRidge

from lib.bayes import fit_relevance, log_evidence, maximise_evidence, posterior, prior
from lib.linear import effective_parameters, ridge

QUICK = settings(deadline=None, max_examples=30)


@st.composite
def designs(draw, least=1, most=12):
    """A random X (n, d) and y (n,), with copies, constants or zeros now and then."""
    n, d = draw(st.integers(least, most)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    kind = draw(st.sampled_from(["plain", "copy", "zero", "constant"]))
    if kind == "copy" and d > 1:
        X[:, 1] = 2 * X[:, 0]
    if kind == "zero":
        X[:, -1] = 0.0
    if kind == "constant":
        X[:, 0] = 1.0
    return X, y


def marginal(X, alpha, beta):
    """Covariance of y under the prior, (n, n)."""
    return np.eye(len(X)) / beta + X @ np.diag(1 / alpha) @ X.T


# --- posterior ---


@QUICK
@given(design=designs(), beta=st.sampled_from([0.1, 1.0, 30.0]))
def test_posterior_by_conditioning_a_joint_gaussian(design, beta):
    X, y = design
    alpha = np.linspace(0.5, 2.0, X.shape[1])
    post = posterior(X, y, alpha, beta)
    V = np.diag(1 / alpha)
    gain = V @ X.T @ np.linalg.inv(marginal(X, alpha, beta))
    np.testing.assert_allclose(post.mean, gain @ y, atol=1e-9)
    np.testing.assert_allclose(post.covariance, V - gain @ X @ V, atol=1e-9)


@QUICK
@given(design=designs(), ratio=st.sampled_from([1e-3, 1.0, 40.0]))
def test_posterior_mean_is_ridge(design, ratio):
    X, y = design
    mean = posterior(X, y, 2.0 * ratio, 2.0).mean
    np.testing.assert_allclose(mean, ridge(X, y, ratio), atol=1e-8)


def test_posterior_on_a_grid():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    post = posterior(X, y, 1.5, 4.0)
    axis = np.linspace(-5, 5, 601)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), -1).reshape(-1, 2)
    log_density = -2.0 * ((y - grid @ X.T) ** 2).sum(1) - 0.75 * (grid**2).sum(1)
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    mean = weight @ grid
    np.testing.assert_allclose(post.mean, mean, atol=1e-6)
    spread = (weight[:, None] * (grid - mean)).T @ (grid - mean)
    np.testing.assert_allclose(post.covariance, spread, atol=1e-6)


@QUICK
@given(design=designs(least=2), cut=st.integers(1, 11))
def test_updating_in_two_parts_is_one_update(design, cut):
    X, y = design
    cut = min(cut, len(y) - 1)
    whole = posterior(X, y, 0.7, 3.0)
    parts = prior(0.7, 3.0, X.shape[1]).update(X[:cut], y[:cut])
    parts = parts.update(X[cut:], y[cut:])
    np.testing.assert_allclose(parts.mean, whole.mean, atol=1e-9)
    np.testing.assert_allclose(parts.covariance, whole.covariance, atol=1e-9)


def test_predictive_by_simulation():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(10, 3)), rng.normal(size=10)
    post = posterior(X, y, 1.0, 2.0)
    row = np.array([[1.0, -2.0, 0.5]])
    mean, variance = post.predict(row)
    drawn = post.sample(200_000, rng) @ row[0] + rng.normal(0, 2**-0.5, 200_000)
    assert drawn.mean() == pytest.approx(mean[0], abs=0.02)
    assert drawn.var() == pytest.approx(variance[0], rel=0.02)
    covariance = np.cov(post.sample(200_000, rng).T)
    np.testing.assert_allclose(covariance, post.covariance, atol=0.01)


def test_collinear_columns_and_a_weak_prior():
    x = np.linspace(1, 2, 9)
    X, y = np.column_stack([x, x]), np.sin(x)
    for alpha in (1e-3, 1e-9, 1e-14):
        post = posterior(X, y, alpha, 1.0)
        c = x @ y / (2 * x @ x + alpha)
        np.testing.assert_allclose(post.mean, [c, c], rtol=1e-6)
        # along (1, −1) the data say nothing: the prior's variance stays
        difference = np.array([1.0, -1.0]) / np.sqrt(2)
        spread = difference @ post.covariance @ difference
        assert spread == pytest.approx(1 / alpha, rel=1e-6)


def test_posterior_of_huge_features():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(8, 3)), rng.normal(size=8)
    plain = posterior(X, y, 1e-4, 1.0)
    huge = posterior(1e170 * X, y, 1.0, 1.0)
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(huge.mean * 1e170, expected, rtol=1e-8)
    assert np.isfinite(huge.covariance).all()
    np.testing.assert_allclose(plain.mean, expected, rtol=1e-3)


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: posterior(X, y, 1.0, 1.0),
        lambda X, y: log_evidence(X, y, 1.0, 1.0),
        maximise_evidence,
        fit_relevance,
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
    ):
        with pytest.raises(ValueError, match=r"^[Xy]: expected"):
            fit(X, y)


def test_bad_precisions_are_refused():
    X, y = np.eye(2), np.ones(2)
    for alpha in (0.0, -1.0, np.nan, [1.0, -1.0], [1.0, 1.0, 1.0]):
        with pytest.raises(ValueError, match="alpha: expected"):
            posterior(X, y, alpha, 1.0)
        with pytest.raises(ValueError, match="alpha: expected"):
            log_evidence(X, y, alpha, 1.0)
    with pytest.raises(ValueError, match="beta: expected"):
        posterior(X, y, 1.0, 0.0)
    with pytest.raises(ValueError, match="X: expected 2 columns"):
        posterior(X, y, 1.0, 1.0).predict(np.ones((1, 3)))
    with pytest.raises(ValueError, match="range of a float"):
        log_evidence(1e200 * X, y, 1.0, 1.0)


# --- evidence ---


@QUICK
@given(
    design=designs(),
    alpha=st.sampled_from([1e-4, 1.0, 50.0]),
    beta=st.sampled_from([0.1, 1.0, 100.0]),
)
def test_evidence_is_scipys_gaussian(design, alpha, beta):
    X, y = design
    d = X.shape[1]
    expected = stats.multivariate_normal.logpdf(
        y, np.zeros(len(y)), marginal(X, np.full(d, alpha), beta)
    )
    assert log_evidence(X, y, alpha, beta) == pytest.approx(expected, abs=1e-6)
    many = alpha * np.linspace(0.3, 3.0, d)
    expected = stats.multivariate_normal.logpdf(
        y, np.zeros(len(y)), marginal(X, many, beta)
    )
    assert log_evidence(X, y, many, beta) == pytest.approx(expected, abs=1e-6)


def test_evidence_of_weights_switched_off():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(7, 3)), rng.normal(size=7)
    some = log_evidence(X, y, [2.0, np.inf, 3.0], 1.5)
    assert some == pytest.approx(log_evidence(X[:, [0, 2]], y, [2.0, 3.0], 1.5))
    none = log_evidence(X, y, [np.inf] * 3, 1.5)
    assert none == pytest.approx(stats.norm.logpdf(y, 0, 1.5**-0.5).sum())


def problem(seed, n=60, d=8):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.3, 2.0, d)
    return X, X @ rng.normal(size=d) + rng.normal(0, 1.0, n)


@pytest.mark.parametrize("seed", range(4))
def test_maximum_of_the_evidence(seed):
    X, y = problem(seed)
    fit = maximise_evidence(X, y)
    top = log_evidence(X, y, fit.alpha, fit.beta)
    assert fit.log_evidences[-1] == pytest.approx(top)
    for da, db in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        near = log_evidence(X, y, fit.alpha * np.exp(da), fit.beta * np.exp(db))
        assert near < top
    assert fit.gamma == pytest.approx(effective_parameters(X, fit.alpha / fit.beta))
    flat = dict.fromkeys(["alpha_1", "alpha_2", "lambda_1", "lambda_2"], 0.0)
    reference = BayesianRidge(fit_intercept=False, tol=1e-13, max_iter=9999, **flat)
    reference.fit(X, y)
    assert fit.alpha == pytest.approx(reference.lambda_, rel=1e-6)
    assert fit.beta == pytest.approx(reference.alpha_, rel=1e-6)
    post = posterior(X, y, fit.alpha, fit.beta)
    np.testing.assert_allclose(post.mean, reference.coef_, rtol=1e-6)
    np.testing.assert_allclose(post.covariance, reference.sigma_, atol=1e-8)
    mean, deviation = reference.predict(X, return_std=True)
    np.testing.assert_allclose(post.predict(X)[0], mean, rtol=1e-6)
    np.testing.assert_allclose(post.predict(X)[1], deviation**2, rtol=1e-6)


@pytest.mark.parametrize(("a", "b"), [(1e-140, 1e90), (1e80, 1e-70), (3.0, 1e-140)])
def test_evidence_maximum_in_other_units(a, b):
    X, y = problem(5)
    plain, other = maximise_evidence(X, y), maximise_evidence(a * X, b * y)
    assert other.gamma == pytest.approx(plain.gamma)
    expected = (a / b) * plain.alpha * (a / b)
    assert other.alpha == pytest.approx(expected, rel=1e-8)
    shift = len(y) * np.log(b)
    assert other.log_evidences[-1] == pytest.approx(plain.log_evidences[-1] - shift)


def test_the_start_does_not_matter():
    X, y = problem(6)
    plain = maximise_evidence(X, y)
    for alpha, beta in ((1e-3, 1e-3), (50.0, 0.1), (0.01, 30.0)):
        other = maximise_evidence(X, y, alpha=alpha, beta=beta)
        assert other.alpha == pytest.approx(plain.alpha, rel=1e-6)
        assert other.beta == pytest.approx(plain.beta, rel=1e-6)


def test_features_that_explain_nothing():
    x = np.array([1.0, -1.0, 1.0, -1.0])
    y = np.array([1.0, 1.0, -2.0, -2.0])  # perpendicular
    fit = maximise_evidence(x[:, None], y)
    assert fit.alpha == np.inf
    assert fit.gamma == 0.0
    assert fit.beta == pytest.approx(4 / (y @ y))
    expected = stats.norm.logpdf(y, 0, fit.beta**-0.5).sum()
    assert fit.log_evidences[-1] == pytest.approx(expected)


def test_no_noise_to_estimate():
    X = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ValueError, match="fits exactly"):
        maximise_evidence(X, X @ [1.0, 2.0])
    with pytest.raises(ValueError, match="fit exactly"):
        fit_relevance(X, X @ [1.0, 2.0])
    for X, y in ((np.zeros((3, 1)), np.ones(3)), (np.ones((3, 1)), np.zeros(3))):
        with pytest.raises(ValueError, match="not all zero"):
            maximise_evidence(X, y)
    with pytest.raises(ValueError, match="not all zero"):
        fit_relevance(np.ones((3, 1)), np.zeros(3))


# --- relevance ---


@QUICK
@given(design=designs(least=9, most=30))
def test_relevance_never_lowers_the_evidence(design):
    X, y = design
    fit = fit_relevance(X, y)
    assert np.diff(fit.log_evidences).min() >= -1e-8 * len(y)
    last = log_evidence(X, y, fit.alpha, fit.beta)
    assert last == pytest.approx(fit.log_evidences[-1], abs=1e-6)
    assert not fit.theta[~fit.relevant].any()
    assert not fit.relevant[~X.any(axis=0)].any()


@pytest.mark.parametrize("seed", range(5))
def test_relevance_is_a_maximum_in_every_precision(seed):
    X, y = problem(seed, n=40, d=5)
    y = y - X[:, 3:] @ np.linalg.lstsq(X[:, 3:], y, rcond=None)[0]  # two weak features
    y = y + 0.1 * np.random.default_rng(seed).normal(size=40)
    fit = fit_relevance(X, y, tol=1e-12)
    top = log_evidence(X, y, fit.alpha, fit.beta)
    for j in range(5):
        on = np.isfinite(fit.alpha[j])
        for factor in np.geomspace(1e-3, 1e3, 13):
            other = fit.alpha.copy()
            other[j] = other[j] * factor if on else factor
            assert log_evidence(X, y, other, fit.beta) <= top + 1e-6
    for factor in (0.98, 1.02):
        assert log_evidence(X, y, fit.alpha, fit.beta * factor) < top


@pytest.mark.parametrize("seed", range(4))
def test_relevance_is_at_least_as_probable_as_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 12))
    y = X[:, :3] @ [2.0, -1.0, 0.7] + 0.5 * rng.normal(size=80)
    fit = fit_relevance(X, y, tol=1e-12)
    reference = ARDRegression(
        fit_intercept=False, max_iter=5000, tol=1e-10, threshold_lambda=1e6
    ).fit(X, y)
    theirs = log_evidence(X, y, reference.lambda_, reference.alpha_)
    assert fit.log_evidences[-1] >= theirs - 1e-3
    np.testing.assert_allclose(fit.theta, reference.coef_, atol=0.02)
    assert fit.relevant[:3].all()
    assert fit.relevant.sum() < 12


def test_relevance_in_other_units():
    X, y = problem(7)
    plain = fit_relevance(X, y)
    units = np.array([1e-90, 1.0, 1e60, 7.0, 1e-3, 1e9, 1.0, 2.0])
    other = fit_relevance(X * units, 1e-20 * y)
    np.testing.assert_array_equal(other.relevant, plain.relevant)
    np.testing.assert_allclose(other.theta * units * 1e20, plain.theta, rtol=1e-5)


def test_one_feature_of_the_targets_own_shape():
    rng = np.random.default_rng(8)
    x = rng.normal(size=30)
    noise = rng.normal(size=30)
    noise -= x * (x @ noise) / (x @ x)
    fit = fit_relevance(x[:, None], noise)  # nothing to explain
    assert not fit.relevant.any()
    assert fit.beta == pytest.approx(30 / (noise @ noise))
    assert fit_relevance(x[:, None], noise + 3 * x).relevant.all()
