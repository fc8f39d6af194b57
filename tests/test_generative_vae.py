"""The bound, its importance-weighted kin and the networks against torch and quadrature."""

import itertools

import numpy as np
import pytest
import torch
from scipy.stats import norm
from torch import nn
from torch.distributions import Bernoulli, Normal

from lib.generative import (
    VAE,
    Autoencoder,
    Bound,
    aggregate_log_density,
    bernoulli_log_likelihood,
    bound,
    effective_draws,
    gaussian_likelihood,
    gaussian_log_likelihood,
    importance_bound,
    log_weights,
    negative_elbo,
    nested_bounds,
    perceptron,
    prior_log_weights,
)
from lib.generative.gaussian import draw, kl_standard
from lib.train import fit


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (2, 3, 5)])
def test_likelihoods_agree_with_torch_distributions(shape, dtype):
    generator = torch.Generator().manual_seed(sum(shape))
    logits = torch.randn(shape, generator=generator, dtype=dtype)
    x = (torch.rand(shape, generator=generator) < 0.5).to(dtype)
    torch.testing.assert_close(
        bernoulli_log_likelihood(x, logits),
        Bernoulli(logits=logits).log_prob(x).sum(-1),
    )
    torch.testing.assert_close(
        gaussian_log_likelihood(x, logits, 0.3),
        Normal(logits, torch.tensor(0.3, dtype=dtype).sqrt()).log_prob(x).sum(-1),
    )
    torch.testing.assert_close(
        gaussian_likelihood(0.3)(x, logits), gaussian_log_likelihood(x, logits, 0.3)
    )


def test_bernoulli_probabilities_sum_to_one():
    logits = torch.tensor([0.3, -2.0, 1.0], dtype=torch.float64)
    corners = torch.tensor(
        list(itertools.product([0.0, 1.0], repeat=3)), dtype=torch.float64
    )
    total = bernoulli_log_likelihood(corners, logits.expand(8, 3)).exp().sum()
    assert total.item() == pytest.approx(1.0)


def test_extreme_logits_stay_finite():
    logits = torch.tensor([[1000.0, -1000.0]])
    assert bernoulli_log_likelihood(torch.tensor([[1.0, 0.0]]), logits).item() == 0.0
    assert (
        bernoulli_log_likelihood(torch.tensor([[0.0, 1.0]]), logits).item() == -2000.0
    )


def test_beta_weighs_the_divergence_alone():
    terms = Bound(torch.tensor([-3.0]), torch.tensor([2.0]))
    assert terms.value().item() == -5.0
    assert terms.value(0.0).item() == -3.0
    assert terms.value(4.0).item() == -11.0
    with pytest.raises(ValueError, match="beta"):
        terms.value(-1.0)


class OneDimension(nn.Module):
    """x | z ~ N(z², 0.5²) with z ~ N(0, 1), and q(z|x) = N(0.8 x, 0.6²): nothing is Gaussian."""

    latent = 1

    def encode(self, x):
        return 0.8 * x, torch.full_like(x, 2 * np.log(0.6))

    def decode(self, z):
        return z**2


X_SEEN, VARIANCE = 1.1, 0.25
likelihood = gaussian_likelihood(VARIANCE)


def _log_weight(z):
    q = norm(0.8 * X_SEEN, 0.6)
    return norm(z**2, 0.5).logpdf(X_SEEN) + norm.logpdf(z) - q.logpdf(z), q.pdf(z)


@pytest.fixture(scope="module")
def exact():
    z = np.linspace(
        -4, 6, 2001
    )  # rectangles: exact to rounding for smooth, vanishing ends
    log_w, q = _log_weight(z)
    q = q / q.sum()
    evidence = (np.exp(log_w) * q).sum()
    pairs = np.logaddexp(log_w[:, None], log_w[None]) - np.log(2)
    first, second = (log_w * q).sum(), q @ pairs @ q
    return np.log(evidence), first, second


def test_importance_bounds_are_the_integrals_they_estimate(exact):
    log_p, first, second = exact
    assert first < second < log_p
    torch.manual_seed(0)
    x = torch.full((1, 1), X_SEEN, dtype=torch.float64)
    log_w = log_weights(OneDimension(), x, 400_000, likelihood)
    assert log_w.shape == (400_000, 1)
    estimates = nested_bounds(log_w, [1, 2])[:, 0]
    np.testing.assert_allclose(estimates, [first, second], atol=0.02)
    assert importance_bound(log_w).item() == pytest.approx(log_p, abs=0.02)
    prior = prior_log_weights(OneDimension(), x, 400_000, likelihood)
    assert prior.shape == (400_000, 1)
    assert importance_bound(prior).item() == pytest.approx(log_p, abs=0.02)


def test_bounds_rise_with_the_size_of_the_groups():
    torch.manual_seed(3)
    x = torch.linspace(0.1, 2, 9, dtype=torch.float64)[:, None]
    bounds = nested_bounds(
        log_weights(OneDimension(), x, 512, likelihood), [1, 2, 4, 16, 512]
    )
    assert (bounds.diff(dim=0) > 0).all()  # by Jensen, group by group


def test_importance_bound_survives_tiny_probabilities_and_counts_draws():
    log_w = torch.tensor([[-2000.0], [-2000.0]])
    assert importance_bound(log_w).item() == pytest.approx(-2000.0)
    assert effective_draws(log_w).item() == pytest.approx(2.0)
    assert effective_draws(torch.tensor([[0.0], [-800.0]])).item() == pytest.approx(1.0)


