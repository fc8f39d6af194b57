"""Is a reader's result the expected one? Strict on shape and values, kind on form.

`comparison` decides for `verify`, which compares what the book itself computes. A reader may
return a list where an array was expected, or a float where an integer was, as long as the numbers
and the shape are right.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lib.course.portable import Foreign


def same(result: Any, expected: Any, tol: float) -> bool:
    """Whether ``result`` is ``expected``: |r − e| ≤ tol (1 + |e|) for every number in it.

    Shapes must agree exactly; NaN equals nothing; infinities equal themselves.
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
    if isinstance(expected, (list, tuple)) and as_numbers(expected) is None:
        return (
            isinstance(result, (list, tuple))
            and len(result) == len(expected)
            and all(same(r, e, tol) for r, e in zip(result, expected, strict=True))
        )
    return same_numbers(as_numbers(result), as_numbers(expected), tol)


def same_numbers(result: np.ndarray | None, expected: np.ndarray | None, tol: float) -> bool:
    """`same` for arrays (or numbers as arrays of shape ()); None is never the same."""
    if result is None or expected is None or result.shape != expected.shape:
        return False
    if (result.dtype.kind == "b") != (expected.dtype.kind == "b"):
        return False
    if expected.dtype.kind in "USbmM" or result.dtype.kind in "USmM":
        return result.dtype.kind == expected.dtype.kind and bool(np.all(result == expected))
    if result.dtype.kind == "c" and expected.dtype.kind != "c":
        return False
    if result.dtype.kind in "iu" and expected.dtype.kind in "iu":
        return bool(np.all(result == expected))
    kind = complex if expected.dtype.kind == "c" else float
    r, e = result.astype(kind), expected.astype(kind)
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(r - e) <= tol * (1 + np.abs(e))
        return bool(np.all(np.where(np.isfinite(e) & np.isfinite(r), close, r == e)))


def as_numbers(value: Any) -> np.ndarray | None:
    """``value`` as an array of numbers, booleans or strings; None if it is nothing of the kind."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (bool, int, float, complex)):
        array = np.asarray(value)
        return array.astype(float) if array.dtype.kind == "O" else array
    if isinstance(value, (list, tuple)):
        if not value:
            return np.empty(0)
        parts = [as_numbers(v) for v in value]
        if any(p is None or p.dtype.kind in "US" for p in parts):
            return None
        if len({p.shape for p in parts}) != 1 or len({p.dtype.kind == "b" for p in parts}) != 1:
            return None
        return np.stack(parts)
    return None
