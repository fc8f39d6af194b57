"""``check``, ``hint`` and ``solution``: what a reader uses beside an exercise.

None of them ever raises into the notebook, and none of them changes anything in it: the answer
runs in a process of its own (see `isolation`).
"""

import inspect
import textwrap
from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any

from lib.course import record
from lib.course.chapter import is_static
from lib.course.exercise import Exercise, UnknownExercise, find
from lib.course.listing import highlighted
from lib.course.marking.verdict import NOT_ATTEMPTED, PASSED, mark
from lib.course.marking.verdict_view import message_panel, verdict_panel
from lib.course.panel import Panel
from lib.course.prose import inline, paragraphs

_hints_shown: dict[str, int] = {}


def _shown_calmly(make: Callable[..., Panel]) -> Callable[..., None]:
    """Show the panel that ``make`` returns; whatever goes wrong is shown too, never raised."""

    @wraps(make)
    def show(*args, **kwargs) -> None:
        try:
            panel = make(*args, **kwargs)
        except UnknownExercise as error:
            panel = message_panel(str(error))
        except KeyboardInterrupt:
            panel = message_panel("You stopped the check.")
        except Exception as error:
            kind = type(error).__name__
            panel = message_panel(
                f"The machinery itself failed here ({kind}). The fault is ours."
            )
        panel.show()

    return show


@_shown_calmly
def check(id: str, answer: Any = None) -> Panel:
    """Mark ``answer`` to the exercise ``id``: not attempted yet, passed, or not yet and why."""
    verdict = mark(find(id), answer)
    if verdict.status != NOT_ATTEMPTED and not is_static():
        record.remember(verdict.exercise.id, passed=verdict.status == PASSED)
    return verdict_panel(verdict)


@_shown_calmly
def hint(id: str) -> Panel:
    """Show the next hint of an exercise, from mild to strong; in the book, all behind toggles."""
    exercise = find(id)
    if is_static():
        return _folded_hints(exercise)
    total = len(exercise.hints)
    _hints_shown[id] = count = min(_hints_shown.get(id, 0) + 1, total)
    shown = exercise.hints[:count]
    items = "".join(f"<li>{inline(text)}</li>" for text in shown)
    more = (
        f"Run the cell again for the next of {total}."
        if count < total
        else "That was the last."
    )
    html = f'<div class="course-hint"><ol>{items}</ol><p class="course-hint-more">{more}</p></div>'
    lines = [f"Hint {i} of {total}: {text}" for i, text in enumerate(shown, 1)]
    return Panel(html, "\n".join(lines))


def _folded_hints(exercise: Exercise) -> Panel:
    total = len(exercise.hints)
    html = "\n".join(
        f'<details class="course-hint"><summary>Hint {i} of {total}</summary>'
        f"<p>{inline(text)}</p></details>"
        for i, text in enumerate(exercise.hints, 1)
    )
    return Panel(html, f"Hints for {exercise.id}: {total}")


@_shown_calmly
def solution(id: str) -> Panel:
    """Show the reference solution of an exercise and why it is right, behind a toggle."""
    exercise = find(id)
    code = solution_source(exercise)
    html = (
        f'<details class="course-solution" data-exercise="{escape(exercise.id)}">'
        "<summary>Solution</summary>\n"
        f'<figure class="listing">{highlighted(code)}</figure>\n'
        f"{paragraphs(exercise.why)}\n</details>"
    )
    return Panel(html, f"Solution of {exercise.id}\n\n{code}\n\n{exercise.why}")


def solution_source(exercise: Exercise) -> str:
    """The source of the reference solution, as the reader would write it."""
    return textwrap.dedent(inspect.getsource(exercise.solution)).rstrip()
