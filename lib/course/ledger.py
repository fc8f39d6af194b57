"""The ledger: what the book has verified.

``verify`` prints one line for each claim that holds and records it here. The committed notebooks
hold those lines as outputs, so the ledger of the whole book is read back from them: what counts is
what was run.
"""

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lib.course import chapter as _chapter
from lib.course import headings, syllabus

_TICK = "✓ "
_DOT = " · "


@dataclass(frozen=True)
class Entry:
    """One verified claim: how it was checked, and the places in the notes that state it."""

    claim: str
    how: str
    mirrors: tuple[str, ...] = ()

    def line(self) -> str:
        """Return the line that ``verify`` prints."""
        places = ", ".join(place.replace(":", " ", 1) for place in self.mirrors)
        return _TICK + _DOT.join(filter(None, (self.claim, self.how, places)))

    @classmethod
    def read(cls, line: str) -> "Entry | None":
        """Return the entry that a printed line states, or None for any other line."""
        if not line.startswith(_TICK):
            return None
        fields = line.removeprefix(_TICK).rstrip("\n").split(_DOT)
        if len(fields) not in (2, 3):
            return None
        places = fields[2].split(", ") if len(fields) == 3 else []
        mirrors = tuple(place.replace(" ", ":", 1) for place in places)
        return cls(fields[0], fields[1], mirrors)


def require_claim(claim: str) -> None:
    """Raise a ``ValueError`` unless ``claim`` can stand on a line of the ledger."""
    if not isinstance(claim, str) or not claim.strip():
        raise ValueError(f"expected the claim in words, got {claim!r}")
    if claim != claim.strip() or not claim.isprintable() or "·" in claim:
        raise ValueError(f"expected one line of text without '·', got {claim!r}")


# By chapter; dicts keep the order, and a cell that is run twice counts once.
_entries: dict[str | None, dict[Entry, None]] = {}


def start(slug: str) -> None:
    """Begin an empty ledger for a chapter."""
    _entries[slug] = {}


def record(slug: str | None, entry: Entry) -> None:
    """Note that a claim was verified in the chapter ``slug`` (None: outside any chapter)."""
    _entries.setdefault(slug, {})[entry] = None


def entries(slug: str | None) -> tuple[Entry, ...]:
    """Return what this process has verified in the chapter ``slug``."""
    return tuple(_entries.get(slug, ()))


def verified() -> None:
    """Show what the current chapter has verified so far, as a table."""
    from IPython.display import display

    done = entries(_chapter.current())
    display({"text/html": _table(done), "text/plain": _text(done)}, raw=True)


def _table(done: tuple[Entry, ...]) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(e.claim)}</td><td>{html.escape(e.how)}</td>"
        f"<td>{html.escape(', '.join(e.mirrors).replace(':', ' '))}</td></tr>"
        for e in done
    )
    head = "<tr><th>claim</th><th>checked</th><th>notes</th></tr>"
    caption = f"<caption>{_counted(len(done))} in this chapter</caption>"
    return f'<table class="ledger">{caption}<thead>{head}</thead><tbody>{rows}</tbody></table>'


def _text(done: tuple[Entry, ...]) -> str:
    return "\n".join(
        [f"{_counted(len(done))} in this chapter", *(e.line() for e in done)]
    )


def _counted(number: int) -> str:
    return f"{number} claim{'' if number == 1 else 's'} verified"


@dataclass(frozen=True, kw_only=True)
class Proof(Entry):
    """A verified claim in its place: the chapter, and the heading that the cell stands under."""

    chapter: syllabus.Chapter
    heading: headings.Heading | None


def of_notebook(path: Path) -> tuple[Entry, ...]:
    """Return the entries whose lines a committed notebook shows, in order, each once."""
    return tuple(entry for entry, _ in _read(path))


def by_chapter() -> dict[syllabus.Chapter, tuple[Proof, ...]]:
    """Return what each written chapter has verified, in reading order."""
    return {
        chapter: tuple(
            Proof(e.claim, e.how, e.mirrors, chapter=chapter, heading=heading)
            for e, heading in _read(chapter.notebook)
        )
        for chapter in syllabus.chapters()
        if chapter.exists
    }


def by_place() -> dict[str, tuple[Proof, ...]]:
    """Return, for each place in the notes such as ``lal:3.1``, the proofs that mirror it."""
    places: dict[str, tuple[Proof, ...]] = {}
    for proofs in by_chapter().values():
        for proof in proofs:
            for place in proof.mirrors:
                places[place] = (*places.get(place, ()), proof)
    return places


def count() -> int:
    """Return how many claims the whole book has verified."""
    return sum(map(len, by_chapter().values()))


Readings = tuple[tuple[Entry, headings.Heading | None], ...]


def _read(path: Path) -> Readings:
    status = path.stat()
    return _read_once(path, status.st_mtime_ns, status.st_size)


@cache
def _read_once(path: Path, _modified: int, _size: int) -> Readings:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    found: dict[Entry, headings.Heading | None] = {}
    reachable = set(headings.unique(headings.of_notebook(path)))
    above: headings.Heading | None = None
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            in_cell = headings.of_markdown("".join(cell["source"]))
            above = next((h for h in reversed(in_cell) if h in reachable), above)
        for entry in _printed(cell):
            found.setdefault(entry, above)
    return tuple(found.items())


def _printed(cell: dict) -> Iterator[Entry]:
    """Return the entries whose lines a cell has printed."""
    for output in cell.get("outputs", ()):
        if output["output_type"] == "stream" and output["name"] == "stdout":
            lines = "".join(output["text"]).splitlines()
            yield from filter(None, map(Entry.read, lines))
