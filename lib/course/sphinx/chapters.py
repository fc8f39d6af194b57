"""Naming chapters in the text, written or not: the ``{chapter}`` role and the list of parts.

``{chapter}`mlp` `` becomes “chapter 17”, ``{chapter}`networks <mlp>` `` becomes “networks”: a link
once the chapter is in the book, plain words before. So a chapter may point forward at any time.
"""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole, SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from lib.course import paths, syllabus

logger = logging.getLogger(__name__)

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def chapter_reference(
    env: BuildEnvironment, chapter: syllabus.Chapter, text: str
) -> nodes.Node:
    """Return ``text`` as a link to ``chapter``, or as plain words while it is not in the book."""
    # The page must be read again when the table of contents gains the chapter.
    env.note_dependency(str(paths.repository() / "_toc.yml"))
    words = nodes.inline("", text, classes=["doc"])
    if chapter.docname not in env.found_docs:
        words["classes"] = ["planned"]
        return words
    return pending_xref(
        "",
        words,
        refdomain="std",
        reftype="doc",
        reftarget=f"/{chapter.docname}",
        refdoc=env.docname,
        refexplicit=True,
        refwarn=True,
    )


class ChapterRole(ReferenceRole):
    """A reference to a chapter by its slug."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the reference; an unknown slug is a warning that names near ones."""
        try:
            chapter = syllabus.chapter(self.target)
        except ValueError as error:
            logger.warning("%s", error, location=self.get_location())
            return [nodes.Text(self.title)], []
        text = self.title if self.has_explicit_title else f"chapter {chapter.number}"
        return [chapter_reference(self.env, chapter, text)], []


class Parts(SphinxDirective):
    """The parts of the course, each with its chapters; those to come are told apart."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return one block for each part."""
        blocks = [self._part(part) for part in syllabus.parts()]
        found = [nodes.container("", *blocks, classes=["course-parts"])]
        if any(
            chapter.docname not in self.env.found_docs
            for chapter in syllabus.chapters()
        ):
            told = "Chapters without a link are still to be written."
            found.append(nodes.paragraph("", told, classes=["planned"]))
        return found

    def _part(self, part: syllabus.Part) -> nodes.container:
        title = nodes.paragraph("", classes=["part-title"])
        title += nodes.inline("", _ROMAN[part.number - 1], classes=["part-number"])
        title += nodes.inline("", part.title)
        items = nodes.bullet_list(classes=["part-chapters"])
        for chapter in part.chapters:
            line = nodes.paragraph()
            line += nodes.inline("", str(chapter.number), classes=["chapter-number"])
            line += chapter_reference(self.env, chapter, chapter.title)
            items += nodes.list_item("", line)
        return nodes.container("", title, items, classes=["course-part"])


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_role("chapter", ChapterRole())
    app.add_directive("course-parts", Parts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
