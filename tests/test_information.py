"""Information against SciPy, scikit-learn and brute force, and the inequalities it obeys."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import rel_entr
from sklearn.feature_selection import mutual_info_regression
from sklearn.metrics import mutual_info_score

from lib.information import (
    binary_entropy,
    conditional_entropy,
    contingency,
    cross_entropy,
    entropy,
    entropy_from_counts,
    gaussian_mutual_information,
    huffman_code,
    independent,
    independent_bias,
    kl_divergence,
    mean_length,
    mutual_information,
    mutual_information_from_counts,
    neighbour_information,
    surprise,
    to_bits,
)


@st.composite
def distributions(draw, count=1, at_most=8):
    """`count` distributions over the same outcomes, some with zeros."""
    size = draw(st.integers(1, at_most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    p = rng.dirichlet(np.full(size, draw(st.sampled_from([0.05, 1.0, 50.0]))), count)
    return p if count > 1 else p[0]


@settings(deadline=None, max_examples=30)
@given(distributions(count=2))
def test_entropies_against_scipy(pair):
    p, q = pair
    np.testing.assert_allclose(entropy(p), stats.entropy(p), atol=1e-12)
    np.testing.assert_allclose(kl_divergence(p, q), rel_entr(p, q).sum(), atol=1e-12)
    if np.all(q > 0):
        np.testing.assert_allclose(
            cross_entropy(p, q), entropy(p) + kl_divergence(p, q), rtol=1e-9, atol=1e-12
        )
    assert 0 <= entropy(p) <= math.log(p.size) + 1e-12
    assert kl_divergence(p, q) >= 0
    assert kl_divergence(p, p) == 0


def test_small_and_huge_divergences():
    p = np.array([0.5, 0.5])
    step = 1e-6  # KL ≈ 2 step²: differences of entropies would leave few digits of it
    near = kl_divergence(p, p + [step, -step])
    np.testing.assert_allclose(near, 2 * step**2, rtol=1e-3)
    far = kl_divergence(p, [1 - 1e-300, 1e-300])
    np.testing.assert_allclose(far, math.log(0.5) - 0.5 * math.log(1e-300), rtol=1e-12)
    assert kl_divergence([1.0, 0.0], [0.0, 1.0]) == math.inf
    assert cross_entropy([0.5, 0.5], [1.0, 0.0]) == math.inf
    assert cross_entropy([1.0, 0.0], [1.0, 0.0]) == 0.0


def test_surprise_adds_for_independent_events():
    assert str(surprise(1.0)) == "0.0"
    assert surprise(0.0) == math.inf
    np.testing.assert_allclose(surprise(0.2 * 0.7), surprise(0.2) + surprise(0.7))
    np.testing.assert_allclose(to_bits(surprise(0.125)), 3.0)
    np.testing.assert_allclose(to_bits(binary_entropy(0.5)), 1.0)
    assert binary_entropy(0.0) == 0.0


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10_000))
def test_mutual_information_is_what_the_entropies_share(rows, columns, seed):
    joint = np.random.default_rng(seed).dirichlet(np.full(rows * columns, 0.4))
    joint = joint.reshape(rows, columns)
    margin_x, margin_y = joint.sum(axis=1), joint.sum(axis=0)
    shared = entropy(margin_x) + entropy(margin_y) - entropy(joint)
    np.testing.assert_allclose(mutual_information(joint), shared, atol=1e-10)
    np.testing.assert_allclose(
        conditional_entropy(joint), entropy(margin_y) - shared, atol=1e-10
    )
    assert mutual_information(independent(joint)) <= 1e-12
    np.testing.assert_allclose(independent(joint).sum(axis=1), margin_x, atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 10_000))
def test_plug_in_against_scikit_learn(n, kinds, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, kinds, n)
    y = np.where(rng.random(n) < 0.5, x, rng.integers(0, kinds, n)).astype(str)
    counts = contingency(x, y)
    assert counts.sum() == n
    np.testing.assert_allclose(
        mutual_information_from_counts(counts), mutual_info_score(x, y), atol=1e-10
    )


def test_contingency_by_counting():
    x, y = ["b", "a", "b", "b"], [1.5, 1.5, 0.5, 1.5]
    assert contingency(x, y).tolist() == [[0, 1], [1, 2]]


def test_bias_by_enumeration_and_its_correction():
    # Every sample of n = 12 fair coins: the expected plug-in entropy, exactly.
    n = 12
    expected = {"none": 0.0, "miller-madow": 0.0}
    for heads in range(n + 1):
        for correction in expected:
            value = entropy_from_counts([heads, n - heads], correction)
            expected[correction] += math.comb(n, heads) / 2**n * value
    truth = math.log(2)
    assert expected["none"] - truth == pytest.approx(-1 / (2 * n), rel=0.1)
    assert abs(expected["miller-madow"] - truth) < 0.1 * (truth - expected["none"])


def test_plug_in_information_of_independent_labels_is_the_predicted_bias():
    n, kinds = 5, (2, 2)  # every pair of samples of five fair bits, 4⁵ of them
    values = [
        mutual_information_from_counts(np.bincount(cells, minlength=4).reshape(kinds))
        for cells in product(range(4), repeat=n)
    ]
    assert np.mean(values) > 0.05
    rng = np.random.default_rng(0)
    tables = rng.multinomial(400, np.full(20, 1 / 20), size=600).reshape(-1, 4, 5)
    plain = np.mean([mutual_information_from_counts(t) for t in tables])
    fixed = np.mean([mutual_information_from_counts(t, "miller-madow") for t in tables])
    bias = independent_bias(tables[0])
    assert bias == 12 / 800
    assert plain == pytest.approx(bias, rel=0.1)
    assert abs(fixed) < 0.1 * bias


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("seed", [0, 1])
def test_neighbour_estimate_against_scikit_learn(k, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=150)
    y = np.sin(2 * x) + 0.4 * rng.normal(size=150)
    reference = mutual_info_regression(x[:, None], y, n_neighbors=k, random_state=0)
    np.testing.assert_allclose(
        max(0.0, neighbour_information(x, y, k)), reference[0], atol=1e-6
    )
    np.testing.assert_allclose(
        neighbour_information(1e6 * x, -1e-6 * y, k),
        neighbour_information(x, y, k),
        atol=1e-3,
    )


def test_neighbour_estimate_finds_the_gaussian_value():
    for rho in (0.0, -0.5, 0.95):
        x, noise = np.random.default_rng(2).normal(size=(2, 4000))
        y = rho * x + math.sqrt(1 - rho**2) * noise
        exact = gaussian_mutual_information(rho)
        assert neighbour_information(x, y, 5) == pytest.approx(exact, abs=0.05)


@settings(deadline=None, max_examples=30)
@given(distributions(at_most=40))
def test_huffman_code_is_decodable_and_short(p):
    words = huffman_code(p)
    if p.size > 1:
        for i, j in product(range(p.size), repeat=2):
            assert i == j or not words[j].startswith(words[i])
        assert sum(2.0 ** -len(word) for word in words) == 1.0
    bits = float(to_bits(entropy(p)))
    # In exact arithmetic it is less than bits + 1; a mass of 1e-46 is lost to rounding.
    assert bits - 1e-9 <= mean_length(p, words) <= bits + 1


def test_huffman_is_optimal_among_all_lengths():
    p = np.array([0.4, 0.3, 0.2, 0.05, 0.05])
    best = min(
        p @ np.array(lengths)
        for lengths in product(range(1, 5), repeat=5)
        if sum(2.0**-n for n in lengths) <= 1
    )
    np.testing.assert_allclose(mean_length(p, huffman_code(p)), best)


@pytest.mark.parametrize(
    "call",
    [
        lambda: entropy([0.5, 0.6]),
        lambda: entropy([1.5, -0.5]),
        lambda: entropy([]),
        lambda: entropy([math.nan, 1.0]),
        lambda: kl_divergence([0.5, 0.5], [1.0]),
        lambda: surprise(1.5),
        lambda: binary_entropy(-0.1),
        lambda: mutual_information([0.5, 0.5]),
        lambda: gaussian_mutual_information(1.0),
        lambda: entropy_from_counts([0, 0]),
        lambda: entropy_from_counts([1.5, 2]),
        lambda: entropy_from_counts([1, 2], "jackknife"),
        lambda: mutual_information_from_counts([1, 2]),
        lambda: independent_bias([1, 2]),
        lambda: contingency([1, 2], [1, 2, 3]),
        lambda: contingency([math.nan, 1.0], [1, 2]),
        lambda: neighbour_information([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]),
        lambda: neighbour_information([1.0, 1.0, 2.0], [1.0, 1.0, 2.0], 1),
        lambda: neighbour_information([1.0], [1.0], 1),
        lambda: neighbour_information([1.0, 2.0], [1.0, 3.0], 2),
        lambda: huffman_code([0.5, 0.4]),
        lambda: mean_length([0.5, 0.5], ["0"]),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError, match="expected"):
        call()
