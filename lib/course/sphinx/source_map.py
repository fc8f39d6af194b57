"""The page that shows where the book covers every section of the notes.

The ``{source-map}`` directive writes, for each note, what it is, how much of it is done, and a
folded table of its sections by top-level section. Links to chapters are made last, when Sphinx
knows every page and the anchor of every heading.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import headings, sources, syllabus
from lib.course.mirrored import NOTES
from lib.course.sources import Entry

logger = logging.getLogger(__name__)

ABOUT = {
    "explainers": "Short explanations of supervised learning, gradient descent, networks, "
    "generative models and detection, with appendices on probability (August 2025).",
    "alice": "A first course by A. Dulam: tensors and gradients, losses, linear models, fully "
    "connected models, automatic differentiation.",
    "lal": "A lecture course by S. Lal for students of theoretical physics: regression, "
    "classification, networks and convolution, with appendices on bias and variance, Bayesian "
    "regression and entropy.",
    "deep": "Deep learning in six parts, from losses and function families to transformers and "
    "diffusion.",
    "report": "Laboratory reports on networks, recurrent and generative models, and thirteen "
    "sets of review questions (September 2025).",
}

_TOP = re.compile(r"\d+|[A-CE-Z]|D\.\d+")  # the ids of top-level sections
_LEAD = re.compile(r"part-[IVX]+|D")  # a title above them: a part, the review questions
_MATH = re.compile(r"\$([^$]+)\$")


class folded(nodes.General, nodes.Element):
    """A part of the page that a reader opens and closes."""


class fold_title(nodes.General, nodes.TextElement):
    """The line that stays visible when its part is closed."""


class chapter_link(nodes.Inline, nodes.TextElement):
    """Where one chapter covers one entry: becomes a link once all pages are known."""


@dataclass
class Group:
    """The entries of one top-level section of a note, in order."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def head(self) -> Entry | None:
        """The entry of the top-level section itself, or None while none has come."""
        return next((entry for entry in self.entries if _TOP.fullmatch(entry.id)), None)


def groups(entries: tuple[Entry, ...]) -> list[Group]:
    """Split a note's entries by top-level section; front matter joins the first section.

    A part's title, and the title above the review questions, joins the section that follows it.
    """
    found = [Group()]
    for entry in entries:
        opens = _LEAD.fullmatch(entry.id) or (
            _TOP.fullmatch(entry.id) and found[-1].head
        )
        if opens and found[-1].entries:
            found.append(Group())
        found[-1].entries.append(entry)
    return found


def docname(slug: str) -> str:
    """Return the name of the page of a chapter, or of a reference page."""
    return f"book/{slug}" if slug in sources.PAGES else syllabus.chapter(slug).docname


def is_done(entry: Entry, env: BuildEnvironment) -> bool:
    """Whether the entry's main chapter is in the book and says under which heading."""
    written = docname(entry.chapter) in env.found_docs
    return written and (entry.heading is not None or entry.chapter in sources.PAGES)


class SourceMap(SphinxDirective):
    """Shows the map of the notes; takes no arguments."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return one section for each note."""
        from lib.course import ledger

        self.env.note_dependency(str(sources.file()))
        self.env.note_reread()  # what is done depends on the other pages
        self.proofs = {
            place: len(claims) for place, claims in ledger.by_place().items()
        }
        everything = sources.entries()
        return [self._progress("All five notes", everything), *map(self._note, NOTES)]

    def _note(self, note: str) -> nodes.section:
        listed = sources.entries(note=note)
        section = nodes.section(names=[nodes.fully_normalize_name(NOTES[note])])
        self.set_source_info(section)
        self.state.document.note_implicit_target(section, section)
        section += nodes.title("", NOTES[note])
        about = nodes.paragraph("", f"{ABOUT[note]} Called ")
        about += nodes.literal("", note)
        about += nodes.Text(" in this book.")
        section += [about, self._progress(NOTES[note], listed)]
        section += [self._group(group) for group in groups(listed)]
        return section

    def _progress(self, name: str, entries: tuple[Entry, ...]) -> nodes.container:
        done = sum(is_done(entry, self.env) for entry in entries)
        bar = (
            f'<progress value="{done}" max="{len(entries)}" '
            f'aria-label="{html.escape(name)}: sections covered"></progress>'
        )
        said = f"{done} of {len(entries)} sections covered"
        return nodes.container(
            "",
            nodes.raw("", bar, format="html"),
            nodes.inline("", said),
            classes=["source-progress"],
        )

    def _group(self, group: Group) -> folded:
        head = group.head or group.entries[0]
        done = sum(is_done(entry, self.env) for entry in group.entries)
        title = fold_title()
        title += nodes.inline("", head.id, classes=["source-id"])
        title += nodes.inline("", "", *_titled(head.title), classes=["source-title"])
        title += nodes.inline(
            "", f"{done}/{len(group.entries)}", classes=["source-count"]
        )
        return folded("", title, self._table(group.entries))

    def _table(self, entries: list[Entry]) -> nodes.table:
        body = nodes.tbody("", *(self._row(entry) for entry in entries))
        header = (
            _cell(nodes.Text(name))
            for name in ("Section", "Title", "Covered in", "Checks")
        )
        head = nodes.thead("", nodes.row("", *header))
        columns = (nodes.colspec(colwidth=width) for width in (14, 40, 40, 6))
        return nodes.table(
            "", nodes.tgroup("", *columns, head, body, cols=4), classes=["source-map"]
        )

    def _row(self, entry: Entry) -> nodes.row:
        links: list[nodes.Node] = []
        for slug in entry.chapters:
            if links:
                links.append(nodes.Text("; "))
            heading = entry.heading_in(slug)
            links.append(chapter_link(place=entry.place, slug=slug, heading=heading))
        proofs = self.proofs.get(entry.place, 0)
        return nodes.row(
            "",
            _cell(nodes.Text(entry.id)),
            _cell(*_titled(entry.title)),
            _cell(*links),
            _cell(nodes.Text(str(proofs) if proofs else "")),
        )


