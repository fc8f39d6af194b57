"""Edits of the map of the notes, safe when several authors fill it in at the same time.

Every edit reads the file, changes the lines of the entries it names and replaces the file in one
step, all under a lock. Nothing is written unless the whole edit is right.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from lib.course import headings, mirrored, sources, syllabus
from lib.course.sources import Entry


def set_headings(slug: str, wanted: Mapping[str, str]) -> None:
    """Write the headings of a chapter's entries, given as place -> heading.

    Refuses places that no note has or that belong to another chapter, and headings that the
    chapter's notebook does not have or has twice; one ``ValueError`` lists all that is wrong.
    """
    present = _headings_of(slug)

    def change(entry: Entry) -> Entry:
        if slug not in entry.chapters:
            raise ValueError(
                f"{entry.place} belongs to {entry.chapter}, not {slug}; to reassign it: "
                f"python -m lib.course.sources move {slug} {entry.place}"
            )
        return _with_heading(
            entry, slug, _require_heading(wanted[entry.place], present, slug)
        )

    _edit(wanted, change)


def move(slug: str, places: Iterable[str]) -> None:
    """Make ``slug`` the main chapter of the entries; a heading elsewhere is forgotten."""
    sources.require_slug(slug)

    def change(entry: Entry) -> Entry:
        if entry.chapter == slug:
            raise ValueError(f"{entry.place} belongs to {slug} already")
        rest = {name: heading for name, heading in entry.also.items() if name != slug}
        return replace(
            entry,
            chapter=slug,
            heading=entry.also.get(slug),
            also=MappingProxyType(rest),
        )

    _edit(places, change)


def add_chapter(slug: str, places: Iterable[str]) -> None:
    """Note that the chapter ``slug`` covers the entries too, besides their main chapter."""
    sources.require_slug(slug)

    def change(entry: Entry) -> Entry:
        if slug in entry.chapters:
            raise ValueError(f"{entry.place} is covered by {slug} already")
        return replace(entry, also=MappingProxyType({**entry.also, slug: None}))

    _edit(places, change)


def drop_chapter(slug: str, places: Iterable[str]) -> None:
    """Take back that the chapter ``slug`` covers the entries besides their main chapter."""
    sources.require_slug(slug)

    def change(entry: Entry) -> Entry:
        if slug not in entry.also:
            raise ValueError(f"{entry.place} does not have {slug} as a further chapter")
        rest = {name: heading for name, heading in entry.also.items() if name != slug}
        return replace(entry, also=MappingProxyType(rest))

    _edit(places, change)


def listing(slug: str, only_missing: bool = False) -> str:
    """Return a chapter's entries as lines of text: place, kind, title and, if known, heading."""
    lines = []
    for entry in sources.entries(chapter=slug):
        heading = entry.heading_in(slug)
        if only_missing and heading is not None:
            continue
        also = "" if entry.chapter == slug else f"  (mainly in {entry.chapter})"
        where = "" if heading is None else f"  -> {heading}"
        lines.append(f"{entry.place:<34}{entry.kind:<12}{entry.title}{also}{where}")
    return "\n".join(lines)


def _with_heading(entry: Entry, slug: str, heading: str) -> Entry:
    if slug == entry.chapter:
        return replace(entry, heading=heading)
    return replace(entry, also=MappingProxyType({**entry.also, slug: heading}))


def _headings_of(slug: str) -> tuple[headings.Heading, ...]:
    notebook = syllabus.chapter(slug).notebook
    if not notebook.is_file():
        raise ValueError(
            f"expected the notebook of {slug} to exist; write it, then set headings"
        )
    return headings.of_notebook(notebook)


def _require_heading(
    text: str, present: tuple[headings.Heading, ...], slug: str
) -> str:
    """Return the heading's plain text as the notebook has it, if a link can reach it."""
    found = headings.find(text, present)
    if found is None:
        listed = "\n".join(f"    {heading.text}" for heading in present)
        raise ValueError(f"{slug} has no heading {text!r}; it has\n{listed}")
    if found not in headings.unique(present):
        raise ValueError(
            f"the heading {found.text!r} of {slug} has no anchor of its own: reword it or its twin"
        )
    return found.text


def _edit(places: Iterable[str], change: Callable[[Entry], Entry]) -> None:
    """Change the entries at the given places: all of them, or none with an error."""
    path = sources.file()
    with _locked(path):
        text = path.read_text(encoding="utf-8")
        current = {entry.place: entry for entry in sources.parse(text)}
        swaps: dict[str, str] = {}
        problems = []
        for place in places:
            try:
                mirrored.require(place)
                swaps[place] = change(current[place]).line()
            except ValueError as error:
                problems.append(str(error))
        if problems:
            raise ValueError("\n".join(dict.fromkeys(problems)))
        changed = _swap_lines(text, swaps)
        sources.parse(changed)
        _replace(path, changed)


def _swap_lines(text: str, swaps: Mapping[str, str]) -> str:
    """Return the text with the lines of the given places exchanged and every other byte kept."""
    lines = text.splitlines(keepends=True)
    note = ""
    for number, line in enumerate(lines):
        if line.startswith("  - {"):
            place = sources.parse_line(line.rstrip("\n"), note).place
            if place in swaps:
                lines[number] = swaps[place] + "\n"
        elif line.strip() and not line.startswith("#"):
            note = line.strip().removesuffix(":")
    return "".join(lines)


def _replace(path: Path, text: str) -> None:
    """Write the file in one step: a reader sees the old one or the new one, never a part."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; it lies outside the repository and never needs cleaning up."""
    from filelock import FileLock

    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    with FileLock(Path(tempfile.gettempdir()) / f"course-{name}.lock", timeout=60):
        yield


def _pairs(arguments: list[str]) -> dict[str, str]:
    wanted = {}
    for argument in arguments:
        place, equals, heading = argument.partition("=")
        if not equals or not heading.strip():
            raise ValueError(f'expected note:id="heading", got {argument!r}')
        if place in wanted:
            raise ValueError(f"expected every place once, got {place} again")
        wanted[place] = heading
    return wanted


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lib.course.sources", description="The map of the notes."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_text, rest in (
        ("show", "list a chapter's entries with their headings", None),
        ("missing", "list a chapter's entries without a heading", None),
        ("set", "write headings", 'note:id="heading"'),
        ("move", "make SLUG the main chapter of entries", "note:id"),
        ("also", "note that SLUG covers entries too", "note:id"),
        ("drop", "take back what 'also' noted", "note:id"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("slug")
        if rest:
            command.add_argument("rest", nargs="+", metavar=rest)
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = _arguments(argv)
    try:
        if given.command in ("show", "missing"):
            sources.require_slug(given.slug)
            if text := listing(given.slug, only_missing=given.command == "missing"):
                print(text)
        elif given.command == "set":
            set_headings(given.slug, _pairs(given.rest))
        else:
            run = {"move": move, "also": add_chapter, "drop": drop_chapter}[
                given.command
            ]
            run(given.slug, given.rest)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
