"""What a wrong result has in common with the right one: hints when no typical mistake fits."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from lib.course.agreement import as_numbers, same, same_numbers
from lib.course.portable import Foreign


def diagnose(result: Any, expected: Any, tol: float) -> str | None:
    """One sentence on how ``result`` differs from ``expected``; None if nothing stands out."""
    for look in (_kind, _container, _shape, _values):
        found = look(result, expected, tol)
        if found:
            return found
    return None


def _kind(result: Any, expected: Any, tol: float) -> str | None:
    if result is None:
        return "Your function returned None here: is a return missing on this path?"
    if isinstance(result, Foreign):
        return {
            "generator": "Your function is a generator: it uses yield. Use return.",
            "coroutine": "Your function is asynchronous. Use def, not async def.",
            "function": "You returned a function. Should it be called, with ()?",
            "class": "You returned a class. Should it be called, with ()?",
            "...": "You returned `...`, the placeholder.",
        }.get(result.kind, f"You returned an object of type {result.kind}: return plain data.")
    text = isinstance(result, (str, bytes))
    if text and not isinstance(expected, (str, bytes)):
        return f"You returned text where {describe_kind(expected)} was expected."
    if isinstance(expected, np.ndarray) and expected.ndim == 0:
        expected = expected.item()
    numbers = as_numbers(result)
    if isinstance(expected, bool) and (numbers is None or numbers.dtype.kind != "b"):
        return "True or False was expected."
    return None


def _container(result: Any, expected: Any, tol: float) -> str | None:
    if isinstance(expected, dict):
        if not isinstance(result, dict):
            return f"A dict was expected, you returned {describe_kind(result)}."
        missing = [k for k in expected if k not in result]
        extra = [k for k in result if k not in expected]
        if missing:
            return f"Your dict lacks the key {missing[0]!r}."
        if extra:
            return f"Your dict has a key too many: {extra[0]!r}."
        return _first_part(result, expected, tol, [(f"entry {k!r}", k) for k in expected])
    if isinstance(expected, set) and not isinstance(result, set):
        return f"A set was expected, you returned {describe_kind(result)}."
    if isinstance(expected, (list, tuple)) and as_numbers(expected) is None:
        if not isinstance(result, (list, tuple)):
            return (
                f"{len(expected)} results in a {type(expected).__name__} were expected, "
                f"you returned {describe_kind(result)}."
            )
        if len(result) != len(expected):
            return f"{len(expected)} results were expected, you returned {len(result)}."
        if same(list(result)[::-1], list(expected), tol):
            return "The right results, in reverse order."
        return _first_part(
            result, expected, tol, [(f"result {i + 1}", i) for i in range(len(expected))]
        )
    return None


def _first_part(result, expected, tol: float, parts: list[tuple[str, Any]]) -> str | None:
    bad = [(name, key) for name, key in parts if not same(result[key], expected[key], tol)]
    if not bad:
        return None
    name, key = bad[0]
    inner = diagnose(result[key], expected[key], tol)
    return (
        f"Look at {name}. {inner}" if inner else f"Look at {name}; it is the first that differs."
    )


def _shape(result: Any, expected: Any, tol: float) -> str | None:
    r, e = as_numbers(result), as_numbers(expected)
    if e is None:
        return None
    if r is None:
        if isinstance(result, (list, tuple)):
            return f"You returned {describe_kind(result)} where {describe_kind(expected)} was expected."
        return f"{describe_kind(expected).capitalize()} was expected, you returned {describe_kind(result)}."
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
        return f"The right values, but in {shapes}."
    return f"You returned {shapes}."


def _values(result: Any, expected: Any, tol: float) -> str | None:
    r, e = as_numbers(result), as_numbers(expected)
    if r is None or e is None or e.dtype.kind not in "iufc" or e.size == 0:
        return None
    if r.dtype.kind == "b":
        return "You returned True or False where numbers were expected."
    if r.dtype.kind not in "iufc":
        return None
    if r.dtype.kind == "c" and e.dtype.kind != "c":
        return "Your result is complex where a real one was expected."
    if np.isnan(r).any():
        return (
            "Your result has NaN in it: look for 0/0, the log of a negative number, or inf − inf."
        )
    if np.isinf(r).any() and not np.isinf(e).any():
        return "Your result is infinite: look for a division by zero or an overflow."
    if not np.isfinite(e).all():
        return None
    return next((text for text, rule in _RELATIONS if rule(r, e, tol)), None) or _factor(r, e, tol)


def _transformed(change: Callable) -> Callable[[np.ndarray, np.ndarray, float], bool]:
    def rule(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
        with np.errstate(all="ignore"):
            other = np.asarray(change(r))
        return same_numbers(other, e, tol)

    return rule


_RELATIONS = [
    ("The sign is the wrong way round: your values are exactly minus ours.", _transformed(lambda r: -r)),
    ("The right magnitudes, but some signs differ.",
     lambda r, e, tol: same_numbers(np.abs(r), np.abs(e), tol)),
    ("Transposed: your result is the transpose of ours.",
     lambda r, e, tol: r.ndim == 2 and r.shape[0] == r.shape[1] and same_numbers(r.T, e, tol)),
    ("The right values in reverse order.", lambda r, e, tol: r.ndim >= 1 and same_numbers(r[::-1], e, tol)),
    ("The right values in another order.",
     lambda r, e, tol: r.ndim == 1 and r.dtype.kind in "iuf" and same_numbers(np.sort(r), np.sort(e), tol)),
    ("Your values are ours rounded to integers: look for // or an integer dtype.",
     lambda r, e, tol: r.dtype.kind in "iuf" and e.dtype.kind == "f" and not np.allclose(e, np.round(e))
     and (np.array_equal(r, np.round(e)) or np.array_equal(r, np.trunc(e)) or np.array_equal(r, np.floor(e)))),
    ("Your values are the squares of ours: is a square root missing?",
     lambda r, e, tol: bool(np.any(np.abs(e - 1) > 0.01)) and _transformed(np.sqrt)(r, np.abs(e), tol)),
    ("Your values are the square roots of ours.",
     lambda r, e, tol: bool(np.any(np.abs(e - 1) > 0.01)) and r.dtype.kind in "iuf" and bool(np.all(r >= 0))
     and _transformed(np.square)(r, e, tol)),
    ("Your values are one over ours.", _transformed(lambda r: 1 / r)),
    ("Your values are the exponentials of ours: is a logarithm missing?", _transformed(np.log)),
    ("Your values are the logarithms of ours: is an exponential missing?", _transformed(np.exp)),
]  # fmt: skip


def _factor(r: np.ndarray, e: np.ndarray, tol: float) -> str | None:
    """A common factor or a common difference, when it is one a reader can recognise."""
    scale = float(np.max(np.abs(e)))
    if r.size == 1 and scale == 0:
        return None
    for ratio in _ratios(r, e):
        if same_numbers(r, e * ratio, tol) and not same_numbers(r, e, tol):
            named = _name_ratio(ratio)
            if named:
                whose = "value is" if r.size == 1 else "values are all"
                return f"Your {whose} exactly {named}."
    if r.size > 1:
        shift = float(np.real((r - e).flat[0]))
        if abs(shift) > tol * (1 + scale) and same_numbers(r, e + shift, tol):
            return f"Your values are all off by the same amount, {shift:+.4g}."
    return None


def _ratios(r: np.ndarray, e: np.ndarray) -> Iterator[float]:
    where = int(np.argmax(np.abs(e)))
    if e.flat[where] != 0:
        yield float(np.real(r.flat[where] / e.flat[where]))


def _name_ratio(ratio: float) -> str | None:
    near = Fraction(ratio).limit_denominator(100)
    if near == 0 or abs(float(near) - ratio) > 1e-6 * abs(ratio):
        return None
    if near.denominator == 1 and abs(near) <= 1000:
        times = {2: "twice", -2: "minus twice"}.get(int(near), f"{near.numerator} times")
        return f"{times} ours"
    if abs(near.numerator) == 1 and near.denominator <= 100:
        sign = "minus " if near < 0 else ""
        part = {2: "half", 3: "a third", 4: "a quarter"}.get(near.denominator)
        return f"{sign}{part or f'1/{near.denominator}'} of ours"
    return None


def describe_kind(value: Any) -> str:
    """What a value is, in a few words: "an array of shape (3,)", "a list of length 2"."""
    if value is None:
        return "None"
    if isinstance(value, Foreign):
        return f"an object of type {value.kind}"
    if isinstance(value, np.ndarray):
        return "a number" if value.ndim == 0 else f"an array of shape {value.shape}"
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, (int, float, complex)):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of length {len(value)}"
    return f"a {type(value).__name__}"
