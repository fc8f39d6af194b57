"""The hint for a failing answer: the typical mistake it makes, or else what its result shows."""

from typing import Any

import numpy as np

from lib.course.exercise import Case, Exercise
from lib.course.marking.agreement import as_numbers, same, same_numbers
from lib.course.marking.attempt import (
    Attempt,
    Outcome,
    argument_names,
    of_wrong_answers,
)
from lib.course.marking.diagnosis import (
    common_relation,
    common_size_factor,
    fault_of_form,
)
from lib.course.marking.portable import Foreign


def typical_mistake(
    exercise: Exercise, cases: list[Case], failing: list[int], tried: Attempt
) -> str | None:
    """The hint of the typical wrong answer that fails in the same way on every failing case.

    Should two of them do so, the one that behaves like the answer on more cases wins.
    """
    best, most = None, -1
    for mistake, attempted in zip(
        exercise.wrongs, of_wrong_answers(exercise), strict=False
    ):
        theirs = attempted.outcomes
        if len(theirs) <= max(failing):
            continue
        alike = [
            _alike(exercise, case, ours, his)
            for case, ours, his in zip(cases, theirs, tried.outcomes, strict=False)
        ]
        if all(alike[i] for i in failing) and sum(alike) > most:
            best, most = mistake.hint, sum(alike)
    return best


def _alike(exercise: Exercise, case: Case, mistake: Outcome, tried: Outcome) -> bool:
    if mistake.kind != tried.kind or mistake.mutated.keys() != tried.mutated.keys():
        return False
    if mistake.kind == "raised":
        return mistake.error == tried.error
    if mistake.kind != "value":
        return False
    if _same_mistake(tried.value, mistake.value, case.tol):
        return True
    if exercise.accept is None:
        return False
    try:  # the same up to what the exercise leaves open, such as a sign
        return bool(exercise.accept(tried.value, mistake.value, case.args))
    except Exception:
        return False


def _same_mistake(one: Any, other: Any, tol: float) -> bool:
    """Like `same`, but NaN in the same place, or None, is the same mistake."""
    if isinstance(one, (Foreign, type(None))):
        return type(one) is type(other) and one == other
    a, b = as_numbers(one), as_numbers(other)
    if a is not None and b is not None:
        gone = np.isnan(a)
        if not gone.any():
            return same_numbers(a, b, tol)
        if a.shape != b.shape or not np.array_equal(gone, np.isnan(b)):
            return False
        return same_numbers(np.where(gone, 0.0, a), np.where(gone, 0.0, b), tol)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(
            _same_mistake(a, b, tol) for a, b in zip(one, other, strict=True)
        )
    return same(one, other, tol)


def general_hint(
    exercise: Exercise,
    cases: list[Case],
    failing: list[int],
    reference: Attempt,
    tried: Attempt,
    shown: int,
) -> str:
    """A hint read off the outcomes alone, for the case that is shown; "" if nothing stands out."""
    case, outcome = cases[shown], tried.outcomes[shown]
    if outcome.kind == "raised":
        return _on_error(exercise, case, outcome)
    if outcome.mutated:
        return "Work on a copy: `x = x.copy()`, or `x = x - 1` instead of `x -= 1`."
    if outcome.kind == "large":
        return "Your result is far larger than ours. What shape should it have?"
    form = fault_of_form(outcome.value, reference.outcomes[shown].value, case.tol)
    if form or any(tried.outcomes[i].kind != "value" for i in failing):
        return form or ""
    pairs = [
        (tried.outcomes[i].value, reference.outcomes[i].value, cases[i].tol)
        for i in failing
    ]
    sizes = [_sizes(exercise, cases[i]) for i in failing]
    return common_relation(pairs) or common_size_factor(pairs, sizes) or ""


def _sizes(exercise: Exercise, case: Case) -> dict[str, int]:
    """The lengths of a case's arguments, as a reader would name them: "length of x"."""
    names = [*argument_names(exercise, case), *case.kwargs]
    sizes = {}
    for name, value in zip(names, (*case.args, *case.kwargs.values()), strict=True):
        shape = getattr(value, "shape", None)
        if shape is None and isinstance(value, (list, tuple)):
            shape = (len(value),)
        if shape and len(shape) == 1:
            sizes[f"length of {name}"] = int(shape[0])
        elif shape:
            sizes |= {f"number of rows of {name}": int(shape[0])}
            sizes |= {f"number of columns of {name}": int(shape[1])}
    return sizes


_ON_ERROR = {
    "RecursionError": "The function calls itself without end: what stops it?",
    "SystemExit": "Leave out `exit()` and `sys.exit()`: use `return`.",
    "KeyboardInterrupt": "Leave the exception out: use `return`.",
    "MemoryError": "It asks for more memory than a check allows. Which array grows so large?",
    "NotImplementedError": "A part of it is still a placeholder.",
    "NameError": "A name is misspelt, or not defined or imported yet.",
    "ModuleNotFoundError": "The exercise needs nothing that is not installed.",
    "LinAlgError": "The matrix cannot be inverted here. Should it be?",
}
_ON_MESSAGE = (
    ("broadcast", "Two shapes do not fit together in this line."),
    ("matmul", "Two shapes do not fit together in this line."),
    ("mat1 and mat2", "Two shapes do not fit together in this line."),
    ("not aligned", "Two shapes do not fit together in this line."),
    ("must match the size", "Two shapes do not fit together in this line."),
    ("truth value of an array", "An `if` needs one truth value, not an array of them."),
)


def _on_error(exercise: Exercise, case: Case, outcome: Outcome) -> str:
    if (
        outcome.error == "TypeError"
        and not outcome.place
        and not exercise.asks_for_class
    ):
        names = [*argument_names(exercise, case), *case.kwargs]
        return (
            f"It is called with {len(names)} arguments: {', '.join(names)}."
            if names
            else ""
        )
    for part, hint in _ON_MESSAGE:
        if part in outcome.message:
            return hint
    return _ON_ERROR.get(outcome.error, "")
