"""Figures of the book: one style, colours for every eye, and words for those who cannot see them.

``show`` writes the alternative text into the output's metadata, under
``metadata["image/png"]["alt"]``; the build of the book carries it on to ``<img alt="…">``.
"""

import html
import io
from pathlib import Path
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure
from PIL import Image

from lib.course import palette

STYLE = Path(__file__).with_name("course.mplstyle")
CSS_DPI = (
    96  # a figure of 7 inches is 672 CSS pixels wide; its dpi only sets how sharp it is
)
SHORTEST_ALT = 15
UNSEEN = 1.5

COLORS = MappingProxyType(
    {
        "blue": "#0062d0",
        "vermilion": "#b34022",
        "green": "#049558",
        "purple": "#b15bb1",
        "orange": "#c87e1d",
        "sky": "#3aaff5",
        "yellow": "#deb206",
        "grey": "#7b7f85",
    }
)
"""The palette by name, in the order of the colour cycle. It starts from that of Okabe and Ito and
is tuned so that any two stay apart for every kind of colour vision and show on a white page
and on a dark one. Sky and yellow are pale on white: for areas and large marks."""


def use_style() -> None:
    """Make the style of the book the style of every figure from here on."""
    plt.style.use(["default", STYLE])
    plt.rcParams["axes.prop_cycle"] = cycler(color=COLORS.values())


def show(fig: Figure, *, alt: str, caption: str | None = None) -> None:
    """Show a figure with its alternative text, once, and close it.

    ``alt`` says in words what the figure shows to someone who cannot see it; ``caption`` is an
    optional line below it.
    """
    from IPython.display import display

    if not isinstance(fig, Figure):
        raise ValueError(f"expected a matplotlib figure, got {type(fig).__name__}")
    alt = require_alt(alt)
    width = round(fig.get_size_inches()[0] * CSS_DPI)
    data = {"image/png": png(fig), "text/plain": f"[figure: {alt}]"}
    plt.close(fig)
    display(data, raw=True, metadata={"image/png": {"alt": alt, "width": width}})
    if caption:
        line = f'<p class="figure-caption">{html.escape(caption)}</p>'
        display({"text/html": line, "text/plain": caption}, raw=True)


def require_alt(alt: str) -> str:
    """Return the alternative text on one line; a ``ValueError`` when it says too little."""
    if not isinstance(alt, str) or len(" ".join(alt.split())) < SHORTEST_ALT:
        raise ValueError(
            f"expected alt: at least {SHORTEST_ALT} characters that say what the figure shows; "
            f"got {alt!r}"
        )
    return " ".join(alt.split())


def png(fig: Figure) -> bytes:
    """Return a figure as PNG: the same bytes for the same figure, without metadata, and small."""
    raw = io.BytesIO()
    fig.savefig(raw, format="png", metadata={"Software": None})
    return shrink(raw.getvalue())


def shrink(data: bytes) -> bytes:
    """Return the PNG with at most 256 colours where nobody sees the difference, else unchanged.

    Flat colours stay exact, shades of smooth edges are merged. Pictures with many colours, where
    the typical pixel would move by more than ``UNSEEN`` of 255 levels, are left as they are.
    """
    pixels = np.asarray(
        Image.open(io.BytesIO(data)).convert("RGBA")
    )  # (height, width, 4)
    (merged,) = palette.with_colours([pixels], 256)
    if _typical_change(pixels, merged) > UNSEEN:
        return data
    colours, indices = np.unique(merged.reshape(-1, 4), axis=0, return_inverse=True)
    image = Image.fromarray(indices.reshape(merged.shape[:2]).astype(np.uint8), "P")
    image.putpalette(colours.tobytes(), "RGBA")
    small = io.BytesIO()
    image.save(small, "PNG", optimize=True)
    return min(data, small.getvalue(), key=len)


def _typical_change(before: np.ndarray, after: np.ndarray) -> float:
    """Return the root mean square change of a pixel on a white or on a black page, the larger."""

    def on(page: float, rgba: np.ndarray) -> np.ndarray:
        opacity = rgba[..., 3:] / 255
        return rgba[..., :3] * opacity + page * (1 - opacity)

    changes = (on(page, before) - on(page, after) for page in (0.0, 255.0))
    return max(float(np.sqrt(np.mean(change**2))) for change in changes)