def test_the_bound_of_a_network_is_one_draw_of_the_definition():
    torch.manual_seed(0)
    model, x = VAE(6, (8,), 2), (torch.rand(5, 6) < 0.5).float()
    passed = model(x)
    terms = bound(passed, x, bernoulli_log_likelihood)
    log_w = (
        bernoulli_log_likelihood(x, model.decode(passed.z))
        + Normal(0.0, 1.0).log_prob(passed.z).sum(-1)
        - Normal(passed.mean, (passed.log_variance / 2).exp())
        .log_prob(passed.z)
        .sum(-1)
    )
    many = log_weights(model, x, 200_000, bernoulli_log_likelihood).mean(0)
    repeated = torch.stack(
        [bound(model(x), x, bernoulli_log_likelihood).value() for _ in range(4000)]
    )
    torch.testing.assert_close(repeated.mean(0), many, atol=0.05, rtol=0)
    assert terms.reconstruction.shape == terms.kl.shape == log_w.shape == (5,)
    assert torch.isfinite(log_w).all()


def test_gradients_reach_encoder_and_decoder():
    torch.manual_seed(0)
    model, x = VAE(6, (8, 5), 2), (torch.rand(5, 6) < 0.5).float()
    negative_elbo(bernoulli_log_likelihood, 2.0)(model(x), x).backward()
    assert all(
        p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters()
    )


def test_a_vae_trains_and_can_be_sampled():
    torch.manual_seed(0)
    x = (torch.rand(200, 1) < 0.5).float().expand(200, 10).contiguous()
    model = VAE(10, (16,), 2)
    history = fit(
        model, negative_elbo(bernoulli_log_likelihood), x, epochs=40, batch_size=50,
        optimiser=lambda p: torch.optim.Adam(p, lr=1e-2), progress=False,
    )  # fmt: skip
    losses = history["loss"]
    assert (
        losses[-1] < 2.5 < losses[0]
    )  # one fair coin costs log 2 = 0.69, ten cost 6.9
    assert model.sample(7).shape == (7, 10)


def test_standardised_codes_draw_the_same_images_for_less():
    torch.manual_seed(2)
    model, x = VAE(7, (9,), 3).double(), (torch.rand(60, 7) < 0.5).double()
    with torch.no_grad():
        model.encoder[-1].bias.copy_(torch.tensor([3.0, -1.0, 0.5, 1.0, -4.0, 0.2]))
        before = model.encode(x)
        noise = torch.randn(60, 3).double()
        images = model.decode(draw(*before, noise))
        model.standardise_codes(x)
        after = model.encode(x)
        torch.testing.assert_close(model.decode(draw(*after, noise)), images)
    a = before[0].mean(0)
    c2 = before[0].var(0, correction=0) + before[1].exp().mean(0)
    gain = 0.5 * (c2 + a**2 - 1 - c2.log()).sum()
    fall = kl_standard(*before).mean() - kl_standard(*after).mean()
    torch.testing.assert_close(fall, gain)
    assert gain > 1
    torch.testing.assert_close(after[0].mean(0), torch.zeros(3).double())
    torch.testing.assert_close(
        after[0].var(0, correction=0) + after[1].exp().mean(0), torch.ones(3).double()
    )


def test_autoencoder_shapes_and_layers():
    model = Autoencoder(12, (8, 6), 3)
    assert model.encode(torch.zeros(4, 12)).shape == (4, 3)
    assert model(torch.zeros(4, 12)).shape == (4, 12)
    widths = [
        (p.in_features, p.out_features)
        for p in model.decoder
        if hasattr(p, "in_features")
    ]
    assert widths == [(3, 6), (6, 8), (8, 12)]
    assert [type(layer).__name__ for layer in perceptron([2, 3, 4])] == [
        "Linear",
        "ReLU",
        "Linear",
    ]


def test_aggregate_is_the_mean_of_the_densities():
    mean, log_variance = (
        torch.tensor([[0.0], [2.0]]).double(),
        torch.tensor([[0.0], [-1.0]]).double(),
    )
    z = torch.linspace(-3, 5, 11).double()[:, None]
    densities = [norm(0, 1).pdf(z[:, 0]), norm(2, np.exp(-0.5)).pdf(z[:, 0])]
    np.testing.assert_allclose(
        aggregate_log_density(z, mean, log_variance), np.log(np.mean(densities, axis=0))
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bernoulli_log_likelihood(torch.tensor([2.0]), torch.zeros(1)),
            r"\[0, 1\], got 2",
        ),
        (
            lambda: bernoulli_log_likelihood(torch.tensor([np.nan]), torch.zeros(1)),
            r"\[0, 1\]",
        ),
        (
            lambda: bernoulli_log_likelihood(torch.zeros(2), torch.zeros(3)),
            "same last dimension",
        ),
        (
            lambda: gaussian_log_likelihood(torch.zeros(2), torch.zeros(2), 0.0),
            "variance",
        ),
        (lambda: gaussian_likelihood(-1.0), "variance"),
        (lambda: negative_elbo(bernoulli_log_likelihood, -0.5), "beta"),
        (lambda: perceptron([3]), "at least two"),
        (lambda: perceptron([3, 0]), "widths"),
        (lambda: nested_bounds(torch.zeros(4, 1), [5]), "sizes"),
        (
            lambda: log_weights(VAE(3, (4,), 2), torch.zeros(2, 3), 0, likelihood),
            "draws",
        ),
        (lambda: VAE(3, (4,), 2)(torch.zeros(2, 5)), "expected shape"),
    ],
)
def test_bad_input_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()
