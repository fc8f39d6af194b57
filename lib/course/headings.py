"""The headings of a notebook and the anchors that the rendered page gives them.

MyST turns a heading into a docutils section, and docutils makes the section's id from the plain
text of the heading: emphasis and links lose their marks, ``$O(n^2)$`` counts as ``O(n^2)``. A
second heading with the same id gets a number that depends on the whole page, so a heading is only
good as a target when its anchor is the only one of its kind.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import yaml

from lib.course import paths

_MARKS = re.compile(r"[$`*]")
# Sphinx sets quotation marks and dashes typographically when it shows a heading.
_TYPED = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "--", "—": "---", "…": "..."}
)


@dataclass(frozen=True)
class Heading:
    """One heading: its plain text, the anchor of its section, its level (1 is the title)."""

    text: str
    anchor: str
    level: int


def of_notebook(path: Path) -> tuple[Heading, ...]:
    """Return the headings of a notebook's Markdown cells, in order.

    ``path`` is a ``.ipynb`` file. Headings inside a fence or directive make no section and are
    left out.
    """
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    cells = (c for c in notebook["cells"] if c["cell_type"] == "markdown")
    return tuple(h for cell in cells for h in of_markdown("".join(cell["source"])))


def of_markdown(text: str) -> tuple[Heading, ...]:
    """Return the headings of one piece of MyST Markdown, in order."""
    return tuple(Heading(title, anchor(title), level) for title, level in _titles(text))


def anchor(text: str) -> str:
    """Return the id that docutils makes of a heading's plain text; ``""`` when nothing is left."""
    from docutils import nodes

    return nodes.make_id(nodes.fully_normalize_name(text))


def unique(headings: tuple[Heading, ...]) -> tuple[Heading, ...]:
    """Return the headings that a link can reach: those whose anchor is theirs alone."""
    times = Counter(heading.anchor for heading in headings)
    return tuple(h for h in headings if h.anchor and times[h.anchor] == 1)


def find(text: str, headings: tuple[Heading, ...]) -> Heading | None:
    """Return the heading with this text, written with or without Markdown's marks, or None."""
    return next(
        (heading for heading in headings if bare(heading.text) == bare(text)), None
    )


def bare(text: str) -> str:
    """Return a heading's text as one compares it, however it was typed or is shown.

    ``$``, backticks and asterisks are left out, spaces are single, quotation marks straight.
    """
    typed = unicodedata.normalize("NFC", text).translate(_TYPED)
    return " ".join(_MARKS.sub("", typed).split())


def _titles(text: str) -> Iterator[tuple[str, int]]:
    tokens = _parser().parse(text)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0:
            yield _plain(inline.children or []), int(opening.tag.removeprefix("h"))


def _plain(tokens: list) -> str:
    """Return the text that docutils sees in a heading's inline tokens."""
    breaks = ("softbreak", "hardbreak")
    pieces = (" " if token.type in breaks else token.content for token in tokens)
    return " ".join("".join(pieces).split())


@cache
def _parser():
    """Return a Markdown parser with the extensions that the book is built with."""
    from markdown_it.renderer import RendererHTML
    from myst_parser.config.main import MdParserConfig
    from myst_parser.parsers.mdit import create_md_parser

    config = yaml.safe_load(
        (paths.repository() / "_config.yml").read_text(encoding="utf-8")
    )
    extensions = set(config["parse"]["myst_enable_extensions"])
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)
