"""`explore`: a figure that answers to one or two sliders, with a kernel and without.

In a live notebook the sliders are ipywidgets and every move draws. When a chapter is saved
(``COURSE_STATIC=1``) all frames are drawn once and kept in a self-contained piece of HTML.
"""

from __future__ import annotations

import inspect
import itertools
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from lib.course.frames import pixels

MOST_FRAMES = {1: 60, 2: 64}
"""How many frames one and two sliders may have together."""


@dataclass(frozen=True)
class Slider:
    """The values a parameter may take, and how they read."""

    values: tuple
    label: str | None
    unit: str
    format: str
    start: int

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Each value as the reader sees it, unit included."""
        unit = f"\u202f{self.unit}" if self.unit else ""
        return tuple(_reading(value, self.format) + unit for value in self.values)


def slider(
    values: Iterable, label: str | None = None, unit: str = "", format: str = "{:g}", start=None
) -> Slider:
    """A slider over `values`, which are numbers, or words for a choice.

    `label` is the symbol shown (the parameter's name if left out), `unit` follows every value,
    `format` says how numbers read, and `start` is the value shown first (the middle one if left out).
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"slider values must be a sequence of numbers or words, got {values!r}")
    values = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    if not values:
        raise ValueError("a slider needs at least one value, got none")
    for value in values:
        if not isinstance(value, (int, float, str)):
            raise TypeError(f"slider values must be numbers or words, got {value!r}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"slider values must be finite, got {value!r}")
    if start is not None and start not in values:
        raise ValueError(f"start={start!r} is not one of the slider's values {list(values)}")
    made = Slider(
        values, label, unit, format, len(values) // 2 if start is None else values.index(start)
    )
    repeated = {text for text in made.readings if made.readings.count(text) > 1}
    if repeated:
        raise ValueError(
            f"slider values must read differently, but several read {sorted(repeated)}: "
            f"leave out doubles or give a finer format than {format!r}"
        )
    return made


def explore(
    draw: Callable[..., Figure],
    *,
    alt: str,
    title: str | None = None,
    **sliders: Slider | Sequence,
) -> None:
    """Show the figure that `draw` returns for the values of one or two sliders.

    `draw(lam=…)` is called with the sliders' names and must return a new figure of the same size each
    time, and the same figure for the same values. `alt` describes what is seen and what changes.
    """
    exploration = Exploration(draw, alt, title, sliders)
    from IPython import get_ipython
    from IPython.display import display

    if os.environ.get("COURSE_STATIC", "0") == "0" and get_ipython() is not None:
        from lib.course.exploration_live import live_widget

        display(live_widget(exploration))
    else:
        from lib.course.exploration_page import Page

        display(Page(exploration))


class Exploration:
    """A drawing function with its sliders: checked, and ready to draw any frame."""

    def __init__(self, draw: Callable[..., Figure], alt: str, title: str | None, sliders: dict):
        if not callable(draw):
            raise TypeError(f"explore needs a function that draws, got {draw!r}")
        if not isinstance(alt, str) or len(alt.split()) < 4:
            raise ValueError(
                f"alt must say in a sentence what the figure shows and what changes, got {alt!r}"
            )
        self.draw = draw
        self.alt = alt.strip()
        self.title = title
        self.sliders = _checked_sliders(draw, sliders)

    @property
    def labels(self) -> tuple[str, ...]:
        """What each slider is called on the page."""
        return tuple(made.label or name for name, made in self.sliders.items())

    @property
    def start(self) -> tuple[int, ...]:
        """The position of each slider at first."""
        return tuple(made.start for made in self.sliders.values())

    def positions(self) -> Iterable[tuple[int, ...]]:
        """All positions of the sliders; the last slider moves fastest."""
        return itertools.product(*(range(len(made.values)) for made in self.sliders.values()))

    def state(self, position: tuple[int, ...]) -> str:
        """The sliders' values in words: ``λ = 3, k = 2``."""
        readings = (
            made.readings[k] for made, k in zip(self.sliders.values(), position, strict=True)
        )
        return ", ".join(f"{a} = {b}" for a, b in zip(self.labels, readings, strict=True))

    def described(self, position: tuple[int, ...]) -> str:
        """The alt text at a position."""
        return f"{self.alt} ({self.state(position)})"

    def summary(self) -> str:
        """One stable sentence that stands for the figure where only text is shown."""
        ranges = []
        for label, made in zip(self.labels, self.sliders.values(), strict=True):
            texts = made.readings
            ranges.append(f"{label} from {texts[0]} to {texts[-1]} in {len(texts)} steps")
        name = f" “{self.title}”" if self.title else ""
        return f"Interactive figure{name}: {' and '.join(ranges)}."

    def frame(self, position: tuple[int, ...], dpi: int) -> np.ndarray:
        """Draw the figure at a position: RGBA of shape (height, width, 4)."""
        names = self.sliders
        arguments = {n: names[n].values[k] for n, k in zip(names, position, strict=True)}
        where = f"{_name(self.draw)}({', '.join(f'{n}={v!r}' for n, v in arguments.items())})"
        open_before = set(plt.get_fignums())
        try:
            figure = self.draw(**arguments)
            if not isinstance(figure, Figure):
                raise TypeError(f"{where} must return a matplotlib figure, got {figure!r}")
            return pixels(figure, dpi)
        except TypeError as error:
            if str(error).startswith(where):
                raise
            raise RuntimeError(f"{where} failed: {type(error).__name__}: {error}") from error
        except Exception as error:
            raise RuntimeError(f"{where} failed: {type(error).__name__}: {error}") from error
        finally:
            for number in set(plt.get_fignums()) - open_before:
                plt.close(number)


def _checked_sliders(draw: Callable, sliders: dict) -> dict[str, Slider]:
    """The sliders, made from plain sequences where needed, if `draw` takes exactly these."""
    if not 1 <= len(sliders) <= 2:
        raise ValueError(f"explore takes one or two sliders, got {len(sliders)}: {list(sliders)}")
    parameters = inspect.signature(draw).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    unknown = [name for name in sliders if name not in parameters and not takes_any]
    if unknown:
        raise ValueError(
            f"{_name(draw)} has no parameter {unknown}; its parameters are {list(parameters)}"
        )
    required = [
        name
        for name, p in parameters.items()
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    missing = [name for name in required if name not in sliders]
    if missing:
        raise ValueError(f"{_name(draw)} needs a slider for {missing}; there is {list(sliders)}")
    made = {n: s if isinstance(s, Slider) else slider(s) for n, s in sliders.items()}
    labels = [s.label or n for n, s in made.items()]
    if len(set(labels)) < len(labels):
        raise ValueError(f"the sliders need different labels, both are {labels[0]!r}")
    count, most = math.prod(len(s.values) for s in made.values()), MOST_FRAMES[len(made)]
    if count > most:
        raise ValueError(
            f"{count} frames are too many: {len(made)} slider(s) may have {most} together; "
            "use fewer values"
        )
    return made


def _reading(value, format: str) -> str:
    if isinstance(value, str):
        return value
    return format.format(value).replace("-", "−")


def _name(draw: Callable) -> str:
    return getattr(draw, "__name__", type(draw).__name__)
