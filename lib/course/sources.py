"""The map of the notes: which chapter, and which heading of it, absorbs each of their sections.

``book/sources.yml`` holds one entry a line. This module reads and checks it; run as a command it
shows a chapter's entries and edits them:

    python -m lib.course.sources show linear_regression
    python -m lib.course.sources missing linear_regression
    python -m lib.course.sources set linear_regression lal:3.1="The normal equations" …
    python -m lib.course.sources move basis_functions lal:fn2 …
    python -m lib.course.sources also regularisation alice:3.3 …
    python -m lib.course.sources drop regularisation alice:3.3 …
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml

from lib.course import paths, syllabus
from lib.course.mirrored import NOTES

PAGES = ("intro", "bibliography")  # reference pages that take front matter
KINDS = (
    "algorithm",
    "definition",
    "derivation",
    "discussion",
    "example",
    "question",
    "stub",
    "table",
)

_KEYS = {"id", "title", "kind", "chapter", "heading", "also"}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class SourcesError(ValueError):
    """The map of the notes is not in its form; the message names the line."""


@dataclass(frozen=True)
class Entry:
    """One section, figure, table, footnote or question of a note, and where the book covers it.

    ``also`` maps further chapters that cover the entry to their heading, or None.
    """

    note: str
    id: str
    title: str
    kind: str
    chapter: str
    heading: str | None = None
    also: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def place(self) -> str:
        """The entry's name in the whole book, such as ``lal:3.1``."""
        return f"{self.note}:{self.id}"

    @property
    def chapters(self) -> tuple[str, ...]:
        """The slugs of all chapters that cover the entry, the main one first."""
        return (self.chapter, *self.also)

    def heading_in(self, slug: str) -> str | None:
        """Return the entry's heading in the chapter ``slug``, or None while there is none."""
        return self.heading if slug == self.chapter else self.also[slug]

    def line(self) -> str:
        """Return the entry as its line of the file, without the newline."""
        pairs = [
            f"id: {_quoted(self.id)}",
            f"title: {_quoted(self.title)}",
            f"kind: {self.kind}",
            f"chapter: {self.chapter}",
        ]
        if self.heading is not None:
            pairs.append(f"heading: {_quoted(self.heading)}")
        if self.also:
            also = (
                f"{s}: {'null' if h is None else _quoted(h)}"
                for s, h in self.also.items()
            )
            pairs.append(f"also: {{{', '.join(also)}}}")
        return f"  - {{{', '.join(pairs)}}}"


def file() -> Path:
    """Return the path of the map, ``book/sources.yml``."""
    return paths.book() / "sources.yml"


def entries(chapter: str | None = None, note: str | None = None) -> tuple[Entry, ...]:
    """Return the entries in the order of the notes, all or those of one chapter or note.

    An entry belongs to a chapter that covers it, whether as its main chapter or ``also``.
    """
    if chapter is not None:
        require_slug(chapter)
    if note is not None and note not in NOTES:
        raise ValueError(f"expected one of the notes {', '.join(NOTES)}; got {note!r}")
    return tuple(
        entry
        for entry in _cached(file(), *_stamp(file()))
        if (chapter is None or chapter in entry.chapters)
        and (note is None or note == entry.note)
    )


def mirrors(slug: str) -> list[str]:
    """Return the places in the notes that a chapter covers, such as ``["lal:3.1", …]``."""
    return [entry.place for entry in entries(chapter=slug)]


def require_slug(slug: str) -> None:
    """Raise a ``ValueError`` unless ``slug`` is a chapter or a reference page of the map."""
    if slug not in PAGES:
        syllabus.chapter(slug)


def parse(text: str) -> tuple[Entry, ...]:
    """Return the entries that the text of a map holds; a ``SourcesError`` names a bad line."""
    found: dict[str, Entry] = {}
    seen_notes: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if not line.startswith(" "):
                seen_notes.append(_note(line, seen_notes))
                continue
            if not seen_notes:
                raise ValueError("expected the name of a note before the first entry")
            entry = parse_line(line, seen_notes[-1])
            if entry.place in found:
                raise ValueError(f"expected every id once, got {entry.place} again")
        except ValueError as error:
            raise SourcesError(f"book/sources.yml, line {number}: {error}") from None
        found[entry.place] = entry
    if seen_notes != list(NOTES):
        raise SourcesError(
            f"book/sources.yml: expected {', '.join(NOTES)}; got {seen_notes}"
        )
    return tuple(found.values())


def parse_line(line: str, note: str) -> Entry:
    """Return the entry on one line of the map; a ``ValueError`` says what is wrong with it."""
    if not (line.startswith("  - {") and line.endswith("}")):
        raise ValueError(f"expected an entry '  - {{id: …}}' on one line, got {line!r}")
    try:
        values = yaml.load(line.removeprefix("  - "), Loader=_LOADER)
    except yaml.YAMLError:
        raise ValueError(
            f"expected one YAML mapping in braces, got {line.strip()!r}"
        ) from None
    if unknown := values.keys() - _KEYS:
        raise ValueError(
            f"expected the keys {', '.join(sorted(_KEYS))}; got {sorted(unknown)}"
        )
    for key in ("id", "title", "kind", "chapter"):
        _require_text(key, values.get(key))
    if values["kind"] not in KINDS:
        raise ValueError(
            f"expected a kind of {', '.join(KINDS)}; got {values['kind']!r}"
        )
    also = values.pop("also", {})
    if not isinstance(also, dict):
        raise ValueError(f"expected also: {{slug: heading or null}}, got {also!r}")
    for slug in (values["chapter"], *also):
        require_slug(slug)
    if values["chapter"] in also:
        raise ValueError(
            f"expected further chapters in also, got {values['chapter']!r} again"
        )
    for heading in (values.get("heading"), *also.values()):
        if heading is not None:
            _require_text("heading", heading)
    return Entry(note=note, also=MappingProxyType(also), **values)


def _note(line: str, seen: list[str]) -> str:
    name = line.removesuffix(":")
    if name == line or name not in NOTES or name in seen:
        left = [f"{note}:" for note in NOTES if note not in seen]
        raise ValueError(f"expected a note, one of {', '.join(left)}; got {line!r}")
    return name


def _require_text(key: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected {key} to be a text (in quotes), got {value!r}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _stamp(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


@cache
def _cached(path: Path, _modified: int, _size: int) -> tuple[Entry, ...]:
    return parse(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    from lib.course.source_edits import main

    raise SystemExit(main())
