"""Results that can leave the process that made them, and cannot harm the one that reads them.

``pack`` turns what an answer returned into bytes made of plain data only. It asks nothing of the
object: no ``__eq__``, ``__repr__``, ``__array__`` or pickling of the reader's classes is ever run.
``unpack`` gives back numbers, text, containers and arrays; all else becomes a `Foreign`.
"""

import io
import pickle
import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_BYTES = 64 << 20
MOST_DEPTH = 40
_BYTES_PER_ENTRY = 256  # so that a list that contains itself thrice soon is too large

_PLAIN = (bool, int, float, type(None))


@dataclass(frozen=True)
class Foreign:
    """Something that is not data: its kind, such as "generator" or a class's name."""

    kind: str


class TooLarge(Exception):
    """The result is larger than a check is willing to look at."""


def pack(value: Any) -> bytes:
    """Bytes for ``value``; raises TooLarge beyond MOST_BYTES."""
    return pickle.dumps(_encode(value, 0, [MOST_BYTES]), protocol=4)


def unpack(data: bytes) -> Any:
    """The value packed in ``data``; nothing but plain data can come out of it."""
    return _decode(plain_load(data))


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError("only plain data is read")


def plain_load(data: bytes) -> Any:
    """Unpickle containers, numbers and text; anything that would run code is refused."""
    return _PlainUnpickler(io.BytesIO(data)).load()


def _spend(budget: list[int], size: int) -> None:
    budget[0] -= size
    if budget[0] < 0:
        raise TooLarge


def _encode(value: Any, depth: int, budget: list[int]) -> tuple:
    kind = type(value)
    _spend(budget, _BYTES_PER_ENTRY)
    if depth > MOST_DEPTH:
        return ("foreign", "structure nested too deeply")
    if kind in _PLAIN:
        if kind is int:
            _spend(budget, value.bit_length() // 8)
        return ("plain", value)
    if kind is complex:
        return ("complex", value.real, value.imag)
    if kind in (str, bytes):
        _spend(budget, len(value))
        return ("plain", value)
    if kind in (list, tuple, set, frozenset):
        _spend(budget, 8 * len(value))
        return (kind.__name__, [_encode(v, depth + 1, budget) for v in value])
    if kind is range:
        return _encode(list(value) if len(value) < 10**6 else None, depth, budget)
    if kind is dict:
        pairs = [(_encode(k, depth + 1, budget), _encode(v, depth + 1, budget))
                 for k, v in value.items()]  # fmt: skip
        return ("dict", pairs)
    array = _as_array(value)
    if array is not None:
        return _encode_array(array, depth, budget)
    if issubclass(kind, tuple):  # named tuples
        return ("tuple", [_encode(v, depth + 1, budget) for v in tuple.__iter__(value)])
    return ("foreign", kind_name(value))


def _as_array(value: Any) -> np.ndarray | None:
    """The numbers of a NumPy, torch, pandas or SciPy sparse object; None for anything else."""
    kind = type(value)
    if issubclass(kind, np.ndarray):
        return np.ndarray.view(value, np.ndarray)
    if issubclass(kind, np.generic):
        return np.asarray(value)
    home = type.__getattribute__(kind, "__module__")
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(kind, torch.Tensor):
        tensor = value.detach().cpu()
        if tensor.dtype == torch.bfloat16:
            tensor = tensor.float()
        return tensor.resolve_conj().resolve_neg().numpy()
    if type(home) is str and home.startswith("pandas.core"):
        return np.asarray(value)
    if type(home) is str and home.startswith("scipy.sparse"):
        return value.toarray()
    return None


def _encode_array(array: np.ndarray, depth: int, budget: list[int]) -> tuple:
    if array.dtype.kind in "biufcSUmM":
        _spend(budget, array.nbytes)
        return (
            "array",
            array.dtype.str,
            array.shape,
            np.ascontiguousarray(array).tobytes(),
        )
    if array.dtype.kind == "O":
        return _encode(array.tolist(), depth + 1, budget)
    return ("foreign", f"array of dtype {array.dtype}")


def kind_name(value: Any) -> str:
    """What to call an object that is not data, without asking it anything."""
    kind = type(value)
    for base, name in (
        (types.GeneratorType, "generator"),
        (types.CoroutineType, "coroutine"),
        ((types.FunctionType, types.BuiltinFunctionType, types.MethodType), "function"),
        (type, "class"),
        (types.ModuleType, "module"),
        (type(Ellipsis), "..."),
        (BaseException, "exception"),
    ):
        if issubclass(kind, base):
            return name
    return str(type.__dict__["__name__"].__get__(kind))[:60]


def _decode(form: Any) -> Any:
    tag, *rest = form
    if tag == "plain":
        return rest[0]
    if tag == "complex":
        return complex(*rest)
    if tag == "array":
        dtype, shape, data = rest
        return np.frombuffer(data, dtype=np.dtype(dtype)).reshape(shape)
    if tag == "dict":
        return {_hashable(_decode(k)): _decode(v) for k, v in rest[0]}
    if tag == "foreign":
        return Foreign(rest[0])
    inside = [_decode(v) for v in rest[0]]
    if tag in ("set", "frozenset"):
        return {_hashable(v) for v in inside}
    return tuple(inside) if tag == "tuple" else inside


def _hashable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (
            value.item() if value.ndim == 0 else tuple(map(_hashable, value.tolist()))
        )
    if isinstance(value, (list, tuple)):
        return tuple(map(_hashable, value))
    if isinstance(value, (set, dict)):
        return tuple(sorted(map(repr, value)))
    return value
