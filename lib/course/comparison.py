"""Whether two values agree and, if not, where they differ most: the rules of ``verify``.

* Shapes match exactly: ``(3,)`` differs from ``(3, 1)``. A Python number and a 0-d array have the
  same shape; a list or tuple of numbers is an array; nothing is broadcast.
* Whole numbers, fractions, truth values, words and sets agree when they are equal. As soon as one
  side is a floating-point number, two numbers agree within ``tol`` **times the largest absolute
  value of the reference** (of the whole array); against exact zeros ``tol`` is absolute.
* NaN equals nothing, an infinity equals itself only.
* Dicts need the same keys; ragged or mixed tables are compared entry by entry, each number on its
  own scale.
* Nothing agrees with an empty value: a check of nothing proves nothing.
"""

import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from numbers import Number, Rational
from typing import Any

import numpy as np

_EMPTY = "nothing to compare: a check of nothing proves nothing"


@dataclass(frozen=True)
class Difference:
    """Why two values do not agree: what differs, and where in the value."""

    what: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.what}, at {self.where}" if self.where else self.what


def difference(ours: Any, reference: Any, tol: float) -> Difference | None:
    """Return the largest difference between two values, or None when they agree to ``tol``."""
    return _differ(plain(ours), plain(reference), tol, "")


def is_exact(ours: Any, reference: Any) -> bool:
    """Whether comparing the two needs no tolerance: no floating-point number on either side."""
    return not (_has_float(plain(ours)) or _has_float(plain(reference)))


def is_same(ours: Any, reference: Any) -> bool:
    """Whether the two are one object, or share all their numbers in memory.

    Plain numbers, words and truth values never count: the interpreter shares them.
    """
    if isinstance(ours, (Number, str, np.bool_)) or isinstance(
        reference, (Number, str, np.bool_)
    ):
        return False
    if ours is reference:
        return True
    if isinstance(ours, Mapping) and isinstance(reference, Mapping):
        keys = ours.keys()
        same_keys = bool(keys) and keys == reference.keys()
        return same_keys and all(is_same(ours[key], reference[key]) for key in keys)
    if isinstance(ours, (list, tuple)) and isinstance(reference, (list, tuple)):
        same_length = 0 < len(ours) == len(reference)
        return same_length and all(map(is_same, ours, reference))
    return _memory(ours) is not None and _memory(ours) == _memory(reference)


def _memory(value: Any) -> tuple | None:
    """Return where an array or tensor keeps its entries, or None for anything else."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.numel() == 0 or value.device.type != "cpu":
            return None
        steps = tuple(step * value.element_size() for step in value.stride())
        return value.data_ptr(), tuple(value.shape), steps
    if isinstance(value, np.ndarray) and value.size:
        return value.__array_interface__["data"][0], value.shape, value.strides
    return None


def plain(value: Any) -> Any:
    """Bring a value to an array, rational, truth value, word, set, or list or dict of those."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = (value.float() if value.dtype == torch.bfloat16 else value).numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind in "biufc" and value.ndim:
            return value
        value = value.tolist() if value.dtype.kind in "biufcUO" else value
    if isinstance(value, (bool, str, Fraction)):
        return value
    if isinstance(value, Rational):
        return int(value)
    if isinstance(value, Number):
        return np.asarray(value, dtype=complex if isinstance(value, complex) else float)
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, Set):
        return frozenset(value)
    if isinstance(value, (list, tuple, range)):
        return _plain_sequence(value)
    raise TypeError(
        "expected numbers, truth values, words, arrays, tensors, lists, dicts or sets to compare; "
        f"got {type(value).__name__}"
    )


def as_array(value: Any) -> np.ndarray:
    """Return a number as an array; fractions and integers beyond 64 bits become floats."""
    array = np.asarray(value)
    return array if array.dtype.kind in "biufc" else array.astype(float)


def index(mask: np.ndarray) -> str:
    """Return the index of the first marked entry, as one would write it in code."""
    if mask.ndim == 0:
        return ""
    return "[" + ", ".join(str(int(i)) for i in np.argwhere(mask)[0]) + "]"


def _plain_sequence(entries: Iterable) -> Any:
    """Return an array when the entries are numbers of one kind in a regular shape, else a list."""
    children = [plain(entry) for entry in entries]
    if not children:
        return np.empty(0)
    if any(
        isinstance(child, (str, Fraction, list, dict, frozenset)) for child in children
    ):
        return children
    arrays = [
        np.asarray(child) for child in children
    ]  # object for integers beyond 64 bits
    same_shape = len({array.shape for array in arrays}) == 1
    one_kind = len({array.dtype.kind == "b" for array in arrays}) == 1
    if same_shape and one_kind and all(array.dtype.kind in "biufc" for array in arrays):
        return np.stack(arrays)
    return children


