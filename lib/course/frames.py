"""Draw the frames of an exploration and press them into few bytes.

What all frames have in common (axes, labels, data) is stored once, as a background; each frame keeps
only the pixels that change and is transparent elsewhere. At its own resolution every pixel comes from
exactly one of the two layers, so drawing the frame over the background restores the figure exactly.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

BUDGET_BYTES = 600_000
"""What the images of one exploration may weigh on the page, as base64 text."""

# Tried in this order until the budget holds: (dots per inch, step of the colour channels).
# Step 1 is exact; step s moves a channel by at most s / 2 of 255.
LADDER = ((144, 1), (144, 8), (120, 8), (120, 16), (100, 16))


@dataclass(frozen=True)
class Film:
    """Frames pressed for a page: a shared background and one layer per frame, as data URIs."""

    background: str
    layers: tuple[str, ...]
    dpi: int
    step: int

    @property
    def weight(self) -> int:
        """Bytes of all images on the page."""
        return len(self.background) + sum(map(len, self.layers))


def pixels(figure: Figure, dpi: int) -> np.ndarray:
    """The figure at `dpi` as uint8 RGBA, shape (height, width, 4); invisible pixels are all zero."""
    buffer = io.BytesIO()
    # "tight" boxes follow the content: the size would change from frame to frame.
    with plt.rc_context({"savefig.bbox": None}):
        figure.savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    rgba = np.array(Image.open(buffer).convert("RGBA"))
    rgba[rgba[..., 3] == 0] = 0
    return rgba


def press(frames_at: Callable[[int], Sequence[np.ndarray]], budget: int = BUDGET_BYTES) -> Film:
    """Press frames into at most `budget` bytes, going down LADDER only as far as needed.

    `frames_at(dpi)` gives all frames at that resolution, each (height, width, 4).
    """
    film, drawn_dpi, frames = None, None, None
    for dpi, step in LADDER:
        if dpi != drawn_dpi:
            frames, drawn_dpi = np.stack(frames_at(dpi)), dpi
        film = _film(frames, dpi, step)
        if film.weight <= budget:
            return film
    raise ValueError(
        f"this exploration weighs {film.weight / 1000:.0f} KB in {len(film.layers)} frames; at most "
        f"{budget / 1000:.0f} KB fit on a page. Use fewer slider values, a smaller figure, or draw "
        "less that changes (fix axis limits; no smooth images or thousands of moving points)."
    )


def posterise(frames: np.ndarray, step: int) -> np.ndarray:
    """Round every channel to a multiple of `step`, keeping 0 and 255; step 1 changes nothing."""
    if step == 1:
        return frames
    table = np.arange(256)
    table = np.minimum((table + step // 2) // step * step, 255).astype(np.uint8)
    table[256 - step // 2 :] = 255
    rounded = table[frames]
    rounded[rounded[..., 3] == 0] = 0
    return rounded


def _film(frames: np.ndarray, dpi: int, step: int) -> Film:
    """Split the frames (n, height, width, 4) into background and layers, and encode them."""
    frames = posterise(frames, step)
    common = (frames == frames[0]).all(axis=(0, 3))
    background = np.where(common[..., None], frames[0], np.uint8(0))
    layers = np.where(common[..., None], np.uint8(0), frames)
    return Film(_data_uri(background), tuple(map(_data_uri, layers)), dpi, step)


def _data_uri(rgba: np.ndarray) -> str:
    """Lossless WebP: beside palette PNG it was smaller for every kind of figure of the book."""
    buffer = io.BytesIO()
    Image.fromarray(rgba).save(buffer, format="WEBP", lossless=True, quality=80, method=4)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
