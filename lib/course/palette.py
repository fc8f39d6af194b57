"""One small palette for many frames, with the colours that fill areas and lines kept exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image
from scipy.spatial import cKDTree

ROUNDS = 8  # of Lloyd's algorithm; more changes nothing that can be seen


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
    seen[:, :3] *= (
        seen[:, 3:] / 255
    )  # faint colours look alike, so they are near each other
    group = _groups(seen, np.sqrt(counts), _first_palette(rgba, seen, counts, most))
    group[rgba[:, 3] == 0] = -1  # invisible stays invisible
    order = np.lexsort(
        (counts, group)
    )  # the most frequent member is the last of its group
    last = np.flatnonzero(np.diff(group[order], append=group.max() + 1))
    best = dict(zip(group[order[last]].tolist(), order[last].tolist(), strict=True))
    return np.array([best[g] for g in group.tolist()])


def _first_palette(
    rgba: np.ndarray, seen: np.ndarray, counts: np.ndarray, most: int
) -> np.ndarray:
    """The most frequent colours together with an octree's, one place left for the invisible."""
    octree = Image.fromarray(rgba[None]).quantize(
        most // 2, method=Image.Quantize.FASTOCTREE
    )
    spread = np.unique(np.array(octree.convert("RGBA")).reshape(-1, 4), axis=0).astype(
        float
    )
    spread[:, :3] *= spread[:, 3:] / 255
    frequent = seen[np.argsort(-counts, kind="stable")[: most - 1 - len(spread)]]
    return np.concatenate([frequent, spread])


def _groups(points: np.ndarray, weights: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Lloyd's algorithm: the nearest centre of each point, centres moved to weighted means."""
    most = len(centres)
    for _ in range(ROUNDS):
        distance, nearest = cKDTree(centres).query(points)
        mass = np.bincount(nearest, weights, most)
        sums = [np.bincount(nearest, weights * column, most) for column in points.T]
        used = mass > 0
        centres = np.stack(sums, axis=1)[used] / mass[used, None]
        if not used.all():  # an unused centre moves to a colour that is served worst
            worst = np.argsort(-distance * weights, kind="stable")[
                : most - len(centres)
            ]
            centres = np.concatenate([centres, points[worst]])
    return cKDTree(centres).query(points)[1]
