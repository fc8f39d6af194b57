"""Counting: how many arrangements there are, in a form that does not overflow, and lists of them.

Counts grow like factorials, so the formulas work with logarithms. The lists are for checking:
they write down every case, which is honest and slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np
from scipy.special import gammaln

from lib.validation import as_array, whole


def log_factorial(k: object) -> np.ndarray:
    """Return log k! for whole numbers k ≥ 0 of any shape."""
    return gammaln(_counts(k, "k") + 1.0)


def log_choose(n: object, k: object) -> np.ndarray:
    """Return log of n! / (k! (n − k)!) for 0 ≤ k ≤ n, of any shapes that fit together."""
    n, k = _counts(n, "n"), _counts(k, "k")
    if np.any(k > n):
        raise ValueError(
            f"k: expected at most n, got k up to {k.max():g} for n {n.min():g}"
        )
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def log_arrangements(counts: object) -> np.ndarray:
    """Return log of n! / (k₁! ⋯ k_C!) along the last axis of counts (…, C), n their sum."""
    counts = _counts(counts, "counts")
    if counts.ndim == 0:
        raise ValueError("counts: expected shape (…, C), got a single number")
    return log_factorial(counts.sum(axis=-1)) - log_factorial(counts).sum(axis=-1)


def compositions(n: int, parts: int) -> np.ndarray:
    """Return every way to write n as an ordered sum of `parts` numbers ≥ 0, shape (m, parts).

    Stars and bars: place parts − 1 bars among n + parts − 1 positions; the gaps are the numbers.
    """
    n, parts = whole(n, "n"), whole(parts, "parts", at_least=1)
    return np.array(list(_gaps(n, parts)), dtype=np.int64)


def _gaps(n: int, parts: int) -> Iterator[list[int]]:
    last = n + parts - 1
    for bars in combinations(range(last), parts - 1):
        edges = (-1, *bars, last)
        yield [right - left - 1 for left, right in pairwise(edges)]


def _counts(value: object, name: str) -> np.ndarray:
    array = as_array(value, name)
    odd = array[(array < 0) | (array != np.floor(array))]
    if odd.size:
        raise ValueError(f"{name}: expected whole numbers >= 0, got {odd[0]:g}")
    return array
