"""A sample of what the book has verified, on the title page: the lines its own code printed."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import ledger, syllabus
from lib.course.sphinx.chapters import chapter_reference

AT_MOST = 6

Claim = tuple[syllabus.Chapter, ledger.Entry]


def sample(verified: dict[syllabus.Chapter, tuple[ledger.Entry, ...]]) -> list[Claim]:
    """Return claims from chapters spread over the book, in reading order.

    Claims that mirror a place in the notes come first; a chapter gives a second one only when
    there are too few chapters to fill the list.
    """
    ranked = {
        chapter: sorted(entries, key=lambda entry: not entry.mirrors)
        for chapter, entries in verified.items()
        if entries
    }
    chapters = list(ranked)
    if len(chapters) > AT_MOST:
        step = (len(chapters) - 1) / (AT_MOST - 1)
        chapters = [chapters[round(k * step)] for k in range(AT_MOST)]
    rounds = max((len(ranked[chapter]) for chapter in chapters), default=0)
    picked = [
        (chapter, ranked[chapter][turn])
        for turn in range(rounds)
        for chapter in chapters
        if turn < len(ranked[chapter])
    ]
    return sorted(picked[:AT_MOST], key=lambda claim: claim[0].number)


class Claims(SphinxDirective):
    """Shows a few verified claims and their chapters; the directive's content introduces them."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the introduction and the claims; nothing at all while nothing is verified."""
        self.env.note_reread()  # they come from every chapter
        items = nodes.bullet_list(classes=["course-claims"])
        for chapter, entry in sample(ledger.by_chapter()):
            line = nodes.paragraph("", "", nodes.literal("", entry.line()))
            line += nodes.Text(" ")
            line += chapter_reference(self.env, chapter, f"chapter {chapter.number}")
            items += nodes.list_item("", line)
        return [*self.parse_content_to_nodes(), items] if len(items) else []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_directive("course-claims", Claims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
