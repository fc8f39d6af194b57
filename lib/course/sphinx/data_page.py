"""The table of data sets and licences, written from the catalogue that the loaders use."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import paths, syllabus
from lib.course.sphinx.chapters import chapter_reference
from lib.data.listing import Entry, catalogue

_COLUMNS = (
    ("Data set", 20),
    ("Content", 34),
    ("Licence and credit", 32),
    ("Chapters", 14),
)
_ORIGINS = {
    "scikit-learn": "ships with scikit-learn",
    "networkx": "ships with networkx",
    "notes": "from the notes",
    "generated": "generated",
}


def readable_size(size: int) -> str:
    """Return a number of bytes as people say it."""
    if size < 0:
        raise ValueError(f"expected a number of bytes, got {size}")
    if size < 1000:
        return f"{size} bytes"
    if size < 999_500:
        return f"{size / 1e3:.0f} kB"
    return f"{size / 1e6:.1f} MB"


class DataTable(SphinxDirective):
    """Shows the catalogue; takes no arguments."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_dependency(
            str(paths.repository() / "lib" / "data" / "catalogue.yml")
        )
        head = nodes.row(
            "", *(_cell(nodes.paragraph("", name)) for name, _ in _COLUMNS)
        )
        body = nodes.tbody("", *(self._row(entry) for entry in catalogue()))
        columns = (nodes.colspec(colwidth=width) for _, width in _COLUMNS)
        group = nodes.tgroup(
            "", *columns, nodes.thead("", head), body, cols=len(_COLUMNS)
        )
        return [nodes.table("", group, classes=["data-sets"])]

    def _row(self, entry: Entry) -> nodes.row:
        name = nodes.paragraph("", "", nodes.strong("", entry.title))
        loader = nodes.paragraph("", "", nodes.literal("", f"{entry.name}()"))
        where = readable_size(entry.size) if entry.files else _ORIGINS[entry.origin]
        content = nodes.paragraph("", entry.what)
        shape = nodes.paragraph("", f"{entry.shape} · {where}", classes=["aside"])
        licence = nodes.paragraph("", entry.licence)
        credit = nodes.paragraph("", entry.credit, classes=["aside"])
        return nodes.row(
            "",
            _cell(name, loader),
            _cell(content, shape),
            _cell(licence, credit),
            _cell(self._chapters(entry)),
        )

    def _chapters(self, entry: Entry) -> nodes.paragraph:
        used = nodes.paragraph()
        for chapter in sorted(
            map(syllabus.chapter, entry.used_by), key=lambda c: c.number
        ):
            if used.children:
                used += nodes.Text(", ")
            used += chapter_reference(self.env, chapter, str(chapter.number))
        return used


def _cell(*content: nodes.Node) -> nodes.entry:
    return nodes.entry("", *content)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_directive("data-table", DataTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
