"""The decompositions: identities, agreement with loops, exact laws and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import rel_entr, softmax
from sklearn.linear_model import Ridge

from lib.basis import legendre, monomials
from lib.bias_variance import (
    cross_entropy_decomposition,
    decompose,
    draw_datasets,
    exact_decomposition,
    fit_many,
    gaussian_features_risk,
    geometric_mean,
    majority_decomposition,
    measured_features_risk,
    smoother_matrix,
)
from lib.linear import least_squares

shapes = st.tuples(st.integers(1, 8), st.integers(1, 6), st.integers(0, 99))


@settings(max_examples=30, deadline=None)
@given(shapes)
def test_parts_add_up_to_the_measured_error(shape):
    models, points, seed = shape
    rng = np.random.default_rng(seed)
    predictions, truth = rng.normal(size=(models, points)), rng.normal(size=points)
    parts = decompose(predictions, truth, noise=0.3)
    direct = ((predictions - truth) ** 2).mean(axis=0) + 0.3
    np.testing.assert_allclose(parts.error, direct)
    np.testing.assert_allclose(sum(parts.means), direct.mean())


def test_corrected_parts_are_unbiased_by_enumeration():
    # Three equally likely predictions, two independent models: all nine outcomes.
    values, truth = np.array([0.0, 1.0, 5.0]), np.array([1.5])
    pairs = [np.array([[a], [b]]) for a in values for b in values]
    parts = [decompose(pair, truth, corrected=True) for pair in pairs]
    np.testing.assert_allclose(
        np.mean([p.bias2[0] for p in parts]), (values.mean() - 1.5) ** 2
    )
    np.testing.assert_allclose(np.mean([p.variance[0] for p in parts]), values.var())
    plain = np.mean([decompose(pair, truth).bias2[0] for pair in pairs])
    np.testing.assert_allclose(plain, (values.mean() - 1.5) ** 2 + values.var() / 2)


@pytest.mark.parametrize("lam", [0.0, 0.7])
def test_smoother_matrix_is_the_fit(lam):
    rng = np.random.default_rng(3)
    Phi, new, y = rng.normal(size=(9, 4)), rng.normal(size=(5, 4)), rng.normal(size=9)
    if lam:
        reference = Ridge(alpha=lam, fit_intercept=False).fit(Phi, y).predict(new)
    else:
        reference = new @ least_squares(Phi, y)
    np.testing.assert_allclose(smoother_matrix(Phi, new, lam) @ y, reference)


def test_measured_parts_approach_the_exact_ones():
    rng = np.random.default_rng(4)
    x, new = np.linspace(-1, 1, 15), np.linspace(-0.9, 0.9, 7)
    S = smoother_matrix(monomials(x, 2), monomials(new, 2), 0.1)
    exact = exact_decomposition(S, np.exp(x), np.exp(new), 0.25)
    Y = np.exp(x) + 0.5 * rng.standard_normal((40_000, 15))
    measured = decompose(Y @ S.T, np.exp(new), 0.25)
    np.testing.assert_allclose(measured.variance, exact.variance, rtol=0.05)
    np.testing.assert_allclose(measured.bias2, exact.bias2, atol=0.003)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 12),
    st.integers(0, 14),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 99),
)
def test_fit_many_is_a_loop_over_fits(n, degree, lam, seed):
    rng = np.random.default_rng(seed)
    x, y = draw_datasets(np.sin, n, 3, 0.2, rng, low=-1.0, high=1.0)
    new = np.linspace(-1, 1, 5)
    fits = fit_many(lambda t: legendre(t, degree), x, y, new, lam)
    for k in range(3):
        Phi = legendre(x[k], degree)
        theta = (
            Ridge(alpha=lam, fit_intercept=False, solver="svd").fit(Phi, y[k]).coef_
            if lam
            else np.linalg.pinv(Phi) @ y[k]
        )
        np.testing.assert_allclose(
            fits.predictions[k], legendre(new, degree) @ theta, rtol=1e-5, atol=1e-6
        )
        np.testing.assert_allclose(
            fits.training_error[k], np.mean((y[k] - Phi @ theta) ** 2), atol=1e-7
        )
        np.testing.assert_allclose(
            fits.weight_norm[k], np.linalg.norm(theta), rtol=1e-5
        )


def test_fit_many_is_the_same_in_blocks(monkeypatch):
    rng = np.random.default_rng(5)
    x, y = draw_datasets(np.cos, 6, 11, 0.1, rng)
    whole = fit_many(lambda t: monomials(t, 3), x, y, [0.5])
    monkeypatch.setattr("lib.bias_variance.datasets._BLOCK", 50)
    pieces = fit_many(lambda t: monomials(t, 3), x, y, [0.5])
    np.testing.assert_allclose(pieces.predictions, whole.predictions)


def test_draw_datasets_draws_what_it_says():
    x, y = draw_datasets(
        lambda t: 3 * t, 50, 400, 0.5, np.random.default_rng(6), low=2, high=4
    )
    assert x.shape == y.shape == (400, 50)
    assert 2 <= x.min() < 2.01
    assert 3.99 < x.max() <= 4
    np.testing.assert_allclose(np.std(y - 3 * x), 0.5, rtol=0.02)


@settings(max_examples=30, deadline=None)
@given(shapes, st.integers(2, 5))
def test_cross_entropy_parts_add_up(shape, classes):
    models, points, seed = shape
    rng = np.random.default_rng(seed)
    q = softmax(3 * rng.normal(size=(models, points, classes)), axis=2)
    p = rng.dirichlet(np.ones(classes), points)
    parts = cross_entropy_decomposition(p, q)
    np.testing.assert_allclose(
        parts.error, -(p * np.log(q)).sum(axis=2).mean(axis=0), atol=1e-10
    )
    np.testing.assert_allclose(
        parts.bias, rel_entr(p, geometric_mean(q)).sum(axis=1), atol=1e-10
    )
    assert parts.variance.min() >= -1e-12


def test_geometric_mean_is_a_softmax_of_mean_logits():
    logits = np.random.default_rng(7).normal(size=(5, 3, 4))
    np.testing.assert_allclose(
        geometric_mean(softmax(logits, axis=2)), softmax(logits.mean(axis=0), axis=1)
    )


def test_one_hot_truth_has_no_noise():
    parts = cross_entropy_decomposition([[1.0, 0.0]], [[[0.9, 0.1]], [[0.6, 0.4]]])
    assert parts.noise[0] == 0.0
    np.testing.assert_allclose(parts.error[0], -np.log([0.9, 0.6]).mean())


@settings(max_examples=30, deadline=None)
@given(shapes)
def test_majority_parts_add_up(shape):
    models, points, seed = shape
    rng = np.random.default_rng(seed)
    votes, truth = rng.integers(0, 2, (models, points)), rng.integers(0, 2, points)
    parts = majority_decomposition(votes, truth)
    np.testing.assert_allclose(parts.error, (votes != truth).mean(axis=0))
    assert parts.variance.max() <= 0.5


@pytest.mark.parametrize("p", [1, 10, 18, 50, 90])
def test_gaussian_features_risk_is_what_is_measured(p):
    n, rng = 30, np.random.default_rng(p)
    theta = np.full(100, 0.2)
    inside, outside = np.sum(theta[:p] ** 2), np.sum(theta[p:] ** 2)
    exact = sum(gaussian_features_risk(n, p, inside, outside, 0.5)) + outside + 0.5
    measured = measured_features_risk(n, p, theta, 0.5, 3000, rng).mean()
    np.testing.assert_allclose(measured, exact, rtol=0.05)


def test_measured_risk_is_that_of_drawn_test_samples():
    n, p, D = 12, 8, 20
    theta = np.linspace(1, 2, D) / 5
    rng = np.random.default_rng(8)
    errors = []
    for _ in range(1500):
        X, T = rng.normal(size=(n, D)), rng.normal(size=(40, D))
        y = X @ theta + rng.normal(size=n)
        ours = np.linalg.pinv(X[:, :p]) @ y
        errors.append(np.mean((T @ theta + rng.normal(size=40) - T[:, :p] @ ours) ** 2))
    fast = measured_features_risk(n, p, theta, 1.0, 1500, rng)
    np.testing.assert_allclose(np.median(errors), np.median(fast), rtol=0.1)


def test_risk_at_the_threshold_is_infinite_unless_there_is_nothing_to_fit():
    assert gaussian_features_risk(10, 10, 1.0, 0.0, 0.1) == (0.0, np.inf)
    assert gaussian_features_risk(10, 11, 1.1, 0.0, 0.1)[1] == np.inf
    assert gaussian_features_risk(10, 10, 1.0, 0.0, 0.0) == (0.0, 0.0)
    assert gaussian_features_risk(1, 0, 0.0, 2.0, 0.1) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: decompose([[1.0, 2.0]], [1.0]), "truth"),
        (lambda: decompose([[1.0]], [1.0], -1.0), "noise"),
        (lambda: decompose([[1.0]], [1.0], corrected=True), "predictions"),
        (lambda: decompose([[np.inf]], [1.0]), "predictions"),
        (lambda: smoother_matrix(np.eye(2), np.ones((1, 3))), "Phi_new"),
        (lambda: exact_decomposition(np.eye(2), [1.0], [1.0, 2.0], 1.0), "truth"),
        (lambda: fit_many(np.sin, [[1.0]], [[1.0]], [1.0]), "basis"),
        (lambda: cross_entropy_decomposition([[0.5, 0.5]], [[[1.0, 0.0]]]), "q"),
        (lambda: cross_entropy_decomposition([[0.5, 0.6]], [[[0.5, 0.5]]]), "p"),
        (lambda: majority_decomposition([[2]], [1]), "labels"),
        (lambda: majority_decomposition([[1]], [3]), "truth"),
        (lambda: gaussian_features_risk(0, 1, 1, 1, 1), "n"),
        (lambda: measured_features_risk(3, 5, np.ones(4), 1, 2, None), "p"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        call()
