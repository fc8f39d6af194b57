"""The linear variational autoencoder: its bound has no noise left in it, and its optimum is known.

Decoder p(x|z) = N(W z + μ, σ² I), encoder q(z|x) = N(V (x − μ), diag(s)). Averaged over the data,
the bound depends on them only through their covariance S, so that one step of training costs the
same for a hundred samples as for a million.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn

from lib.generative.ppca import PPCA
from lib.validation import as_matrix, nonnegative, positive, whole


class LinearVAE(nn.Module):
    """W (d, m), V (m, d), log s (m,), log σ²: in double precision, around the data's mean."""

    def __init__(
        self, features: int, latent: int, variance: float | None = None
    ) -> None:
        super().__init__()
        d = whole(features, "features", at_least=2)
        m = whole(latent, "latent", at_least=1, at_most=d - 1)
        start = 1 / math.sqrt(d)
        kind = torch.float64
        self.decoder = nn.Parameter(start * torch.randn(d, m, dtype=kind))
        self.encoder = nn.Parameter(start * torch.randn(m, d, dtype=kind))
        self.log_spread = nn.Parameter(torch.zeros(m, dtype=kind))
        log_noise = (
            0.0 if variance is None else math.log(positive(variance, "variance"))
        )
        self.log_noise = nn.Parameter(
            torch.tensor(log_noise, dtype=kind), requires_grad=variance is None
        )

    def elbo(self, S: Tensor, beta: float = 1.0) -> Tensor:
        """Return the mean bound over data with covariance S (d, d): reconstruction − β KL."""
        reconstruction, kl = self.terms(S)
        return reconstruction - nonnegative(beta, "beta") * kl.sum()

    def terms(self, S: Tensor) -> tuple[Tensor, Tensor]:
        """Return the mean reconstruction term and the mean KL of each latent coordinate, (m,)."""
        W, V, s = self.decoder, self.encoder, self.log_spread.exp()
        d = len(W)
        VS = V @ S  # (m, d): no product of two d × d matrices is ever formed
        code = VS @ V.T  # covariance of the codes V x, (m, m)
        # E‖x − W z‖² = E‖x − W V x‖² + tr(W diag(s) Wᵀ): the noise, averaged.
        error = S.trace() - 2 * (VS * W.T).sum() + ((W.T @ W) * code).sum()
        error = error + ((W**2).sum(0) * s).sum()
        noise = self.log_noise
        reconstruction = -0.5 * (
            error * torch.exp(-noise) + d * (noise + math.log(2 * math.pi))
        )
        kl = 0.5 * (code.diagonal() + torch.expm1(self.log_spread) - self.log_spread)
        return reconstruction, kl

    def as_ppca(self, mean: object) -> PPCA:
        """Return the decoder with the prior as a model of x."""
        W = self.decoder.detach().numpy().copy()
        return PPCA(
            np.asarray(mean, dtype=float), W, float(self.log_noise.detach().exp())
        )


def fit_linear_vae(
    X: object,
    m: int,
    *,
    variance: float | None = None,
    beta: float = 1.0,
    steps: int = 3000,
) -> tuple[LinearVAE, Tensor]:
    """Train a linear VAE on X (n, d) by L-BFGS on the exact bound; return it and S.

    `variance` fixes the decoder's σ², otherwise it is learned. Weights start from torch's seed.
    """
    X = as_matrix(X, "X", min_rows=2)
    nonnegative(beta, "beta")
    model = LinearVAE(X.shape[1], m, variance)
    S = torch.tensor(np.cov(X.T, bias=True))
    optimiser = torch.optim.LBFGS(
        [p for p in model.parameters() if p.requires_grad],
        max_iter=whole(steps, "steps", at_least=1),
        history_size=20,
        tolerance_grad=1e-10,
        tolerance_change=1e-13,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimiser.zero_grad()
        loss = -model.elbo(S, beta)
        loss.backward()
        return loss

    optimiser.step(closure)
    return model, S
