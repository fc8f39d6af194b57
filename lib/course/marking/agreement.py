"""Is a reader's result the expected one? The rules of `verify`, on whatever a reader may return.

Numbers, shapes and tolerances are compared by `comparison`, so an exercise is as strict as the
book. Around it: None, empty results, objects that are no data, and mixed containers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lib.course import comparison
from lib.course.marking.portable import Foreign


def same(result: Any, expected: Any, tol: float) -> bool:
    """Whether ``result`` is ``expected``: |r − e| ≤ tol · max|e| for every number of an array.

    Shapes must agree exactly, a list of numbers counts as an array, NaN equals nothing. The
    entries of a tuple are results of their own, each compared on its own scale.
    """
    if isinstance(result, Foreign) or isinstance(expected, Foreign):
        return False
    if isinstance(expected, Mapping):
        return (
            isinstance(result, Mapping)
            and result.keys() == expected.keys()
            and all(same(result[k], expected[k], tol) for k in expected)
        )
    if isinstance(expected, (set, frozenset)):
        return isinstance(result, (set, frozenset)) and result == expected
    if expected is None or isinstance(expected, (str, bytes)):
        return type(result) is type(expected) and result == expected
    if not is_several(expected):
        return same_numbers(as_numbers(result), as_numbers(expected), tol)
    parts = entries(result)
    return (
        parts is not None
        and len(parts) == len(expected)
        and all(same(r, e, tol) for r, e in zip(parts, entries(expected), strict=True))
    )


def is_several(value: Any) -> bool:
    """Whether a value is several results, each on its own scale: a tuple, or a mixed list."""
    if isinstance(value, tuple):
        return True
    return as_numbers(value) is None and entries(value) is not None


def entries(value: Any) -> list | None:
    """The entries of a list, a tuple or an array; None if it is none of these."""
    if isinstance(value, np.ndarray) and value.ndim:
        return list(value) if value.dtype.kind in "biufc" else value.tolist()
    return list(value) if isinstance(value, (list, tuple)) else None


def same_numbers(
    result: np.ndarray | None, expected: np.ndarray | None, tol: float
) -> bool:
    """`same` for arrays (or numbers as arrays of shape ()); None is never the same."""
    if result is None or expected is None or result.shape != expected.shape:
        return False
    if expected.size == 0:
        return True
    if result.dtype.kind == "c" and expected.dtype.kind != "c":
        return False
    return comparison.difference(result, expected, tol) is None


def as_numbers(value: Any) -> np.ndarray | None:
    """``value`` as an array of numbers or truth values; None if it is nothing of the kind."""
    if isinstance(value, (str, bytes, Mapping, set, frozenset)) or value is None:
        return None
    if (
        isinstance(value, list)
        and value
        and {type(entry) for entry in value} <= {int, float}
    ):
        value = np.asarray(value)  # as `plain` does, without asking every entry
    try:
        plain = comparison.plain(value)
        if isinstance(plain, list):  # ragged, or truth values among numbers
            return None
        array = np.asarray(plain)
        array = array.astype(float) if array.dtype.kind == "O" else array
    except (TypeError, ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biufc" else None
