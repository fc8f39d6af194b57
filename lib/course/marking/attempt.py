"""Calling an answer on the cases, in isolation, and what came of it, case by case."""

import copy
import random
import sys
import time
import types
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
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
    exercise: Exercise, answer: Any, *, of_solution: tuple[str, ...] | None = None
) -> Attempt:
    """Run ``answer`` on every case in isolation.

    ``of_solution`` are the modules of ``lib`` that the solution uses: the answer may call no
    other. None is for answers of ours, which may call everything.
    """
    return _attempt_in_turn(exercise, [answer], of_solution)[0]


@lru_cache(maxsize=256)
def of_solution(exercise: Exercise) -> Attempt:
    """What the reference solution gives; a BrokenSolution is raised when it fails on a case."""
    found = attempt(exercise, exercise.solution)
    if found.ending == "interrupt":
        raise KeyboardInterrupt
    if not all(o.kind == "value" for o in found.outcomes) or found.ending != "finished":
        raise BrokenSolution(exercise.id)
    return found


@lru_cache(maxsize=256)
def of_wrong_answers(exercise: Exercise) -> tuple[Attempt, ...]:
    """What the typical wrong answers give, one attempt for each."""
    found = _attempt_in_turn(exercise, [one.answer for one in exercise.wrongs], None)
    if any(one.ending == "interrupt" for one in found):
        raise KeyboardInterrupt
    return tuple(found)


class BrokenSolution(Exception):
    """A reference solution that fails: a fault of the book, or of what the notebook changed."""


def _attempt_in_turn(
    exercise: Exercise, answers: list, of_solution: tuple[str, ...] | None
) -> list[Attempt]:
    """Several answers one after the other in one process, as far as it lives; then a new one."""
    cases = exercise.cases()

    def task(send: Callable) -> None:
        for answer in answers:
            send(("begin",))
            _work(exercise, answer, cases, of_solution, send)

    run = run_isolated(task, Limits(cpu_seconds=exercise.seconds))
    found = _read(run)
    if len(found) < len(answers) and found and run.ending != "interrupt":
        found += _attempt_in_turn(exercise, answers[len(found) :], of_solution)
    return found or [Attempt(ending=run.ending, detail=run.detail)]


def _work(
    exercise: Exercise,
    answer: Any,
    cases: list[Case],
    of_solution: tuple[str, ...] | None,
    send: Callable,
) -> None:
    """In the child: call one answer on every case and send what comes of it."""
    call = caller(exercise, answer)
    watch, start = Watch(), time.process_time()
    for index, case in enumerate(cases):
        watching = time.process_time() - start < _SECONDS_WATCHED
        with watch if watching else nullcontext():
            outcome = _call_once(exercise, call, case)
        send(("outcome", index, *outcome))
        if of_solution is not None and watching:
            send(("borrowed", borrowed_call(watch, exercise, of_solution, case)))
    send(("modules", tuple(sorted(watch.modules()))))


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


def _read(run: Run) -> list[Attempt]:
    """The attempts that a run began; the last has its ending, those before it finished."""
    found: list[Attempt] = []
    try:
        for kind, *rest in run.messages:
            if kind == "begin":
                found.append(Attempt(printed=run.printed))
            elif kind == "modules":
                found[-1].lib_modules = rest[0]
            elif kind == "borrowed":
                found[-1].borrowed = found[-1].borrowed or rest[0]
            elif rest[0] == len(found[-1].outcomes):  # an answer that forks sends twice
                found[-1].outcomes.append(_outcome(*rest[1:]))
    except Exception:
        run.ending, run.detail = "crash", "it meddled with the check"
    if found:
        found[-1].ending, found[-1].detail = run.ending, run.detail
    return found


def _outcome(kind: str, packed: bytes, error: tuple, mutated: tuple) -> Outcome:
    value = unpack(packed) if kind == "value" else None
    return Outcome(
        kind, value, *error, {name: unpack(after) for name, after in mutated}
    )
