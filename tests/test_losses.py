"""The loss zoo against SciPy's log densities, scikit-learn and finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import hinge_loss, log_loss, mean_pinball_loss

from lib import losses
from lib.logistic.functions import sigmoid, softmax

QUICK = settings(deadline=None, max_examples=30)
seeds = st.integers(0, 2**32 - 1)

REAL = {
    "squared": losses.squared,
    "absolute": losses.absolute,
    "quantile": losses.quantile(0.3),
    "huber": losses.huber(0.7),
}
MARGIN = {
    "hinge": losses.hinge,
    "logistic": losses.logistic,
    "exponential": losses.exponential,
}


def targets_for(name, rng, n):
    if name in MARGIN or name == "zero_one":
        return rng.choice([-1.0, 1.0], size=n)
    if name == "poisson":
        return rng.poisson(2.0, size=n).astype(float)
    if name == "binary_cross_entropy":
        return rng.integers(0, 2, size=n).astype(float)
    return rng.normal(size=n)


ENTRYWISE = {
    **REAL,
    **MARGIN,
    "poisson": losses.poisson,
    "binary_cross_entropy": losses.binary_cross_entropy,
}


@pytest.mark.parametrize("name", ENTRYWISE)
@QUICK
@given(seed=seeds, n=st.integers(1, 9))
def test_slopes_are_central_differences(name, seed, n):
    rng = np.random.default_rng(seed)
    y, f, h = targets_for(name, rng, n), 2 * rng.normal(size=n), 1e-6
    loss = ENTRYWISE[name]
    # step away from kinks, where a central difference says nothing
    kink = y if name in ("absolute", "quantile") else y * 1.0 if name == "hinge" else f
    if name in ("absolute", "quantile", "hinge"):
        f = np.where(np.abs(f - kink) < 1e-3, f + 0.01, f)
    if name == "huber":
        f = np.where(np.abs(np.abs(y - f) - 0.7) < 1e-3, f + 0.01, f)
    numeric = (loss(y, f + h)[0] - loss(y, f - h)[0]) / (2 * h)
    np.testing.assert_allclose(loss(y, f)[1], numeric, rtol=1e-5, atol=1e-7)


@QUICK
@given(seed=seeds, n=st.integers(1, 6), k=st.integers(1, 5))
def test_slopes_of_scores_and_of_mean_and_variance(seed, n, k):
    rng = np.random.default_rng(seed)
    h = 1e-6
    cases = [
        (losses.cross_entropy, rng.integers(0, k, size=n), rng.normal(size=(n, k))),
        (losses.gaussian, rng.normal(size=n), rng.normal(size=(n, 2))),
    ]
    for loss, y, z in cases:
        for j in range(z.shape[1]):
            step = np.zeros_like(z)
            step[:, j] = h
            numeric = (loss(y, z + step)[0] - loss(y, z - step)[0]) / (2 * h)
            np.testing.assert_allclose(loss(y, z)[1][:, j], numeric, atol=2e-7)


@QUICK
@given(seed=seeds)
def test_losses_are_negative_log_likelihoods(seed):
    rng = np.random.default_rng(seed)
    y, m, s = rng.normal(size=(3, 8))
    counts, labels = rng.poisson(3.0, size=8), rng.integers(0, 2, size=8)
    np.testing.assert_allclose(
        losses.gaussian(y, np.column_stack([m, s]))[0],
        -stats.norm.logpdf(y, m, np.exp(s / 2)),
        atol=1e-12,
    )
    np.testing.assert_allclose(
        losses.squared(y, m)[0] + np.log(np.pi) / 2,
        -stats.norm.logpdf(y, m, np.sqrt(0.5)),
        atol=1e-12,
    )
    np.testing.assert_allclose(
        losses.absolute(y, m)[0] + np.log(2), -stats.laplace.logpdf(y, m), atol=1e-12
    )
    np.testing.assert_allclose(
        losses.poisson(counts, s)[0], -stats.poisson.logpmf(counts, np.exp(s))
    )
    np.testing.assert_allclose(
        losses.binary_cross_entropy(labels, m)[0],
        -stats.bernoulli.logpmf(labels, sigmoid(m)),
    )
    np.testing.assert_allclose(
        losses.logistic(2.0 * labels - 1, m)[0],
        losses.binary_cross_entropy(labels, m)[0],
    )


@QUICK
@given(seed=seeds, n=st.integers(2, 30))
def test_means_agree_with_scikit_learn(seed, n):
    rng = np.random.default_rng(seed)
    y, f = rng.normal(size=(2, n))
    signs = np.resize([-1.0, 1.0], n)
    labels = np.resize([0, 1, 2], max(n, 3))
    z = rng.normal(size=(len(labels), 3))
    assert losses.quantile(0.8)(y, f)[0].mean() == pytest.approx(
        mean_pinball_loss(y, f, alpha=0.8)
    )
    assert losses.hinge(signs, f)[0].mean() == pytest.approx(hinge_loss(signs, f))
    assert losses.cross_entropy(labels, z)[0].mean() == pytest.approx(
        log_loss(labels, softmax(z))
    )
    assert losses.zero_one(signs, f)[0].mean() == pytest.approx(
        np.mean(np.sign(f) != signs)
    )


def test_margin_losses_bound_the_zero_one_loss():
    f = np.linspace(-5, 5, 1001)
    ones = np.ones_like(f)
    error = losses.zero_one(ones, f)[0]
    assert (losses.hinge(ones, f)[0] >= error).all()
    assert (losses.exponential(ones, f)[0] >= error).all()
    assert (losses.logistic(ones, f)[0] / np.log(2) >= error - 1e-12).all()


def test_extreme_scores_stay_finite():
    z = np.array([-1e4, 1e4])
    np.testing.assert_allclose(
        losses.binary_cross_entropy([1.0, 1.0], z)[0], [1e4, 0.0]
    )
    np.testing.assert_allclose(
        losses.cross_entropy([0], np.array([[-1e4, 1e4]]))[0], [2e4]
    )
    np.testing.assert_allclose(losses.logistic([-1.0, -1.0], z)[0], [0.0, 1e4])


def test_kinks_use_the_documented_subgradient():
    one = np.array([1.0])
    assert losses.absolute(one, one)[1] == 0
    assert losses.hinge(one, one)[1] == 0
    assert losses.quantile(0.3)(one, one)[1] == pytest.approx(-0.3)
    assert losses.zero_one(one, np.array([0.0]))[0] == 1


def test_multi_label_targets_are_taken_entry_by_entry():
    y, z = np.array([[1.0, 0.0, 1.0]]), np.array([[0.3, -1.0, 2.0]])
    loss, slope = losses.binary_cross_entropy(y, z)
    assert loss.shape == slope.shape == (1, 3)
    np.testing.assert_allclose(loss[0, 1], np.log1p(np.exp(-1.0)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: losses.squared([1.0], [1.0, 2.0]), "expected the shape of y"),
        (lambda: losses.squared([np.nan], [1.0]), "finite"),
        (lambda: losses.squared([], []), "at least one"),
        (lambda: losses.hinge([0.0], [1.0]), "labels -1 or 1"),
        (lambda: losses.binary_cross_entropy([-1.0], [1.0]), "labels 0 or 1"),
        (lambda: losses.cross_entropy([2], [[0.0, 1.0]]), "from 0 to 1"),
        (lambda: losses.poisson([-1.0], [0.0]), "counts"),
        (lambda: losses.poisson([0.5], [0.0]), "counts"),
        (lambda: losses.poisson([1.0], [1e3]), "log rates"),
        (lambda: losses.exponential([1.0], [-1e3]), "margins"),
        (lambda: losses.gaussian([1.0], [[0.0, -1e3]]), "log variances"),
        (lambda: losses.gaussian([1.0], [[0.0]]), "2 columns"),
        (lambda: losses.quantile(1.0), "tau"),
        (lambda: losses.huber(0.0), "delta"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
