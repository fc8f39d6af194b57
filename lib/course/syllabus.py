"""The list of parts and chapters, read from ``book/syllabus.yml``.

Everything that walks over the course (table of contents, source map, ledger, exercises, tests)
asks here, so that there is one list and one spelling of every name.
"""

import difflib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from lib.course import paths


@dataclass(frozen=True)
class Chapter:
    """One chapter: its place in the course and where its files are."""

    number: int
    slug: str
    title: str
    folder: str
    part: str

    @property
    def notebook(self) -> Path:
        """The notebook, ``book/<folder>/<slug>.ipynb`` (it may not be written yet)."""
        return paths.book() / self.folder / f"{self.slug}.ipynb"

    @property
    def quiz(self) -> Path:
        """The quiz, ``book/<folder>/<slug>.quiz.yml`` (it may not be written yet)."""
        return paths.book() / self.folder / f"{self.slug}.quiz.yml"

    @property
    def exercises(self) -> Path:
        """The exercise module, ``lib/exercises/<slug>.py`` (it may not be written yet)."""
        return paths.repository() / "lib" / "exercises" / f"{self.slug}.py"

    @property
    def docname(self) -> str:
        """The name Sphinx gives the page, ``book/<folder>/<slug>``."""
        return f"book/{self.folder}/{self.slug}"

    @property
    def exists(self) -> bool:
        """Whether the notebook has been written."""
        return self.notebook.is_file()


@dataclass(frozen=True)
class Part:
    """One part of the course with its chapters in reading order."""

    number: int
    title: str
    folder: str
    chapters: tuple[Chapter, ...]


@cache
def parts() -> tuple[Part, ...]:
    """Return the parts of the course in reading order."""
    listed = yaml.safe_load((paths.book() / "syllabus.yml").read_text(encoding="utf-8"))
    return tuple(
        Part(
            number=number,
            title=entry["part"],
            folder=entry["folder"],
            chapters=tuple(
                Chapter(folder=entry["folder"], part=entry["part"], **chapter)
                for chapter in entry["chapters"]
            ),
        )
        for number, entry in enumerate(listed, start=1)
    )


def chapters() -> tuple[Chapter, ...]:
    """Return all chapters of the course in reading order, written or not."""
    return tuple(chapter for part in parts() for chapter in part.chapters)


def chapter(slug: str) -> Chapter:
    """Return the chapter called ``slug``; a ``ValueError`` names near matches."""
    by_slug = {chapter.slug: chapter for chapter in chapters()}
    if slug in by_slug:
        return by_slug[slug]
    near = difflib.get_close_matches(str(slug), by_slug, n=3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ValueError(
        f"expected the slug of a chapter in book/syllabus.yml, got {slug!r}{hint}"
    )
