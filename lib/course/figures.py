"""Figures of the book: one style, colours for every eye, and words for those who cannot see them.

``show`` writes the alternative text into the output's metadata, under
``metadata["image/png"]["alt"]``; the build of the book carries it on to ``<img alt="…">``.
"""

import html
import io
from pathlib import Path
from types import MappingProxyType

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

STYLE = Path(__file__).with_name("course.mplstyle")
CSS_DPI = 96  # a figure of 7 inches is 672 CSS pixels wide; its dpi only sets how sharp it is
SHORTEST_ALT = 15

COLORS = MappingProxyType(
    {
        "blue": "#0072b2",
        "vermilion": "#d55e00",
        "green": "#009e73",
        "orange": "#b9770e",
        "purple": "#c0609a",
        "sky": "#3b96cc",
        "yellow": "#8a8300",
        "grey": "#7b7f85",
    }
)
"""The palette by name, in the order of the colour cycle. It follows Okabe and Ito, told apart with
any colour vision; the light ones are darkened to show on a white page as well as on a dark one."""


def use_style() -> None:
    """Make the style of the book the style of every figure from here on."""
    plt.style.use(["default", STYLE])


def show(fig: Figure, *, alt: str, caption: str | None = None) -> None:
    """Show a figure with its alternative text, once, and close it.

    ``alt`` says in words what the figure shows to someone who cannot see it; ``caption`` is an
    optional line below it.
    """
    from IPython.display import display

    if not isinstance(fig, Figure):
        raise ValueError(f"expected a matplotlib figure, got {type(fig).__name__}")
    alt = require_alt(alt)
    width, height = (round(inches * CSS_DPI) for inches in fig.get_size_inches())
    data = {"image/png": png(fig), "text/plain": f"[figure: {alt}]"}
    plt.close(fig)
    display(data, raw=True, metadata={"image/png": {"alt": alt, "width": width, "height": height}})
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
    """Return the PNG with a palette of 256 colours where nobody sees the difference."""
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    small = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE).save(small, "PNG", optimize=True)
    return min(data, small.getvalue(), key=len)
