"""Random samples that keep the shares of the groups."""

import numpy as np


def stratified(groups: np.ndarray, size: int | None, rng: np.random.Generator) -> np.ndarray:
    """Return ``size`` distinct indices into ``groups`` (n,), each group with its share; sorted.

    Group g of n_g members gets ⌊size·n_g/n⌋; the places that are left go to the groups with the
    largest remainders (a tie to the smaller group number), so no group is off by one or more.
    ``size=None`` means everything.
    """
    n = len(groups)
    if size is None:
        return np.arange(n)
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= n:
        raise ValueError(f"expected a sample size from 1 to {n}, or None for all; got {size!r}.")
    values, counts = np.unique(groups, return_counts=True)
    share, remainder = np.divmod(size * counts, n)
    left = size - share.sum()
    share[np.argsort(-remainder, kind="stable")[:left]] += 1
    chosen = [
        rng.choice(np.flatnonzero(groups == value), size=count, replace=False)
        for value, count in zip(values, share, strict=True)
    ]
    return np.sort(np.concatenate(chosen))
