"""The numbers on the title page, counted in the book itself at build time."""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import ledger, paths, syllabus

_EXERCISE = re.compile(r"^@exercise\(", re.MULTILINE)


def written() -> list[syllabus.Chapter]:
    """Return the chapters that are written."""
    return [chapter for chapter in syllabus.chapters() if chapter.exists]


def exercises() -> int:
    """Return how many exercises with a checker there are."""
    # Counted in the text: importing the modules would import torch for a number.
    found = (c.exercises for c in syllabus.chapters() if c.exercises.is_file())
    return sum(
        len(_EXERCISE.findall(path.read_text(encoding="utf-8"))) for path in found
    )


def quiz_questions() -> int:
    """Return how many quiz questions there are."""
    return sum(len(_listed(c.quiz)) for c in syllabus.chapters())


def errata() -> int:
    """Return how many mistakes of the notes are corrected."""
    return len(_listed(paths.book() / "errata.yml"))


def _listed(path: Path) -> list:
    return (
        (yaml.safe_load(path.read_text(encoding="utf-8")) or [])
        if path.is_file()
        else []
    )


def counts() -> Iterator[tuple[int, str]]:
    """Yield each number of the title page and what it counts; a zero is not worth a line."""
    chapters = len(written())
    everything = len(syllabus.chapters())
    of_all = "" if chapters == everything else f" of {everything}"
    for number, one, many in (
        (chapters, f"chapter{of_all}", f"chapters{of_all}"),
        (ledger.count(), "claim verified by code", "claims verified by code"),
        (exercises(), "exercise that marks itself", "exercises that mark themselves"),
        (quiz_questions(), "quiz question", "quiz questions"),
        (
            errata(),
            "mistake of the notes, disproved",
            "mistakes of the notes, disproved",
        ),
    ):
        if number:
            yield number, one if number == 1 else many


class Counts(SphinxDirective):
    """A row of the book's numbers."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the numbers as a list."""
        self.env.note_reread()  # they depend on every chapter
        items = nodes.bullet_list(classes=["course-counts"])
        for number, what in counts():
            line = nodes.paragraph()
            line += nodes.inline("", f"{number:,}", classes=["count"])
            line += nodes.inline("", f" {what}", classes=["counted"])
            items += nodes.list_item("", line)
        return [items] if len(items) else []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_directive("course-counts", Counts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
