"""Splits of n samples into parts for fitting and parts for judging, as index arrays.

A *fold* is a part that is held out once. Functions that end in ``_folds`` return one pair
``(train, test)`` of sorted index arrays for each fold. Randomness comes from a generator that
the caller passes; without one the samples are taken in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib.validation import as_vector, positive, whole

Fold = tuple[np.ndarray, np.ndarray]  # (train, test), each sorted


def _codes(values: object, name: str) -> np.ndarray:
    """Return 0, 1, … for the different entries of a vector of numbers or strings, (n,)."""
    array = np.asarray(values)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name}: expected a vector with one entry per sample, got shape {array.shape}"
        )
    if array.dtype.kind == "f":
        array = as_vector(array, name)
    return np.unique(array, return_inverse=True)[1]


def _folds_of(fold: np.ndarray, k: int) -> list[Fold]:
    """Return (train, test) for each fold number 0, …, k−1 in the vector `fold` (n,)."""
    return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(k)]


def _dealt(order: np.ndarray, k: int) -> np.ndarray:
    """Return fold numbers when the samples in `order` are dealt like cards, one fold at a time."""
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.arange(len(order)) % k
    return fold


def part_sizes(n: int, shares: Sequence[float]) -> np.ndarray:
    """Return whole numbers that sum to n, each share·n rounded; every part gets a sample.

    Largest remainders: round down, then give what is left to those that lost most.
    """
    wanted = np.array([positive(share, "shares") for share in shares])
    if len(wanted) < 2 or abs(wanted.sum() - 1.0) > 1e-9:
        raise ValueError(
            f"shares: expected at least two that sum to 1, got {list(map(float, wanted))}"
        )
    n = whole(n, "n", at_least=len(wanted))
    exact = wanted * n
    sizes = np.floor(exact + 1e-9).astype(np.int64)
    short = np.argsort(sizes - exact, kind="stable")[: n - sizes.sum()]
    sizes[short] += 1
    if sizes.min() == 0:
        raise ValueError(
            f"shares: expected every part to hold a sample, got sizes {sizes.tolist()} of {n}"
        )
    return sizes


def split(
    n: int, shares: Sequence[float], rng: np.random.Generator | None = None
) -> list[np.ndarray]:
    """Return one sorted index array per share, for instance train, validation and test.

    With `rng` the parts are drawn uniformly; without it they are consecutive blocks, as data
    that is ordered in time asks for.
    """
    sizes = part_sizes(n, shares)
    order = np.arange(n) if rng is None else rng.permutation(n)
    return [np.sort(part) for part in np.split(order, np.cumsum(sizes)[:-1])]


def stratified_split(
    labels: object, shares: Sequence[float], rng: np.random.Generator
) -> list[np.ndarray]:
    """Return one sorted index array per share; each class is split in these shares by itself."""
    codes = _codes(labels, "labels")
    parts: list[list[np.ndarray]] = [[] for _ in shares]
    for label in range(codes.max() + 1):
        members = rng.permutation(np.flatnonzero(codes == label))
        sizes = part_sizes(len(members), shares)
        for part, piece in zip(
            parts, np.split(members, np.cumsum(sizes)[:-1]), strict=True
        ):
            part.append(piece)
    return [np.sort(np.concatenate(part)) for part in parts]


def k_folds(n: int, k: int, rng: np.random.Generator | None = None) -> list[Fold]:
    """Return k folds whose sizes differ by at most one; consecutive blocks without `rng`."""
    n = whole(n, "n", at_least=2)
    k = whole(k, "k", at_least=2, at_most=n)
    if rng is not None:
        return _folds_of(_dealt(rng.permutation(n), k), k)
    sizes = np.full(k, n // k)
    sizes[: n % k] += 1
    return _folds_of(np.repeat(np.arange(k), sizes), k)


def leave_one_out(n: int) -> list[Fold]:
    """Return n folds of one sample each."""
    return k_folds(n, n)


def stratified_folds(
    labels: object, k: int, rng: np.random.Generator | None = None
) -> list[Fold]:
    """Return k folds in which each class, and the whole, is spread evenly to within one.

    Sort by class, shuffled within each, and deal like cards: neighbours go to different folds.
    """
    codes = _codes(labels, "labels")
    k = whole(k, "k", at_least=2)
    rarest = int(np.bincount(codes).min())
    if rarest < k:
        raise ValueError(
            f"k: expected at most the size of the rarest class, {rarest}, got {k}"
        )
    shuffle = np.arange(len(codes)) if rng is None else rng.permutation(len(codes))
    order = shuffle[np.argsort(codes[shuffle], kind="stable")]
    return _folds_of(_dealt(order, k), k)


def group_folds(groups: object, k: int) -> list[Fold]:
    """Return k folds that never cut a group in two, of sizes as even as greed makes them.

    Groups are placed from the largest to the smallest, each into the fold that is smallest then.
    """
    codes = _codes(groups, "groups")
    sizes = np.bincount(codes)
    k = whole(k, "k", at_least=2)
    if len(sizes) < k:
        raise ValueError(
            f"k: expected at most the number of groups, {len(sizes)}, got {k}"
        )
    home = np.empty(len(sizes), dtype=np.int64)
    filled = np.zeros(k, dtype=np.int64)
    for group in np.argsort(-sizes, kind="stable"):
        home[group] = filled.argmin()
        filled[home[group]] += sizes[group]
    return _folds_of(home[codes], k)


def time_folds(n: int, k: int, gap: int = 0) -> list[Fold]:
    """Return k folds for samples in order of time: train on the past, test on the next block.

    The last k blocks of ⌊n/(k+1)⌋ samples are tested one after another; the `gap` samples
    just before each block are left out of training.
    """
    k, gap = whole(k, "k", at_least=1), whole(gap, "gap")
    n = whole(n, "n", at_least=k + 1)
    size = n // (k + 1)
    first = n - k * size
    if first - gap < 1:
        raise ValueError(f"gap: expected at most {first - 1}, got {gap}")
    starts = range(first, n, size)
    return [(np.arange(s - gap), np.arange(s, s + size)) for s in starts]
