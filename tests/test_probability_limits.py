"""Sums, their limits and dependent samples against brute force, SciPy and simulation."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.probability import (
    Cauchy,
    Exponential,
    Normal,
    autocorrelation,
    autoregression,
    autoregression_log_likelihood,
    berry_esseen_bound,
    characteristic_of_mean,
    distribution_of_sum,
    effective_size,
    gap_to_normal,
    means_of,
    moments,
    pearson,
    running_means,
    variance_of_mean,
)

DIE = np.array([0, 1, 1, 1, 1, 1, 1]) / 6


def test_sum_of_dice_by_writing_down_every_throw():
    for n in (1, 2, 5):
        sums = [sum(faces) for faces in product(range(1, 7), repeat=n)]
        counted = np.bincount(sums, minlength=6 * n + 1) / 6**n
        np.testing.assert_allclose(distribution_of_sum(DIE, n), counted, atol=1e-15)
    np.testing.assert_array_equal(distribution_of_sum(DIE, 0), [1.0])


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 40), st.integers(0, 1000))
def test_moments_of_sums_add(n, seed):
    pmf = np.random.default_rng(seed).dirichlet(np.ones(4))
    mean, sigma, third = moments(np.arange(4), pmf)
    total = distribution_of_sum(pmf, n)
    many_mean, many_sigma, _ = moments(np.arange(total.size), total)
    np.testing.assert_allclose(many_mean, n * mean)
    np.testing.assert_allclose(many_sigma, math.sqrt(n) * sigma)
    assert third >= sigma**3 * (1 - 1e-12)
    assert gap_to_normal(pmf, n) <= berry_esseen_bound(sigma, third, n)


def test_gap_of_a_fair_coin_by_hand():
    # One toss, standardised to ±1: the largest gap is ½ − Φ(−1) on either side of a jump.
    np.testing.assert_allclose(gap_to_normal([0.5, 0.5], 1), 0.5 - stats.norm.cdf(-1))
    dense = stats.binom(9, 0.5)
    z = np.linspace(-4, 4, 80_001)
    exact = np.abs(dense.cdf(np.floor(4.5 + 1.5 * z + 1e-9)) - stats.norm.cdf(z)).max()
    np.testing.assert_allclose(gap_to_normal([0.5, 0.5], 9), exact, atol=1e-4)


def test_means_and_running_means():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    np.testing.assert_allclose(
        running_means(x)[[0, 9, 49]], [x[0], x[:10].mean(), x.mean()]
    )
    means = means_of(Exponential(2.0), 30, 2000, rng)
    assert means.shape == (2000,)
    assert abs(means.mean() - 0.5) < 5 * 0.5 / math.sqrt(60_000)


def test_characteristic_functions_of_means():
    t = np.linspace(-3, 3, 13)
    same = characteristic_of_mean(Cauchy().characteristic, 50)
    np.testing.assert_allclose(same(t), Cauchy().characteristic(t), atol=1e-12)
    narrow = characteristic_of_mean(Normal(1.0, 2.0).characteristic, 16)
    np.testing.assert_allclose(
        narrow(t), Normal(1.0, 0.5).characteristic(t), atol=1e-12
    )


@settings(deadline=None, max_examples=30)
@given(
    st.integers(2, 40), st.integers(0, 10_000), st.sampled_from([1e-200, 1.0, 1e200])
)
def test_pearson_against_numpy(n, seed, scale):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    np.testing.assert_allclose(
        pearson(scale * x, scale * y + scale), np.corrcoef(x, y)[0, 1], atol=1e-9
    )
    assert pearson(scale * x, -3 * scale * x) == pytest.approx(-1.0, abs=1e-12)
    assert -1 <= pearson(x, x) <= 1


def test_autocorrelation_against_its_definition():
    x = np.random.default_rng(3).normal(size=30).cumsum()
    gap = x - x.mean()
    expected = [np.sum(gap[: 30 - k] * gap[k:]) / np.sum(gap**2) for k in range(6)]
    np.testing.assert_allclose(autocorrelation(x, 5), expected)


@pytest.mark.parametrize("phi", [-0.6, 0.0, 0.9])
def test_autoregression_has_the_promised_covariance(phi):
    x = autoregression(phi, 6, np.random.default_rng(5), repeats=40_000)
    lag = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    np.testing.assert_allclose(np.cov(x.T), phi**lag, atol=0.035)


@pytest.mark.parametrize("phi", [-0.6, 0.0, 0.8])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_likelihood_of_a_series_is_that_of_one_gaussian_vector(phi, n):
    x = np.random.default_rng(n).normal(size=n)
    lag = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    whole = stats.multivariate_normal(np.zeros(n), np.asarray(phi, float) ** lag)
    np.testing.assert_allclose(autoregression_log_likelihood(x, phi), whole.logpdf(x))


@settings(max_examples=30)
@given(st.integers(1, 12), st.floats(-0.9, 0.9), st.floats(0.1, 10))
def test_variance_of_a_mean_against_the_covariance_matrix(n, phi, variance):
    lag = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    direct = variance * (float(phi) ** lag).sum() / n**2
    ours = variance_of_mean(phi ** np.arange(1, 20), n, variance)
    np.testing.assert_allclose(ours, direct, rtol=1e-9)
    np.testing.assert_allclose(
        effective_size(phi ** np.arange(1, 20), n), variance / direct, rtol=1e-9
    )


def test_equal_correlation_never_averages_out():
    sizes = [10, 1000, 100_000]
    found = [variance_of_mean(np.full(n, 0.3), n) for n in sizes]
    np.testing.assert_allclose(found, [0.3 + 0.7 / n for n in sizes], rtol=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pearson([1.0, 1.0], [1.0, 2.0]),
        lambda: pearson([0.1, 0.1, 0.1], [1.0, 2.0, 3.0]),
        lambda: pearson([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: pearson([1.0, math.nan], [1.0, 2.0]),
        lambda: autocorrelation([1.0, 2.0], 2),
        lambda: autoregression(1.0, 5, np.random.default_rng()),
        lambda: variance_of_mean([1.5], 4),
        lambda: variance_of_mean([-0.9], 10),
        lambda: effective_size([-1.0], 2),
        lambda: gap_to_normal([0.0, 1.0], 3),
        lambda: distribution_of_sum([0.5, 0.4], 3),
        lambda: distribution_of_sum([0.5, 0.5], -1),
        lambda: berry_esseen_bound(0.0, 1.0, 3),
        lambda: running_means([]),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError, match=r"expected|does not vary"):
        call()
