"""Marking an answer: not attempted, passed, or not yet, with the smallest failing case."""

import dis
import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.course.agreement import same
from lib.course.attempt import Attempt, Outcome, attempt
from lib.course.diagnosis import diagnose
from lib.course.exercise import Case, Exercise
from lib.course.originality import borrowed_answer
from lib.course.portable import Foreign

PASSED, NOT_YET, NOT_ATTEMPTED = "passed", "not yet", "not attempted yet"


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
    missing = _no_answer(exercise, answer)
    if missing is not None:
        return Verdict(exercise, NOT_ATTEMPTED, missing)
    unfit = _unfit(exercise, answer)
    if unfit:
        return Verdict(exercise, NOT_YET, unfit)
    ours = None if trusted else borrowed_answer(answer, exercise)
    if ours:
        return Verdict(exercise, NOT_YET, _borrowed(ours))
    cases = exercise.cases()
    reference = attempt(exercise, exercise.solution, cases, trusted=True)
    if reference.ending == "interrupt":
        return Verdict(exercise, NOT_YET, "You stopped the check.")
    if len(reference.outcomes) < len(cases) or any(o.kind != "value" for o in reference.outcomes):
        return Verdict(exercise, NOT_YET, "Our own solution failed here, so nothing was checked. "
                       "The fault is ours, or a library was changed in this notebook: "
                       "restart the kernel and try again.")  # fmt: skip
    tried = attempt(exercise, answer, cases, of_solution=reference.lib_modules, trusted=trusted)
    if tried.borrowed:
        return Verdict(exercise, NOT_YET, _borrowed(tried.borrowed), printed=tried.printed)
    empty = _returns_nothing(tried, reference, answer)
    if empty is not None:
        return Verdict(exercise, NOT_ATTEMPTED, empty, printed=tried.printed)
    return _judge(exercise, cases, reference, tried)


def _borrowed(name: str) -> str:
    return f"That is our own implementation ({name}). Write yours."


# ---------------------------------------------------------------- stubs and unfit answers


def _no_answer(exercise: Exercise, answer: Any) -> str | None:
    """A word on what is missing when there is nothing to run, None when there is something."""
    if answer is None or answer is Ellipsis:
        what = (
            "value"
            if exercise.asks_for_value
            else "class"
            if exercise.asks_for_class
            else "function"
        )
        return f"Put your {what} in place of the placeholder, then run the cell again."
    if type(answer) is types.FunctionType and is_stub(answer):
        return "Replace the placeholder with your code, then run the cell again."
    if exercise.asks_for_class and inspect.isclass(answer):
        mine, theirs = vars(exercise.solution), vars(answer)
        for name, method in theirs.items():
            known = mine.get(name)
            if _plain(method) and is_stub(method) and _plain(known) and not is_stub(known):
                return (
                    f"The method {name} is still a placeholder. Write it, then run the cell again."
                )
    return None


def _plain(thing: Any) -> bool:
    return type(thing) is types.FunctionType


_STUB_OPS = {
    "RESUME", "NOP", "CACHE", "COPY_FREE_VARS", "MAKE_CELL", "LOAD_CONST", "RETURN_CONST",
    "RETURN_VALUE", "POP_TOP", "PUSH_NULL", "LOAD_GLOBAL", "PRECALL", "CALL", "RAISE_VARARGS",
    "LOAD_COMMON_CONSTANT",
}  # fmt: skip


def is_stub(function: types.FunctionType) -> bool:
    """Whether a function has no body yet: ``...``, ``pass``, a docstring, or NotImplementedError."""
    ops = list(dis.get_instructions(function))
    if not {op.opname for op in ops} <= _STUB_OPS:
        return False
    loaded = {op.argval for op in ops if op.opname == "LOAD_GLOBAL"}
    if loaded:
        return loaded == {"NotImplementedError"} and ops[-1].opname == "RAISE_VARARGS"
    given = [op.argval for op in ops if op.opname in ("LOAD_CONST", "RETURN_CONST")]
    return all(value is None or value is Ellipsis for value in given)


def _unfit(exercise: Exercise, answer: Any) -> str | None:
    """What to say of an answer that cannot be called at all."""
    if exercise.asks_for_value:
        return None
    if exercise.asks_for_class and not inspect.isclass(answer):
        return "This exercise asks for a class. Give its name, without brackets."
    if not callable(answer):
        return ("This exercise asks for a function. Give its name, without brackets: "
                f'check("{exercise.id}", your_function).')  # fmt: skip
    return None


def _returns_nothing(tried: Attempt, reference: Attempt, answer: Any) -> str | None:
    """Not attempted after all: every call gave None, `...` or NotImplementedError."""
    if tried.ending != "finished" or not tried.outcomes:
        return None
    if all(o.kind == "raised" and o.error == "NotImplementedError" for o in tried.outcomes):
        return "It raises NotImplementedError. Write your code, then run the cell again."
    if all(_is_nothing(o.value) for o in reference.outcomes):
        return None
    if all(o.kind == "value" and not o.mutated and _is_nothing(o.value) for o in tried.outcomes):
        return "It returns None so far. If you have written it, is the return missing?"
    return None


def _is_nothing(value: Any) -> bool:
    if value is None or (isinstance(value, Foreign) and value.kind == "..."):
        return True
    return isinstance(value, (list, tuple)) and bool(value) and all(map(_is_nothing, value))


# ---------------------------------------------------------------- the judgement


