"""Sigmoid, softmax, log-sum-exp and softmax regression against SciPy and scikit-learn."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import special
from sklearn.linear_model import LogisticRegression

from lib.logistic import (
    fit_logistic,
    fit_softmax,
    log_sigmoid,
    log_softmax,
    logit,
    logsumexp,
    sigmoid,
    softmax,
    softmax_hessian,
    softmax_loss,
)

few = settings(deadline=None, max_examples=25)
scores = hnp.arrays(
    float,
    hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5),
    elements=st.floats(-1e6, 1e6),
)


# --- functions --------------------------------------------------------------------------


@few
@given(scores)
def test_functions_are_scipys(z):
    np.testing.assert_allclose(sigmoid(z), special.expit(z), rtol=1e-13, atol=0)
    np.testing.assert_allclose(log_sigmoid(z), special.log_expit(z), rtol=1e-13)
    np.testing.assert_allclose(logsumexp(z), special.logsumexp(z, axis=-1), rtol=1e-13)
    np.testing.assert_allclose(softmax(z), special.softmax(z, axis=-1), rtol=1e-13)
    np.testing.assert_allclose(
        log_softmax(z), special.log_softmax(z, axis=-1), rtol=1e-12, atol=1e-300
    )


@few
@given(scores, st.floats(1e-3, 1e3))
def test_temperature_divides_the_scores(z, tau):
    np.testing.assert_allclose(
        softmax(z, tau), special.softmax(z / tau, axis=-1), rtol=1e-6, atol=1e-12
    )


@given(st.floats(-700, 700))
@few
def test_the_sigmoid_keeps_every_digit(z):
    with mpmath.workdps(400):
        exact = 1 / (1 + mpmath.exp(-mpmath.mpf(z)))
        log_exact = float(mpmath.log(exact))
        exact = float(exact)
    assert float(sigmoid(z)) == pytest.approx(exact, rel=1e-14, abs=0)
    assert float(log_sigmoid(z)) == pytest.approx(log_exact, rel=1e-14, abs=0)


def test_functions_at_infinity():
    np.testing.assert_array_equal(sigmoid([-np.inf, np.inf]), [0, 1])
    np.testing.assert_array_equal(log_sigmoid([-np.inf, np.inf]), [-np.inf, 0])
    np.testing.assert_array_equal(softmax([0.0, -np.inf, 0.0]), [0.5, 0, 0.5])
    assert logsumexp([-np.inf, -np.inf]) == -np.inf
    assert logsumexp([0.0, np.inf]) == np.inf
    assert logsumexp([-np.inf, 2.0]) == 2.0


def test_extreme_temperatures():
    np.testing.assert_allclose(softmax([1.0, 3.0, 2.0], 1e-300), [0, 1, 0])
    np.testing.assert_allclose(softmax([1e300, -1e300], 1e-300), [1, 0])
    np.testing.assert_allclose(softmax([1.0, 3.0, 3.0], 1e-9), [0, 0.5, 0.5])
    np.testing.assert_allclose(softmax([1.0, 3.0, 2.0], 1e300), np.full(3, 1 / 3))


@given(st.floats(-30, 30))
@few
def test_logit_inverts_the_sigmoid(z):
    assert float(logit(sigmoid(z))) == pytest.approx(z, rel=1e-2, abs=1e-9)
    if abs(z) < 5:
        assert float(logit(sigmoid(z))) == pytest.approx(z, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("function", [sigmoid, log_sigmoid, softmax, logsumexp])
def test_nan_is_refused(function):
    with pytest.raises(ValueError, match="NaN"):
        function([0.0, np.nan])


@pytest.mark.parametrize("function", [softmax, log_softmax])
@pytest.mark.parametrize("z", [[-np.inf, -np.inf], [np.inf, 0.0]])
def test_no_distribution_without_a_finite_maximum(function, z):
    with pytest.raises(ValueError, match="finite largest score"):
        function(z)


@pytest.mark.parametrize("function", [softmax, log_softmax, logsumexp])
@pytest.mark.parametrize("z", [1.0, np.zeros((3, 0))])
def test_scores_need_a_class(function, z):
    with pytest.raises(ValueError, match="at least one class"):
        function(z)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, 1.1, np.nan])
def test_logit_needs_a_probability_inside(p):
    with pytest.raises(ValueError, match="strictly between"):
        logit(p)


@pytest.mark.parametrize("temperature", [0.0, -1.0, np.nan, np.inf])
def test_temperature_is_positive(temperature):
    with pytest.raises(ValueError, match="temperature"):
        softmax([1.0, 2.0], temperature)


# --- softmax regression -----------------------------------------------------------------


@st.composite
def samples(draw):
    """Features and labels with every class present; sometimes dull or repeated columns."""
    K, d = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    n = draw(st.integers(K, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n, d))
    if draw(st.booleans()):
        X = np.column_stack([np.round(X), np.full(n, -2.0), X[:, 0]])
    y = rng.integers(0, K, size=n)
    y[:K] = np.arange(K)
    return X, y, K


def central(f, theta, step=1e-5):
    return np.array(
        [(f(theta + step * e) - f(theta - step * e)) / (2 * step) for e in np.eye(len(theta))]
    )  # fmt: skip


def split(theta, K):
    rows = theta.reshape(K, -1)  # (b_k, w_k) in turn
    return rows[:, 1:], rows[:, 0]


@few
@given(samples(), st.sampled_from([0.0, 0.3]))
def test_derivatives_are_those_of_central_differences(sample, lam):
    X, y, K = sample
    theta = np.linspace(-1, 1, K * (X.shape[1] + 1))

    def loss(t):
        return softmax_loss(*split(t, K), X, y, lam)[0]

    def gradient(t):
        _, by_W, by_b = softmax_loss(*split(t, K), X, y, lam)
        return np.column_stack([by_b, by_W]).ravel()

    np.testing.assert_allclose(gradient(theta), central(loss, theta), atol=1e-7)
    H = softmax_hessian(*split(theta, K), X, lam)
    np.testing.assert_allclose(H, central(gradient, theta), atol=1e-6)
    assert np.linalg.eigvalsh(H)[0] > -1e-12


@few
@given(samples(), st.floats(1e-3, 3.0))
def test_softmax_regression_is_scikit_learns(sample, lam):
    X, y, K = sample
    model = fit_softmax(X, y, lam, tol=1e-8)
    np.testing.assert_allclose(model.weights.sum(axis=0), 0, atol=1e-5)
    assert model.intercepts.sum() == pytest.approx(0, abs=1e-9)
    if K == 2:  # scikit-learn gives two classes one weight vector
        library = fit_logistic(X, y, lam / 2)
        np.testing.assert_allclose(
            model.weights[1] - model.weights[0], library.weights, atol=1e-4
        )
        return
    library = LogisticRegression(
        C=1 / (lam * len(y)), tol=1e-10, max_iter=2000, solver="newton-cg"
    ).fit(X, y)
    np.testing.assert_allclose(model.weights, library.coef_, atol=1e-4)
    np.testing.assert_allclose(
        model.probabilities(X), library.predict_proba(X), atol=1e-4
    )
    np.testing.assert_array_equal(
        model.predict(X), model.probabilities(X).argmax(axis=1)
    )


def three_classes():
    rng = np.random.default_rng(2)
    y = np.arange(150) % 3
    return rng.normal(size=(150, 2)) + np.array([[0, 0], [2, 0], [0, 2]])[y], y


@pytest.mark.parametrize("factor", [1e-8, 1e6])
def test_units_and_penalty_scale_together(factor):
    X, y = three_classes()
    plain = fit_softmax(X, y, 0.01, tol=1e-8)
    scaled = fit_softmax(X * factor, y, 0.01 * factor**2, tol=1e-8)
    np.testing.assert_allclose(scaled.weights * factor, plain.weights, atol=1e-6)


@pytest.mark.parametrize("factor", [1e-200, 1e150])
def test_extreme_scales_stay_finite(factor):
    X, y = three_classes()
    model = fit_softmax(X * factor, y, 0.01)
    assert np.isfinite(model.probabilities(X * factor)).all()


def test_the_objective_is_reported():
    X, y = three_classes()
    model = fit_softmax(X, y, 0.05)
    loss, by_W, by_b = softmax_loss(model.weights, model.intercepts, X, y, 0.05)
    assert model.loss == pytest.approx(loss)
    np.testing.assert_allclose(by_W, 0, atol=1e-5)
    np.testing.assert_allclose(by_b, 0, atol=1e-5)


@pytest.mark.parametrize(
    ("y", "settings_", "said"),
    [
        ([0, 0, 0], {}, "at least two classes"),
        ([0, 2, 0], {}, "every class, got none of 1"),
        ([0, 1, 0], {"classes": 3}, "every class, got none of 2"),
        ([0, 1, 3], {"classes": 3}, "labels from 0 to 2"),
        ([0, 1, -1], {}, "labels"),
        ([0, 1, 0.5], {}, "whole-number"),
        ([0, 1], {}, "entries"),
        ([0, 1, 1], {"lam": 0.0}, "lam"),
        ([0, 1, 1], {"max_steps": 0}, "max_steps"),
    ],
)
def test_bad_input_is_named(y, settings_, said):
    with pytest.raises(ValueError, match=said):
        fit_softmax([[0.0], [1.0], [3.0]], y, **settings_)


def test_no_convergence_is_reported():
    X, y = three_classes()
    with pytest.raises(ValueError, match="no convergence"):
        fit_softmax(X, y, 1e-4, max_steps=2)
    with pytest.raises(ValueError, match="finite"):
        fit_softmax(np.where(X > 1, np.nan, X), y)
