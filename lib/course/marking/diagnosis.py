"""What a wrong result has in common with the right one: hints when no typical mistake fits.

A fault of form (kind, container, shape, NaN) is certain from one case. A relation between the
values (minus ours, twice ours) could be chance there, so it counts only if it holds in all cases.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from lib.course.marking.agreement import (
    as_numbers,
    entries,
    is_several,
    same,
    same_numbers,
)
from lib.course.marking.portable import Foreign
from lib.course.marking.relations import ratio, relation


def fault_of_form(result: Any, expected: Any, tol: float) -> str | None:
    """One sentence on a wrong kind, container or shape, or on NaN; None if the form is right."""
    for look in (_kind, _container, _shape, _not_finite):
        found = look(result, expected, tol)
        if found:
            return found
    return None


def common_relation(pairs: list[tuple[Any, Any, float]]) -> str | None:
    """One sentence on how results relate to ours, if it fits all (result, ours, tol)."""
    found = {_relation(*pair) for pair in pairs}
    return found.pop() if len(found) == 1 else None


def common_size_factor(
    pairs: list[tuple[Any, Any, float]], sizes: list[dict[str, int]]
) -> str | None:
    """A sentence if the results are n times ours, or 1/n, with n a size named in ``sizes``."""
    factors = [ratio(as_numbers(r), as_numbers(e), tol) for r, e, tol in pairs]
    if None in factors or len(set(factors)) < 2:
        return None
    for name in sizes[0]:
        lengths = [size.get(name, 0) for size in sizes]
        if _equal(factors, lengths):
            return f"Your values are n times ours, n being the {name}: is a division by n missing?"
        if all(lengths) and _equal(factors, [1 / n for n in lengths]):
            return f"Your values are ours divided by n, n being the {name}."
    return None


def _equal(factors: Iterable[float], others: Iterable[float]) -> bool:
    return all(
        np.isclose(f, o, rtol=1e-6) for f, o in zip(factors, others, strict=True)
    )


def _relation(result: Any, expected: Any, tol: float) -> str | None:
    if not is_several(expected) and not isinstance(expected, dict):
        r, e = as_numbers(result), as_numbers(expected)
        return None if r is None or e is None else relation(r, e, tol)
    if is_several(expected) and same(_backwards(result), expected, tol):
        return "The right results, in reverse order."
    name, inner_result, inner_expected = _first_wrong_part(result, expected, tol)
    if not name:
        return None
    inner = (
        _relation(inner_result, inner_expected, tol) or "It is the first that differs."
    )
    return f"Look at {name}. {inner}"


def _backwards(value: Any) -> Any:
    parts = entries(value)
    return value if parts is None else parts[::-1]


def _first_wrong_part(result: Any, expected: Any, tol: float) -> tuple[str, Any, Any]:
    """The name of the first part of several that is wrong, and both sides of it."""
    if isinstance(expected, dict) and isinstance(result, dict):
        parts = [(f"entry {k!r}", result.get(k), expected[k]) for k in expected]
    elif is_several(expected) and entries(result) is not None:
        pairs = enumerate(zip(entries(result), entries(expected), strict=False), 1)
        parts = [(f"result {i}", r, e) for i, (r, e) in pairs]
    else:
        parts = []
    return next((part for part in parts if not same(*part[1:], tol)), ("", None, None))


# ---------------------------------------------------------------- faults of form

_ON_KIND = {
    "generator": "Your function is a generator: it uses `yield`. Use `return`.",
    "coroutine": "Your function is asynchronous. Use `def`, not `async def`.",
    "function": "You returned a function. Should it be called, with `()`?",
    "class": "You returned a class. Should it be called, with `()`?",
    "...": "You returned `...`, the placeholder.",
}


def _kind(result: Any, expected: Any, tol: float) -> str | None:
    if result is None:
        return "Your function returned None here: is a `return` missing on this path?"
    if isinstance(result, Foreign):
        other = f"You returned an object of type {result.kind}: return plain data."
        return _ON_KIND.get(result.kind, other)
    if isinstance(result, (str, bytes)) != isinstance(expected, (str, bytes)):
        return (
            f"You returned {describe(result)} where {describe(expected)} was expected."
        )
    r, e = as_numbers(result), as_numbers(expected)
    if r is None or e is None or (r.dtype.kind == "b") == (e.dtype.kind == "b"):
        return None
    if e.dtype.kind == "b":
        return "True or False was expected, you returned numbers."
    return "Numbers were expected, you returned True or False."


def _container(result: Any, expected: Any, tol: float) -> str | None:
    if isinstance(expected, dict):
        if not isinstance(result, dict):
            return f"A dict was expected, you returned {describe(result)}."
        missing = [key for key in expected if key not in result]
        extra = [key for key in result if key not in expected]
        if missing or extra:
            wrong = (
                f"lacks the key {missing[0]!r}"
                if missing
                else f"has a key {extra[0]!r}"
            )
            return f"Your dict {wrong}{'' if missing else ' that is not wanted'}."
    elif isinstance(expected, set):
        if not isinstance(result, set):
            return f"A set was expected, you returned {describe(result)}."
    elif is_several(expected):
        parts = entries(result)
        if parts is None:
            return f"{len(expected)} results were expected, you returned {describe(result)}."
        if len(parts) != len(expected):
            return f"{len(expected)} results were expected, you returned {len(parts)}."
    name, inner_result, inner_expected = _first_wrong_part(result, expected, tol)
    inner = fault_of_form(inner_result, inner_expected, tol) if name else None
    return f"Look at {name}. {inner}" if inner else None


def _shape(result: Any, expected: Any, tol: float) -> str | None:
    r, e = as_numbers(result), as_numbers(expected)
    if e is None or is_several(expected):
        return None
    if r is None:
        return (
            f"You returned {describe(result)} where {describe(expected)} was expected."
        )
    if r.shape == e.shape:
        return None
    if e.ndim == 2 and r.ndim == 2 and same_numbers(r.T, e, tol):
        return f"Transposed: your result has shape {r.shape}, {e.shape} was expected."
    shapes = f"shape {r.shape} where {e.shape} was expected"
    if e.ndim == 0:
        shapes = f"an array of shape {r.shape} where one number was expected"
    elif r.ndim == 0:
        shapes = f"one number where an array of shape {e.shape} was expected"
    if r.size == e.size and same_numbers(r.reshape(e.shape), e, tol):
        return f"The right values, but {shapes}."
    return f"You returned {shapes}."


def _not_finite(result: Any, expected: Any, tol: float) -> str | None:
    r, e = as_numbers(result), as_numbers(expected)
    if r is None or e is None or e.size == 0:
        return None
    if r.dtype.kind == "c" and e.dtype.kind != "c":
        return "Your result is complex where a real one was expected."
    if np.isnan(r).any():
        return "Your result has NaN in it: look for 0/0, the log of a negative number, inf − inf."
    if np.isinf(r).any() and not np.isinf(e).any():
        return "Your result is infinite: look for a division by zero or an overflow."
    return None


def describe(value: Any) -> str:
    """What a value is, in a few words: "an array of shape (3,)", "a list of length 2"."""
    if value is None:
        return "None"
    if isinstance(value, Foreign):
        return f"an object of type {value.kind}"
    numbers = as_numbers(value)
    if numbers is not None and numbers.ndim == 0:
        return "True or False" if numbers.dtype.kind == "b" else "a number"
    if isinstance(value, int):  # beyond what an array can hold
        return "a number"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, (str, bytes)):
        return "text"
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of length {len(value)}"
    return f"a {type(value).__name__}"
