"""One small palette for many frames, with the colours that fill areas and lines kept exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def with_colours(layers: Sequence[np.ndarray], most: int) -> list[np.ndarray]:
    """The layers, each (height, width, 4) of uint8, redrawn with at most `most` colours in all.

    Colours that look alike are grouped, and each group becomes its most frequent member: flat
    colours stay what they are; the many shades of smooth edges and images give way.
    """
    shades = [np.unique(_codes(layer), return_counts=True) for layer in layers]
    codes, group = np.unique(
        np.concatenate([c for c, _ in shades]), return_inverse=True
    )
    counts = np.bincount(group, np.concatenate([n for _, n in shades]))
    if len(codes) <= most:
        return list(layers)
    chosen = codes[_representatives(codes, counts, most)]
    return [
        _pixels(chosen[np.searchsorted(codes, _codes(layer))]).reshape(layer.shape)
        for layer in layers
    ]


def _codes(layer: np.ndarray) -> np.ndarray:
    """Each RGBA pixel as one integer, shape (height, width)."""
    return np.ascontiguousarray(layer).view(np.uint32)[..., 0]


def _pixels(codes: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(codes)[..., None].view(np.uint8)


def _representatives(codes: np.ndarray, counts: np.ndarray, most: int) -> np.ndarray:
    """For each colour, the index of the colour that stands for it."""
    rgba = _pixels(codes)  # (m, 4)
    seen = rgba.astype(float)
    # Weighted with alpha: faint colours look alike, so they are near each other.
    seen[:, :3] *= seen[:, 3:] / 255
    group = _groups(seen, np.sqrt(counts), most - 1)  # one place is for the invisible
    group[rgba[:, 3] == 0] = -1
    # The most frequent member comes last in its group.
    order = np.lexsort((counts, group))
    last = np.flatnonzero(np.diff(group[order], append=group.max() + 1))
    best = dict(zip(group[order[last]].tolist(), order[last].tolist(), strict=True))
    return np.array([best[g] for g in group.tolist()])


def _groups(points: np.ndarray, weights: np.ndarray, most: int) -> np.ndarray:
    """Which of at most `most` centres is nearest to each point.

    The first centre is the weightiest point; each next one is the point that those before serve
    worst. Moving the centres on (Lloyd's algorithm) was tried: nothing became better.
    """
    group = np.zeros(len(points), dtype=int)
    distance = np.full(len(points), np.inf)
    centre = weights.argmax()
    for number in range(most):
        to_centre = ((points - points[centre]) ** 2).sum(axis=1)
        group[to_centre < distance] = number
        distance = np.minimum(distance, to_centre)
        centre = (weights * distance).argmax()
    return group
