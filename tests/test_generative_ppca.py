"""Probabilistic PCA and the linear VAE against scikit-learn, SciPy and each other."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.decomposition import PCA as Library
from sklearn.decomposition import FactorAnalysis

from lib.generative import PPCA, fit_linear_vae, log_second_moment, ppca
from lib.generative.gaussian import kl_full
from lib.generative.linear_vae import LinearVAE


def _data(seed, n=60, d=5):
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * np.linspace(2, 0.5, d) + 3.0
    )


@settings(max_examples=20, deadline=None)
@given(
    d=st.integers(2, 7), n=st.integers(12, 40), seed=st.integers(0, 999), data=st.data()
)
def test_likelihood_agrees_with_scikit_learn_and_scipy(d, n, seed, data):
    X, m = _data(seed, n, d), data.draw(st.integers(1, d - 1))
    model = ppca(X, m)
    density = multivariate_normal(model.mean, model.covariance).logpdf(X)
    np.testing.assert_allclose(model.log_likelihood(X), density, rtol=1e-6, atol=1e-6)
    # scikit-learn scales its eigenvalues with n − 1: rescale its covariance to divisor n.
    library = Library(m).fit(X)
    np.testing.assert_allclose(
        model.covariance, library.get_covariance() * (n - 1) / n, rtol=1e-6, atol=1e-8
    )


def test_no_other_weights_and_noise_are_more_likely():
    X = _data(0, n=200)
    best = ppca(X, 2)
    top = best.log_likelihood(X).mean()
    rng = np.random.default_rng(1)
    for _ in range(200):
        size = 10 ** rng.uniform(-4, 0)
        W = best.weights + size * rng.normal(size=best.weights.shape)
        other = PPCA(best.mean, W, best.variance * np.exp(size * rng.normal()))
        assert other.log_likelihood(X).mean() < top
    # Factor analysis has a noise of its own for each feature: it contains PPCA.
    assert FactorAnalysis(2, tol=1e-6, max_iter=20_000).fit(X).score(X) >= top - 1e-6


@pytest.mark.parametrize("m", [1, 2, 4])
def test_posterior_is_bayes_rule(m):
    X = _data(2)
    model = ppca(X, m)
    mean, covariance = model.posterior(X[:3])
    d = X.shape[1]
    joint = np.block(
        [[np.eye(m), model.weights.T], [model.weights, model.covariance]]
    )  # of (z, x)
    gain = joint[:m, m:] @ np.linalg.inv(joint[m:, m:])
    np.testing.assert_allclose(mean, (X[:3] - model.mean) @ gain.T, atol=1e-10)
    np.testing.assert_allclose(covariance, np.eye(m) - gain @ joint[m:, :m], atol=1e-10)
    assert model.weights.shape == (d, m)


def test_a_fixed_variance_switches_small_eigenvalues_off():
    X = _data(3, n=300)
    values = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    between = (values[1] + values[2]) / 2
    model = ppca(X, 4, variance=between)
    lengths = (model.weights**2).sum(0)
    np.testing.assert_allclose(lengths[:2], values[:2] - between)
    assert (lengths[2:] == 0).all()
    assert model.variance == between


def test_samples_have_the_covariance_of_the_model():
    model = ppca(_data(4), 2)
    drawn = model.sample(200_000, np.random.default_rng(0))
    scale = np.abs(model.covariance).max()
    np.testing.assert_allclose(np.cov(drawn.T), model.covariance, atol=0.02 * scale)
    np.testing.assert_allclose(drawn.mean(0), model.mean, atol=0.02 * np.sqrt(scale))


def test_second_moment_of_prior_weights_by_quadrature():
    model = PPCA(np.zeros(2), np.array([[1.0], [0.5]]), 0.3)
    x = np.array([[0.8, -0.4]])
    z = np.linspace(-9, 9, 20_001)[:, None]
    prior = np.exp(-(z[:, 0] ** 2) / 2) / np.sqrt(2 * np.pi)
    w = np.exp(
        multivariate_normal(np.zeros(2), 0.3 * np.eye(2)).logpdf(
            x - z @ model.weights.T
        )
    )
    dz = z[1, 0] - z[0, 0]
    expected = np.log((w**2 * prior).sum() * dz) - 2 * np.log((w * prior).sum() * dz)
    assert log_second_moment(model, x)[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_trained_linear_vae_is_ppca(seed):
    X = _data(10 + seed, n=400, d=6)
    torch.manual_seed(seed)
    model, S = fit_linear_vae(X, 3)
    best = ppca(X, 3)
    top = best.log_likelihood(X).mean()
    assert model.elbo(S).item() == pytest.approx(top, abs=1e-5)
    assert model.as_ppca(X.mean(0)).variance == pytest.approx(best.variance, rel=1e-3)
    np.testing.assert_allclose(
        model.as_ppca(X.mean(0)).covariance,
        best.covariance,
        atol=1e-2 * best.covariance.max(),
    )


def test_the_gap_of_a_linear_vae_is_the_kl_to_the_posterior():
    X = _data(20, n=50, d=4)
    torch.manual_seed(1)
    model = LinearVAE(4, 2, variance=0.7)
    S = torch.tensor(np.cov(X.T, bias=True))
    exact = model.as_ppca(X.mean(0))
    mean, covariance = exact.posterior(X)
    V, s = model.encoder.detach().numpy(), model.log_spread.detach().exp()
    ours = torch.tensor((X - X.mean(0)) @ V.T)
    gaps = [
        kl_full(ours[i], s.diag(), torch.tensor(mean[i]), torch.tensor(covariance))
        for i in range(50)
    ]
    gap = exact.log_likelihood(X).mean() - model.elbo(S).item()
    assert gap == pytest.approx(np.mean(gaps), rel=1e-9)


def test_beta_is_a_noisier_decoder():
    """The β-bound with noise σ² has the optimal weights of the bound with noise βσ²."""
    X = _data(30, n=300, d=5)
    torch.manual_seed(0)
    model, _ = fit_linear_vae(X, 3, variance=0.4, beta=5.0)
    W = model.decoder.detach().numpy()
    expected = ppca(X, 3, variance=5.0 * 0.4).weights
    np.testing.assert_allclose(
        W @ W.T, expected @ expected.T, atol=1e-3 * (W @ W.T).max()
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ppca(np.ones((5, 1)), 1), "at least 2 columns"),
        (lambda: ppca(_data(0), 5), "m: expected a whole number"),
        (lambda: ppca(np.ones((5, 3)), 1), "no maximum"),
        (lambda: ppca(_data(0), 2, variance=0.0), "variance: expected a number > 0"),
        (
            lambda: ppca(_data(0), 2).log_likelihood(np.ones((2, 4))),
            "expected 5 columns",
        ),
        (lambda: LinearVAE(3, 3), "latent"),
        (lambda: fit_linear_vae(_data(0), 2, beta=-1.0), "beta"),
        (lambda: ppca([[1.0, np.nan], [0.0, 1.0]], 1), "finite"),
    ],
)
def test_bad_input_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()