def _cell(*content: nodes.Node) -> nodes.entry:
    return nodes.entry("", nodes.paragraph("", "", *content))


def _titled(title: str) -> Iterator[nodes.Node]:
    """Return a title as text, with ``$…$`` as formulas."""
    for number, piece in enumerate(_MATH.split(title)):
        if piece:
            yield nodes.math(piece, piece) if number % 2 else nodes.Text(piece)


class ChapterLinks(SphinxPostTransform):
    """Turns every place of a chapter into a link, or into words while it is not written."""

    default_priority = 5

    def run(self, **kwargs) -> None:
        """Replace the ``chapter_link`` nodes of the page."""
        for node in list(self.document.findall(chapter_link)):
            node.replace_self(
                self._resolved(node["place"], node["slug"], node["heading"])
            )

    def _resolved(self, place: str, slug: str, heading: str | None) -> nodes.Node:
        page = docname(slug)
        if slug in sources.PAGES:
            title = self.env.titles[page].astext() if page in self.env.titles else slug
        else:
            chapter = syllabus.chapter(slug)
            title = f"{chapter.number} {chapter.title}"
            if page not in self.env.found_docs:
                return nodes.inline(
                    "", f"chapter {chapter.number}, planned", classes=["planned"]
                )
        uri = self.app.builder.get_relative_uri(self.env.docname, page)
        if heading is None:
            return nodes.reference("", title, internal=True, refuri=uri)
        found = section_references(self.env, page).get(headings.bare(heading))
        if found is None:
            logger.warning(
                "%s maps to a heading that %s lacks: %s", place, slug, heading
            )
            return nodes.reference("", heading, internal=True, refuri=uri)
        number = "" if slug in sources.PAGES else f"{syllabus.chapter(slug).number} · "
        shown = (child.deepcopy() for child in found.children)
        link = nodes.reference(
            "", number, internal=True, refuri=uri + found["anchorname"]
        )
        link += shown
        return link


def section_references(env: BuildEnvironment, page: str) -> dict[str, nodes.reference]:
    """Return bare heading -> reference for the sections of a page that Sphinx has read.

    A reference holds the heading as it is shown and, as ``anchorname``, its ``#anchor`` (``""``
    for the title of the page).
    """
    return {
        headings.bare(r.astext()): r for r in env.tocs[page].findall(nodes.reference)
    }


def _open_details(self, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "details", CLASS="source-group"))


def _close_details(self, node: nodes.Element) -> None:
    self.body.append("</details>\n")


def _open_summary(self, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "summary", suffix=""))


def _close_summary(self, node: nodes.Element) -> None:
    self.body.append("</summary>\n")


def _nothing(self, node: nodes.Element) -> None:
    """Write nothing: other formats show what is inside."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    plain = dict.fromkeys(("latex", "text", "man", "texinfo"), (_nothing, _nothing))
    app.add_node(folded, html=(_open_details, _close_details), **plain)
    app.add_node(fold_title, html=(_open_summary, _close_summary), **plain)
    app.add_node(chapter_link, html=(_nothing, _nothing), **plain)
    app.add_directive("source-map", SourceMap)
    app.add_post_transform(ChapterLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
