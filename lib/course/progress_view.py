"""How progress looks: a bar for each chapter that has exercises."""

from html import escape

from lib.course import syllabus
from lib.course.exercise import registry
from lib.course.panel import Panel


def panel(known: dict[str, str], *, note: str = "", only: str | None = None) -> Panel:
    """Bars by chapter from a record of states; ``only`` one chapter if it is named."""
    rows, lines = [], []
    totals = [0, 0, 0]
    for title, states in _by_chapter(known, only):
        counts = [states.count("passed"), states.count("tried"), len(states)]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        rows.append(_row(title, counts))
        lines.append(_line(title, counts))
    if len(rows) != 1:
        rows.append(_row("All exercises", totals, "course-progress-total"))
        lines.append(_line("All exercises", totals))
    remark = f'<p class="course-progress-note">{escape(note)}</p>' if note else ""
    html = f'<table class="course-progress">\n{"".join(rows)}</table>{remark}'
    return Panel(html, "\n".join([*lines, *([note] if note else [])]))


def _by_chapter(known: dict[str, str], only: str | None) -> list[tuple[str, list[str]]]:
    """(title, states of its exercises) for every chapter with exercises, in reading order."""
    states: dict[str, list[str]] = {}
    for one in registry(strict=False).values():
        if only in (None, one.chapter):
            states.setdefault(one.chapter, []).append(known.get(one.id, "open"))
    titles = {c.slug: f"{c.number} {c.title}" for c in syllabus.chapters()}
    pages = {
        slug: slug.replace("_", " ").capitalize()
        for slug in states
        if slug not in titles
    }
    return [(title, states[s]) for s, title in (pages | titles).items() if s in states]


def _row(title: str, counts: list[int], look: str = "") -> str:
    passed, tried, total = counts
    parts = "".join(
        f'<span class="course-bar-{name}" style="flex-grow:{count}"></span>'
        for name, count in (
            ("passed", passed),
            ("tried", tried),
            ("open", total - passed - tried),
        )
        if count
    )
    return (
        f'<tr class="{look}"><th scope="row">{escape(title)}</th>'
        f'<td><span class="course-bar" aria-hidden="true">{parts}</span></td>'
        f"<td>{_words(counts)}</td></tr>\n"
    )


def _line(title: str, counts: list[int], width: int = 20) -> str:
    passed, tried, total = counts
    full, half = width * passed // max(total, 1), width * tried // max(total, 1)
    bar = "█" * full + "▒" * half + "·" * (width - full - half)
    return f"{bar}  {_words(counts)}  {title}"


def _words(counts: list[int]) -> str:
    passed, tried, total = counts
    return f"{passed} of {total} passed" + (f", {tried} tried" if tried else "")
