"""Gaussian densities, divergences and gradients against torch.distributions, SciPy, quadrature."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from torch.distributions import MultivariateNormal, Normal, kl_divergence

from lib.generative import gaussian
from lib.generative.score_function import (
    BASELINES,
    reparameterised_gradients,
    score_function_gradients,
)

shapes = st.tuples(st.integers(1, 4), st.integers(1, 6))


def _random(seed, *sizes, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(size, generator=generator, dtype=dtype) for size in sizes]


def _covariance(seed, m):
    rng = np.random.default_rng([seed, 7])
    A = rng.normal(size=(m, m))
    return torch.tensor(A @ A.T + 0.1 * np.eye(m))


@settings(max_examples=25, deadline=None)
@given(shape=shapes, seed=st.integers(0, 999))
def test_diagonal_forms_agree_with_torch_distributions(shape, seed):
    x, mean, log_variance, other, other_log = _random(seed, *[shape] * 5)
    ours, theirs = (
        Normal(mean, (log_variance / 2).exp()),
        Normal(other, (other_log / 2).exp()),
    )
    torch.testing.assert_close(
        gaussian.log_density(x, mean, log_variance), ours.log_prob(x).sum(-1)
    )
    torch.testing.assert_close(
        gaussian.standard_log_density(x), Normal(0.0, 1.0).log_prob(x).sum(-1)
    )
    torch.testing.assert_close(
        gaussian.kl_diagonal(mean, log_variance, other, other_log),
        kl_divergence(ours, theirs).sum(-1),
    )
    standard = Normal(torch.zeros_like(mean), torch.ones_like(mean))
    torch.testing.assert_close(
        gaussian.kl_standard(mean, log_variance), kl_divergence(ours, standard).sum(-1)
    )


@settings(max_examples=25, deadline=None)
@given(m=st.integers(1, 6), seed=st.integers(0, 999))
def test_full_forms_agree_with_torch_and_scipy(m, seed):
    mean, other, x = _random(seed, (m,), (m,), (5, m))
    S, T = _covariance(seed, m), _covariance(seed + 1, m)
    expected = kl_divergence(MultivariateNormal(mean, S), MultivariateNormal(other, T))
    torch.testing.assert_close(
        gaussian.kl_full(mean, S, other, T), expected, rtol=1e-6, atol=1e-8
    )
    density = np.atleast_1d(
        multivariate_normal(mean.numpy(), S.numpy()).logpdf(x.numpy())
    )
    np.testing.assert_allclose(
        gaussian.log_density_full(x, mean, S).numpy(), density, rtol=1e-7
    )


def test_diagonal_and_full_forms_are_one_and_the_same():
    mean, log_variance, other, other_log = _random(3, *[(4,)] * 4)
    torch.testing.assert_close(
        gaussian.kl_diagonal(mean, log_variance, other, other_log),
        gaussian.kl_full(
            mean, log_variance.exp().diag(), other, other_log.exp().diag()
        ),
    )


@pytest.mark.parametrize(("mu", "sigma"), [(0.0, 1.0), (1.3, 0.4), (-2.0, 2.5)])
def test_kl_is_the_integral_that_defines_it(mu, sigma):
    q = norm(mu, sigma)
    integral, _ = quad(
        lambda z: q.pdf(z) * (q.logpdf(z) - norm.logpdf(z)),
        mu - 9 * sigma,
        mu + 9 * sigma,
    )
    ours = gaussian.kl_standard(
        torch.tensor([mu], dtype=torch.float64),
        torch.tensor([2 * np.log(sigma)], dtype=torch.float64),
    )
    assert ours.item() == pytest.approx(integral, abs=1e-9)


def test_kl_near_zero_keeps_its_digits_in_single_precision():
    mean, log_variance = torch.zeros(1), torch.full((1,), 1e-3)
    exact = 0.5 * (np.expm1(1e-3) - 1e-3)
    assert gaussian.kl_standard(mean, log_variance).item() == pytest.approx(
        exact, rel=1e-3
    )
    assert gaussian.kl_standard(torch.zeros(3), torch.zeros(3)).item() == 0.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_draws_have_the_moments_they_claim(dtype):
    noise = torch.randn(
        (200_000, 2), generator=torch.Generator().manual_seed(0), dtype=dtype
    )
    mean, log_variance = (
        torch.tensor([1.0, -2.0], dtype=dtype),
        torch.tensor([0.0, -3.0], dtype=dtype),
    )
    z = gaussian.draw(mean, log_variance, noise)
    assert z.dtype == dtype
    torch.testing.assert_close(z.mean(0), mean, atol=0.02, rtol=0)
    torch.testing.assert_close(z.var(0), log_variance.exp(), rtol=0.02, atol=0)
    S = torch.tensor([[2.0, 0.6], [0.6, 1.0]], dtype=dtype)
    full = gaussian.draw_full(mean, torch.linalg.cholesky(S), noise)
    torch.testing.assert_close(torch.cov(full.T), S, atol=0.03, rtol=0)


def test_gradients_of_a_square_have_the_moments_of_the_chapter():
    mu, variance = 1.5, 0.6
    generator = torch.Generator().manual_seed(1)
    noise = torch.randn((2_000_000, 1), generator=generator, dtype=torch.float64)
    mean = torch.tensor([mu], dtype=torch.float64)
    log_variance = torch.tensor([np.log(variance)], dtype=torch.float64)
    f = lambda z: (z**2).sum(-1)  # noqa: E731
    smooth = reparameterised_gradients(f, mean, log_variance, noise)
    expected = {
        "none": mu**4 / variance + 14 * mu**2 + 15 * variance,
        "mean": None,
        "optimal": 8 * mu**2 + 6 * variance,
    }
    assert smooth.mean.mean().item() == pytest.approx(2 * mu, rel=0.01)
    assert smooth.mean.var().item() == pytest.approx(4 * variance, rel=0.01)
    assert smooth.log_variance.mean().item() == pytest.approx(variance, rel=0.02)
    for baseline in BASELINES:
        score = score_function_gradients(f, mean, log_variance, noise, baseline)
        assert score.mean.mean().item() == pytest.approx(2 * mu, rel=0.02)
        assert score.log_variance.mean().item() == pytest.approx(variance, rel=0.05)
        if expected[baseline] is not None:
            assert score.mean.var().item() == pytest.approx(
                expected[baseline], rel=0.03
            )
    assert expected["optimal"] < score_variance(f, mean, log_variance, noise, "mean")


def score_variance(f, mean, log_variance, noise, baseline):
    return (
        score_function_gradients(f, mean, log_variance, noise, baseline)
        .mean.var()
        .item()
    )


def test_reparameterised_gradients_are_those_of_autograd():
    mean, log_variance, noise = _random(5, (3,), (3,), (7, 3))
    f = lambda z: (z.sin() * z.flip(-1)).sum(-1)  # noqa: E731
    ours = reparameterised_gradients(f, mean, log_variance, noise)
    for s in range(7):
        mu, lv = mean.clone().requires_grad_(), log_variance.clone().requires_grad_()
        value = f((mu + (lv / 2).exp() * noise[s])[None]).sum()
        for got, expected in zip(
            ours, torch.autograd.grad(value, (mu, lv)), strict=True
        ):
            torch.testing.assert_close(got[s], expected)


def test_the_leave_one_out_baseline_has_no_bias_even_for_two_draws():
    # All pairs of draws from a grid of quantiles: the mean over them is exact up to the grid.
    nodes = torch.tensor(norm.ppf((np.arange(200) + 0.5) / 200))
    pairs = torch.cartesian_prod(nodes, nodes)
    mean, log_variance = torch.tensor([0.7]).double(), torch.zeros(1).double()
    f = lambda z: (z[..., 0]) ** 2  # noqa: E731
    total = torch.zeros(())
    values = f(mean + pairs.unsqueeze(-1))
    for i in (0, 1):
        total = total + ((values[:, i] - values[:, 1 - i]) * pairs[:, i]).mean() / 2
    plain = (f(mean + nodes.unsqueeze(-1)) * nodes).mean()
    assert total.item() == pytest.approx(plain.item(), rel=1e-9)
    two = score_function_gradients(
        f, mean, log_variance, pairs[1234].unsqueeze(-1), "mean"
    )
    by_hand = (values[1234] - values[1234].flip(0)) * pairs[1234]
    torch.testing.assert_close(two.mean[:, 0], by_hand)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: gaussian.kl_standard([1.0], torch.zeros(1)),
            "expected a tensor, got list",
        ),
        (
            lambda: gaussian.kl_standard(torch.zeros(2), torch.zeros(3)),
            "same last dimension",
        ),
        (
            lambda: gaussian.kl_standard(
                torch.zeros(2, dtype=torch.int64), torch.zeros(2)
            ),
            "floating",
        ),
        (
            lambda: gaussian.standard_log_density(torch.tensor(1.0)),
            "at least one dimension",
        ),
        (
            lambda: gaussian.kl_full(
                torch.zeros(2), -torch.eye(2), torch.zeros(2), torch.eye(2)
            ),
            "covariance: expected a positive definite",
        ),
        (
            lambda: gaussian.kl_full(
                torch.zeros(2),
                torch.tensor([[1.0, 0.5], [0.0, 1.0]]),
                torch.zeros(2),
                torch.eye(2),
            ),
            "symmetric",
        ),
        (
            lambda: gaussian.log_density_full(
                torch.zeros(2), torch.zeros(2), torch.eye(3)
            ),
            r"expected shape \(2, 2\)",
        ),
        (
            lambda: gaussian.draw(torch.zeros(2), torch.zeros(2), torch.zeros(5, 1)),
            "mean and noise",
        ),
        (
            lambda: gaussian.draw_full(torch.zeros(2), torch.eye(3), torch.zeros(5, 2)),
            "factor: expected shape",
        ),
        (
            lambda: score_function_gradients(
                lambda z: z, torch.zeros(1), torch.zeros(1), torch.zeros(3, 1)
            ),
            "one value for each draw",
        ),
        (
            lambda: score_function_gradients(
                lambda z: z.sum(-1),
                torch.zeros(1),
                torch.zeros(1),
                torch.zeros(3, 1),
                "b",
            ),
            "baseline: expected one of",
        ),
        (
            lambda: reparameterised_gradients(
                lambda z: z.sum(-1), torch.zeros(1), torch.zeros(2), torch.zeros(3, 1)
            ),
            "mean and log_variance",
        ),
        (
            lambda: reparameterised_gradients(
                lambda z: z.sum(-1), torch.zeros(1), torch.zeros(1), torch.zeros(1, 1)
            ),
            "S ≥ 2",
        ),
        (
            lambda: reparameterised_gradients(
                lambda z: z.sum(-1),
                torch.tensor([np.nan]),
                torch.zeros(1).double(),
                torch.zeros(3, 1),
            ),
            "finite",
        ),
    ],
)
def test_bad_input_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()
