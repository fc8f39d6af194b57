"""Clusterings against scikit-learn, exhaustive search and their own conditions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture as LibraryMixture

from lib.cluster import (
    competitive_learning,
    fit_map,
    fit_mixture,
    fuzzy_c_means,
    kmeans,
)
from lib.cluster.fuzzy import memberships
from lib.cluster.mixture import log_joint, maximise
from lib.rbf_network import fit_rbf_network


def rng(seed=0):
    return np.random.default_rng(seed)


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(4, 60),
    k=st.integers(1, 4),
    d=st.integers(1, 4),
    seed=st.integers(0, 999),
)
def test_kmeans_agrees_with_scikit_learn_from_the_same_start(n, k, d, seed):
    X = rng(seed).normal(size=(n, d)) + 100.0
    start = X[:k]
    ours = kmeans(X, k, rng=rng(), start=start)
    reference = KMeans(k, init=start, n_init=1, tol=0).fit(X)
    np.testing.assert_array_equal(ours.labels, reference.labels_)
    np.testing.assert_allclose(ours.centres, reference.cluster_centers_, atol=1e-8)
    assert ours.inertia == pytest.approx(reference.inertia_, abs=1e-8)
    assert (np.diff(ours.inertias) <= 1e-7).all()
    np.testing.assert_array_equal(ours.predict(X), ours.labels)


def test_restarts_find_the_best_of_all_labellings():
    X = rng(1).normal(size=(7, 2))

    def inertia(labels):
        labels = np.array(labels)
        groups = (X[labels == j] for j in set(labels.tolist()))
        return sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups)

    best = min(inertia(labels) for labels in itertools.product(range(3), repeat=7))
    assert kmeans(X, 3, rng=rng(), restarts=50).inertia == pytest.approx(best)


def test_empty_groups_are_refilled_and_duplicates_survive():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    far = kmeans(X, 3, rng=rng(), start=[[0.0], [100.0], [200.0]])
    assert len(set(far.labels.tolist())) == 3
    same = kmeans(np.ones((6, 2)), 3, rng=rng())
    assert same.inertia == 0.0


def test_competitive_learning_with_running_means():
    X = rng(2).normal(size=(50, 3))
    one = competitive_learning(X, X[:1], epochs=1, rate=lambda t: 1 / t, rng=rng())
    np.testing.assert_allclose(one[0], X.mean(axis=0))
    with pytest.raises(ValueError, match="rate"):
        competitive_learning(X, X[:1], epochs=1, rate=lambda t: 2.0, rng=rng())


def test_log_joint_agrees_with_scipy_at_any_scale():
    for scale in (1e-60, 1.0, 1e60):
        X = rng(3).normal(size=(20, 3)) * scale
        means = X[:2]
        A = rng(4).normal(size=(2, 3, 3))
        covariances = (A @ A.transpose(0, 2, 1) + np.eye(3)) * scale**2
        ours = log_joint(X, np.array([0.3, 0.7]), means, covariances)
        unit = [
            multivariate_normal(m / scale, C / scale**2).logpdf(X / scale)
            for m, C in zip(means, covariances, strict=True)
        ]
        expected = np.array(unit).T - 3 * np.log(scale) + np.log([0.3, 0.7])
        np.testing.assert_allclose(ours, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "library"),
    [("full", "full"), ("diagonal", "diag"), ("spherical", "spherical")],
)
def test_one_step_of_em_agrees_with_scikit_learn(kind, library):
    X = rng(5).normal(size=(80, 3)) @ rng(6).normal(size=(3, 3))
    r = rng(7).dirichlet(np.ones(2), size=80)
    shares, means, covariances = maximise(X, r, kind, 1e-6)
    reference = LibraryMixture(2, covariance_type=library)
    reference._initialize(X, r)
    np.testing.assert_allclose(means, reference.means_, atol=1e-10)
    np.testing.assert_allclose(shares, reference.weights_, atol=1e-10)
    joint = log_joint(X, shares, means, covariances)
    expected = reference._estimate_weighted_log_prob(X)
    np.testing.assert_allclose(joint, expected, atol=1e-6)


@settings(max_examples=15, deadline=None)
@given(
    n=st.integers(10, 80),
    d=st.integers(1, 3),
    k=st.integers(1, 3),
    kind=st.sampled_from(["full", "diagonal", "spherical"]),
    seed=st.integers(0, 999),
)
def test_the_likelihood_never_falls(n, d, k, kind, seed):
    X = rng(seed).normal(size=(n, d)) * 2 + rng(seed).integers(0, 2, size=(n, 1)) * 4
    model = fit_mixture(
        X, k, covariance=kind, rng=rng(seed), floor=0.05, tol=0.0, max_sweeps=30
    )
    # The floor perturbs the M-step, so the rise is exact only up to its effect.
    assert (np.diff(model.log_likelihoods) >= -0.05 * d).all()
    exact = fit_mixture(X, 1, rng=rng(seed), floor=0.0) if n > d + 1 else None
    if exact is not None:
        assert (np.diff(exact.log_likelihoods) >= -1e-10).all()
    r = model.responsibilities(X)
    np.testing.assert_allclose(r.sum(axis=1), 1.0)
    np.testing.assert_allclose(
        model.log_density(X), logsumexp(model.log_joint(X), axis=1)
    )


def test_without_a_floor_every_step_climbs():
    X = np.vstack(
        [rng(1).normal(size=(100, 2)), rng(2).normal(size=(100, 2)) * 0.5 + 3]
    )
    model = fit_mixture(X, 2, rng=rng(), floor=0.0, tol=0.0, max_sweeps=100)
    assert (np.diff(model.log_likelihoods) >= -1e-12).all()


def test_samples_come_from_the_mixture():
    X = np.vstack(
        [rng(1).normal(size=(300, 2)), rng(2).normal(size=(100, 2)) * 0.5 + 4]
    )
    model = fit_mixture(X, 2, rng=rng())
    drawn = model.sample(40_000, rng())
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.05)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(X.T), atol=0.1)


def test_a_map_orders_a_line():
    X = np.linspace(0, 1, 200)[:, None]
    chain = fit_map(X, 1, 12, rng=rng())
    steps = np.diff(chain.prototypes[:, 0])
    assert (steps > 0).all() or (steps < 0).all()
    assert chain.topographic_error(X) == 0.0
    assert chain.distances().shape == (1, 12)


def test_fuzzy_memberships():
    squares = rng(3).uniform(0.1, 2.0, size=(6, 3))
    for m in (1.5, 2.0, 3.0):
        u = memberships(squares, m)
        brute = 1 / (squares[:, :, None] / squares[:, None, :]) ** (1 / (m - 1))
        expected = 1 / (1 / brute).sum(axis=2)
        np.testing.assert_allclose(u, expected)
    on_a_centre = memberships(np.array([[0.0, 1.0, 0.0]]), 2.0)
    np.testing.assert_allclose(on_a_centre, [[0.5, 0.0, 0.5]])
    found = fuzzy_c_means(rng(4).normal(size=(60, 2)), 3, rng=rng())
    assert (np.diff(found.objectives) <= 1e-9).all()


def test_rbf_network_is_linear_in_its_weights():
    X, y = rng(1).normal(size=(40, 2)), rng(2).normal(size=40)
    net = fit_rbf_network(X, y, X[:5], 0.7, 0.1)
    Phi = np.exp(-((X[:, None] - X[:5]) ** 2).sum(axis=-1) / (2 * 0.49))
    weights = np.linalg.solve(Phi.T @ Phi + 0.1 * np.eye(5), Phi.T @ y)
    np.testing.assert_allclose(net.predict(X), Phi @ weights, atol=1e-10)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kmeans(np.ones((3, 1)), 4, rng=rng()), "from 1 to 3"),
        (
            lambda: kmeans(np.ones((3, 1)), 2, rng=rng(), start=np.ones((3, 1))),
            "2 rows",
        ),
        (lambda: kmeans([[np.inf]], 1, rng=rng()), "finite"),
        (
            lambda: fit_mixture(np.ones((5, 1)), 2, rng=rng(), covariance="tied"),
            "one of full",
        ),
        (
            lambda: fit_mixture(np.ones((5, 1)), 1, rng=rng(), start=np.zeros((5, 1))),
            "sum to 1",
        ),
        (
            lambda: fuzzy_c_means(np.ones((3, 1)), 1, fuzziness=1.0, rng=rng()),
            "fuzziness",
        ),
        (lambda: fit_map(np.ones((3, 1)), 0, 2, rng=rng()), "rows"),
        (
            lambda: fit_rbf_network(
                np.ones((3, 1)), np.ones(3), np.ones((1, 2)), 1.0, 1.0
            ),
            "column",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
