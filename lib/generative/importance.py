"""Importance sampling: how much probability a latent variable model gives to an observation.

Draws zₖ from a proposal q, weighted with w = p(x, z) / q(z): their mean is p(x) without bias, and
the mean's logarithm is, on average, a lower bound on log p(x) that rises with the number of draws.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lib.generative.elbo import Likelihood
from lib.generative.gaussian import draw, log_density, standard_log_density
from lib.generative.tensors import floats
from lib.validation import whole


def log_weights(model: object, x: Tensor, draws: int, likelihood: Likelihood) -> Tensor:
    """Return log p(x|z) + log p(z) − log q(z|x) for K draws from the encoder: (n, d) → (K, n).

    `model` has ``encode(x) -> (mean, log_variance)`` and ``decode(z)``, as a VAE does.
    """
    mean, log_variance = model.encode(x)
    shape = (whole(draws, "draws", at_least=1), *mean.shape)
    z = draw(mean, log_variance, torch.randn(shape, dtype=mean.dtype))
    prior = standard_log_density(z) - log_density(z, mean, log_variance)
    return likelihood(x, model.decode(z)) + prior


def prior_log_weights(
    model: object, x: Tensor, draws: int, likelihood: Likelihood
) -> Tensor:
    """Return log p(x|z) for K draws from the prior, the same for every x: (n, d) → (K, n)."""
    z = torch.randn((whole(draws, "draws", at_least=1), model.latent), dtype=x.dtype)
    return likelihood(x, model.decode(z).unsqueeze(1))


def importance_bound(log_w: Tensor) -> Tensor:
    """Return log (1/K Σₖ wₖ): (K, …) → (…), without overflow. Its mean is the bound L_K."""
    log_w = floats(log_w, "log_w")
    return torch.logsumexp(log_w, dim=0) - math.log(len(log_w))


def nested_bounds(log_w: Tensor, sizes: list[int]) -> Tensor:
    """Return the bound for each size in `sizes` from one set of draws: (K, …) → (sizes, …).

    For size k the K draws are cut into ⌊K/k⌋ groups, whose bounds are averaged: every draw is
    used at every size, so that the sizes differ by the bound and not by luck.
    """
    log_w = floats(log_w, "log_w")
    rows = []
    for size in sizes:
        size = whole(size, "sizes", at_least=1, at_most=len(log_w))
        groups = len(log_w) // size
        cut = log_w[: groups * size].reshape(groups, size, *log_w.shape[1:])
        rows.append((torch.logsumexp(cut, dim=1) - math.log(size)).mean(0))
    return torch.stack(rows)


def effective_draws(log_w: Tensor) -> Tensor:
    """Return (Σ w)² / Σ w², between 1 and K: how many of the draws count: (K, …) → (…)."""
    log_w = floats(log_w, "log_w")
    w = torch.exp(log_w - log_w.amax(0))  # the scale cancels
    return w.sum(0) ** 2 / (w**2).sum(0)
