"""What the book has verified: the ``{verified}`` directive and the ``{verified-count}`` role.

The role counts: ``{verified-count}`book` `` all claims, or those of a chapter's slug or of a note.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.typing import ExtensionMetadata

from lib.course import ledger, sources, syllabus
from lib.course.headings import Heading
from lib.course.ledger import Proof
from lib.course.mirrored import NOTES
from lib.course.sphinx.source_map import fold_title, folded


def count(of: str) -> int:
    """Return how many claims are verified in the ``book``, in a chapter, or for a note."""
    if of == "book":
        return ledger.count()
    if of in NOTES:
        places = ledger.by_place().items()
        return len(
            {
                proof
                for place, proofs in places
                for proof in proofs
                if _note(place) == of
            }
        )
    chapter = syllabus.chapter(of)
    return len(ledger.by_chapter().get(chapter, ()))


def _note(place: str) -> str:
    return place.partition(":")[0]


class VerifiedCount(SphinxRole):
    """The number of verified claims, as text."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number; an unknown name is an error at its place in the page."""
        self.env.note_reread()
        try:
            return [nodes.Text(str(count(self.text)))], []
        except ValueError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]


class Verified(SphinxDirective):
    """Lists the claims by ``chapter`` or by ``note``, its one argument."""

    has_content = False
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return one part that opens and closes for each chapter, or each note."""
        self.env.note_reread()
        if self.arguments[0] == "chapter":
            parts = list(self._chapters())
        elif self.arguments[0] == "note":
            parts = list(self._notes())
        else:
            raise self.error(f"expected chapter or note, got {self.arguments[0]!r}")
        return parts or [nodes.paragraph("", "No chapter is written yet.")]

    def _chapters(self):
        for chapter, proofs in ledger.by_chapter().items():
            if proofs and chapter.docname in self.env.found_docs:
                rows = [[self._link(p, p.claim), p.how, _places(p)] for p in proofs]
                table = _table(["Claim", "Checked", "Notes"], [50, 25, 25], rows)
                yield _fold(str(chapter.number), chapter.title, len(proofs), table)

    def _notes(self):
        proved = ledger.by_place()
        for note, name in NOTES.items():
            rows = []
            for entry in sources.entries(note=note):
                rows += [
                    [entry.id, entry.title, self._link(p, p.claim)]
                    for p in proved.get(entry.place, ())
                    if p.chapter.docname in self.env.found_docs
                ]
            if rows:
                table = _table(["Section", "Title", "Claim"], [12, 44, 44], rows)
                yield _fold(note, name, count(note), table)

    def _link(self, proof: Proof, text: str) -> nodes.reference:
        page = self.env.app.builder.get_relative_uri(
            self.env.docname, proof.chapter.docname
        )
        return nodes.reference(
            "", text, internal=True, refuri=page + _anchor(proof.heading)
        )


def _anchor(heading: Heading | None) -> str:
    """Return where on the page the claim is; its top when the heading above it has no anchor."""
    return f"#{heading.anchor}" if heading and heading.anchor else ""


def _places(proof: Proof) -> str:
    return ", ".join(place.replace(":", " ", 1) for place in proof.mirrors)


def _fold(mark: str, title: str, number: int, table: nodes.table) -> folded:
    line = fold_title()
    line += nodes.inline("", mark, classes=["source-id"])
    line += nodes.inline("", title, classes=["source-title"])
    line += nodes.inline("", str(number), classes=["source-count"])
    return folded("", line, table)


def _table(head: list[str], widths: list[int], rows: list[list]) -> nodes.table:
    columns = [nodes.colspec(colwidth=width) for width in widths]
    body = nodes.tbody("", *map(_row, rows))
    group = nodes.tgroup(
        "", *columns, nodes.thead("", _row(head)), body, cols=len(widths)
    )
    return nodes.table("", group, classes=["ledger"])


def _row(cells: list[str | nodes.Node]) -> nodes.row:
    shown = (nodes.Text(cell) if isinstance(cell, str) else cell for cell in cells)
    return nodes.row(
        "", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in shown)
    )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_directive("verified", Verified)
    app.add_role("verified-count", VerifiedCount())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
