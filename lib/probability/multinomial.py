"""Trials with more than two outcomes: the categorical and the multinomial distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from lib.probability.counting import log_arrangements
from lib.validation import as_array, as_distribution, whole


@dataclass(frozen=True, eq=False)
class Multinomial:
    """How often each of C outcomes occurs in n independent trials with probabilities p (C,)."""

    n: int
    p: np.ndarray

    def __post_init__(self) -> None:
        whole(self.n, "n")
        object.__setattr__(self, "p", as_distribution(self.p, "p"))

    def log_pmf(self, counts: object) -> np.ndarray:
        """Return log P(counts) for counts (…, C); −∞ unless they are ≥ 0, whole and sum to n."""
        counts = as_array(counts, "counts")
        if counts.ndim == 0 or counts.shape[-1] != self.p.size:
            raise ValueError(
                f"counts: expected shape (…, {self.p.size}), got {counts.shape}"
            )
        whole_counts = (counts >= 0) & (counts == np.floor(counts))
        inside = whole_counts.all(axis=-1) & (counts.sum(axis=-1) == self.n)
        safe = np.where(inside[..., None], counts, 0.0)
        value = log_arrangements(safe) + xlogy(safe, self.p).sum(axis=-1)
        return np.where(inside, value, -np.inf)

    def pmf(self, counts: object) -> np.ndarray:
        """Return P(counts) for counts (…, C)."""
        return np.exp(self.log_pmf(counts))

    @property
    def mean(self) -> np.ndarray:
        """The expected counts n p, shape (C,)."""
        return self.n * self.p

    @property
    def covariance(self) -> np.ndarray:
        """The covariance n (diag p − p pᵀ) of the counts, shape (C, C)."""
        return self.n * (np.diag(self.p) - np.outer(self.p, self.p))

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> np.ndarray:
        """Return draws of counts, shape (*size, C)."""
        return rng.multinomial(self.n, self.p / self.p.sum(), size)


def categorical(p: object) -> Multinomial:
    """Return the distribution of one trial with C outcomes, its result written one-hot."""
    return Multinomial(1, p)