def _has_float(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc"
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return isinstance(value, list) and any(map(_has_float, value))


def _differ(ours: Any, reference: Any, tol: float, where: str) -> Difference | None:
    if isinstance(ours, dict) and isinstance(reference, dict):
        return _differ_in_dicts(ours, reference, tol, where)
    ours, reference = _as_table(ours, reference), _as_table(reference, ours)
    if isinstance(ours, list) and isinstance(reference, list):
        if len(ours) != len(reference):
            return Difference(f"{len(ours)} entries against {len(reference)}", where)
        pairs = enumerate(zip(ours, reference, strict=True))
        return _first(_differ(a, b, tol, f"{where}[{i}]") for i, (a, b) in pairs)
    if isinstance(ours, frozenset) and isinstance(reference, frozenset):
        return _differ_in_sets(ours, reference, where)
    if isinstance(ours, str) and isinstance(reference, str):
        if ours != reference:
            return Difference("the words differ", where)
        return None if reference else Difference(_EMPTY, where)
    if isinstance(ours, Rational) and isinstance(reference, Rational):
        if isinstance(ours, bool) != isinstance(reference, bool):
            return Difference("a truth value against a number", where)
        if ours == reference:
            return None
        return Difference(
            f"largest difference {float(abs(ours - reference)):.6g}", where
        )
    if _is_numeric(ours) and _is_numeric(reference):
        return _differ_in_arrays(as_array(ours), as_array(reference), tol, where)
    return Difference(f"{_kind(ours)} against {_kind(reference)}", where)


def _as_table(value: Any, other: Any) -> Any:
    """Return an array as a list of its rows when it meets a list, else unchanged."""
    if isinstance(value, np.ndarray) and value.ndim and isinstance(other, list):
        return [plain(row) for row in value]
    return value


def _differ_in_dicts(
    ours: dict, reference: dict, tol: float, where: str
) -> Difference | None:
    if ours.keys() != reference.keys():
        missing = [key for key in reference if key not in ours]
        extra = [key for key in ours if key not in reference]
        return Difference(f"keys differ: missing {missing}, unexpected {extra}", where)
    if not reference:
        return Difference(_EMPTY, where)
    return _first(
        _differ(ours[k], reference[k], tol, f"{where}[{k!r}]") for k in reference
    )


def _differ_in_sets(
    ours: frozenset, reference: frozenset, where: str
) -> Difference | None:
    if ours != reference:
        missing, extra = (
            sorted(map(repr, s)) for s in (reference - ours, ours - reference)
        )
        return Difference(
            f"sets differ: missing {missing[:5]}, unexpected {extra[:5]}", where
        )
    return None if reference else Difference(_EMPTY, where)


def _differ_in_arrays(
    ours: np.ndarray, reference: np.ndarray, tol: float, where: str
) -> Difference | None:
    if ours.shape != reference.shape:
        return Difference(f"shape {ours.shape} against {reference.shape}", where)
    if reference.size == 0:
        return Difference(_EMPTY, where)
    if (ours.dtype.kind == "b") != (reference.dtype.kind == "b"):
        return Difference("truth values against numbers", where)
    for name, array in (("ours", ours), ("the reference", reference)):
        if (bad := np.isnan(array)).any():
            return Difference(f"{name} is NaN", where + index(bad))
    unequal = ours != reference
    if not {ours.dtype.kind, reference.dtype.kind} & set("fc"):
        gaps = np.zeros(reference.shape)
        pairs = zip(ours[unequal].tolist(), reference[unequal].tolist(), strict=True)
        # In Python's own integers: 64 bits may not hold a difference.
        gaps[unequal] = [abs(a - b) for a, b in pairs]
        return _largest(gaps, unequal, "", where)
    wide = np.result_type(ours, reference, np.float64)
    ours, reference = ours.astype(wide), reference.astype(wide)
    gaps = np.zeros(reference.shape)
    gaps[unequal] = np.inf
    finite = unequal & np.isfinite(ours) & np.isfinite(reference)
    gaps[finite] = np.abs(ours[finite] - reference[finite])
    scale = float(np.abs(reference[np.isfinite(reference)]).max(initial=0.0))
    allowed = tol * (scale or 1.0)
    budget = f"allowed {allowed:.3g}: tol {tol:g} times the scale of the reference, {scale:.3g}"
    if scale == 0:
        budget = f"allowed {allowed:.3g}: the reference is zero, so tol is absolute"
    return _largest(gaps, gaps > allowed, budget, where)


def _largest(
    gaps: np.ndarray, bad: np.ndarray, budget: str, where: str
) -> Difference | None:
    if not bad.any():
        return None
    largest = gaps[bad].max()
    worst = bad & (gaps == largest)
    count = f"{bad.sum()} of {bad.size} entries differ" if bad.size > 1 else ""
    note = "; ".join(filter(None, (budget, count)))
    what = f"largest difference {largest:.6g}" + (f" ({note})" if note else "")
    return Difference(what, where + index(worst))


def _is_numeric(value: Any) -> bool:
    return isinstance(value, (np.ndarray, Rational))


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" if value.ndim else "a number"
    if isinstance(value, list):
        return f"a table of {len(value)} rows"
    names = {bool: "a truth value", str: "a word", dict: "a dict", frozenset: "a set"}
    return names.get(type(value), "a number")


def _first(differences: Iterable[Difference | None]) -> Difference | None:
    return next((found for found in differences if found is not None), None)
