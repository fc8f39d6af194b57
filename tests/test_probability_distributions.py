"""Distributions against SciPy, against lists of every case, and at the edges of their range."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from lib.probability import (
    Binomial,
    Cauchy,
    Exponential,
    Geometric,
    Multinomial,
    NegativeBinomial,
    Normal,
    Pareto,
    Poisson,
    ZeroTruncatedPoisson,
    bernoulli,
    categorical,
    compositions,
    log_arrangements,
    log_choose,
    log_factorial,
    truncated_rate,
)

DISCRETE = [
    (Binomial(7, 0.3), stats.binom(7, 0.3)),
    (Binomial(400, 0.02), stats.binom(400, 0.02)),
    (Binomial(0, 0.4), stats.binom(0, 0.4)),
    (bernoulli(0.25), stats.bernoulli(0.25)),
    (NegativeBinomial(1, 0.5), stats.nbinom(1, 0.5)),
    (NegativeBinomial(6, 0.08), stats.nbinom(6, 0.08)),
    (Geometric(0.5), stats.geom(0.5)),
    (Geometric(0.01), stats.geom(0.01)),
    (Poisson(2.0), stats.poisson(2.0)),
    (Poisson(900.0), stats.poisson(900.0)),
    (Poisson(1e-6), stats.poisson(1e-6)),
]
CONTINUOUS = [
    (Normal(-1.0, 3.0), stats.norm(-1.0, 3.0)),
    (Exponential(0.2), stats.expon(scale=5.0)),
    (Cauchy(2.0, 0.5), stats.cauchy(2.0, 0.5)),
    (Pareto(1.5), stats.pareto(1.5)),
    (Pareto(3.0), stats.pareto(3.0)),
]


@pytest.mark.parametrize(("ours", "reference"), DISCRETE)
def test_discrete_against_scipy(ours, reference):
    k = np.arange(-3, 1200)
    np.testing.assert_allclose(ours.pmf(k), reference.pmf(k), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(ours.mean, reference.mean(), rtol=1e-12)
    np.testing.assert_allclose(ours.variance, reference.var(), rtol=1e-12)


@pytest.mark.parametrize(
    "ours", [o for o, _ in DISCRETE] + [ZeroTruncatedPoisson(a) for a in (1e-9, 2, 50)]
)
def test_masses_sum_to_one_and_give_the_moments(ours):
    k = ours.support()
    p = ours.pmf(k)
    assert k[0] == ours.low
    np.testing.assert_allclose(p.sum(), 1.0, rtol=1e-11)
    np.testing.assert_allclose(k @ p, ours.mean, rtol=1e-9)
    np.testing.assert_allclose(
        (k - ours.mean) ** 2 @ p, ours.variance, rtol=1e-6, atol=1e-12
    )
    assert np.all(np.isneginf(ours.log_pmf([ours.low - 1, 0.5, 2.5])))


@pytest.mark.parametrize(("ours", "reference"), DISCRETE)
@pytest.mark.parametrize("tail", [1e-3, 1e-9])
def test_support_leaves_out_no_more_than_the_tail(ours, reference, tail):
    assert reference.sf(ours.support(tail)[-1]) <= tail


def test_binomial_and_multinomial_by_writing_down_every_case():
    p, n = np.array([0.2, 0.5, 0.3]), 6
    found = {}
    for trial in product(range(3), repeat=n):
        key = tuple(np.bincount(trial, minlength=3))
        found[key] = found.get(key, 0.0) + math.prod(p[list(trial)])
    counts = np.array(list(found))
    ours = Multinomial(n, p)
    np.testing.assert_allclose(ours.pmf(counts), list(found.values()), rtol=1e-12)
    assert {tuple(row) for row in compositions(n, 3)} == set(found)
    successes = [
        ours.pmf([k, n - k - j, j])
        for k in range(n + 1)
        for j in range(n - k + 1)
        if k == 2
    ]
    np.testing.assert_allclose(sum(successes), Binomial(n, 0.2).pmf(2), rtol=1e-12)


def test_negative_binomial_by_writing_down_every_case():
    r, p, longest = 3, 0.4, 12
    found = np.zeros(longest)
    for length in range(r, longest):
        for start in product((0, 1), repeat=length - 1):
            if sum(start) == r - 1:
                failures = length - r
                found[failures] += p**r * (1 - p) ** failures
    k = np.arange(longest - r)
    np.testing.assert_allclose(NegativeBinomial(r, p).pmf(k), found[k], rtol=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 30), st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5))
def test_multinomial_against_scipy(n, weights):
    weights = np.array(weights) + 1e-3
    p = weights / weights.sum()
    ours = Multinomial(n, p)
    counts = np.random.default_rng(n).multinomial(n, p, size=4)
    reference = stats.multinomial(n, p)
    np.testing.assert_allclose(
        ours.log_pmf(counts), reference.logpmf(counts), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(ours.covariance, reference.cov(), atol=1e-12)
    np.testing.assert_allclose(ours.mean, n * p)
    assert np.isneginf(ours.log_pmf(counts[0] + 1))


def test_multinomial_edges():
    one = categorical([0.0, 1.0, 0.0])
    np.testing.assert_array_equal(one.pmf(np.eye(3)), [0.0, 1.0, 0.0])
    assert Multinomial(2, [0.5, 0.5]).pmf([3, -1]) == 0
    assert Multinomial(2, [0.5, 0.5]).pmf([0.5, 1.5]) == 0
    np.testing.assert_allclose(
        log_arrangements([[2, 2], [4, 0]]), np.log([6.0, 1.0]), atol=1e-12
    )
    assert compositions(0, 2).tolist() == [[0, 0]]
    assert compositions(3, 1).tolist() == [[3]]


def test_counts_of_arrangements():
    for n in range(12):
        k = np.arange(n + 1)
        exact = [math.comb(n, int(j)) for j in k]
        np.testing.assert_allclose(np.exp(log_choose(n, k)), exact, rtol=1e-12)
    np.testing.assert_allclose(log_factorial(170), math.lgamma(171))
    assert math.isclose(log_choose(10_000, 5_000), math.log(math.comb(10_000, 5_000)))


@pytest.mark.parametrize(
    ("ours", "certain"),
    [
        (Binomial(4, 0.0), 0),
        (Binomial(4, 1.0), 4),
        (NegativeBinomial(3, 1.0), 0),
        (Geometric(1.0), 1),
    ],
)
def test_certain_outcomes(ours, certain):
    assert ours.pmf(certain) == 1.0
    assert ours.pmf(certain + 1) == 0.0
    assert ours.variance == 0
    np.testing.assert_allclose(ours.pmf(ours.support()).sum(), 1.0)


@pytest.mark.parametrize(("ours", "reference"), CONTINUOUS)
def test_continuous_against_scipy(ours, reference):
    x = np.concatenate([[-1e200, -40.0, 0.0, 1.0, 1e200], np.linspace(-5, 9, 101)])
    np.testing.assert_allclose(ours.cdf(x), reference.cdf(x), rtol=1e-9, atol=1e-15)
    near = x[np.abs(x) < 1e3]
    np.testing.assert_allclose(ours.log_pdf(near), reference.logpdf(near), rtol=1e-9)
    u = np.array([1e-9, 0.01, 0.3, 0.5, 0.999])
    np.testing.assert_allclose(ours.quantile(u), reference.ppf(u), rtol=1e-6)
    np.testing.assert_allclose(ours.cdf(ours.quantile(u)), u, rtol=1e-6)
    if not isinstance(ours, Cauchy):
        np.testing.assert_allclose(
            [ours.mean, ours.variance], [reference.mean(), reference.var()]
        )


@pytest.mark.parametrize(("ours", "reference"), CONTINUOUS + DISCRETE)
def test_samples_follow_the_distribution(ours, reference):
    x = ours.sample(np.random.default_rng(1), (50, 80))
    assert x.shape == (50, 80)
    grid = np.quantile(x, [0.05, 0.25, 0.5, 0.75, 0.95])
    share = (x.ravel()[:, None] <= grid).mean(axis=0)
    # 4000 draws: five standard deviations of a share
    np.testing.assert_allclose(share, reference.cdf(grid), atol=5 * 0.5 / 4000**0.5)


@pytest.mark.parametrize("rate", [1e-8, 0.3, 4.0])
def test_truncated_poisson_is_a_poisson_without_zero(rate):
    ours, whole = ZeroTruncatedPoisson(rate), stats.poisson(rate)
    k = np.arange(1, 30)
    np.testing.assert_allclose(ours.pmf(k), whole.pmf(k) / whole.sf(0), rtol=1e-9)
    assert ours.pmf(0) == 0
    np.testing.assert_allclose(truncated_rate(ours.mean), rate, rtol=1e-6)
    draws = ours.sample(np.random.default_rng(0), 20_000)
    assert draws.min() >= 1
    error = math.sqrt(ours.variance / 20_000)
    assert abs(draws.mean() - ours.mean) <= 5 * error + 1e-12


@given(st.floats(1 + 1e-15, 1e6))
@settings(max_examples=30)
def test_truncated_rate_solves_its_equation(mean):
    rate = truncated_rate(mean)
    excess = mean - 1
    assert excess <= rate <= 2 * excess
    if mean > 1.001:
        np.testing.assert_allclose(rate / -math.expm1(-rate), mean, rtol=1e-12)
    else:  # a/2 + a²/12 to second order
        np.testing.assert_allclose(rate / 2 + rate**2 / 12, excess, rtol=1e-9)


CHARACTERISTIC = [
    Binomial(5, 0.3),
    Poisson(3.0),
    Geometric(0.4),
    NegativeBinomial(3, 0.5),
]


@pytest.mark.parametrize("ours", CHARACTERISTIC)
def test_discrete_characteristic_functions_are_expectations(ours):
    t = np.array([[-2.0, 0.0], [0.7, 3.1]])
    k = np.arange(200)
    direct = (np.exp(1j * t[..., None] * k) * ours.pmf(k)).sum(axis=-1)
    np.testing.assert_allclose(ours.characteristic(t), direct, atol=1e-10)


@pytest.mark.parametrize(
    ("ours", "low"), [(Normal(0.3, 1.4), -np.inf), (Exponential(1.2), 0), (Cauchy(), 0)]
)
def test_continuous_characteristic_functions_are_expectations(ours, low):
    for t in (0.4, 1.7):
        if isinstance(ours, Cauchy):  # even: twice a cosine integral over [0, ∞)
            half, _ = integrate.quad(ours.pdf, 0, np.inf, weight="cos", wvar=t)
            expected = 2 * half
        else:
            parts = [
                integrate.quad(lambda x, f=f, t=t: f(t * x) * ours.pdf(x), low, np.inf)[
                    0
                ]
                for f in (np.cos, np.sin)
            ]
            expected = complex(*parts)
        np.testing.assert_allclose(ours.characteristic(t), expected, atol=1e-6)
    assert ours.characteristic(0.0) == 1.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: Binomial(-1, 0.5),
        lambda: Binomial(2.5, 0.5),
        lambda: Binomial(3, 1.5),
        lambda: NegativeBinomial(0, 0.5),
        lambda: NegativeBinomial(2, 0.0),
        lambda: Geometric(0.0),
        lambda: Poisson(0.0),
        lambda: Poisson(math.inf),
        lambda: ZeroTruncatedPoisson(-1.0),
        lambda: Multinomial(3, [0.5, 0.6]),
        lambda: Multinomial(3, [1.5, -0.5]),
        lambda: Multinomial(3, [0.5, 0.5]).log_pmf([1, 1, 1]),
        lambda: Normal(0.0, 0.0),
        lambda: Normal(math.nan, 1.0),
        lambda: Cauchy().mean,
        lambda: Cauchy().variance,
        lambda: Pareto(0.8).variance,
        lambda: Normal().quantile([0.5, 1.0]),
        lambda: Normal().pdf([0.0, math.nan]),
        lambda: Poisson(1.0).pmf([math.nan]),
        lambda: Poisson(1.0).support(0.0),
        lambda: log_choose(2, 3),
        lambda: log_factorial(-1),
        lambda: log_factorial(1.5),
        lambda: log_arrangements(3),
        lambda: compositions(2, 0),
        lambda: truncated_rate(1.0),
    ],
)
def test_bad_input_is_refused(make):
    with pytest.raises(ValueError, match=r"expected|infinite|no variance"):
        make()


def test_power_laws_have_infinite_moments():
    assert Pareto(1.0).mean == math.inf
    assert Pareto(1.5).mean == 3.0
    assert Pareto(2.0).variance == math.inf