def _judge(exercise: Exercise, cases: list[Case], reference: Attempt, tried: Attempt) -> Verdict:
    if tried.ending == "interrupt":
        return Verdict(exercise, NOT_YET, "You stopped the check.", printed=tried.printed)
    failing = [
        i
        for i, outcome in enumerate(tried.outcomes)
        if not accepts(exercise, cases[i], outcome, reference.outcomes[i])
    ]
    if not failing and tried.ending != "finished":
        stopped = len(tried.outcomes)
        at = cases[stopped] if stopped < len(cases) else None
        expected = reference.outcomes[stopped].value if at else None
        return Verdict(
            exercise, NOT_YET, _ended(exercise, tried), at, expected, printed=tried.printed
        )
    if not failing:
        return Verdict(exercise, PASSED, _count(cases), printed=tried.printed)
    smallest = min(failing, key=lambda i: (_size(cases[i]), i))
    outcome, expected = tried.outcomes[smallest], reference.outcomes[smallest].value
    hint = _typical(exercise, cases, failing, tried) or _generic(
        outcome, expected, cases[smallest]
    )
    return Verdict(exercise, NOT_YET, _failure(outcome, failing, cases), cases[smallest], expected,
                   outcome, hint, tried.printed)  # fmt: skip


def accepts(exercise: Exercise, case: Case, outcome: Outcome, reference: Outcome) -> bool:
    """Whether one outcome is right; a faulty ``accept`` counts as no."""
    if outcome.kind != "value" or outcome.mutated:
        return False
    if exercise.accept is None:
        return same(outcome.value, reference.value, case.tol)
    try:
        return bool(exercise.accept(outcome.value, reference.value, case.args))
    except Exception:
        return False  # the result does not have the form that accept looks into


def _typical(
    exercise: Exercise, cases: list[Case], failing: list[int], tried: Attempt
) -> str | None:
    """The hint of the typical wrong answer that fails in the same way on every failing case."""
    best, most = None, -1
    for mistake in exercise.wrongs:
        theirs = attempt(exercise, mistake.answer, cases, trusted=True)
        if len(theirs.outcomes) <= max(failing):
            continue
        alike = [
            _alike(a, b, c.tol)
            for a, b, c in zip(theirs.outcomes, tried.outcomes, cases, strict=False)
        ]
        if all(alike[i] for i in failing) and sum(alike) > most:
            best, most = mistake.hint, sum(alike)
    return best


def _alike(one: Outcome, other: Outcome, tol: float) -> bool:
    if (one.kind, one.mutated) != (other.kind, other.mutated):
        return False
    if one.kind == "raised":
        return one.error == other.error
    return one.kind == "value" and _same_mistake(one.value, other.value, tol)


def _same_mistake(one: Any, other: Any, tol: float) -> bool:
    """Like `same`, but the same NaN in the same place is the same mistake."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.shape == other.shape:
        if one.dtype.kind in "fc" and other.dtype.kind in "fc":
            if not np.array_equal(np.isnan(one), np.isnan(other)):
                return False
            one, other = np.nan_to_num(one, nan=0.0), np.nan_to_num(other, nan=0.0)
    elif isinstance(one, float) and isinstance(other, float) and one != one and other != other:
        return True
    elif isinstance(one, Foreign) or one is None:
        return one == other
    return same(one, other, tol)


def _generic(outcome: Outcome, expected: Any, case: Case) -> str:
    if outcome.kind == "raised":
        return _on_error(outcome)
    if outcome.mutated:
        return "Work on a copy: x = x.copy(), or write x = x - 1 instead of x -= 1."
    if outcome.kind == "large":
        return "Your result is far larger than ours. What shape should it have?"
    return diagnose(outcome.value, expected, case.tol) or ""


def _on_error(outcome: Outcome) -> str:
    return {
        "RecursionError": "The function calls itself without end: what stops it?",
        "SystemExit": "Leave out exit() and sys.exit(): use return.",
        "MemoryError": "It asks for more memory than a check allows. Which array grows so large?",
        "NotImplementedError": "A part of it is still a placeholder.",
    }.get(outcome.error, "")


def _ended(exercise: Exercise, tried: Attempt) -> str:
    if tried.ending == "time":
        return (f"It did not finish within {exercise.seconds} seconds and was stopped. "
                "Is there a loop that never ends?")  # fmt: skip
    if tried.ending == "exit":
        return "It ended the Python process itself. Leave out os._exit and the like: use return."
    if tried.detail in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL"):
        return f"It crashed the Python process ({tried.detail}). Is there a recursion that never ends?"
    return f"It ended the Python process ({tried.detail or 'for an unknown reason'})."


def _failure(outcome: Outcome, failing: list[int], cases: list[Case]) -> str:
    many = f"{len(failing)} of {len(cases)} cases" if len(cases) > 1 else ""
    if outcome.kind == "raised":
        return f"It raises {outcome.error}" + (f" ({many} fail)." if many else ".")
    if outcome.mutated:
        changed = " and ".join(outcome.mutated)
        return f"It changes its input {changed}: whoever calls it would not expect that."
    return f"{many} fail." if many else "Not the value we get."


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
    drawn = sum(case.random for case in cases)
    fixed = len(cases) - drawn
    if len(cases) == 1 and not cases[0].args and not cases[0].kwargs:
        return "Your value is right."
    parts = [
        f"{n} {kind} case{'s' if n > 1 else ''}"
        for n, kind in ((fixed, "fixed"), (drawn, "random"))
        if n
    ]
    return f"Checked on {' and '.join(parts)}."
