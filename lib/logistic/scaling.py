"""Fit in units in which every feature is alike, answer in the caller's.

The intercept is not penalised, so shifting the features changes only it. Dividing feature j by
uⱼ multiplies its weight by uⱼ, and turns a penalty λ on the weight into λ/uⱼ². Neither changes
the minimum, and both change how easily it is found. With the standard deviation sⱼ, the unit
uⱼ = √(sⱼ² + λ) leaves every direction with a curvature of about one, however the feature was
measured and however strong the penalty is.
"""

from __future__ import annotations

import numpy as np

from lib.linear.design import Standardiser


def even_units(
    X: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray, Standardiser]:
    """Return Z (n, d) with mean 0 in units √(sⱼ² + λ), the penalties (d,), and the way back.

    Columns that never vary become exactly zero.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        mean = X.mean(axis=0)
        Z = X - mean
        deviation = np.sqrt(np.einsum("ij,ij->j", Z, Z) / len(X))
        plain = (deviation > 1e-140) & (deviation < 1e140)
        plain &= deviation > 1e-12 * np.abs(mean)
    if not plain.all():  # a constant column, or squares beyond the range of floats
        careful = Standardiser.of(X)
        mean, deviation = careful.mean, careful.scale
        Z = X - mean
        Z[:, X.max(axis=0) == X.min(axis=0)] = 0.0
    unit = np.hypot(deviation, np.sqrt(lam))
    Z /= unit
    return Z, (np.sqrt(lam) / unit) ** 2, Standardiser(mean, unit)
