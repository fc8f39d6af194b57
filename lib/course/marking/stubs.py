"""Telling an exercise that is not written yet from one that is wrong.

The answer is the reader's and may be any object at all: nothing here asks it anything, only its
type (``isinstance`` and attribute access could run its code).
"""

import dis
import types
from typing import Any

from lib.course.exercise import Exercise
from lib.course.marking.portable import Foreign

_OPERATIONS_OF_A_STUB = {
    "RESUME", "NOP", "CACHE", "COPY_FREE_VARS", "MAKE_CELL", "LOAD_CONST", "RETURN_CONST",
    "RETURN_VALUE", "POP_TOP", "PUSH_NULL", "LOAD_GLOBAL", "PRECALL", "CALL", "RAISE_VARARGS",
    "LOAD_COMMON_CONSTANT",
}  # fmt: skip


def is_stub(function: types.FunctionType) -> bool:
    """Whether a function has no body yet: ``...``, ``pass``, a docstring, NotImplementedError."""
    operations = list(dis.get_instructions(function))
    if not {op.opname for op in operations} <= _OPERATIONS_OF_A_STUB:
        return False
    loaded = {op.argval for op in operations if op.opname == "LOAD_GLOBAL"}
    if loaded:
        return (
            loaded == {"NotImplementedError"}
            and "RAISE_VARARGS" in operations[-1].opname
        )
    given = [
        op.argval for op in operations if op.opname in ("LOAD_CONST", "RETURN_CONST")
    ]
    return all(value is None or value is Ellipsis for value in given)


def is_class(thing: Any) -> bool:
    """Whether ``thing`` is a class, without asking it."""
    return issubclass(type(thing), type)


def members(cls: type) -> dict[str, Any]:
    """What a class itself defines, whatever its metaclass says."""
    return dict(type.__getattribute__(cls, "__dict__"))


def missing_answer(exercise: Exercise, answer: Any) -> str | None:
    """What the reader is told when there is nothing to run yet; None when there is something."""
    if answer is None or answer is Ellipsis:
        wanted = "function"
        if exercise.asks_for_value or exercise.asks_for_class:
            wanted = "value" if exercise.asks_for_value else "class"
        return (
            f"Put your {wanted} in place of the placeholder, then run the cell again."
        )
    if type(answer) is types.FunctionType and is_stub(answer):
        return "Replace the placeholder with your code, then run the cell again."
    if exercise.asks_for_class and is_class(answer):
        ours = members(exercise.solution)
        for name, method in members(answer).items():
            known = ours.get(name)
            if (
                _is_written(known)
                and type(method) is types.FunctionType
                and is_stub(method)
            ):
                return f"The method {name} is a placeholder. Write it, then run the cell again."
    return None


def _is_written(method: Any) -> bool:
    return type(method) is types.FunctionType and not is_stub(method)


def unfit_answer(exercise: Exercise, answer: Any) -> str | None:
    """What the reader is told of an answer that cannot be called at all; None when it can."""
    if exercise.asks_for_value:
        return None
    if exercise.asks_for_class and not is_class(answer):
        return "This exercise asks for a class. Give its name, without brackets."
    if not callable(answer):
        call = f'check("{exercise.id}", your_function)'
        return f"This exercise asks for a function. Give its name, without brackets: {call}."
    return None


def is_nothing(value: Any) -> bool:
    """None, the placeholder ``...``, or a list of nothing else: what an unwritten body returns."""
    if value is None or (isinstance(value, Foreign) and value.kind == "..."):
        return True
    return (
        isinstance(value, (list, tuple)) and bool(value) and all(map(is_nothing, value))
    )
