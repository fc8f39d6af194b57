"""Draw the frames of an exploration and press them into few bytes.

What all frames have in common (axes, labels, data) is stored once, as a background. Each layer
keeps only the pixels that change and is transparent elsewhere, so at its own resolution every
pixel comes from exactly one of the two, and a layer over the background is the frame again.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from lib.course.palette import with_colours

BUDGET_BYTES = 590_000
"""What the images of one exploration may weigh, as text on the page; the rest of it is small."""


class Step(NamedTuple):
    """How frames are stored: dots per inch, most colours (None: all), and whether as a photograph.

    A photograph is lossy: for smooth images far smaller, for lines larger and worse.
    """

    dpi: int
    colours: int | None = None
    photograph: bool = False


LADDER = (
    Step(144),
    Step(144, 256),
    Step(144, 128),
    Step(144, 64),
    Step(144, photograph=True),
    Step(144, 32),
    Step(96, 64),
    Step(96, 32),
)
"""Tried in this order until the budget holds; only the first step is exact."""

FINEST = LADDER[0].dpi
"""Dots per inch where weight is no matter; a CSS pixel is 1/96 of an inch."""

SAMPLE = 5  # layers that are weighed to see whether a step can do at all


@dataclass(frozen=True)
class Film:
    """Frames pressed for a page, as data URIs.

    `poster` is the whole frame shown first, `background` what all frames share, `layers` the rest
    of each frame.
    """

    poster: str
    background: str
    layers: tuple[str, ...]
    step: Step

    @property
    def weight(self) -> int:
        """Bytes of all images on the page."""
        return sum(map(len, (self.poster, self.background, *self.layers)))


def pixels(figure: Figure, dpi: int = FINEST) -> np.ndarray:
    """The figure as uint8 RGBA, shape (height, width, 4), zero where nothing is visible."""
    buffer = io.BytesIO()
    # A tight box follows the content: the size would change from frame to frame.
    with plt.rc_context({"savefig.bbox": None}):
        figure.savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    rgba = np.array(Image.open(buffer).convert("RGBA"))
    rgba[rgba[..., 3] == 0] = 0
    return rgba


def press(
    frames_at: Callable[[int], Sequence[np.ndarray]],
    first: int = 0,
    budget: int = BUDGET_BYTES,
) -> Film:
    """Press frames into at most `budget` bytes, down the LADDER only as far as needed.

    `frames_at(dpi)` draws all frames, each (height, width, 4), and `first` says which one is the
    poster. Drawn coarser they stay crisp and become smaller than scaled-down pictures would.
    """
    dpi, drawn, weight = None, [], 0.0
    for step in LADDER:
        if step.dpi != dpi:
            drawn, dpi = _split(frames_at(step.dpi), first), step.dpi
        weight = _estimate(drawn, step)
        if weight > 1.2 * budget:
            continue
        film = _film(drawn, step)
        weight = film.weight
        if weight <= budget:
            return film
    raise ValueError(
        f"this exploration weighs about {weight / 1000:.0f} KB in {len(drawn) - 2} frames, even "
        f"with {step.colours} colours at {dpi} dpi; at most {budget / 1000:.0f} KB fit on a page. "
        "Use fewer slider values or a smaller figure, or let less change: fixed axis limits, "
        "coarser images, fewer moving points"
    )


def _split(frames: Sequence[np.ndarray], first: int) -> list[np.ndarray]:
    """Poster, background and layers, each (height, width, 4)."""
    changes = np.zeros(frames[0].shape[:2], dtype=bool)
    for frame in frames:
        changes |= (frame != frames[0]).any(axis=2)
    background = np.where(changes[..., None], np.uint8(0), frames[0])
    layers = [np.where(changes[..., None], frame, np.uint8(0)) for frame in frames]
    return [frames[first], background, *layers]


def _film(drawn: list[np.ndarray], step: Step) -> Film:
    """Store poster, background and layers as a step of the ladder says."""
    if step.colours:
        drawn = with_colours(drawn, step.colours)
    poster, background, *layers = drawn
    stored = (data_uri(layer, step.photograph) for layer in layers)
    return Film(data_uri(poster), data_uri(background), tuple(stored), step)


def _estimate(drawn: list[np.ndarray], step: Step) -> float:
    """About what the film will weigh, from a few layers."""
    count = len(drawn) - 2
    places = np.unique(np.linspace(0, count - 1, SAMPLE).round().astype(int))
    sample = _film([*drawn[:2], *(drawn[2 + k] for k in places)], step)
    layers = sum(map(len, sample.layers))
    return sample.weight + layers * (count / len(places) - 1)


def data_uri(rgba: np.ndarray, photograph: bool = False) -> str:
    """The image as WebP: smaller than PNG for every kind of figure in the book.

    Slower lossless settings (method 6, quality 100) take forty times as long to save another four
    per cent. A photograph keeps its outline (alpha) exact.
    """
    buffer = io.BytesIO()
    Image.fromarray(rgba).save(
        buffer,
        format="WEBP",
        lossless=not photograph,
        quality=80,
        method=4,
        alpha_quality=100,
    )
    text = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f"data:image/webp;base64,{text}"
