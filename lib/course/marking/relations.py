"""Relations between two arrays that a reader can recognise: minus, twice, transposed, rounded."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from lib.course.marking.agreement import same_numbers


def relation(result: np.ndarray, expected: np.ndarray, tol: float) -> str | None:
    """One sentence on how ``result`` relates to ``expected``, both finite and of one shape."""
    if result.shape != expected.shape or result.size == 0:
        return None
    if not {result.dtype.kind, expected.dtype.kind} <= set("iufc"):
        return None
    if not (np.isfinite(result).all() and np.isfinite(expected).all()):
        return None
    for text, holds in _RELATIONS:
        if holds(result, expected, tol):
            return text
    return _factor_or_shift(result, expected, tol)


def ratio(
    result: np.ndarray | None, expected: np.ndarray | None, tol: float
) -> float | None:
    """The one factor between two arrays of real numbers; None if there is none."""
    if (
        result is None
        or expected is None
        or result.shape != expected.shape
        or not result.size
    ):
        return None
    if not {result.dtype.kind, expected.dtype.kind} <= set("iuf"):
        return None
    where = int(np.argmax(np.abs(expected)))
    if not np.isfinite(result).all() or expected.flat[where] == 0:
        return None
    factor = float(result.flat[where] / expected.flat[where])
    return factor if factor and same_numbers(result / factor, expected, tol) else None


def _is(change: Callable[[np.ndarray], np.ndarray]) -> Callable[..., bool]:
    """A rule: our values are ``change`` of the reader's."""

    def rule(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
        with np.errstate(all="ignore"):
            return same_numbers(np.asarray(change(r.astype(e.dtype))), e, tol)

    return rule


def _signs_differ(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return same_numbers(np.abs(r), np.abs(e), tol)


def _transposed(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return r.ndim == 2 and r.shape[0] == r.shape[1] and same_numbers(r.T, e, tol)


def _reversed(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return r.ndim >= 1 and same_numbers(r[::-1], e, tol)


def _reordered(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return (
        r.ndim == 1
        and r.dtype.kind != "c"
        and same_numbers(np.sort(r), np.sort(e), tol)
    )


def _rounded(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    if "c" in (r.dtype.kind, e.dtype.kind) or np.array_equal(e, np.round(e)):
        return False
    return any(np.array_equal(r, cut(e)) for cut in (np.round, np.trunc, np.floor))


def _squared(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return same_numbers(r, np.square(e), tol)


def _rooted(r: np.ndarray, e: np.ndarray, tol: float) -> bool:
    return (
        r.dtype.kind != "c"
        and bool((r >= 0).all())
        and same_numbers(np.square(r), e, tol)
    )


_RELATIONS = [
    (
        "The sign is the wrong way round: your values are exactly minus ours.",
        _is(np.negative),
    ),
    ("The right magnitudes, but some signs differ.", _signs_differ),
    ("Transposed: your result is the transpose of ours.", _transposed),
    ("The right values in reverse order.", _reversed),
    ("The right values in another order.", _reordered),
    ("Ours rounded to integers: look for `//` or an integer dtype.", _rounded),
    ("Your values are the squares of ours: is a square root missing?", _squared),
    ("Your values are the square roots of ours: is a square missing?", _rooted),
    ("Your values are one over ours.", _is(lambda r: 1 / r)),
    ("Your values are the exponentials of ours: is a logarithm missing?", _is(np.log)),
    ("Your values are the logarithms of ours: is an exponential missing?", _is(np.exp)),
]


def _factor_or_shift(r: np.ndarray, e: np.ndarray, tol: float) -> str | None:
    factor = ratio(r, e, tol)
    named = _name(factor) if factor is not None else None
    if named:
        return f"Your result is exactly {named}."
    shift = (r - e).flat[0] if r.dtype.kind != "c" else 0
    if r.size > 1 and abs(shift) > tol and same_numbers(r - shift, e, tol):
        return f"Your values are all off by the same amount, {shift:+.4g}."
    return None


def _name(factor: float) -> str | None:
    """A factor in words, if it is a whole number or one over a whole number."""
    near = Fraction(factor).limit_denominator(100)
    if near == 0 or abs(float(near) - factor) > 1e-6 * abs(factor):
        return None
    sign = "minus " if near < 0 else ""
    if near.denominator == 1 and 1 < abs(near) <= 1000:
        times = abs(near.numerator)
        return f"{sign}twice ours" if times == 2 else f"{sign}{times} times ours"
    if abs(near.numerator) == 1 and near.denominator > 1:
        part = {2: "half", 3: "a third", 4: "a quarter"}.get(near.denominator)
        return f"{sign}{part or f'1/{near.denominator}'} of ours"
    return None
