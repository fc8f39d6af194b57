"""Values shown briefly: arguments and results in a message of a few lines, the same every time."""

import inspect
import math
from typing import Any

import numpy as np

from lib.course.marking.portable import Foreign, kind_name

_MOST_ENTRIES = 8
_MOST_ELEMENTS = 24


def brief(value: Any, digits: int = 4, most: int = 400) -> str:
    """A short text for ``value``, which is ours or has come through `portable`."""
    text = _brief(value, digits)
    return text if len(text) <= most else text[: most - 1] + "…"


def _brief(value: Any, digits: int) -> str:
    if isinstance(value, Foreign):
        return f"an object of type {value.kind}"
    if isinstance(value, (bool, type(None))):
        return repr(value)
    if isinstance(value, int):
        bits = value.bit_length()
        return repr(value) if bits < 200 else f"an integer of {bits} bits"
    if isinstance(value, float):
        return _number(value, digits + 2)
    if isinstance(value, complex):
        return f"{value:.{digits + 2}g}"
    if isinstance(value, (str, bytes)):
        return repr(value[:200]) + ("…" if len(value) > 200 else "")
    if isinstance(value, np.generic):
        return _brief(value.item(), digits)
    if isinstance(value, np.ndarray):
        return _array(value, digits)
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        return _array(value.detach().cpu().numpy(), digits)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return _container(value, digits)
    if isinstance(value, np.random.Generator):
        return "a random generator"
    if inspect.isfunction(value):
        return (
            "a function"
            if value.__name__ == "<lambda>"
            else f"the function {value.__name__}"
        )
    return f"an object of type {kind_name(value)}"


def _container(value: Any, digits: int) -> str:
    if isinstance(value, dict):
        shown = [f"{_brief(k, digits)}: {_brief(v, digits)}" for k, v in value.items()]
        left, right = "{", "}"
    elif isinstance(value, (set, frozenset)):
        shown = sorted(_brief(v, digits) for v in value)
        left, right = "{", "}"
    else:
        shown = [_brief(v, digits) for v in value[: _MOST_ENTRIES + 1]]
        left, right = ("[", "]") if isinstance(value, list) else ("(", ")")
    if isinstance(value, tuple) and len(value) == 1:
        right = ",)"
    more = ", …" if len(shown) > _MOST_ENTRIES else ""
    return left + ", ".join(shown[:_MOST_ENTRIES]) + more + right


def _number(value: float, digits: int) -> str:
    """A float with a few digits; whole numbers in full, however large their neighbours are."""
    if math.isfinite(value) and value == int(value) and abs(value) < 1e12:
        return f"{value:.1f}" if digits > 6 else f"{value:.0f}"
    return f"{value:.{digits}g}"


def _array(array: np.ndarray, digits: int) -> str:
    if array.ndim == 0:
        return _brief(array.item(), digits)
    text = np.array2string(
        array, threshold=_MOST_ELEMENTS, edgeitems=3, separator=", ", max_line_width=88,
        formatter={"float_kind": lambda v: _number(float(v), digits)},
    )  # fmt: skip
    plain = array.ndim == 1 and 0 < array.size <= _MOST_ELEMENTS
    return text if plain else f"{text}  shape {array.shape}"
