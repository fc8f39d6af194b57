"""Is the answer the reader's own? An answer that is, or calls, our implementation is told so.

The calls of an answer are watched on one case. Code of ``lib`` that the reference solution itself
uses is allowed, and so is what belongs to the arguments, the data and the machinery.
"""

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from lib.course.exercise import Case, Exercise

_ALWAYS_ALLOWED = ("lib.data", "lib.course", "lib.exercises")


def codes_of(thing: Any) -> set[types.CodeType]:
    """The code objects of a function, of a class's methods, or of a partial of either."""
    if isinstance(thing, functools.partial):
        return codes_of(thing.func)
    if isinstance(thing, types.MethodType):
        return codes_of(thing.__func__)
    if isinstance(thing, (staticmethod, classmethod)):
        return codes_of(thing.__func__)
    if isinstance(thing, property):
        return set().union(*(codes_of(f) for f in (thing.fget, thing.fset) if f))
    if isinstance(thing, types.FunctionType):
        inner = thing.__dict__.get("__wrapped__")
        return {thing.__code__} | (codes_of(inner) if inner is not None else set())
    if inspect.isclass(thing):
        return set().union(*(codes_of(v) for v in vars(thing).values() if not inspect.isclass(v)))
    return set()


def borrowed_answer(answer: Any, exercise: Exercise) -> str | None:
    """The name of our code, when the answer itself is ours; None when it is the reader's."""
    if codes_of(answer) & codes_of(exercise.solution):
        return "the reference solution"
    while isinstance(answer, functools.partial):
        answer = answer.func
    if isinstance(answer, (types.FunctionType, types.MethodType, type)):
        home = getattr(answer, "__module__", None)
        if isinstance(home, str) and (home == "lib" or home.startswith("lib.")):
            return f"{home}.{answer.__qualname__}"
    return None


class Watch:
    """Records which code of ``lib`` runs inside the ``with`` block."""

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
            home = frame.f_globals.get("__name__", "")
            if isinstance(home, str) and home.startswith("lib."):
                self.seen.setdefault(frame.f_code, home)

    def calls(self) -> list[tuple[str, str]]:
        """The (module, qualified name) pairs, in the order of the first call."""
        return [(home, code.co_qualname) for code, home in self.seen.items()]


def borrowed_call(
    watch: Watch, exercise: Exercise, of_solution: Iterable[str], case: Case
) -> str | None:
    """The name of the first of our functions that the answer had no business calling."""
    if watch.seen.keys() & codes_of(exercise.solution):
        return "the reference solution"
    allowed = {*_ALWAYS_ALLOWED, *exercise.allow, *of_solution, *_homes(case)}
    for home, name in watch.calls():
        full = f"{home}.{name}"
        if any(_within(full, one) for one in exercise.ours):
            return full
        if not any(_within(full, one) for one in allowed):
            return full
    return None


def _homes(case: Case) -> set[str]:
    """The modules of the arguments' classes: their methods may be called."""
    values = [*case.args, *case.kwargs.values()]
    return {
        home
        for value in values
        for kind in type(value).__mro__
        if isinstance(home := getattr(kind, "__module__", None), str) and home.startswith("lib.")
    } | {f.__module__ for f in values if isinstance(f, Callable) and _home(f).startswith("lib.")}


def _home(f: Callable) -> str:
    home = getattr(f, "__module__", None)
    return home if isinstance(home, str) else ""


def _within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")
