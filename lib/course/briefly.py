"""Values shown briefly: arguments and results in a message of a few lines, the same every time."""

import inspect
from typing import Any

import numpy as np

from lib.course.portable import Foreign, kind_name

MOST = 400


def brief(value: Any, most: int = MOST) -> str:
    """A short text for ``value``, which is ours or has come through `portable`."""
    text = _brief(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def _brief(value: Any) -> str:
    if isinstance(value, Foreign):
        return f"an object of type {value.kind}"
    if isinstance(value, (bool, complex, type(None))):
        return repr(value)
    if isinstance(value, int):
        return (
            repr(value) if value.bit_length() < 200 else f"an integer of {value.bit_length()} bits"
        )
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (str, bytes)):
        return repr(value[:200]) + ("…" if len(value) > 200 else "")
    if isinstance(value, np.generic):
        return _brief(value.item())
    if isinstance(value, np.ndarray):
        return _array(value)
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        return _array(value.detach().cpu().numpy())
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(_brief, value[:8])) + (", …" if len(value) > 8 else "")
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, (set, frozenset)):
        return (
            "{" + ", ".join(sorted(map(_brief, value))[:8]) + (", …}" if len(value) > 8 else "}")
        )
    if isinstance(value, dict):
        shown = [f"{_brief(k)}: {_brief(v)}" for k, v in list(value.items())[:8]]
        return "{" + ", ".join(shown) + (", …}" if len(value) > 8 else "}")
    if isinstance(value, np.random.Generator):
        return "a random generator"
    if inspect.isfunction(value):
        return f"the function {value.__name__}" if value.__name__ != "<lambda>" else "a function"
    return f"an object of type {kind_name(value)}"


def _array(array: np.ndarray) -> str:
    if array.ndim == 0:
        return _brief(array.item())
    text = np.array2string(
        array, precision=4, suppress_small=False, threshold=24, edgeitems=3, separator=", ",
        max_line_width=88, formatter={"float_kind": lambda v: f"{v:.4g}"},
    )  # fmt: skip
    shape = "" if array.ndim == 1 and array.size <= 24 and array.size else f"  shape {array.shape}"
    return text + shape
