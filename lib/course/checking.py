"""``check``, ``hint`` and ``solution``: what a reader uses beside an exercise.

None of them ever raises into the notebook, and none of them changes anything in it: the answer
runs in a process of its own (see `isolation`).
"""

import inspect
import textwrap
from functools import wraps
from html import escape
from typing import Any

from lib.course import record
from lib.course.chapter import is_static
from lib.course.exercise import Exercise, find
from lib.course.marking import NOT_ATTEMPTED, PASSED, mark
from lib.course.panel import Panel
from lib.course.verdict_view import unknown_panel, verdict_panel

_shown_hints: dict[str, int] = {}


def _never_raises(function):
    """Whatever goes wrong in the machinery itself is shown, not raised."""

    @wraps(function)
    def calm(*args, **kwargs) -> None:
        try:
            panel = function(*args, **kwargs)
        except KeyboardInterrupt:
            panel = unknown_panel("You stopped the check.")
        except KeyError as error:
            panel = unknown_panel(
                str(error.args[0]) if error.args else "There is no such exercise."
            )
        except Exception as error:
            panel = unknown_panel(
                f"The check itself failed ({type(error).__name__}). The fault is ours."
            )
        panel.show()

    return calm


@_never_raises
def check(id: str, answer: Any = None) -> Panel:
    """Mark ``answer`` to the exercise ``id``: not attempted yet, passed, or not yet and why."""
    verdict = mark(find(id), answer)
    if verdict.status != NOT_ATTEMPTED:
        record.remember(verdict.exercise.id, passed=verdict.status == PASSED)
    return verdict_panel(verdict)


@_never_raises
def hint(id: str) -> Panel:
    """Show the next hint of an exercise, from mild to strong; in the book, all behind toggles."""
    found = find(id)
    if is_static():
        return _hints_panel(found, len(found.hints), folded=True)
    _shown_hints[id] = min(_shown_hints.get(id, 0) + 1, len(found.hints))
    return _hints_panel(found, _shown_hints[id], folded=False)


def _hints_panel(exercise: Exercise, count: int, folded: bool) -> Panel:
    total = len(exercise.hints)
    shown = exercise.hints[:count]
    if folded:
        html = "".join(
            f'<details class="course-hint"><summary>Hint {i} of {total}</summary><p>{escape(text)}</p></details>'
            for i, text in enumerate(shown, 1)
        )
        return Panel(html, f"Hints for {exercise.id}: {total}")
    items = "".join(f"<li>{escape(text)}</li>" for text in shown)
    more = "" if count == total else f" Run the cell again for the next ({count} of {total})."
    text = "\n".join(f"Hint {i} of {total}: {h}" for i, h in enumerate(shown, 1))
    return Panel(f'<div class="course-hint"><ol>{items}</ol><p>{escape(more)}</p></div>', text)


@_never_raises
def solution(id: str) -> Panel:
    """Show the reference solution of an exercise and why it is right, behind a toggle."""
    found = find(id)
    code = solution_source(found)
    html = (
        '<details class="course-solution"><summary>Solution</summary>\n'
        f"{_highlighted(code)}\n{_paragraphs(found.why)}\n</details>"
    )
    return Panel(html, f"Solution of {found.id}:\n\n{code}\n\n{found.why}")


def solution_source(exercise: Exercise) -> str:
    """The source of the reference solution, as the reader would write it."""
    return textwrap.dedent(inspect.getsource(exercise.solution)).rstrip()


def _highlighted(code: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(code, PythonLexer(), HtmlFormatter(cssclass="highlight")).strip()


def _paragraphs(text: str) -> str:
    """Paragraphs of text with $…$ in it: MathJax of the book and of Jupyter typesets them."""
    return "\n".join(f"<p>{escape(part, quote=False)}</p>" for part in text.split("\n\n"))
