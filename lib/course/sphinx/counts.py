"""The numbers on the title page, counted in the book itself at build time."""

import json
import re
from collections.abc import Iterator

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import ledger, syllabus
from lib.course.errata_proofs import showings

_EXERCISE = re.compile(r"^@exercise\(", re.MULTILINE)


def written() -> list[syllabus.Chapter]:
    """Return the chapters that are written."""
    return [chapter for chapter in syllabus.chapters() if chapter.exists]


def exercises() -> int:
    """Return how many exercises with a checker the written chapters have."""
    # Counted in the text: importing the modules would import torch for a number.
    found = (chapter.exercises for chapter in written() if chapter.exercises.is_file())
    texts = (path.read_text(encoding="utf-8") for path in found)
    return sum(len(_EXERCISE.findall(text)) for text in texts)


def quiz_questions() -> int:
    """Return how many quiz questions the written chapters have."""
    found = (chapter.quiz for chapter in written() if chapter.quiz.is_file())
    return sum(len(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in found)


def errata() -> int:
    """Return how many mistakes of the notes the written chapters show and disprove."""
    notebooks = (
        json.loads(chapter.notebook.read_text(encoding="utf-8"))
        for chapter in written()
    )
    calls = (call for notebook in notebooks for call in showings(notebook))
    return len({call.id for call in calls if call.proved and call.displayed})


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
