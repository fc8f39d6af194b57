"""`explore`: a figure that answers to one or two sliders, with a kernel and without.

In a live notebook the sliders are ipywidgets and every move draws. When a chapter is saved
(``COURSE_STATIC=1``) all frames are drawn once and kept in a self-contained piece of HTML.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from IPython.display import display
from matplotlib.figure import Figure

from lib.course.chapter import is_static
from lib.course.figures import require_alt
from lib.course.frames import FINEST, pixels
from lib.course.sliders import Slider, slider

__all__ = ["Exploration", "Frame", "explore", "slider"]

MOST_FRAMES = {1: 60, 2: 64}
"""How many frames an exploration with one and with two sliders may have."""


def explore(
    draw: Callable[..., Figure],
    *,
    alt: str,
    title: str | None = None,
    **sliders: Slider | Sequence,
) -> None:
    """Show the figure that `draw` returns for the values of one or two sliders.

    `draw` is called with the sliders' names, `draw(lam=0.1)`, and returns a figure: always of one
    size, and always the same for the same values. `alt` says what is seen and what changes. A
    plain sequence of values is as good as a `slider`.
    """
    exploration = Exploration(draw, alt, title, sliders)
    if is_static() or get_ipython() is None:
        from lib.course.exploration_page import Page

        display(Page(exploration))
    else:
        from lib.course.exploration_live import live_widget

        display(live_widget(exploration))


class Frame(NamedTuple):
    """A drawn figure: RGBA of shape (height, width, 4) and its size in inches."""

    rgba: np.ndarray
    inches: tuple[float, float]


class Exploration:
    """A drawing function with its sliders: checked, and ready to draw any frame."""

    def __init__(
        self, draw: Callable[..., Figure], alt: str, title: str | None, sliders: dict
    ):
        if not callable(draw):
            raise TypeError(f"explore needs a function that draws, got {draw!r}")
        if title is not None and (not isinstance(title, str) or not title.strip()):
            raise ValueError(f"expected a title in words or none at all, got {title!r}")
        self.draw = draw
        self.alt = require_alt(alt).rstrip(".")  # it goes on, in brackets
        self.title = title and title.strip()
        self.sliders = _checked_sliders(draw, sliders)

    @property
    def labels(self) -> tuple[str, ...]:
        """What each slider is called on the page."""
        return tuple(made.label or name for name, made in self.sliders.items())

    @property
    def start(self) -> tuple[int, ...]:
        """The position of each slider at first."""
        return tuple(made.start for made in self.sliders.values())

    def positions(self) -> Iterator[tuple[int, ...]]:
        """All positions of the sliders; the last slider moves fastest."""
        return itertools.product(
            *(range(len(made.values)) for made in self.sliders.values())
        )

    def state(self, position: tuple[int, ...]) -> str:
        """The values at a position, as read: ``λ = 3, k = 2``."""
        named = zip(self.labels, self.sliders.values(), position, strict=True)
        return ", ".join(f"{label} = {made.readings[k]}" for label, made, k in named)

    def described(self, position: tuple[int, ...]) -> str:
        """The alternative text at a position; the script of a page puts it together alike."""
        return f"{self.alt} ({self.state(position)})"

    def summary(self) -> str:
        """One stable sentence that stands for the figure where only text is shown."""
        named = zip(self.labels, self.sliders.values(), strict=True)
        spans = " and ".join(f"{label} {made.span}" for label, made in named)
        return f"[interactive figure: {self.title or self.alt}; {spans}]"

    def frame(self, position: tuple[int, ...], dpi: int = FINEST) -> Frame:
        """Draw the figure at a position; whatever figures that opens are closed again."""
        named = zip(self.sliders.items(), position, strict=True)
        arguments = {name: made.values[k] for (name, made), k in named}
        call = f"{_name(self.draw)}({', '.join(f'{n}={v!r}' for n, v in arguments.items())})"
        open_before = set(plt.get_fignums())
        figure = None
        try:
            try:
                figure = self.draw(**arguments)
                drawn = pixels(figure, dpi) if isinstance(figure, Figure) else None
            except Exception as error:
                raise ValueError(
                    f"{call} failed: {type(error).__name__}: {error}"
                ) from error
            if drawn is None:
                raise TypeError(
                    f"{call} must return a matplotlib figure, got {figure!r}"
                )
            return Frame(drawn, tuple(figure.get_size_inches().tolist()))
        finally:
            for number in set(plt.get_fignums()) - open_before:
                plt.close(number)
            if isinstance(figure, Figure):
                plt.close(figure)


def _checked_sliders(draw: Callable, sliders: dict) -> dict[str, Slider]:
    """One or two sliders, made from plain sequences where needed, that `draw` takes."""
    if not 1 <= len(sliders) <= 2:
        raise ValueError(
            f"explore takes one or two sliders, got {len(sliders)}: {list(sliders)}"
        )
    _require_parameters(draw, sliders)
    made = {n: s if isinstance(s, Slider) else slider(s) for n, s in sliders.items()}
    labels = [s.label or n for n, s in made.items()]
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"two sliders need two labels, but both are called {labels[0]!r}"
        )
    counts = [len(s.values) for s in made.values()]
    frames, most = math.prod(counts), MOST_FRAMES[len(made)]
    if frames > most:
        raise ValueError(
            f"{' × '.join(map(str, counts))} slider values make {frames} frames; "
            f"at most {most} are possible here: use fewer values"
        )
    return made


def _require_parameters(draw: Callable, sliders: dict) -> None:
    """Every slider moves a parameter of `draw`, and every parameter without default has one."""
    parameters = inspect.signature(draw).parameters.values()
    by_name = [
        p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for name in sliders:
            if name not in {p.name for p in by_name}:
                raise ValueError(
                    f"{_name(draw)} has no parameter for the slider {name!r}; "
                    f"it takes {[p.name for p in by_name]}"
                )
    missing = [
        p.name for p in by_name if p.default is p.empty and p.name not in sliders
    ]
    if missing:
        raise ValueError(
            f"{_name(draw)} needs a slider for each of {missing}; got {[*sliders]}"
        )


def _name(draw: Callable) -> str:
    return getattr(draw, "__name__", type(draw).__name__)
