"""Codes: the entropy as a number of binary digits that one can write down."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from lib.validation import as_distribution


def huffman_code(p: object) -> list[str]:
    """Return a code word of 0s and 1s for each outcome with probabilities p (K,).

    Huffman's code: merge the two least probable outcomes into one until one is left; each merge
    puts one more digit in front of all words inside. No word begins another, and no such code is
    shorter on average. A single outcome needs no digit at all.
    """
    p = as_distribution(p, "p")
    words = [""] * p.size
    ticket = count()  # ties are decided by age, never by comparing lists
    heap = [(float(mass), next(ticket), [k]) for k, mass in enumerate(p)]
    heapq.heapify(heap)
    while len(heap) > 1:
        right_mass, _, right = heapq.heappop(heap)
        left_mass, _, left = heapq.heappop(heap)
        for digit, members in (("0", left), ("1", right)):
            for k in members:
                words[k] = digit + words[k]
        heapq.heappush(heap, (left_mass + right_mass, next(ticket), left + right))
    return words


def mean_length(p: object, words: list[str]) -> float:
    """Return the expected number of digits of the word for an outcome with masses p (K,)."""
    p = as_distribution(p, "p", length=len(words))
    return float(p @ np.array([len(word) for word in words], dtype=float))
