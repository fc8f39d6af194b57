"""Two ways to differentiate E_{z ~ q}[f(z)] in the parameters of q, draw by draw.

Both take a Gaussian q with mean and log_variance of shape (m,), noise ε of shape (S, m), and an f
from (S, m) to (S,). Both return one estimate of the gradient for each draw, so that means *and*
variances can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from lib.generative.gaussian import draw
from lib.generative.tensors import finite
from lib.validation import one_of

BASELINES = ("none", "mean", "optimal")


class Estimates(NamedTuple):
    """One estimate of the gradient for each draw, (S, m) in the mean and in the log_variance."""

    mean: Tensor
    log_variance: Tensor


def reparameterised_gradients(
    f: Callable[[Tensor], Tensor], mean: Tensor, log_variance: Tensor, noise: Tensor
) -> Estimates:
    """Differentiate f(μ + σ ε) through the draw; needs an f that is differentiable."""
    mean, log_variance, noise = _checked(mean, log_variance, noise)
    z = draw(mean, log_variance, noise).detach().requires_grad_()
    (slope,) = torch.autograd.grad(f(z).sum(), z)  # rows do not mix
    # ∂z/∂μ = 1 and ∂z/∂(log σ²) = σ ε / 2, coordinate by coordinate.
    sigma = torch.exp(0.5 * log_variance)
    return Estimates(slope, slope * 0.5 * sigma * noise)


def score_function_gradients(
    f: Callable[[Tensor], Tensor],
    mean: Tensor,
    log_variance: Tensor,
    noise: Tensor,
    baseline: str = "none",
) -> Estimates:
    """Multiply f(z) − b with the score ∇ log q(z); f is only evaluated, never differentiated.

    `baseline` b is "none" (0), "mean" (the mean of f over the *other* draws, which keeps the
    estimate unbiased) or "optimal" (E[f s²] / E[s²] of each coordinate, estimated from all draws).
    """
    mean, log_variance, noise = _checked(mean, log_variance, noise)
    one_of(baseline, "baseline", BASELINES)
    with torch.no_grad():
        values = f(draw(mean, log_variance, noise))
    if values.shape != noise.shape[:1]:
        raise ValueError(
            f"f: expected one value for each draw, shape {tuple(noise.shape[:1])}, "
            f"got {tuple(values.shape)}"
        )
    # log q = −ε²/2 − log σ² / 2 + const with ε = (z − μ)/σ, so its derivatives are:
    scores = Estimates(noise * torch.exp(-0.5 * log_variance), 0.5 * (noise**2 - 1))
    return Estimates(*(_centred(values, s, baseline) * s for s in scores))


def _centred(values: Tensor, score: Tensor, baseline: str) -> Tensor:
    """Return f − b, of shape (S, 1) or (S, m)."""
    f = values.unsqueeze(-1)
    if baseline == "none":
        return f
    if baseline == "mean":
        return (f - f.mean(0)) * (
            len(f) / (len(f) - 1)
        )  # f minus the mean of the others
    return f - (f * score**2).mean(0) / (score**2).mean(0)


def _checked(mean: Tensor, log_variance: Tensor, noise: Tensor) -> tuple[Tensor, ...]:
    mean, log_variance = finite(mean, "mean"), finite(log_variance, "log_variance")
    noise = finite(noise, "noise")
    if mean.ndim != 1 or log_variance.shape != mean.shape:
        raise ValueError(
            "mean and log_variance: expected shape (m,) both, got "
            f"{tuple(mean.shape)} and {tuple(log_variance.shape)}"
        )
    if noise.ndim != 2 or noise.shape[1] != len(mean) or len(noise) < 2:
        raise ValueError(
            f"noise: expected shape (S, {len(mean)}) with S ≥ 2, got {tuple(noise.shape)}"
        )
    return mean.detach(), log_variance.detach(), noise
