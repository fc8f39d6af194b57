"""Calling an answer on the cases, in isolation, and what came of it, case by case."""

import copy
import random
import sys
import time
import types
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lib.course.exercise import Case, Exercise
from lib.course.marking.isolation import Limits, Run, run_isolated
from lib.course.marking.originality import Watch, borrowed_call
from lib.course.marking.portable import TooLarge, pack, unpack
from lib.course.marking.readers_error import describe_error

# Watching which of our functions an answer calls slows it down, so it ends after this long.
_SECONDS_WATCHED = 0.2


@dataclass(frozen=True)
class Outcome:
    """What one call gave.

    ``kind`` is "value", "raised" (``error``, ``message`` and the ``place`` in the reader's code)
    or "large". ``mutated`` has the arguments that the call changed, as they are afterwards.
    """

    kind: str
    value: Any = None
    error: str = ""
    message: str = ""
    place: str = ""
    mutated: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """The outcomes of one answer on all cases; fewer than the cases if it did not come back.

    ``borrowed`` names our own code if the answer called it; ``lib_modules`` are the modules of
    ``lib`` that ran.
    """

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
        watch, start = Watch(), time.process_time()
        for index, case in enumerate(cases):
            watching = time.process_time() - start < _SECONDS_WATCHED
            with watch if watching else nullcontext():
                outcome = _call_once(exercise, call, case)
            send(("outcome", index, *outcome))
            if not trusted and watching:
                send(("borrowed", borrowed_call(watch, exercise, of_solution, case)))
        send(("modules", tuple(sorted(watch.modules()))))

    return _read(run_isolated(task, Limits(cpu_seconds=exercise.seconds)))


def caller(exercise: Exercise, answer: Any) -> Callable:
    """How the answer is called: as it is, through the exercise's ``run``, or given as a value."""
    if exercise.run is not None:
        return lambda *args, **kwargs: exercise.run(answer, *args, **kwargs)
    if exercise.asks_for_value and type(answer) is not types.FunctionType:
        return lambda: answer
    return answer


def _call_once(exercise: Exercise, call: Callable, case: Case) -> tuple:
    """One call on copies of the arguments: kind, packed value, error, place, mutated arguments."""
    args, kwargs = copy.deepcopy((case.args, case.kwargs))
    _seed()
    try:
        value = call(*args, **kwargs)
    except BaseException as error:
        return ("raised", b"", describe_error(error), ())
    try:
        mutated = () if exercise.may_mutate else _mutated(exercise, case, args, kwargs)
        return ("value", pack(value), ("", "", ""), mutated)
    except (TooLarge, MemoryError):
        return ("large", b"", ("", "", ""), ())
    except BaseException as error:  # an object that fights back while it is read
        return ("raised", b"", describe_error(error), ())


def _seed() -> None:
    """Every call of every answer starts from the same seeds, so that results repeat."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - the reader's code may draw from it
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def _mutated(exercise: Exercise, case: Case, args: tuple, kwargs: dict) -> tuple:
    """The arguments that are data and no longer what they were: (name, packed value) pairs."""
    names = [*argument_names(exercise, case), *kwargs]
    before = [pack(value) for value in (*case.args, *case.kwargs.values())]
    after = [pack(value) for value in (*args, *kwargs.values())]
    return tuple((n, a) for n, b, a in zip(names, before, after, strict=True) if a != b)


def argument_names(exercise: Exercise, case: Case) -> list[str]:
    """The names of the positional arguments of a case, as the solution (or ``run``) has them."""
    asked = exercise.run or exercise.solution
    code = getattr(asked, "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    if exercise.run is not None:
        names = names[1:]  # the answer itself
    rest = [f"argument {i + 1}" for i in range(len(names), len(case.args))]
    return [*names[: len(case.args)], *rest]


def _read(run: Run) -> Attempt:
    found = Attempt(ending=run.ending, detail=run.detail, printed=run.printed)
    try:
        for kind, *rest in run.messages:
            if kind == "modules":
                found.lib_modules = rest[0]
            elif kind == "borrowed":
                found.borrowed = found.borrowed or rest[0]
            elif rest[0] == len(found.outcomes):  # an answer that forks sends twice
                found.outcomes.append(_outcome(*rest[1:]))
    except Exception:
        found.ending, found.detail = "crash", "it meddled with the check"
    return found


def _outcome(kind: str, packed: bytes, error: tuple, mutated: tuple) -> Outcome:
    value = unpack(packed) if kind == "value" else None
    return Outcome(
        kind, value, *error, {name: unpack(after) for name, after in mutated}
    )
