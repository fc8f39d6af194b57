"""``verify``: a claim of the book, checked by running code.

``verify`` raises when the claim is false and prints one line when it is true. The line names the
claim and how it was checked, never a measured digit, so that every machine prints the same.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from lib.course import chapter, comparison, ledger, mirrored

_DEFAULT_TOL = 1e-9


class VerificationError(AssertionError):
    """A claim of the book turned out to be false."""


@dataclass(frozen=True)
class within:  # lower case: a word in a sentence, verify("…", x, within(0, 1))
    """A reference: every entry lies in the closed interval from ``low`` to ``high``."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _require_bound(self.low)
        _require_bound(self.high)
        if not self.low <= self.high:
            raise ValueError(
                f"expected low <= high, got within({self.low}, {self.high})"
            )
        if (self.low, self.high) == (-math.inf, math.inf):
            raise ValueError("expected a bound that something can break, got none")

    def __str__(self) -> str:
        if self.low == -math.inf:
            return f"at most {self.high:.6g}"
        if self.high == math.inf:
            return f"at least {self.low:.6g}"
        return f"within [{self.low:.6g}, {self.high:.6g}]"

    def difference(self, ours: Any, tol: float) -> comparison.Difference | None:
        """Return how far the worst entry of ``ours`` lies outside, or None when all are inside."""
        if tol != _DEFAULT_TOL:
            raise ValueError(
                f"a bound is exact: widen the bound itself instead of tol={tol:g}"
            )
        values = _real_array(ours)
        if np.isnan(values).any():
            return comparison.Difference(
                "ours is NaN", comparison.index(np.isnan(values))
            )
        bad = (values < self.low) | (values > self.high)
        if not bad.any():
            return None
        outside = np.zeros(values.shape)
        outside[bad] = np.maximum(self.low - values[bad], values[bad] - self.high)
        worst = comparison.index(outside == outside.max())
        return comparison.Difference(f"outside by {outside.max():.6g}", worst)


def at_most(bound: float) -> within:
    """A reference: no entry is larger than ``bound``."""
    return within(-math.inf, bound)


def at_least(bound: float) -> within:
    """A reference: no entry is smaller than ``bound``."""
    return within(bound, math.inf)


@dataclass(frozen=True)
class converges_to:  # lower case, as within
    """A reference for a sequence (along the first axis) that approaches ``limit``.

    It does when the last term is within ``tol`` of the limit, measured as for a plain reference,
    and the later half is nearer: its worst error is below the worst of the first half (or within
    ``tol`` as well). So a sequence that happens to cross the limit at its end does not pass.
    """

    limit: Any

    def __str__(self) -> str:
        limit = comparison.plain(self.limit)
        return f"converges to {_short_limit(limit)}"

    def difference(self, ours: Any, tol: float) -> comparison.Difference | None:
        """Return why ``ours`` does not approach the limit, or None when it does."""
        terms, limit = _real_array(ours), _real_array(self.limit)
        if terms.ndim != limit.ndim + 1 or terms.shape[1:] != limit.shape:
            return comparison.Difference(
                f"terms of shape {terms.shape[1:] if terms.ndim else 'none'} "
                f"against a limit of shape {limit.shape}"
            )
        if len(terms) < 4:
            return comparison.Difference(f"expected at least 4 terms, got {len(terms)}")
        if not np.isfinite(terms).all():
            return comparison.Difference(
                "a term is not finite", comparison.index(~np.isfinite(terms))
            )
        last = comparison.difference(terms[-1], limit, tol)
        if last is not None:
            return comparison.Difference(f"the last term: {last}")
        errors = np.abs(terms - limit).reshape(len(terms), -1).max(axis=1)
        early, late = np.split(errors, [len(errors) // 2])
        scale = np.abs(limit).max() or 1.0
        if late.max() < early.max() or late.max() <= tol * scale:
            return None
        return comparison.Difference(
            f"the later half is no nearer: worst error {late.max():.3g} after {early.max():.3g}"
        )


def verify(
    claim: str,
    ours: Any,
    reference: Any,
    *,
    tol: float = _DEFAULT_TOL,
    mirrors: str | Iterable[str] | None = None,
) -> None:
    """Check a claim: raise ``VerificationError`` when it is false, print one line when it is true.

    ``reference`` is a value, or ``within(low, high)``, ``at_most(x)``, ``at_least(x)``,
    ``converges_to(limit)``. Numbers agree within ``tol`` times the largest absolute value of the
    reference; against exact zeros ``tol`` is absolute; whole numbers, words and truth values are
    compared exactly. Shapes match exactly, NaN equals nothing (all rules: ``comparison``).
    ``mirrors`` names the sections of the notes that state the claim, such as ``"lal:B.3"``.
    """
    ledger.require_claim(claim)
    _require_tolerance(tol)
    places = mirrored.places(mirrors)
    if reference is None:
        raise ValueError("expected a reference to compare with, got None")
    if isinstance(reference, (within, converges_to)):
        found, how = reference.difference(ours, tol), str(reference)
        if isinstance(reference, converges_to):
            how += f", to {tol:g}"
    else:
        if comparison.is_same(ours, reference):
            raise ValueError(
                "ours and reference are the same: comparing it proves nothing"
            )
        found = comparison.difference(ours, reference, tol)
        exact = tol == 0 or comparison.is_exact(ours, reference)
        how = "equal" if exact else f"agrees to {tol:g}"
    if found is not None:
        raise VerificationError(
            f"{claim}: this does not hold\n"
            f"  ours       {_short(ours)}\n"
            f"  reference  {_short(reference)}\n"
            f"  {found}"
        )
    entry = ledger.Entry(claim, how, places)
    ledger.record(chapter.current(), entry)
    print(entry.line())


def _require_tolerance(tol: float) -> None:
    if isinstance(tol, bool) or not isinstance(tol, Real) or not 0 <= tol <= 1:
        raise ValueError(f"expected a tolerance between 0 and 1, got {tol!r}")


def _require_bound(bound: float) -> None:
    if isinstance(bound, bool) or not isinstance(bound, Real) or math.isnan(bound):
        raise ValueError(f"expected a real number as bound, got {bound!r}")


def _real_array(value: Any) -> np.ndarray:
    """Return numbers as a float array; a ``ValueError`` for anything else or for nothing."""
    array = comparison.plain(value)
    if isinstance(array, (bool, str, list, dict, frozenset)):
        raise ValueError(
            f"expected real numbers to compare with a bound, got {_short(value)}"
        )
    array = comparison.as_array(array)
    if array.dtype.kind not in "iuf":
        raise ValueError(
            f"expected real numbers to compare with a bound, got {array.dtype}"
        )
    if array.size == 0:
        raise ValueError(
            "expected at least one number: a check of nothing proves nothing"
        )
    return array.astype(float)


def _short_limit(limit: Any) -> str:
    return f"{float(limit):.6g}" if np.ndim(limit) == 0 else "the reference"


def _short(value: Any) -> str:
    """Return a value in one or two lines, with its shape."""
    if isinstance(value, (within, converges_to)):
        return str(value)
    array = comparison.plain(value)
    if isinstance(array, np.ndarray) and array.ndim:
        with np.printoptions(threshold=8, edgeitems=3, precision=9):
            text = " ".join(str(array).split())
        return f"{text[:200]}  shape {array.shape}"
    text = repr(array.item() if isinstance(array, np.ndarray) else value)
    return text if len(text) <= 200 else text[:199] + "…"
