"""How a verdict looks: HTML for the page, the same words as plain text."""

from dataclasses import dataclass
from html import escape

from lib.course.exercise import Case, Exercise
from lib.course.marking.attempt import argument_names
from lib.course.marking.briefly import brief
from lib.course.marking.readers_error import tidy
from lib.course.marking.verdict import NOT_ATTEMPTED, NOT_YET, PASSED, Verdict
from lib.course.panel import Panel
from lib.course.prose import inline

_LOOK = {PASSED: ("good", "✓"), NOT_YET: ("bad", "✗"), NOT_ATTEMPTED: ("open", "○")}


@dataclass(frozen=True)
class _Row:
    """One line of the panel: its name, its text, and whether that is code or prose."""

    name: str
    text: str
    code: bool = True


def verdict_panel(verdict: Verdict) -> Panel:
    """The panel that `check` shows."""
    look, sign = _LOOK[verdict.status]
    rows = _rows(verdict)
    text = [f"{sign} {verdict.exercise.id}: {verdict.status}. {verdict.summary}"]
    text += [_indented(row) for row in rows]
    head = (
        f'<p class="course-check-head"><span class="course-check-mark" aria-hidden="true">{sign}'
        f"</span> <strong>{escape(verdict.status.capitalize())}</strong> "
        f'<code class="course-check-id">{escape(verdict.exercise.id)}</code> '
        f"{escape(verdict.summary)}</p>"
    )
    html = [f'<div class="course-check course-check-{look}" role="status">', head]
    if rows:
        html += ['<dl class="course-check-rows">', *map(_row_html, rows), "</dl>"]
    return Panel("\n".join([*html, "</div>"]), "\n".join(text))


def message_panel(message: str) -> Panel:
    """The panel for a call that could not be carried out, such as an id that does not exist."""
    text = escape(message)
    html = (
        f'<div class="course-check course-check-bad" role="status"><p>{text}</p></div>'
    )
    return Panel(html, f"✗ {message}")


def _rows(verdict: Verdict) -> list[_Row]:
    rows = []
    case, outcome = verdict.case, verdict.outcome
    if case is not None and (case.args or case.kwargs):
        name = f"case: {case.label}" if case.label else "case"
        rows.append(_Row(name, case_text(verdict.exercise, case)))
    expected, got = _pair(verdict)
    if case is not None and not verdict.exercise.asks_for_value:
        rows.append(_Row("expected", expected))
    if outcome is not None:
        rows.append(_Row("got", got))
        rows += [
            _Row(f"{name} afterwards", brief(v)) for name, v in outcome.mutated.items()
        ]
    if verdict.hint:
        rows.append(_Row("hint", verdict.hint, code=False))
    if verdict.printed.strip():
        rows.append(_Row("printed", _first_lines(verdict.printed)))
    return rows


def _first_lines(printed: str, most: int = 4) -> str:
    lines = [tidy(line, 100) for line in printed.strip().splitlines()]
    return "\n".join([*lines[:most], *(["…"] if len(lines) > most else [])])


def _pair(verdict: Verdict) -> tuple[str, str]:
    """Expected and got, with as many digits as it takes to tell them apart."""
    outcome = verdict.outcome
    if outcome is None:
        return brief(verdict.expected), ""
    if outcome.kind == "raised":
        error = (
            f"{outcome.error}: {outcome.message}" if outcome.message else outcome.error
        )
        return brief(verdict.expected), f"{error}\n{outcome.place}".strip()
    if outcome.kind == "large":
        return brief(verdict.expected), "a result too large to look at"
    for digits in (4, 9, 16):
        expected, got = brief(verdict.expected, digits), brief(outcome.value, digits)
        if expected != got or outcome.mutated:
            break
    return expected, got


def case_text(exercise: Exercise, case: Case) -> str:
    """The arguments of a case, one a line: ``X = [[1, 0], [0, 1]]  shape (2, 2)``."""
    names = [*argument_names(exercise, case), *case.kwargs]
    values = [*case.args, *case.kwargs.values()]
    return "\n".join(
        _continued(f"{name} = ", brief(value))
        for name, value in zip(names, values, strict=True)
    )


def _row_html(row: _Row) -> str:
    text = f"<pre>{escape(row.text)}</pre>" if row.code else inline(row.text)
    return f"<dt>{escape(row.name)}</dt><dd>{text}</dd>"


def _indented(row: _Row) -> str:
    return _continued(f"  {row.name}: ", row.text)


def _continued(start: str, text: str) -> str:
    """``text`` after ``start``, its further lines below its first."""
    return start + text.replace("\n", "\n" + " " * len(start))
