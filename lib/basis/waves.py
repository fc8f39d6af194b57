"""Sines and cosines as columns: the Fourier basis."""

from __future__ import annotations

import numpy as np

from lib.validation import as_vector, positive, whole


def fourier(x: object, harmonics: int, period: float = 2 * np.pi) -> np.ndarray:
    """Return 1, then cos(2πkx/period) and sin(2πkx/period) for k = 1, …, harmonics.

    Shape (n, 1 + 2·harmonics), cosine before sine. Every combination repeats after `period`.
    """
    x, period = as_vector(x, "x"), positive(period, "period")
    harmonics = whole(harmonics, "harmonics")
    turns = np.mod(x, period) / period  # the remainder first: large x keeps its phase
    angles = 2 * np.pi * turns[:, None] * np.arange(1, harmonics + 1)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=2)  # (n, harmonics, 2)
    return np.column_stack([np.ones(len(x)), waves.reshape(len(x), -1)])
