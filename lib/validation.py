"""Input checks: the one home of "what was expected, what came".

Every function takes a value and the name the caller knows it by, and returns the value in the
form that the code behind it relies on: a float array that is finite, non-empty and of the right
shape, or a number in its range. Anything else raises a ``ValueError`` that names the argument,
says what was expected and what came. Arrays are converted without a copy where NumPy can, so
callers do not write into what they get back.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable

import numpy as np

_NUMERIC_KINDS = "biuf"  # bool, signed, unsigned, float


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _numeric(value: object, name: str) -> np.ndarray:
    """Return `value` as a float64 array of any shape, or say why it cannot be one."""
    if np.ma.isMaskedArray(value):
        raise ValueError(
            f"{name}: expected an array without masked entries, got a masked array"
        )
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as problem:  # ragged lists
        raise ValueError(
            f"{name}: expected an array of numbers, got {problem}"
        ) from None
    if array.dtype.kind == "c":
        raise ValueError(
            f"{name}: expected real numbers, got complex ones ({array.dtype})"
        )
    if (
        array.dtype.kind == "O"
    ):  # Python ints beyond 64 bit, Fractions, or None and friends
        try:
            array = array.astype(np.float64)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(
                f"{name}: expected numbers, got objects that are not"
            ) from None
    if array.dtype.kind not in _NUMERIC_KINDS:
        raise ValueError(
            f"{name}: expected numbers, got an array of type {array.dtype}"
        )
    return array.astype(np.float64, copy=False)


def _finite(array: np.ndarray, name: str) -> np.ndarray:
    # One pass over the data in the common case: a sum is finite unless an entry is not, or unless
    # the sum overflows, and only then do we look entry by entry.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return array
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        place = where[0] if len(where) == 1 else where
        at = f" (first at {place})" if where else ""
        raise ValueError(
            f"{name}: expected finite numbers, got {int(bad.sum())} NaN or infinite{at}"
        )
    return array


def as_array(value: object, name: str, *, ndim: int | None = None) -> np.ndarray:
    """Return a finite, non-empty float64 array; with `ndim`, of that many dimensions."""
    array = _numeric(value, name)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(
            f"{name}: expected {_plural(ndim, 'dimension')}, got shape {array.shape}"
        )
    if array.size == 0:
        raise ValueError(
            f"{name}: expected at least one entry, got shape {array.shape}"
        )
    return _finite(array, name)


def as_matrix(
    value: object,
    name: str = "X",
    *,
    rows: int | None = None,
    columns: int | None = None,
    min_rows: int = 1,
) -> np.ndarray:
    """Return a finite float64 matrix of shape (n, d), samples in rows.

    `rows` and `columns` ask for an exact number, `min_rows` for at least so many.
    """
    array = _numeric(value, name)
    if array.ndim != 2:
        reshape = f"; one feature is {name}.reshape(-1, 1)" if array.ndim == 1 else ""
        raise ValueError(
            f"{name}: expected a matrix of shape (n, d), got shape {array.shape}{reshape}"
        )
    if array.size == 0:
        raise ValueError(
            f"{name}: expected at least one row and column, got shape {array.shape}"
        )
    if rows is not None and array.shape[0] != rows:
        raise ValueError(
            f"{name}: expected {_plural(rows, 'row')}, got {array.shape[0]}"
        )
    if columns is not None and array.shape[1] != columns:
        raise ValueError(
            f"{name}: expected {_plural(columns, 'column')}, got {array.shape[1]}"
        )
    if array.shape[0] < min_rows:
        raise ValueError(
            f"{name}: expected at least {_plural(min_rows, 'row')}, got {array.shape[0]}"
        )
    return _finite(array, name)


def as_vector(
    value: object, name: str = "y", *, length: int | None = None
) -> np.ndarray:
    """Return a finite float64 vector of shape (n,); with `length`, of that many entries."""
    array = _numeric(value, name)
    if array.ndim != 1:
        flatten = f"; a column is {name}.ravel()" if array.ndim == 2 else ""
        raise ValueError(
            f"{name}: expected a vector of shape (n,), got shape {array.shape}{flatten}"
        )
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one entry, got none")
    if length is not None and array.shape[0] != length:
        raise ValueError(
            f"{name}: expected {'1 entry' if length == 1 else f'{length} entries'}, "
            f"got {array.shape[0]}"
        )
    return _finite(array, name)


def as_design(X: object, y: object) -> tuple[np.ndarray, np.ndarray]:
    """Return X of shape (n, d) and y of shape (n,), one target for each row."""
    matrix = as_matrix(X, "X")
    return matrix, as_vector(y, "y", length=matrix.shape[0])


def as_square(value: object, name: str, *, size: int | None = None) -> np.ndarray:
    """Return a finite square matrix; with `size`, of that many rows and columns."""
    matrix = as_matrix(value, name)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: expected a square matrix, got shape {matrix.shape}")
    if size is not None and matrix.shape[0] != size:
        raise ValueError(f"{name}: expected shape ({size}, {size}), got {matrix.shape}")
    return matrix


def as_symmetric(value: object, name: str, *, size: int | None = None) -> np.ndarray:
    """Return a finite symmetric matrix (to rounding, relative to its largest entry)."""
    matrix = as_square(value, name, size=size)
    gap = float(np.max(np.abs(matrix - matrix.T)))
    if gap > 1e-8 * float(np.max(np.abs(matrix))):
        raise ValueError(
            f"{name}: expected a symmetric matrix, got one that is off by {gap:.3g}"
        )
    return matrix


def _scalar(value: object, name: str, expected: str) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise ValueError(f"{name}: expected {expected}, got {_short(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(
            f"{name}: expected {expected}, got one too large for a float"
        ) from None
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected {expected}, got {number}")
    return number


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def finite(value: object, name: str) -> float:
    """Return a finite real number."""
    return _scalar(value, name, "a finite number")


def positive(value: object, name: str) -> float:
    """Return a finite number greater than zero."""
    number = _scalar(value, name, "a number > 0")
    if number <= 0:
        raise ValueError(f"{name}: expected a number > 0, got {number:g}")
    return number


def nonnegative(value: object, name: str) -> float:
    """Return a finite number of at least zero."""
    number = _scalar(value, name, "a number >= 0")
    if number < 0:
        raise ValueError(f"{name}: expected a number >= 0, got {number:g}")
    return number


def between(
    value: object, name: str, low: float, high: float, *, inclusive: bool = True
) -> float:
    """Return a number in [low, high], or in (low, high) when not `inclusive`."""
    interval = f"[{low:g}, {high:g}]" if inclusive else f"({low:g}, {high:g})"
    number = _scalar(value, name, f"a number in {interval}")
    inside = low <= number <= high if inclusive else low < number < high
    if not inside:
        raise ValueError(f"{name}: expected a number in {interval}, got {number:g}")
    return number


def probability(value: object, name: str) -> float:
    """Return a number in [0, 1]."""
    return between(value, name, 0.0, 1.0)


def whole(
    value: object, name: str, *, at_least: int = 0, at_most: int | None = None
) -> int:
    """Return an integer in the given range; 3.0 is welcome, 3.5 and True are not."""
    bounds = f">= {at_least}" if at_most is None else f"from {at_least} to {at_most}"
    expected = f"a whole number {bounds}"
    number = _scalar(value, name, expected)
    if number != int(number):
        raise ValueError(f"{name}: expected {expected}, got {number:g}")
    count = int(value)  # not through float: large integers stay exact
    if count < at_least or (at_most is not None and count > at_most):
        raise ValueError(f"{name}: expected {expected}, got {count}")
    return count


def one_of(value: str, name: str, options: Iterable[str]) -> str:
    """Return `value` when it is one of the options."""
    known = list(options)
    if not isinstance(value, str) or value not in known:
        raise ValueError(
            f"{name}: expected one of {', '.join(known)}, got {_short(value)}"
        )
    return value


def as_labels(
    value: object,
    name: str = "y",
    *,
    classes: int | None = None,
    length: int | None = None,
) -> np.ndarray:
    """Return class labels 0, …, K-1 as an int64 vector; with `classes`, checked against K."""
    array = as_vector(value, name, length=length)
    labels = array.astype(np.int64)
    if not np.array_equal(labels, array):
        odd = array[labels != array][0]
        raise ValueError(f"{name}: expected whole-number labels, got {odd:g}")
    top = "K-1" if classes is None else str(classes - 1)
    if labels.min() < 0 or (classes is not None and labels.max() >= classes):
        odd = labels.min() if labels.min() < 0 else labels.max()
        raise ValueError(f"{name}: expected labels from 0 to {top}, got {odd}")
    return labels


def as_signs(
    value: object, name: str = "y", *, length: int | None = None
) -> np.ndarray:
    """Return binary labels -1 and +1 as a float64 vector."""
    array = as_vector(value, name, length=length)
    odd = array[np.abs(array) != 1.0]
    if odd.size:
        raise ValueError(f"{name}: expected labels -1 or +1, got {odd[0]:g}")
    return array


def as_binary(
    value: object, name: str = "y", *, length: int | None = None
) -> np.ndarray:
    """Return binary labels 0 and 1 as a float64 vector."""
    array = as_vector(value, name, length=length)
    odd = array[(array != 0.0) & (array != 1.0)]
    if odd.size:
        raise ValueError(f"{name}: expected labels 0 or 1, got {odd[0]:g}")
    return array


def as_distribution(
    value: object, name: str = "p", *, length: int | None = None
) -> np.ndarray:
    """Return a probability vector: entries >= 0 that sum to one (to rounding)."""
    return as_masses(as_vector(value, name, length=length), name)


def as_masses(value: object, name: str = "p") -> np.ndarray:
    """Return probabilities of any shape: entries >= 0 that sum to one (to rounding)."""
    array = as_array(value, name)
    if array.min() < 0:
        raise ValueError(f"{name}: expected probabilities >= 0, got {array.min():g}")
    total = float(array.sum())
    if abs(total - 1.0) > 1e-8:
        raise ValueError(
            f"{name}: expected probabilities that sum to 1, got a sum of {total:g}"
        )
    return array
