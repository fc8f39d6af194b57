"""Marking an answer: not attempted, passed, or not yet, with the smallest failing case."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.course.exercise import Case, Exercise
from lib.course.marking.agreement import same
from lib.course.marking.attempt import (
    Attempt,
    BrokenSolution,
    Outcome,
    attempt,
    of_solution,
)
from lib.course.marking.mistakes import general_hint, typical_mistake
from lib.course.marking.originality import borrowed_answer
from lib.course.marking.stubs import is_nothing, missing_answer, unfit_answer

PASSED, NOT_YET, NOT_ATTEMPTED = "passed", "not yet", "not attempted yet"
_STOPPED = "You stopped the check."
_OUR_FAULT = (
    "Our own solution failed here, so nothing was checked. The fault is ours, or a library was "
    "changed in this notebook: restart the kernel and try again."
)


@dataclass(frozen=True)
class Verdict:
    """How an answer was marked, and all that the reader is shown of it."""

    exercise: Exercise
    status: str
    summary: str
    case: Case | None = None
    expected: Any = None
    outcome: Outcome | None = None
    hint: str = ""
    printed: str = ""


def mark(exercise: Exercise, answer: Any, *, trusted: bool = False) -> Verdict:
    """Mark ``answer``. Never raises for anything the answer does; ``trusted`` answers are ours."""
    missing = missing_answer(exercise, answer)
    if missing is not None:
        return Verdict(exercise, NOT_ATTEMPTED, missing)
    refusal = unfit_answer(exercise, answer)
    if refusal is None and not trusted:
        refusal = _told(borrowed_answer(answer, exercise))
    if refusal is not None:
        return Verdict(exercise, NOT_YET, refusal)
    try:
        reference = of_solution(exercise)
    except BrokenSolution:
        return Verdict(exercise, NOT_YET, _OUR_FAULT)
    tried = attempt(
        exercise, answer, of_solution=None if trusted else reference.lib_modules
    )
    if tried.borrowed:
        return Verdict(exercise, NOT_YET, _told(tried.borrowed), printed=tried.printed)
    empty = _returns_nothing(tried, reference)
    if empty is not None:
        return Verdict(exercise, NOT_ATTEMPTED, empty, printed=tried.printed)
    return _judge(exercise, exercise.cases(), reference, tried)


def _told(name: str | None) -> str | None:
    told = f"That is our own implementation ({name}). Write yours."
    return None if name is None else told


def _returns_nothing(tried: Attempt, reference: Attempt) -> str | None:
    """Not attempted after all: every call gave None, `...` or NotImplementedError."""
    if tried.ending != "finished" or not tried.outcomes:
        return None
    if all(
        o.kind == "raised" and o.error == "NotImplementedError" for o in tried.outcomes
    ):
        return (
            "It raises NotImplementedError. Write your code, then run the cell again."
        )
    if all(is_nothing(o.value) for o in reference.outcomes):
        return None
    if all(
        o.kind == "value" and not o.mutated and is_nothing(o.value)
        for o in tried.outcomes
    ):
        return "It returns None so far. If you have written it, is the return missing?"
    return None


def _judge(
    exercise: Exercise, cases: list[Case], reference: Attempt, tried: Attempt
) -> Verdict:
    if tried.ending == "interrupt":
        return Verdict(exercise, NOT_YET, _STOPPED, printed=tried.printed)
    failing = [
        i
        for i, outcome in enumerate(tried.outcomes)
        if not accepts(exercise, cases[i], outcome, reference.outcomes[i])
    ]
    if not failing and tried.ending != "finished":
        stopped = len(tried.outcomes)
        at = cases[stopped] if stopped < len(cases) else None
        expected = reference.outcomes[stopped].value if at else None
        summary = _ended(exercise, tried)
        return Verdict(exercise, NOT_YET, summary, at, expected, printed=tried.printed)
    if not failing:
        return Verdict(exercise, PASSED, _count(cases), printed=tried.printed)
    smallest = min(failing, key=lambda i: (_size(cases[i]), i))
    outcome, expected = tried.outcomes[smallest], reference.outcomes[smallest].value
    hint = typical_mistake(exercise, cases, failing, tried)
    if hint is None:
        hint = general_hint(exercise, cases, failing, reference, tried, smallest)
    return Verdict(
        exercise, NOT_YET, _failure(outcome, failing, cases), cases[smallest], expected,
        outcome, hint, tried.printed,
    )  # fmt: skip


def accepts(
    exercise: Exercise, case: Case, outcome: Outcome, reference: Outcome
) -> bool:
    """Whether one outcome is right; an ``accept`` that cannot cope with it counts as no."""
    if outcome.kind != "value" or outcome.mutated:
        return False
    if exercise.accept is None:
        return same(outcome.value, reference.value, case.tol)
    try:
        return bool(exercise.accept(outcome.value, reference.value, case.args))
    except Exception:
        return False  # the result does not have the form that accept looks into


def _ended(exercise: Exercise, tried: Attempt) -> str:
    """Why an answer did not come back."""
    if tried.ending == "time":
        limit = f"{exercise.seconds} second{'s' if exercise.seconds > 1 else ''}"
        return f"It did not finish within {limit}. Is there a loop that never ends?"
    if tried.ending == "exit":
        return (
            "It ended the Python process. Leave out os._exit and the like: use return."
        )
    if tried.detail in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL"):
        return (
            f"It crashed Python ({tried.detail}). Is there a recursion that never ends?"
        )
    return f"It ended the Python process ({tried.detail or 'for an unknown reason'})."


def _failure(outcome: Outcome, failing: list[int], cases: list[Case]) -> str:
    """One line on a failing case: what went wrong, and how often."""
    if len(cases) == 1:
        many = ""
    elif len(failing) == len(cases):
        many = "every case fails"
    else:
        many = f"{len(failing)} of {len(cases)} cases fail{'s' if len(failing) == 1 else ''}"
    if outcome.kind == "raised":
        return f"It raises {outcome.error}" + (f" ({many})." if many else ".")
    if outcome.mutated:
        changed = " and ".join(outcome.mutated)
        return (
            f"It changes its input {changed}: whoever calls it would not expect that."
        )
    return f"{many.capitalize()}." if many else "Not the value we get."


def _size(case: Case) -> int:
    """How large a case is to look at: the number of numbers in it."""
    return sum(_count_numbers(v) for v in (*case.args, *case.kwargs.values()))


def _count_numbers(value: Any) -> int:
    if isinstance(value, (list, tuple, set)):
        return sum(map(_count_numbers, value))
    if isinstance(value, dict):
        return sum(map(_count_numbers, value.values()))
    size = getattr(value, "size", 1)
    if isinstance(size, Callable):  # torch
        return int(value.numel())
    return int(size) if isinstance(size, (int, np.integer)) else 1


def _count(cases: list[Case]) -> str:
    """What was checked, for a reader who passed."""
    if len(cases) == 1 and not cases[0].args and not cases[0].kwargs:
        return "Your value is right."
    drawn = sum(case.random for case in cases)
    parts = [
        f"{n} {kind} case{'s' if n > 1 else ''}"
        for n, kind in ((len(cases) - drawn, "fixed"), (drawn, "random"))
        if n
    ]
    return f"Checked on {' and '.join(parts)}."
