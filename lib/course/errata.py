"""``erratum``: an error in the notes, beside what is right. ``book/errata.yml`` holds them all.

A chapter shows an entry with ``erratum(id)`` and proves it with ``verify`` in the same or the next
code cell; tests hold it to that.
"""

import difflib
import html
import re
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from lib.course import mirrored, paths, prose, syllabus

KINDS = {
    "sign": "wrong sign",
    "index": "wrong index",
    "factor": "wrong factor",
    "limit": "wrong limit",
    "word": "wrong word",
    "arithmetic": "wrong arithmetic",
    "condition": "missing condition",
    "formula": "wrong formula",
    "claim": "wrong claim",
    "reference": "wrong reference",
    "stub": "left open",
}

_ROLE = re.compile(r"\{[\w:-]+\}`[^`]*`")


class ErrataError(ValueError):
    """``book/errata.yml`` is not as it should be; the message names the entry and the field."""


@dataclass(frozen=True)
class Erratum:
    """One error in the notes. ``where`` and the last three are Markdown with ``$…$``."""

    id: str
    note: str
    where: str
    section: str
    kind: str
    chapter: str
    says: str
    correct: str
    why: str

    @property
    def place(self) -> str:
        """The section of the note, such as ``lal:8.2``."""
        return f"{self.note}:{self.section}"

    @property
    def anchor(self) -> str:
        """The id of the element that shows the erratum in its chapter."""
        return f"erratum-{self.id}"


def file() -> Path:
    """Return the path of the list, ``book/errata.yml``."""
    return paths.book() / "errata.yml"


def errata() -> tuple[Erratum, ...]:
    """Return all errata in the order of the list; an ``ErrataError`` when one is not in order."""
    return parse(file().read_text(encoding="utf-8"))


def parse(text: str) -> tuple[Erratum, ...]:
    """Return the errata that the text of a list holds; an ``ErrataError`` names a bad entry."""
    try:
        listed = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ErrataError(f"book/errata.yml is not valid YAML: {error}") from None
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise ErrataError(
            f"expected book/errata.yml to be a list, got a {type(listed).__name__}"
        )
    found: dict[str, Erratum] = {}
    for number, entry in enumerate(listed, start=1):
        name = (
            entry.get("id", f"number {number}") if isinstance(entry, dict) else number
        )
        try:
            one = _read(entry)
            if one.id in found:
                raise ValueError("id: expected every id once, got it again")
        except ValueError as error:
            raise ErrataError(f"erratum {name}: {error}") from None
        found[one.id] = one
    return tuple(found.values())


def find(id: str) -> Erratum:
    """Return the erratum called ``id``; a ``ValueError`` names near matches."""
    known = _by_id(file().read_text(encoding="utf-8"))
    if id in known:
        return known[id]
    near = difflib.get_close_matches(str(id), known, n=3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ValueError(
        f"expected the id of an entry in book/errata.yml, got {id!r}{hint}"
    )


@lru_cache(maxsize=1)
def _by_id(text: str) -> dict[str, Erratum]:
    """Return the errata of a list by their ids; a chapter shows dozens from the same text."""
    return {one.id: one for one in parse(text)}


def erratum(id: str) -> None:
    """Show an error of the notes: where it is, what is printed, what is right and why."""
    from IPython.display import display

    one = find(id)
    display({"text/html": page(one), "text/plain": _text(one)}, raw=True)


def _read(entry: Any) -> Erratum:
    """Return one entry as an ``Erratum``; a ``ValueError`` names the field that is wrong."""
    expected = [field.name for field in fields(Erratum)]
    if not isinstance(entry, dict):
        raise ValueError(f"expected the fields {', '.join(expected)}; got {entry!r}")
    for name in expected:
        if name not in entry:
            raise ValueError(f"{name}: expected this field, got none")
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise ValueError(
                f"{name}: expected a text (in quotes), got {entry[name]!r}"
            )
    if unknown := [name for name in entry if name not in expected]:
        raise ValueError(f"{unknown[0]}: expected only {', '.join(expected)}")
    for name in ("where", "says", "correct", "why"):
        if role := _ROLE.search(entry[name]):
            raise ValueError(
                f"{name}: expected plain Markdown and $formulas$, got the role {role[0]}, "
                "which only whole pages understand"
            )
    one = Erratum(**{name: " ".join(entry[name].split()) for name in expected})
    if not re.fullmatch(r"[a-z]+-[\w.+-]+", one.id) or not one.id.startswith(
        f"{one.note}-"
    ):
        raise ValueError(
            f"id: expected the note and the place, such as {one.note}-8.12"
        )
    if one.kind not in KINDS:
        raise ValueError(f"kind: expected one of {', '.join(KINDS)}; got {one.kind!r}")
    for field, check in (
        ("section", lambda: mirrored.require(one.place)),
        ("chapter", lambda: syllabus.chapter(one.chapter)),
    ):
        try:
            check()
        except ValueError as error:
            raise ValueError(f"{field}: {error}") from None
    return one


def page(one: Erratum) -> str:
    """Return an erratum as HTML, the element that the errata page links to."""
    where = prose.inline(f"{one.note} {one.where}")
    label = html.escape(f"Erratum {one.note} {one.where}")
    rows = "".join(
        f"<dt>{label}</dt><dd>{prose.inline(text)}</dd>"
        for label, text in (
            ("The notes say", one.says),
            ("Correct is", one.correct),
            ("Why", one.why),
        )
    )
    return (
        f'<aside class="erratum" id="{html.escape(one.anchor)}" aria-label="{label}">'
        f'<p class="erratum-title"><span class="erratum-where">{where}</span> '
        f'<span class="erratum-kind">{KINDS[one.kind]}</span></p>'
        f"<dl>{rows}</dl></aside>"
    )


def _text(one: Erratum) -> str:
    return (
        f"Erratum {one.note} {one.where} ({KINDS[one.kind]})\n"
        f"  The notes say: {one.says}\n  Correct is: {one.correct}\n  Why: {one.why}"
    )
