"""Checks of tensors for this package: what was expected, what came."""

from __future__ import annotations

import torch
from torch import Tensor


def floats(value: object, name: str) -> Tensor:
    """Return a floating-point tensor as it came; anything else raises a ``ValueError``."""
    if not isinstance(value, Tensor):
        raise ValueError(f"{name}: expected a tensor, got {type(value).__name__}")
    if not value.is_floating_point():
        raise ValueError(f"{name}: expected floating-point numbers, got {value.dtype}")
    if value.ndim == 0:
        raise ValueError(f"{name}: expected at least one dimension, got a number")
    return value


def finite(value: object, name: str) -> Tensor:
    """Return a floating-point tensor without NaN or infinite entries."""
    tensor = floats(value, name)
    if not torch.isfinite(tensor).all():
        bad = int((~torch.isfinite(tensor)).sum())
        raise ValueError(f"{name}: expected finite numbers, got {bad} NaN or infinite")
    return tensor


def same_width(first: Tensor, second: Tensor, names: str) -> None:
    """Require that two tensors agree in their last axis: broadcasting it would hide a mistake."""
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(
            f"{names}: expected the same last dimension, got shapes "
            f"{tuple(first.shape)} and {tuple(second.shape)}"
        )


def same_shape(first: Tensor, second: Tensor, names: str) -> None:
    """Require that two tensors have one shape."""
    if first.shape != second.shape:
        raise ValueError(
            f"{names}: expected one shape, got {tuple(first.shape)} and "
            f"{tuple(second.shape)}"
        )


def in_unit_interval(value: object, name: str) -> Tensor:
    """Return a tensor whose entries all lie in [0, 1]."""
    tensor = floats(value, name)
    inside = (tensor >= 0) & (tensor <= 1)  # NaN is not inside
    if not inside.all():
        odd = tensor[~inside].flatten()[0]
        raise ValueError(f"{name}: expected entries in [0, 1], got {odd:g}")
    return tensor
