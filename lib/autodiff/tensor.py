"""A tensor: an array that remembers how it was computed.

Every operation makes a new tensor. It points to its arguments (`parents`), each with a function
that pulls a gradient of the result back to that argument (`pulls`, vector-Jacobian products). In
forward mode it also carries `tangents`, pushed forward while it is computed. Arrays are locked, so
that no value can change behind the back of a recorded operation.

The operations live in files of their own, and each gives `Tensor` its operators and methods there:
+ and its kin in `elementwise`, @ in `products`, x[i] and .sum in `shapes`, .mean in `reductions`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

Pull = Callable[["Tensor", "Tensor"], "Tensor"]
"""(gradient of the result, result) → gradient of one argument."""
Push = Callable[["Tensor", "Tensor"], "Tensor"]
"""(tangent of one argument, result) → its share in the tangent of the result."""
Edge = tuple["Tensor", Pull, Push]


class _State(threading.local):
    """What each thread has switched on."""

    recording = True  # whether results remember their arguments
    below = math.inf  # forward mode: tangents of this level and deeper ones rest
    tally: list[tuple[str, int]] | None = None


_state = _State()


@contextmanager
def _setting(name: str, value: object) -> Iterator[None]:
    before = getattr(_state, name)
    setattr(_state, name, value)
    try:
        yield
    finally:
        setattr(_state, name, before)


def no_grad():
    """Compute without recording: results inside have no history."""
    return _setting("recording", False)


def enable_grad():
    """Record, even inside `no_grad`."""
    return _setting("recording", True)


def is_recording() -> bool:
    """Return whether results remember their arguments now."""
    return _state.recording


def only_below(level: int):
    """Leave tangents of this level of forward mode and of deeper ones alone."""
    return _setting("below", level)


@contextmanager
def tally() -> Iterator[list[tuple[str, int]]]:
    """Count: the list fills with (name, entries of the result) of every operation inside."""
    with _setting("tally", []):
        yield _state.tally


class Tensor:
    """An array of floats with a history.

    `data` is the array (read-only; assign a new one to change a leaf), `grad` the gradient that
    `backward` has added up, `requires_grad` whether to record what is computed from it. The
    history: the name of the `operation`, its `parents` that want a gradient, one of `pulls` for
    each, and which version of each it has `seen`. `tangents` has one entry for each `jvp` under
    way.
    """

    __slots__ = (
        "__weakref__",
        "_data",
        "_version",
        "grad",
        "operation",
        "parents",
        "pulls",
        "requires_grad",
        "seen",
        "tangents",
    )
    # ndarray + Tensor is a Tensor's business, np.exp(Tensor) is an error.
    __array_ufunc__ = None

    def __init__(
        self, values: object, requires_grad: bool = False, dtype: object = None
    ) -> None:
        self._fill(_copied(values, dtype))
        self.requires_grad = bool(requires_grad)

    def _fill(self, data: np.ndarray) -> None:
        data = np.asarray(data)  # an index may have left a single number
        data.flags.writeable = False
        self._data, self._version = data, 0
        self.operation, self.parents, self.pulls, self.seen = "leaf", (), (), ()
        self.grad: Tensor | None = None
        self.requires_grad = False
        self.tangents: dict[int, Tensor] | None = None

    @property
    def data(self) -> np.ndarray:
        """The values, locked against writing."""
        return self._data

    @data.setter
    def data(self, new: object) -> None:
        if self.parents:
            raise ValueError(
                "data: expected a leaf; the value of a result follows from others"
            )
        array = _copied(new, self.dtype)
        if array.shape != self.shape:
            raise ValueError(f"data: expected shape {self.shape}, got {array.shape}")
        array.flags.writeable = False
        self._data = array
        self._version += 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self._data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._data.ndim

    @property
    def size(self) -> int:
        """The number of entries."""
        return self._data.size

    @property
    def dtype(self) -> np.dtype:
        """float32 or float64."""
        return self._data.dtype

    def item(self) -> float:
        """Return the value of a tensor with one entry."""
        if self.size != 1:
            raise ValueError(f"item: expected one entry, got shape {self.shape}")
        return float(self._data.reshape(()))

    def detach(self) -> Tensor:
        """Return the same values without a history."""
        return wrap(self._data)

    def backward(self, seed: object | None = None) -> None:
        """Add ∂self/∂x to `x.grad` for every leaf x that requires it."""
        from lib.autodiff.reverse import backward

        backward(self, seed)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("a tensor of shape () has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def __setitem__(self, index: object, value: object) -> None:
        raise ValueError(
            "tensors are never changed in place: build a new one (where, concatenate), "
            "or give a leaf new values with x.data = …"
        )

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        if self.requires_grad:
            raise ValueError("np.asarray would lose the history; ask for x.data")
        return np.array(self._data, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        text = np.array2string(
            self._data, precision=6, separator=", ", prefix="tensor("
        )
        return f"tensor({text}{', requires_grad=True' if self.requires_grad else ''})"

    def __bool__(self) -> bool:
        return bool(self._data)


def tensor(
    values: object, *, requires_grad: bool = False, dtype: object = None
) -> Tensor:
    """Make a tensor from numbers: a copy, float64 unless the values are float32 already."""
    return Tensor(values, requires_grad, dtype)


def wrap(data: np.ndarray) -> Tensor:
    """Make a tensor of an array that nobody else can write to, without a copy."""
    out = Tensor.__new__(Tensor)
    out._fill(data)
    return out


def _copied(values: object, dtype: object) -> np.ndarray:
    """Return the numbers as a new array of float32 or float64, all finite."""
    if isinstance(values, Tensor):
        raise ValueError(
            "values: expected numbers, got a tensor; detach() gives one without history"
        )
    if type(values) is float and abs(values) < 1e30:  # constants in formulas, quickly
        return np.array(values, dtype=dtype or np.float64)
    array = np.array(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(
            f"values: expected numbers, got an array of type {array.dtype}"
        )
    if dtype is None:
        dtype = array.dtype if array.dtype == np.float32 else np.float64
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype: expected float32 or float64, got {np.dtype(dtype)}")
    with np.errstate(all="ignore"):
        array = array.astype(dtype, copy=False)
        if not all_finite(array):
            raise ValueError("values: expected finite numbers, got NaN or infinity")
    return array


def all_finite(array: np.ndarray) -> bool:
    """Return whether no entry is NaN or infinite; call it where overflow is ignored."""
    # One sum is quicker than a mask; only a sum that is not finite needs a second look.
    total = np.add.reduce(array, axis=None)
    return math.isfinite(total) or bool(np.isfinite(array).all())


def as_tensor(value: object, like: Tensor | None = None) -> Tensor:
    """Return a tensor for an operand: itself, or numbers in the type of their partner."""
    if isinstance(value, Tensor):
        return value
    if like is None:
        return Tensor(value)
    kind = getattr(value, "dtype", None)
    if getattr(value, "ndim", 0) and kind.kind == "f" and kind != like.dtype:
        raise ValueError(
            f"dtype: expected operands of one type, got {kind} and {like.dtype}"
        )
    return Tensor(value, dtype=like.dtype)


def pair(a: object, b: object) -> tuple[Tensor, Tensor]:
    """Return both operands of a binary operation as tensors of one type."""
    a = as_tensor(a, b if isinstance(b, Tensor) else None)
    b = as_tensor(b, a)
    if a.dtype != b.dtype:
        raise ValueError(
            f"dtype: expected operands of one type, got {a.dtype} and {b.dtype}"
        )
    return a, b


def compute(operation: str, function: Callable, *edges: Edge) -> Tensor:
    """Apply a NumPy function to the arguments' arrays and record it; NaN and ∞ are refused."""
    with np.errstate(all="ignore"):
        try:
            data = np.asarray(function(*[edge[0]._data for edge in edges]))
        except ValueError as fault:
            shapes = " and ".join(str(edge[0].shape) for edge in edges)
            raise ValueError(f"{operation}: shapes {shapes} do not fit") from fault
        finite = all_finite(data)
    if not finite:
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(data))[0])
        raise ValueError(
            f"{operation}: expected finite results, got {data[where]} at index {where}"
        )
    return record(operation, data, *edges)


