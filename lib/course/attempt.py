"""Calling an answer on the cases, in isolation, and what came of it, case by case."""

import copy
import linecache
import os
import random
import re
import sys
import sysconfig
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lib.course.exercise import Case, Exercise
from lib.course.isolation import Limits, Run, run_isolated
from lib.course.originality import Watch, borrowed_call
from lib.course.portable import TooLarge, pack, unpack

_LIB = str(Path(__file__).resolve().parents[1]) + os.sep
_NOT_THE_READERS = (_LIB, *{sysconfig.get_path(p) for p in ("stdlib", "purelib", "platlib")})


@dataclass(frozen=True)
class Outcome:
    """What one call gave. ``kind`` is "value", "raised" or "large"; ``error`` names an exception,
    with ``message`` and the place in the reader's code; ``mutated`` names changed arguments."""

    kind: str
    value: Any = None
    error: str = ""
    message: str = ""
    place: str = ""
    mutated: tuple[str, ...] = ()


@dataclass
class Attempt:
    """The outcomes of one answer on all cases; fewer than the cases if it did not come back."""

    outcomes: list[Outcome] = field(default_factory=list)
    ending: str = "finished"
    detail: str = ""
    printed: str = ""
    borrowed: str | None = None
    lib_modules: tuple[str, ...] = ()


def attempt(
    exercise: Exercise,
    answer: Any,
    cases: list[Case],
    *,
    of_solution: tuple[str, ...] = (),
    trusted: bool = False,
) -> Attempt:
    """Run ``answer`` on every case in isolation. A trusted answer is ours and may call ours."""

    def task(send: Callable) -> None:
        call = caller(exercise, answer)
        for index, case in enumerate(cases):
            with Watch() if index == 0 else _Unwatched() as watch:
                outcome = _call_once(exercise, call, case)
            if index == 0:
                homes = tuple({home for home, _ in watch.calls()})
                taken = None if trusted else borrowed_call(watch, exercise, of_solution, case)
                send(("watched", homes, taken))
            send(("outcome", *outcome))

    run = run_isolated(task, Limits(cpu_seconds=exercise.seconds))
    return _read(run)


class _Unwatched:
    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        return None


def caller(exercise: Exercise, answer: Any) -> Callable:
    """How the answer is called: as it is, through the exercise's ``run``, or given as a value."""
    if exercise.run is not None:
        return lambda *args, **kwargs: exercise.run(answer, *args, **kwargs)
    if exercise.asks_for_value and not isinstance(answer, types.FunctionType):
        return lambda: answer
    return answer


def _call_once(exercise: Exercise, call: Callable, case: Case) -> tuple:
    """One call on copies of the arguments: (kind, payload, error, message, place, mutated)."""
    args, kwargs = copy.deepcopy((case.args, case.kwargs))
    _seed()
    try:
        value = call(*args, **kwargs)
    except BaseException as error:
        return ("raised", b"", *_describe(error), ())
    mutated = () if exercise.may_mutate else _mutated(exercise, case, args, kwargs)
    try:
        return ("value", pack(value), "", "", "", mutated)
    except (TooLarge, MemoryError):
        return ("large", b"", "", "", "", mutated)


def _seed() -> None:
    """Every call of every answer starts from the same seeds, so that results repeat."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - the reader's code may draw from it
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def _mutated(exercise: Exercise, case: Case, args: tuple, kwargs: dict) -> tuple[str, ...]:
    """The names of arguments that are data and no longer what they were."""
    names = [*argument_names(exercise, case), *kwargs]
    before, after = [*case.args, *case.kwargs.values()], [*args, *kwargs.values()]
    changed = []
    for name, b, a in zip(names, before, after, strict=True):
        try:
            if pack(b) != pack(a):
                changed.append(name)
        except TooLarge:
            pass  # too large to compare; such cases are not written
    return tuple(changed)


def argument_names(exercise: Exercise, case: Case) -> list[str]:
    """The names of the positional arguments of a case, as the solution (or ``run``) calls them."""
    asked = exercise.run or exercise.solution
    code = getattr(asked, "__code__", None)
    if code is None:
        return [f"argument {i + 1}" for i in range(len(case.args))]
    names = list(code.co_varnames[: code.co_argcount])
    if exercise.run is not None:
        names = names[1:]
    rest = [f"argument {i + 1}" for i in range(len(names), len(case.args))]
    return [*names[: len(case.args)], *rest]


def _describe(error: BaseException) -> tuple[str, str, str]:
    """The exception's name, its message without addresses, and the place in the reader's code."""
    name = type(error).__name__
    try:
        message = tidy(str(error))
    except BaseException:
        message = ""
    try:
        place = _place(error)
    except BaseException:
        place = ""
    return str(name)[:80], message, place


def tidy(text: str, most: int = 300) -> str:
    """Text without addresses or control characters, on one line, not too long."""
    text = re.sub(r"\b0x[0-9a-fA-F]+", "0x…", text[: 4 * most])
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _place(error: BaseException) -> str:
    for frame in reversed(traceback.extract_tb(error.__traceback__, limit=-200)):
        own = not frame.filename.startswith(_NOT_THE_READERS) and frame.name != "<module>"
        if own and not frame.filename.startswith("<frozen"):
            line = (frame.line or linecache.getline(frame.filename, frame.lineno)).strip()
            return f"in {frame.name}: {tidy(line, 120)}" if line else f"in {frame.name}"
    return ""


def _read(run: Run) -> Attempt:
    found = Attempt(ending=run.ending, detail=run.detail, printed=run.printed)
    for message in run.messages:
        if message[0] == "watched":
            found.lib_modules, found.borrowed = message[1:]
        elif message[0] == "outcome":
            kind, payload, error, text, place, mutated = message[1:]
            value = unpack(payload) if kind == "value" else None
            found.outcomes.append(Outcome(kind, value, error, text, place, tuple(mutated)))
    return found
