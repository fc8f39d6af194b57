"""The evidence lower bound and the likelihoods of its decoders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import softplus

from lib.generative.gaussian import LOG_2PI, kl_standard, log_density
from lib.generative.tensors import floats, in_unit_interval, same_width
from lib.validation import nonnegative, positive


def bernoulli_log_likelihood(x: Tensor, logits: Tensor) -> Tensor:
    """Return log p(x | z) of independent coin flips, P(xⱼ = 1) = σ(logitⱼ): (…, d) → (…,).

    Entries of x strictly between 0 and 1 are welcome, but then exp of the result is no density.
    """
    x, logits = in_unit_interval(x, "x"), floats(logits, "logits")
    same_width(x, logits, "x and logits")
    # log σ(l) = l − softplus(l) and log(1 − σ(l)) = −softplus(l): no logarithm of zero.
    return (x * logits - softplus(logits)).sum(-1)


def gaussian_log_likelihood(x: Tensor, mean: Tensor, variance: float) -> Tensor:
    """Return log N(x; mean, variance · I): (…, d) each → (…,).

    −‖x − mean‖² / (2 variance) − d/2 · log(2π variance).
    """
    x, mean, variance = (
        floats(x, "x"),
        floats(mean, "mean"),
        positive(variance, "variance"),
    )
    same_width(x, mean, "x and mean")
    constant = x.shape[-1] * (LOG_2PI + math.log(variance))
    return -0.5 * (((x - mean) ** 2).sum(-1) / variance + constant)


Likelihood = Callable[[Tensor, Tensor], Tensor]
"""From data (…, d) and the decoder's output (…, d) to log p(x | z), (…,)."""


def gaussian_likelihood(variance: float) -> Likelihood:
    """Return the Gaussian likelihood with that fixed variance, as a function of (x, mean)."""
    variance = positive(variance, "variance")
    return lambda x, mean: gaussian_log_likelihood(x, mean, variance)


class Pass(NamedTuple):
    """What a forward pass yields: mean and log_variance of q (n, m), the draw z (n, m), and the
    decoder's output (n, d), which are logits or the means of the pixels.
    """

    mean: Tensor
    log_variance: Tensor
    z: Tensor
    output: Tensor


class Bound(NamedTuple):
    """The two terms of the bound for each sample, (n,) both: E_q[log p(x|z)] and KL(q ‖ p)."""

    reconstruction: Tensor
    kl: Tensor

    def value(self, beta: float = 1.0) -> Tensor:
        """Return reconstruction − β · kl, (n,); β = 1 is the evidence lower bound."""
        return self.reconstruction - nonnegative(beta, "beta") * self.kl


def bound(passed: Pass, x: Tensor, likelihood: Likelihood) -> Bound:
    """Return both terms of the ELBO of x (n, d): one draw for the first, the second exact."""
    reconstruction = likelihood(x, passed.output)
    return Bound(reconstruction, kl_standard(passed.mean, passed.log_variance))


def negative_elbo(likelihood: Likelihood, beta: float = 1.0) -> Callable:
    """Return the loss of a VAE for ``lib.train.fit``: the mean of −(reconstruction − β KL)."""
    beta = nonnegative(beta, "beta")

    def loss(passed: Pass, x: Tensor) -> Tensor:
        return -bound(passed, x, likelihood).value(beta).mean()

    return loss


def aggregate_log_density(z: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return log q(z) of the mean of the encoder's Gaussians over the data: (s, m) → (s,).

    `mean` and `log_variance` have shape (n, m): one Gaussian for each sample, equal weights.
    """
    each = log_density(z.unsqueeze(1), mean.unsqueeze(0), log_variance.unsqueeze(0))
    return torch.logsumexp(each, dim=1) - math.log(len(mean))
