"""Gaussians as a variational autoencoder needs them: densities, divergences, draws.

A Gaussian with independent coordinates is given by its mean and the *logarithm* of its variances:
any real number is then a valid output of an encoder, and no variance can become negative. The
last axis holds the coordinates; all axes before it are a batch and broadcast.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lib.generative.tensors import finite, floats, same_width

LOG_2PI = math.log(2 * math.pi)


def log_density(x: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return log N(x; mean, diag(exp(log_variance))): (…, m) each → (…,)."""
    x, mean, log_variance = _three(x, mean, log_variance)
    squared = (x - mean) ** 2 * torch.exp(-log_variance)
    return -0.5 * (squared + log_variance + LOG_2PI).sum(-1)


def standard_log_density(z: Tensor) -> Tensor:
    """Return log N(z; 0, I): (…, m) → (…,)."""
    z = floats(z, "z")
    return -0.5 * (z**2 + LOG_2PI).sum(-1)


def log_density_full(x: Tensor, mean: Tensor, covariance: Tensor) -> Tensor:
    """Return log N(x; mean, covariance): (…, m), (…, m), (m, m) → (…,)."""
    x, mean = floats(x, "x"), floats(mean, "mean")
    same_width(x, mean, "x and mean")
    factor = cholesky(covariance, "covariance", mean.shape[-1])
    gap = (x - mean).unsqueeze(-1)
    whitened = torch.linalg.solve_triangular(factor, gap, upper=False).squeeze(-1)
    return -0.5 * (whitened**2 + LOG_2PI).sum(-1) - factor.diagonal().log().sum()


def kl_standard(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return KL(N(mean, diag(exp(log_variance))) ‖ N(0, I)): (…, m) each → (…,).

    ½ Σⱼ (μⱼ² + σⱼ² − 1 − log σⱼ²).
    """
    return kl_per_coordinate(mean, log_variance).sum(-1)


def kl_per_coordinate(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return the terms of :func:`kl_standard`, one for each coordinate: (…, m)."""
    mean, log_variance = floats(mean, "mean"), floats(log_variance, "log_variance")
    same_width(mean, log_variance, "mean and log_variance")
    # σ² − 1 − log σ² by expm1: exact where σ is close to one and the terms cancel.
    return 0.5 * (mean**2 + torch.expm1(log_variance) - log_variance)


def kl_diagonal(
    mean: Tensor, log_variance: Tensor, other_mean: Tensor, other_log_variance: Tensor
) -> Tensor:
    """Return KL(N(mean, …) ‖ N(other_mean, …)), both with independent coordinates: → (…,)."""
    mean, log_variance, other_mean = _three(mean, log_variance, other_mean)
    other_log_variance = floats(other_log_variance, "other_log_variance")
    same_width(mean, other_log_variance, "mean and other_log_variance")
    ratio = log_variance - other_log_variance
    squared = (mean - other_mean) ** 2 * torch.exp(-other_log_variance)
    return 0.5 * (squared + torch.expm1(ratio) - ratio).sum(-1)


def kl_full(
    mean: Tensor, covariance: Tensor, other_mean: Tensor, other: Tensor
) -> Tensor:
    """Return KL(N(mean, covariance) ‖ N(other_mean, other)): (m,), (m, m) each → a number.

    ½ (tr(S₁⁻¹ S₀) + (μ₁ − μ₀)ᵀ S₁⁻¹ (μ₁ − μ₀) − m + log det S₁ − log det S₀), by Cholesky factors.
    """
    mean, other_mean = floats(mean, "mean"), floats(other_mean, "other_mean")
    same_width(mean, other_mean, "mean and other_mean")
    m = mean.shape[-1]
    first = cholesky(covariance, "covariance", m)
    second = cholesky(other, "other", m)
    spread = torch.linalg.solve_triangular(second, first, upper=False)
    shift = torch.linalg.solve_triangular(
        second, (other_mean - mean).unsqueeze(-1), upper=False
    )
    log_ratio = (second.diagonal().log() - first.diagonal().log()).sum()
    return 0.5 * ((spread**2).sum() + (shift**2).sum() - m) + log_ratio


def draw(mean: Tensor, log_variance: Tensor, noise: Tensor | None = None) -> Tensor:
    """Return z = mean + σ ⊙ ε with σ = exp(log_variance / 2): the reparameterised draw.

    `noise` is ε ~ N(0, I), of the shape that z is to have; by default one draw for each mean. The
    draw is differentiable in mean and log_variance, since ε depends on neither.
    """
    mean, log_variance = floats(mean, "mean"), floats(log_variance, "log_variance")
    same_width(mean, log_variance, "mean and log_variance")
    if noise is None:
        shape = torch.broadcast_shapes(mean.shape, log_variance.shape)
        noise = torch.randn(shape, dtype=mean.dtype)
    same_width(mean, floats(noise, "noise"), "mean and noise")
    return mean + torch.exp(0.5 * log_variance) * noise


def draw_full(mean: Tensor, factor: Tensor, noise: Tensor) -> Tensor:
    """Return z = mean + L ε for a covariance L Lᵀ: (m,), (m, m), (…, m) → (…, m)."""
    mean, noise = floats(mean, "mean"), floats(noise, "noise")
    same_width(mean, noise, "mean and noise")
    factor = finite(factor, "factor")
    if factor.shape != (mean.shape[-1],) * 2:
        raise ValueError(
            f"factor: expected shape {(mean.shape[-1],) * 2}, got {tuple(factor.shape)}"
        )
    return mean + noise @ factor.T


def cholesky(covariance: Tensor, name: str, size: int) -> Tensor:
    """Return the lower factor of a covariance matrix, or say why it is none."""
    covariance = finite(covariance, name)
    if covariance.shape != (size, size):
        raise ValueError(
            f"{name}: expected shape {(size, size)}, got {tuple(covariance.shape)}"
        )
    scale = float(covariance.detach().abs().max())
    if float((covariance - covariance.T).detach().abs().max()) > 1e-5 * scale:
        raise ValueError(f"{name}: expected a symmetric matrix, got one that is not")
    factor, info = torch.linalg.cholesky_ex(covariance)
    if int(info) != 0:
        raise ValueError(
            f"{name}: expected a positive definite matrix, got one that is not"
        )
    return factor


def _three(x: Tensor, mean: Tensor, log_variance: Tensor) -> tuple[Tensor, ...]:
    x, mean = floats(x, "x"), floats(mean, "mean")
    log_variance = floats(log_variance, "log_variance")
    same_width(x, mean, "x and mean")
    same_width(x, log_variance, "x and log_variance")
    return x, mean, log_variance
