"""Places in the notes, written ``lal:B.3``: the note's name and an id of its inventory."""

import difflib
import re
from collections.abc import Iterable

NOTES = {
    "explainers": "Machine Learning Explainers",
    "alice": "Alice in Wonderland ML Notes",
    "lal": "Notes on Machine Learning and Neural Networks",
    "deep": "Deep-learning notes",
    "report": "Artificial Neural Networks & Deep Learning: Report",
}


def places(mirrors: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the named places as a tuple; a ``ValueError`` for one that no note has."""
    if mirrors is None:
        return ()
    named = (mirrors,) if isinstance(mirrors, str) else tuple(mirrors)
    for place in named:
        require(place)
    return named


def require(place: str) -> None:
    """Raise a ``ValueError`` unless ``place`` is ``note:id`` with an id of the inventory."""
    if not isinstance(place, str) or not re.fullmatch(r"[a-z]+:[^\s:,·]+", place):
        raise ValueError(
            f"expected a place in the notes such as 'lal:B.3', got {place!r}"
        )
    note, section = place.split(":")
    if note not in NOTES:
        raise ValueError(
            f"expected one of the notes {', '.join(NOTES)}; got {note!r} in {place!r}"
        )
    known = inventory()
    if known and section not in known.get(note, ()):
        near = difflib.get_close_matches(section, known.get(note, ()), n=3)
        hint = f"; near matches: {', '.join(near)}" if near else ""
        raise ValueError(
            f"expected an id of {note} in book/sources.yml, got {section!r}{hint}"
        )


def inventory() -> dict[str, set[str]]:
    """Return the ids of every note in ``book/sources.yml``; empty while there is no such file."""
    from lib.course import sources  # which imports NOTES from here

    known: dict[str, set[str]] = {}
    if sources.file().is_file():
        for entry in sources.entries():
            known.setdefault(entry.note, set()).add(entry.id)
    return known
