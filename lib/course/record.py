"""The record of what a reader has passed, in a small local file, and ``progress()``, which draws it."""

import json
import os
import tempfile
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path

from lib.course import paths, syllabus
from lib.course.exercise import registry
from lib.course.panel import Panel


def path() -> Path:
    """Where the record is: $COURSE_PROGRESS, or .progress.json in the repository."""
    chosen = os.environ.get("COURSE_PROGRESS")
    return Path(chosen).expanduser() if chosen else paths.repository() / ".progress.json"


def read() -> dict[str, str]:
    """The record: exercise id to "passed" or "tried". A damaged file is set aside, never fatal."""
    try:
        text = path().read_text(encoding="utf-8")
    except OSError:
        return {}
    try:
        found = json.loads(text)
        return {k: v for k, v in found["exercises"].items() if v in ("passed", "tried")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        with suppress(OSError):
            os.replace(path(), path().with_name(path().name + ".damaged"))
        return {}


def remember(id: str, *, passed: bool) -> bool:
    """Record one attempt; a pass stays a pass. False if the record could not be written."""
    try:
        with _locked():
            known = read()
            known[id] = "passed" if passed or known.get(id) == "passed" else "tried"
            _write(known)
        return True
    except OSError:
        return False  # a read-only disk: checking goes on without a record


def _write(known: dict[str, str]) -> None:
    target = path()
    text = json.dumps({"version": 1, "exercises": known}, indent=1, sort_keys=True) + "\n"
    descriptor, name = tempfile.mkstemp(prefix=target.name, dir=target.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


@contextmanager
def _locked():
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target.with_name(target.name + ".lock"), "a") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except (ImportError, OSError):
            pass
        yield


def progress() -> None:
    """Draw what is passed, tried and open, chapter by chapter."""
    _panel().show()


def _panel() -> Panel:
    known, by_chapter = read(), {}
    for one in registry().values():
        by_chapter.setdefault(one.chapter, []).append(known.get(one.id, "open"))
    titles = {c.slug: f"{c.number} {c.title}" for c in syllabus.chapters()}
    rows, lines = [], []
    order = [*titles, *sorted(set(by_chapter) - set(titles))]
    for slug in order:
        states = by_chapter.get(slug)
        if not states:
            continue
        title = titles.get(slug, slug.replace("_", " ").capitalize())
        passed, tried = states.count("passed"), states.count("tried")
        lines.append(f"{passed} of {len(states)} passed, {tried} tried  {title}")
        rows.append(
            f'<tr><th scope="row">{escape(title)}</th><td><span class="course-bar" aria-hidden="true">'
            f'<span class="course-bar-passed" style="width:{100 * passed // len(states)}%"></span>'
            f'<span class="course-bar-tried" style="width:{100 * tried // len(states)}%"></span></span></td>'
            f"<td>{passed} of {len(states)} passed</td></tr>"
        )
    return Panel(f'<table class="course-progress">{"".join(rows)}</table>', "\n".join(lines))
