"""How a verdict looks: HTML for the page, the same words as plain text."""

from html import escape

from lib.course.attempt import argument_names
from lib.course.briefly import brief
from lib.course.exercise import Case, Exercise
from lib.course.marking import NOT_ATTEMPTED, NOT_YET, PASSED, Verdict
from lib.course.panel import Panel

_LOOK = {PASSED: ("good", "✓"), NOT_YET: ("bad", "✗"), NOT_ATTEMPTED: ("open", "○")}


def verdict_panel(verdict: Verdict) -> Panel:
    """The panel that `check` shows."""
    look, sign = _LOOK[verdict.status]
    rows = _rows(verdict)
    text = [f"{sign} {verdict.exercise.id}: {verdict.status}. {verdict.summary}"]
    text += [_indented(name, value) for name, value, _ in rows]
    html = [
        f'<div class="course-check course-check-{look}" role="status">',
        f'<p class="course-check-head"><span class="course-check-mark" aria-hidden="true">{sign}</span> '
        f'<strong>{escape(verdict.status.capitalize())}</strong> '
        f'<code class="course-check-id">{escape(verdict.exercise.id)}</code> '
        f"{escape(verdict.summary)}</p>",
    ]  # fmt: skip
    if rows:
        html.append('<dl class="course-check-rows">')
        html += [
            f"<dt>{escape(name)}</dt><dd>{_pre(value) if code else escape(value)}</dd>"
            for name, value, code in rows
        ]
        html.append("</dl>")
    html.append("</div>")
    return Panel("\n".join(html), "\n".join(text))


def _rows(verdict: Verdict) -> list[tuple[str, str, bool]]:
    """(name, text, is it code) for each line of the panel."""
    rows = []
    if verdict.case is not None:
        if verdict.case.args or verdict.case.kwargs:
            label = f"case: {verdict.case.label}" if verdict.case.label else "case"
            rows.append((label, case_text(verdict.exercise, verdict.case), True))
        rows.append(("expected", brief(verdict.expected), True))
    if verdict.outcome is not None:
        rows.append(("got", _got(verdict), True))
    if verdict.hint:
        rows.append(("hint", verdict.hint, False))
    if verdict.printed.strip():
        said = " ".join(verdict.printed.split())
        rows.append(("printed", said if len(said) <= 200 else said[:199] + "…", True))
    return rows


def case_text(exercise: Exercise, case: Case) -> str:
    """The arguments of a case, one a line: ``X = [[1, 0], [0, 1]]  shape (2, 2)``."""
    names = [*argument_names(exercise, case), *case.kwargs]
    lines = []
    for name, value in zip(names, [*case.args, *case.kwargs.values()], strict=True):
        start = f"{name} = "
        lines.append(start + brief(value).replace("\n", "\n" + " " * len(start)))
    return "\n".join(lines)


def _got(verdict: Verdict) -> str:
    outcome = verdict.outcome
    if outcome.kind == "raised":
        message = f"{outcome.error}: {outcome.message}" if outcome.message else outcome.error
        return f"{message}\n{outcome.place}" if outcome.place else message
    if outcome.kind == "large":
        return "a result too large to look at"
    return brief(outcome.value)


def _pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _indented(name: str, value: str) -> str:
    start = f"  {name}: "
    return start + value.replace("\n", "\n" + " " * len(start))


def unknown_panel(message: str) -> Panel:
    """The panel for an id that no exercise has."""
    html = (
        f'<div class="course-check course-check-bad" role="status"><p>{escape(message)}</p></div>'
    )
    return Panel(html, f"✗ {message}")
