"""A tensor: an array that remembers how it was computed.

Every operation makes a new tensor that points to its arguments (`parents`), each with a function
that pulls a gradient of the result back to that argument (a vector-Jacobian product, VJP). The
arrays themselves are locked, so that no value can change behind the back of a recorded VJP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

Vjp = Callable[["Tensor"], "Tensor"]

_recording = True


@contextmanager
def no_grad() -> Iterator[None]:
    """Compute without recording: results inside have no history."""
    global _recording
    before, _recording = _recording, False
    try:
        yield
    finally:
        _recording = before


class Tensor:
    """An array of floats with a history.

    `data` is the array (read-only; assign a new one to change a parameter), `grad` the gradient
    that `backward` has added up, `requires_grad` whether to record what is computed from it.
    """

    __slots__ = (
        "_data",
        "_version",
        "grad",
        "parents",
        "requires_grad",
        "seen",
        "vjps",
    )
    __array_priority__ = 1000  # ndarray + Tensor is a Tensor's business

    def __init__(
        self,
        data: np.ndarray,
        requires_grad: bool = False,
        parents: Sequence[Tensor] = (),
        vjps: Sequence[Vjp] = (),
    ) -> None:
        self._data = _locked(data)
        self._version = 0
        self.grad: Tensor | None = None
        self.requires_grad = requires_grad
        self.parents, self.vjps = parents, vjps
        self.seen = tuple(p._version for p in parents)

    @property
    def data(self) -> np.ndarray:
        """The values, locked against writing."""
        return self._data

    @data.setter
    def data(self, new: np.ndarray) -> None:
        new = np.asarray(new, dtype=self._data.dtype)
        if new.shape != self._data.shape:
            raise ValueError(
                f"data: expected shape {self._data.shape}, got {new.shape}"
            )
        if self.parents:
            raise ValueError(
                "data: expected a leaf; the value of a result follows from others"
            )
        self._data = _locked(new)
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
        return Tensor(self._data)

    def backward(self, seed: object | None = None) -> None:
        """Add ∂self/∂x to `x.grad` for every leaf x that requires it."""
        from lib.autodiff.reverse import backward

        backward(self, seed)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("a tensor of shape () has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        text = np.array2string(
            self._data, precision=6, separator=", ", prefix="tensor("
        )
        return f"tensor({text}{', requires_grad=True' if self.requires_grad else ''})"

    def __bool__(self) -> bool:
        return bool(self._data)


def _locked(array: np.ndarray) -> np.ndarray:
    """Return the array itself, or a view of it, that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def tensor(
    values: object, *, requires_grad: bool = False, dtype: object = None
) -> Tensor:
    """Make a tensor from numbers: a copy, float64 unless the values are float32 already."""
    if isinstance(values, Tensor):
        raise ValueError(
            "values: expected numbers, got a tensor; use detach() for a fresh one"
        )
    array = np.array(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(
            f"values: expected numbers, got an array of type {array.dtype}"
        )
    if dtype is None:
        dtype = array.dtype if array.dtype == np.float32 else np.float64
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype: expected float32 or float64, got {np.dtype(dtype)}")
    return Tensor(array.astype(dtype), requires_grad)


def as_tensor(value: object, like: Tensor | None = None) -> Tensor:
    """Return a tensor for an operand: itself, or numbers in the type of their partner."""
    if isinstance(value, Tensor):
        return value
    return tensor(value, dtype=like.dtype if like is not None else None)


def pair(a: object, b: object) -> tuple[Tensor, Tensor]:
    """Return both operands of a binary operation as tensors of one type."""
    a = as_tensor(a, b if isinstance(b, Tensor) else None)
    b = as_tensor(b, a)
    if a.dtype != b.dtype:
        raise ValueError(
            f"dtype: expected operands of one type, got {a.dtype} and {b.dtype}"
        )
    return a, b


def record(data: np.ndarray, *arguments: tuple[Tensor, Vjp]) -> Tensor:
    """Return the result of an operation, with its history if any argument asks for it."""
    if _recording:
        wanted = [(p, v) for p, v in arguments if p.requires_grad]
        if wanted:
            parents, vjps = zip(*wanted, strict=True)
            return Tensor(np.asarray(data), True, parents, vjps)
    return Tensor(np.asarray(data))
