"""The variational autoencoder: an autoencoder whose code is a distribution."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from lib.generative.autoencoder import perceptron
from lib.generative.elbo import Pass
from lib.generative.gaussian import draw


class VAE(nn.Module):
    """x (n, d) → N(mean, diag σ²) over codes (n, m) → draw z → output (n, d).

    `hidden` are the widths between data and code, mirrored in the decoder. The output is raw:
    logits for the Bernoulli likelihood, means for the Gaussian one.
    """

    def __init__(self, features: int, hidden: Sequence[int], latent: int) -> None:
        super().__init__()
        self.features, self.latent = features, latent
        self.encoder = perceptron([features, *hidden, 2 * latent])
        self.decoder = perceptron([latent, *reversed(hidden), features])

    def encode(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log_variance of q(z|x): (n, d) → (n, m) twice."""
        mean, log_variance = self.encoder(x).chunk(2, dim=-1)
        return mean, log_variance

    def decode(self, z: Tensor) -> Tensor:
        """Return the raw parameters of p(x|z): (…, m) → (…, d)."""
        return self.decoder(z)

    def forward(self, x: Tensor) -> Pass:
        """Encode, draw once for each sample, decode."""
        mean, log_variance = self.encode(x)
        z = draw(mean, log_variance)
        return Pass(mean, log_variance, z, self.decode(z))

    @torch.no_grad()
    def standardise_codes(self, x: Tensor) -> None:
        """Shift and scale every code, in place, so that over x they have mean 0 and variance 1.

        z becomes (z − a) / c with a, c² the mean and variance of the aggregate posterior in each
        coordinate. The decoder's first layer undoes it, so what is reconstructed stays the same;
        the mean divergence to the prior falls, or stays, by ½ (c² + a² − 1 − log c²) each.
        """
        mean, log_variance = self.encode(x)
        shift = mean.mean(0)
        scale = torch.sqrt(mean.var(0, correction=0) + log_variance.exp().mean(0))
        last, first = self.encoder[-1], self.decoder[0]
        m = self.latent
        last.weight[:m] /= scale[:, None]
        last.bias[:m] = (last.bias[:m] - shift) / scale
        last.bias[m:] -= 2 * torch.log(scale)
        first.bias += first.weight @ shift
        first.weight *= scale

    def sample(self, count: int) -> Tensor:
        """Return the decoder's output for `count` draws from the prior N(0, I), (count, d)."""
        return self.decode(torch.randn(count, self.latent))
