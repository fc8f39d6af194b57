"""Generated points in the plane, with classes: moons, spirals, circles, blobs, XOR.

All have X (n, 2) and y (n,), classes of equal size (when n does not divide, the first classes get
one more), Gaussian noise of standard deviation ``noise`` on both coordinates, rows in random
order. The same arguments give the same points.
"""

import numpy as np

from lib.data.kinds import Tabular
from lib.data.sampling import Seed, generator, shares
from lib.validation import as_matrix, between, nonnegative, positive, whole


def _scatter(
    name: str, parts: list[np.ndarray], noise: float, rng: np.random.Generator
) -> Tabular:
    """Points (n_k, 2) of each class k, made noisy and shuffled."""
    X = np.concatenate(parts)
    y = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    X = X + nonnegative(noise, "noise") * rng.standard_normal(X.shape)
    order = rng.permutation(len(X))
    return Tabular(
        name,
        X=X[order],
        y=y[order],
        feature_names=("x1", "x2"),
        target="class",
        target_names=tuple(str(k) for k in range(len(parts))),
    )


def _arc(angles: np.ndarray, radius: np.ndarray | float = 1.0) -> np.ndarray:
    """Points (m, 2) at the given angles and radii."""
    return np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)


def two_moons(n: int = 200, noise: float = 0.1, seed: Seed = 0) -> Tabular:
    """Return two interleaved half circles.

    Class 0 is (cos t, sin t), class 1 is (1 − cos t, ½ − sin t), t evenly spaced on [0, π].
    """
    upper, lower = shares(whole(n, "n", at_least=2), 2)
    first = _arc(np.linspace(0, np.pi, upper))
    second = np.array([1.0, 0.5]) - _arc(np.linspace(0, np.pi, lower))
    return _scatter("two_moons", [first, second], noise, generator(seed))


def spirals(
    n: int = 300,
    noise: float = 0.02,
    seed: Seed = 0,
    *,
    arms: int = 2,
    turns: float = 1.5,
) -> Tabular:
    """Return ``arms`` spirals around the origin, one class each.

    Arm k has radius r evenly spaced on (0, 1] and the angle 2π (turns · r + k / arms).
    """
    arms = whole(arms, "arms", at_least=1)
    turns = positive(turns, "turns")
    counts = shares(whole(n, "n", at_least=arms), arms)
    radii = [np.arange(1, count + 1) / count for count in counts]
    parts = [_arc(2 * np.pi * (turns * r + k / arms), r) for k, r in enumerate(radii)]
    return _scatter("spirals", parts, noise, generator(seed))


def circles(
    n: int = 200, noise: float = 0.05, seed: Seed = 0, *, ratio: float = 0.5
) -> Tabular:
    """Return two circles around the origin: class 0 of radius 1, class 1 of radius ``ratio``.

    The points of a circle are evenly spaced.
    """
    ratio = between(ratio, "ratio", 0.0, 1.0, inclusive=False)
    counts = shares(whole(n, "n", at_least=2), 2)
    angles = [2 * np.pi * np.arange(count) / count for count in counts]
    parts = [_arc(angles[0]), _arc(angles[1], ratio)]
    return _scatter("circles", parts, noise, generator(seed))


def blobs(
    n: int = 300, noise: float = 1.0, seed: Seed = 0, *, centres: np.ndarray | int = 3
) -> Tabular:
    """Return Gaussian clouds with covariance noise² · I, one class a centre.

    ``centres`` (K, 2) gives their means; a number K asks for K of them, evenly spaced on a circle
    of radius 5.
    """
    if np.ndim(centres) == 0:
        K = whole(centres, "centres", at_least=1)
        means = _arc(2 * np.pi * np.arange(K) / K, 5.0)
    else:
        means = as_matrix(centres, "centres", columns=2)
    counts = shares(whole(n, "n", at_least=len(means)), len(means))
    parts = [
        np.repeat(mean[None], count, axis=0)
        for mean, count in zip(means, counts, strict=True)
    ]
    return _scatter("blobs", parts, noise, generator(seed))


def xor(n: int = 200, noise: float = 0.25, seed: Seed = 0) -> Tabular:
    """Return four clouds at (±1, ±1); the class is 1 where the signs of x₁ and x₂ differ."""
    zeros, ones = shares(whole(n, "n", at_least=4), 2)
    corners = np.array([[[1.0, 1.0], [-1.0, -1.0]], [[1.0, -1.0], [-1.0, 1.0]]])
    parts = [
        np.repeat(pair, shares(count, 2), axis=0)
        for pair, count in zip(corners, (zeros, ones), strict=True)
    ]
    return _scatter("xor", parts, noise, generator(seed))
