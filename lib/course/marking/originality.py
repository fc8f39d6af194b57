"""Is the answer the reader's own? An answer that is, or calls, our implementation is told so.

Code of ``lib`` that the reference solution itself uses is allowed, and so is what belongs to the
arguments, the data, the exercise and the machinery. An exercise can name more to allow
(``allow``), or to forbid although the solution's own modules hold it (``ours``).
"""

import functools
import sys
import types
from collections.abc import Iterable
from typing import Any

from lib.course.exercise import Case, Exercise
from lib.course.marking.stubs import is_class, members

_ALWAYS_ALLOWED = ("lib.data", "lib.course", "lib.exercises")


def codes_of(thing: Any) -> set[types.CodeType]:
    """The code objects of a function, of a class's methods, or of what wraps either."""
    kind = type(thing)
    if kind is functools.partial:
        return codes_of(thing.func)
    if kind in (types.MethodType, staticmethod, classmethod):
        return codes_of(thing.__func__)
    if kind is property:
        return set().union(*(codes_of(f) for f in (thing.fget, thing.fset)))
    if kind is types.FunctionType:
        return {thing.__code__} | codes_of(thing.__dict__.get("__wrapped__"))
    if is_class(thing):
        return set().union(
            *(codes_of(v) for v in members(thing).values() if not is_class(v))
        )
    return set()


def borrowed_answer(answer: Any, exercise: Exercise) -> str | None:
    """The name of our code, when the answer itself is ours; None when it is the reader's."""
    if codes_of(answer) & codes_of(exercise.solution):
        return "the reference solution"
    if exercise.asks_for_value:
        return None
    while type(answer) is functools.partial:
        answer = answer.func
    named = type(answer) in (types.FunctionType, types.MethodType) or is_class(answer)
    thing = answer if named else type(answer)
    home = members(thing).get("__module__") if is_class(thing) else thing.__module__
    if type(home) is str and _within(home, "lib"):
        return f"{home}.{thing.__qualname__}"
    return None


class Watch:
    """Records which code of ``lib`` runs inside its ``with`` blocks."""

    def __init__(self) -> None:
        self.seen: dict[types.CodeType, str] = {}

    def __enter__(self) -> "Watch":
        self._before = sys.getprofile()
        sys.setprofile(self._event)
        return self

    def __exit__(self, *exc_info) -> None:
        sys.setprofile(self._before)

    def _event(self, frame, event: str, arg: Any) -> None:
        if event == "call":
            home = frame.f_globals.get("__name__")
            if type(home) is str and home.startswith("lib."):
                self.seen.setdefault(frame.f_code, home)

    def modules(self) -> set[str]:
        """The modules of ``lib`` that ran."""
        return set(self.seen.values())


def borrowed_call(
    watch: Watch, exercise: Exercise, of_solution: Iterable[str], case: Case
) -> str | None:
    """The name of the first of our functions that the answer had no business calling."""
    if watch.seen.keys() & codes_of(exercise.solution):
        return "the reference solution"
    allowed = {*_ALWAYS_ALLOWED, *exercise.allow, *of_solution, *_homes(case)}
    for code, home in watch.seen.items():
        name = f"{home}.{code.co_qualname}"
        forbidden = any(_within(name, one) for one in exercise.ours)
        if forbidden or not any(_within(name, one) for one in allowed):
            return name
    return None


def _homes(case: Case) -> set[str]:
    """The modules of ``lib`` that the arguments come from: the answer may use them."""
    values = [*case.args, *case.kwargs.values()]
    kinds = [kind for value in values for kind in type(value).__mro__]
    functions = [value for value in values if type(value) is types.FunctionType]
    return {
        thing.__module__
        for thing in (*kinds, *functions)
        if _within(thing.__module__, "lib")
    }


def _within(name: Any, prefix: str) -> bool:
    return type(name) is str and (name == prefix or name.startswith(prefix + "."))
