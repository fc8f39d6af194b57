"""An exploration as a piece of HTML that needs no kernel, no network and no other file."""

from __future__ import annotations

import json
from functools import cached_property
from html import escape
from importlib.resources import files

import numpy as np

from lib.course.exploration import Exploration, Slider
from lib.course.frames import Film, press

CSS_PIXELS_PER_INCH = 100


class Page:
    """The saved form of an exploration; IPython shows it through `_repr_mimebundle_`."""

    def __init__(self, exploration: Exploration):
        self.exploration = exploration
        self.film  # noqa: B018 - a wrong call fails here, not inside IPython's display

    def __repr__(self) -> str:
        return self.exploration.summary()

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}

    @cached_property
    def film(self) -> Film:
        """All frames, pressed."""
        return press(self._frames)

    def _frames(self, dpi: int) -> list[np.ndarray]:
        """All frames at `dpi`, in the order of the positions."""
        drawn = self.exploration
        frames = []
        for position in drawn.positions():
            frames.append(drawn.frame(position, dpi))
            if frames[-1].shape != frames[0].shape:
                raise ValueError(
                    f"every frame must have the same size, but at {drawn.state(position)} the figure "
                    f"has {_size(frames[-1])} pixels and at first {_size(frames[0])}"
                )
        if not np.array_equal(drawn.frame((0,) * len(drawn.sliders), dpi), frames[0]):
            raise ValueError(
                "drawing the same values twice gave different figures: make random data once, "
                "outside the drawing function"
            )
        self._width = round(frames[0].shape[1] * CSS_PIXELS_PER_INCH / dpi)
        return frames

    @cached_property
    def html(self) -> str:
        """The HTML; nothing but the data URIs in it depends on what was drawn."""
        drawn, film = self.exploration, self.film
        first = list(drawn.positions()).index(drawn.start)
        data = {
            "values": [made.readings for made in drawn.sliders.values()],
            "start": drawn.start,
            "frames": [None if k == first else layer for k, layer in enumerate(film.layers)],
        }
        stacked = "grid-area:1/1;width:100%;height:auto;display:block;margin:0"
        rows = "".join(
            _row(label, made)
            for label, made in zip(drawn.labels, drawn.sliders.values(), strict=True)
        )
        title = f'<div class="explore-title">{escape(drawn.title)}</div>' if drawn.title else ""
        script = files("lib.course").joinpath("static/explore.js").read_text(encoding="utf-8")
        return (
            f'<div class="course-explore" role="group" aria-label="{escape(drawn.title or drawn.alt)}"'
            f' style="max-width:{self._width}px">{title}'
            '<div class="explore-stage" style="display:grid">'
            f'<img alt="" style="{stacked}" src="{film.background}">'
            f'<img alt="{escape(drawn.described(drawn.start))}" style="{stacked}"'
            f' src="{film.layers[first]}"></div>'
            f'<div class="explore-controls" hidden>{rows}</div>'
            '<div class="explore-status" role="status" aria-live="polite" style="position:absolute;'
            'width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"></div>'
            f'<script type="application/json" class="explore-data">{_script_json(data)}</script>'
            f"<script>\n{script}</script></div>"
        )


def _row(label: str, made: Slider) -> str:
    """One slider: play button, label, range and read-out."""
    reading = escape(made.readings[made.start])
    widest = max(map(len, made.readings))
    return (
        '<div class="explore-row" style="display:flex;flex-wrap:wrap;align-items:center;gap:.5rem">'
        f'<button type="button" aria-label="Play {escape(label)}" style="min-width:44px;'
        'min-height:44px">▶</button>'
        '<label style="flex:1 1 12rem;display:flex;align-items:center;gap:.5rem;min-height:44px">'
        f'<span class="explore-name">{escape(label)}</span>'
        f'<input type="range" min="0" max="{len(made.values) - 1}" step="1" value="{made.start}"'
        f' aria-valuetext="{reading}" style="flex:1;min-width:0;height:44px;margin:0"></label>'
        f'<output aria-live="off" style="min-width:{widest}ch;text-align:right">{reading}</output>'
        "</div>"
    )


def _script_json(data: dict) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _size(frame: np.ndarray) -> str:
    return f"{frame.shape[1]} × {frame.shape[0]}"
