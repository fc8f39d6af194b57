"""Random choices: the generator behind a seed, and samples that keep the shares of the groups."""

import numpy as np

from lib.validation import whole

Seed = int | np.random.Generator


def generator(seed: Seed) -> np.random.Generator:
    """Return the generator for a seed; a generator is returned as it is and will be advanced."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(whole(seed, "seed"))


def shares(total: int, groups: int) -> np.ndarray:
    """Return what each group gets of ``total``, (groups,): equal shares, the first ones 1 more."""
    return total // groups + (np.arange(groups) < total % groups)


def stratified(
    groups: np.ndarray, size: int | None, rng: np.random.Generator
) -> np.ndarray:
    """Return ``size`` distinct indices into ``groups`` (n,), each group with its share; sorted.

    Group g of n_g members gets ⌊size·n_g/n⌋; the places that are left go to the groups with the
    largest remainders (a tie to the smaller group number), so no group is off by one or more.
    ``size=None`` means everything.
    """
    n = len(groups)
    if size is None:
        return np.arange(n)
    size = whole(size, "sample size", at_least=1, at_most=n)
    values, counts = np.unique(groups, return_counts=True)
    share, remainder = np.divmod(size * counts, n)
    left = size - share.sum()
    share[np.argsort(-remainder, kind="stable")[:left]] += 1
    chosen = [
        rng.choice(np.flatnonzero(groups == value), size=count, replace=False)
        for value, count in zip(values, share, strict=True)
    ]
    return np.sort(np.concatenate(chosen))