def record(operation: str, data: np.ndarray, *edges: Edge) -> Tensor:
    """Return the result of an operation with what both modes need to know of its arguments."""
    out = wrap(data)
    out.operation = operation
    if _state.tally is not None:
        _state.tally.append((operation, data.size))
    if _state.recording:
        wanted = [edge for edge in edges if edge[0].requires_grad]
        if wanted:
            out.requires_grad = True
            out.parents = tuple(edge[0] for edge in wanted)
            out.pulls = tuple(edge[1] for edge in wanted)
            out.seen = tuple(p._version for p in out.parents)
    for parent, _, _ in edges:
        if parent.tangents is not None:
            _push_tangents(out, edges)
            break
    return out


def _push_tangents(out: Tensor, edges: tuple[Edge, ...]) -> None:
    """Set the tangents of a result, level by level: outer ones first."""
    levels = {level for parent, _, _ in edges for level in parent.tangents or ()}
    for level in sorted(level for level in levels if level < _state.below):
        total = None
        with only_below(level):  # a tangent has tangents of the outer levels only
            for parent, _, push in edges:
                if parent.tangents is not None and level in parent.tangents:
                    part = push(parent.tangents[level], out)
                    total = part if total is None else total + part
        out.tangents = {**(out.tangents or {}), level: total}
