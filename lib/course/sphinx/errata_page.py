"""The page of all errors found in the notes: the ``{errata}`` directive.

A table counts them by note and kind; then each is shown with a link to its proof in the chapter.
"""

from collections import Counter
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import errata, syllabus
from lib.course.errata import KINDS, Erratum
from lib.course.mirrored import NOTES
from lib.course.sphinx.source_map import fold_title, folded


class Errata(SphinxDirective):
    """Shows all errata by note and kind; takes no arguments."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the table of counts and one section for each note that has errata."""
        self.env.note_dependency(str(errata.file()))
        self.env.note_reread()  # which proofs there are to link to depends on the other pages
        listed = errata.errata()
        if not listed:
            return [nodes.paragraph("", "No errors are listed yet.")]
        by_note = {note: [one for one in listed if one.note == note] for note in NOTES}
        sections = [self._note(note, ones) for note, ones in by_note.items() if ones]
        return [_counts(listed), *sections]

    def _note(self, note: str, ones: list[Erratum]) -> nodes.section:
        title = NOTES[note]
        section = nodes.section(names=[nodes.fully_normalize_name(title)])
        self.set_source_info(section)
        self.state.document.note_implicit_target(section, section)
        section += nodes.title("", title)
        for kind, name in KINDS.items():
            of_kind = [one for one in ones if one.kind == kind]
            if of_kind:
                line = fold_title()
                line += nodes.inline("", name.capitalize(), classes=["source-title"])
                line += nodes.inline("", str(len(of_kind)), classes=["source-count"])
                section += folded("", line, *map(self._erratum, of_kind))
        return section

    def _erratum(self, one: Erratum) -> nodes.container:
        title = nodes.paragraph("", "", classes=["erratum-title"])
        where = self.state.inline_text(f"{one.note} {one.where}", self.lineno)[0]
        title += nodes.inline("", "", *where, classes=["erratum-where"])
        title += nodes.inline("", "", self._proof(one), classes=["erratum-proof"])
        texts = (
            ("The notes say", one.says),
            ("Correct is", one.correct),
            ("Why", one.why),
        )
        rows = [self._row(label, text) for label, text in texts]
        return nodes.container(
            "",
            title,
            nodes.definition_list("", *rows, classes=["erratum-texts"]),
            classes=["erratum"],
            ids=[f"listed-{one.id}"],
        )

    def _row(self, label: str, text: str) -> nodes.definition_list_item:
        inline, messages = self.state.inline_text(text, self.lineno)
        return nodes.definition_list_item(
            "",
            nodes.term("", label),
            nodes.definition("", nodes.paragraph("", "", *inline), *messages),
        )

    def _proof(self, one: Erratum) -> nodes.Node:
        chapter = syllabus.chapter(one.chapter)
        if chapter.docname not in self.env.found_docs:
            return nodes.inline(
                "", f"chapter {chapter.number}, planned", classes=["planned"]
            )
        page = self.env.app.builder.get_relative_uri(self.env.docname, chapter.docname)
        name = f"Proof in chapter {chapter.number}, {chapter.title}"
        return nodes.reference("", name, internal=True, refuri=f"{page}#{one.anchor}")


def _counts(listed: tuple[Erratum, ...]) -> nodes.table:
    """Return a table: a row for each kind that occurs, a column for each note that has errata."""
    times = Counter((one.note, one.kind) for one in listed)
    notes = [note for note in NOTES if any(one.note == note for one in listed)]
    kinds = [kind for kind in KINDS if any(one.kind == kind for one in listed)]
    rows = [
        [
            KINDS[kind],
            *(times[note, kind] for note in notes),
            sum(times[n, kind] for n in notes),
        ]
        for kind in kinds
    ]
    rows.append(
        ["all", *(sum(times[note, k] for k in kinds) for note in notes), len(listed)]
    )
    head = nodes.thead("", _row(["", *notes, "all"]))
    body = nodes.tbody("", *map(_row, rows))
    columns = (nodes.colspec(colwidth=1) for _ in range(len(notes) + 2))
    group = nodes.tgroup("", *columns, head, body, cols=len(notes) + 2)
    return nodes.table("", group, classes=["errata-counts"])


def _row(cells: list) -> nodes.row:
    return nodes.row("", *_cells(cells))


def _cells(cells: list) -> Iterator[nodes.entry]:
    for cell in cells:
        yield nodes.entry("", nodes.paragraph("", str(cell) if cell != 0 else ""))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_directive("errata", Errata)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
