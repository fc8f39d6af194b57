"""Sliders of an exploration: the values a parameter may take, and how a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

NARROW_SPACE = "\u202f"
ATTACHED_UNITS = ("%", "°", "×")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Slider:
    """The values of one parameter, numbers or words, with the position shown first."""

    values: tuple
    label: str | None
    unit: str
    format: str
    start: int

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Each value as the reader sees it, unit included."""
        return tuple(_reading(value, self.format, self.unit) for value in self.values)

    @property
    def span(self) -> str:
        """All values in short, for the sentence that stands for the figure."""
        if any(isinstance(value, (str, bool)) for value in self.values):
            return "of " + ", ".join(self.readings)
        return f"from {self.readings[0]} to {self.readings[-1]} ({len(self.values)} values)"


def slider(
    values: Iterable,
    label: str | None = None,
    unit: str = "",
    format: str = "{:g}",
    start: float | str | None = None,
) -> Slider:
    """A slider over `values`: numbers in the order shown, or words to choose from.

    `label` is the symbol or word beside the slider (the parameter's name if left out), `unit`
    follows every value, `format` says how numbers read, `start` is the value shown first (the
    first one if left out).
    """
    _require_text(label=label or "", unit=unit, format=format)
    values = _checked_values(values)
    if start is not None and start not in values:
        raise ValueError(
            f"start={start!r} is not among the slider's values {list(values)}"
        )
    position = 0 if start is None else values.index(start)
    made = Slider(values, label and label.strip(), unit, format, position)
    repeated = sorted({text for text in made.readings if made.readings.count(text) > 1})
    if repeated:
        raise ValueError(
            f"slider values must read differently, but several read {', '.join(repeated)}: "
            f"leave out what is there twice, or use a finer format than {format!r}"
        )
    return made


def _checked_values(values: Iterable) -> tuple:
    """The values as plain Python numbers and words; an error for anything else."""
    if isinstance(values, (str, dict)) or not isinstance(values, Iterable):
        raise TypeError(f"expected a sequence of slider values, got {values!r}")
    values = tuple(
        value.item() if isinstance(value, np.generic) else value for value in values
    )
    if len(values) < 2:
        raise ValueError(f"a slider needs at least two values, got {list(values)}")
    for value in values:
        if not isinstance(value, (int, float, str)):
            raise TypeError(f"slider values must be numbers or words, got {value!r}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(
                f"slider values must be finite, got {value!r} in {list(values)}"
            )
    return values


def _reading(value: float | str, format: str, unit: str) -> str:
    """A value as it is read: true minus signs, 10⁻⁵ for 1e-05, and its unit."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, str):
        text = value
    else:
        try:
            text = format.format(value)
        except (ValueError, IndexError, KeyError) as error:
            raise ValueError(
                f"format {format!r} does not fit the value {value!r}"
            ) from error
        text = re.sub(r"(\d)e([+-]?\d+)", _power_of_ten, text).replace("-", "−")
    space = "" if not unit or unit in ATTACHED_UNITS else NARROW_SPACE
    return f"{text}{space}{unit}"


def _power_of_ten(match: re.Match) -> str:
    return f"{match[1]}·10{str(int(match[2])).translate(_SUPERSCRIPT)}"


def _require_text(**named: str) -> None:
    for name, value in named.items():
        if not isinstance(value, str):
            raise TypeError(f"expected {name} as text, got {value!r}")
