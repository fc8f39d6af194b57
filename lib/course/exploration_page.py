"""An exploration as a piece of HTML that needs no kernel, no network and no other file.

Without scripts it is a picture of the start position. The script finds its element by class and
state alone, so two equal explorations on a page, or one shown twice, do not disturb each other.
Nothing but the data URIs depends on what was drawn: the rest is the same on every machine.
"""

from __future__ import annotations

import json
from functools import cached_property
from html import escape
from pathlib import Path

import numpy as np

from lib.course.exploration import Exploration, Frame
from lib.course.figures import CSS_DPI
from lib.course.frames import Film, press
from lib.course.sliders import Slider

# Not in static/, whose scripts every page of the book loads: it goes into each output itself.
SCRIPT = Path(__file__).with_suffix(".js")

# JupyterLab would take the arrow keys for itself.
_OWN_KEYS = 'data-lm-suppress-shortcuts="true"'

# What a page without explore.css needs; the rest of the looks is there.
_ROOT = "max-width:{width}px"
_PICTURE = "display:block;width:100%;height:auto"
_ROW = "display:flex;flex-wrap:wrap;align-items:center;gap:0 .6rem"
_BUTTON = "width:44px;height:44px"
_LABEL = "flex:1 1 13rem;display:flex;flex-wrap:wrap;align-items:center;gap:0 .6rem"
_RANGE = "flex:1 1 8rem;min-width:0;height:44px;margin:0"
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


class Page:
    """The saved form of an exploration; all frames are drawn when it is made."""

    def __init__(self, exploration: Exploration):
        self.exploration = exploration
        self.film: Film = press(self._draw_all, first=self._first)

    def __repr__(self) -> str:
        return self.exploration.summary()

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}

    @property
    def _first(self) -> int:
        return list(self.exploration.positions()).index(self.exploration.start)

    def _draw_all(self, dpi: int) -> list[np.ndarray]:
        """All frames at `dpi`, in the order of the positions."""
        drawn = self.exploration
        first, *rest = drawn.positions()
        frames = [drawn.frame(first, dpi)]
        self.inches = frames[0].inches
        for position in rest:
            frames.append(drawn.frame(position, dpi))
            if frames[-1].inches != self.inches:
                raise ValueError(
                    f"the figure must keep its size: {_size(frames[0])} inches at "
                    f"{drawn.state(first)}, but {_size(frames[-1])} at {drawn.state(position)}"
                )
        if not np.array_equal(drawn.frame(first, dpi).rgba, frames[0].rgba):
            raise ValueError(
                f"drawn twice at {drawn.state(first)}, the figure came out different: make random "
                "data once, outside the function that draws"
            )
        return [frame.rgba for frame in frames]

    @cached_property
    def html(self) -> str:
        """The HTML: a picture, a row of controls per slider, and what moves them."""
        drawn = self.exploration
        named = list(zip(drawn.labels, drawn.sliders.values(), strict=True))
        data = {
            "alt": drawn.alt,
            "start": drawn.start,
            "values": [made.readings for _, made in named],
            "background": self.film.background,
            "layers": self.film.layers,
        }
        title = (
            f'<div class="explore-title">{escape(drawn.title)}</div>\n'
            if drawn.title
            else ""
        )
        rows = "\n".join(_row(label, made, drawn) for label, made in named)
        group = escape(
            drawn.title or f"Figure with a slider for {' and '.join(drawn.labels)}"
        )
        script = SCRIPT.read_text(encoding="utf-8")
        return (
            f'<div class="course-explore" role="group" aria-label="{group}"'
            f' style="{_ROOT.format(width=round(self.inches[0] * CSS_DPI))}">\n{title}'
            f'<img class="explore-picture dark-light" alt="{escape(drawn.described(drawn.start))}"'
            f' style="{_PICTURE}" src="{self.film.poster}">\n'
            f'<div class="explore-controls" style="display:none">\n{rows}\n</div>\n'
            f'<div class="explore-status" role="status" aria-live="polite" style="{_UNSEEN}">'
            "</div>\n"
            f'<script type="application/json" class="explore-data">{_json(data)}</script>\n'
            f"<script>\n{script}</script>\n</div>"
        )


def _row(label: str, made: Slider, drawn: Exploration) -> str:
    """Button, name, range and read-out of one slider; columns line up between two rows."""
    name = escape(label)
    reading = escape(made.readings[made.start])
    name_width = max(map(len, drawn.labels))
    reading_width = max(
        len(text) for other in drawn.sliders.values() for text in other.readings
    )
    return (
        f'<div class="explore-row" style="{_ROW}">'
        f'<button type="button" {_OWN_KEYS} aria-label="Play {name}" style="{_BUTTON}">▶</button>'
        f'<label style="{_LABEL}">'
        f'<span class="explore-name" style="min-width:{name_width}ch">{name}</span>'
        f'<input type="range" {_OWN_KEYS} min="0" max="{len(made.values) - 1}" step="1"'
        f' value="{made.start}" aria-valuetext="{reading}" style="{_RANGE}"></label>'
        f'<output aria-live="off" style="min-width:{reading_width}ch">{reading}</output></div>'
    )


def _json(data: dict) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _size(frame: Frame) -> str:
    return " × ".join(f"{side:g}" for side in frame.inches)
