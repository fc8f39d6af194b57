"""Chapters carry the numbers of the syllabus, whichever of them exist yet.

Sphinx counts the pages of a numbered table of contents, so a chapter's number would change with
every chapter written before it. Here chapter 4 is 4, its sections 4.1, 4.2, … and its theorems,
exercises, figures and equations 4.1, 4.2, … from the first day.
"""

from docutils import nodes
from sphinx.addnodes import compact_paragraph
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.util.typing import ExtensionMetadata

from lib.course import syllabus

DEPTH = 2  # the chapter and its sections; what lies deeper has no number


def section_numbers(toc: nodes.bullet_list, number: int) -> dict[str, tuple[int, ...]]:
    """Number the entries of one page's table of contents, and return anchor -> number.

    The first entry is the page's title and has the anchor ``""``. Each numbered reference node
    also gets its number as ``secnumber``, where the sidebar reads it.
    """
    numbers: dict[str, tuple[int, ...]] = {}

    def walk(bullets: nodes.bullet_list, prefix: tuple[int, ...], start: int) -> None:
        for count, item in enumerate(bullets.children, start):
            here = (*prefix, count)
            for child in item.children:
                if isinstance(child, compact_paragraph):
                    reference = child[0]
                    shown = here if len(here) <= DEPTH else ()
                    numbers[reference["anchorname"]] = shown
                    reference["secnumber"] = list(shown) or None
                elif isinstance(child, nodes.bullet_list):
                    walk(child, here, 1)

    walk(toc, (), number)
    return numbers


class SyllabusNumbering(TocTreeCollector):
    """Gives every chapter of the syllabus its own number, after Sphinx has done its counting."""

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Do nothing: the table of contents of a page is collected elsewhere."""

    def merge_other(self, app, env, docnames, other) -> None:
        """Do nothing: there is nothing of ours to merge."""

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Do nothing: there is nothing of ours to clear."""

    def get_updated_docs(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Number the chapters that exist; return the pages to be written again."""
        changed = []
        for chapter in syllabus.chapters():
            if chapter.docname not in env.tocs:
                continue
            numbers = section_numbers(env.tocs[chapter.docname], chapter.number)
            env.titles[chapter.docname]["secnumber"] = [chapter.number]
            env.toc_secnumbers[chapter.docname] = numbers
            if numbers != self._before(env).get(chapter.docname):
                changed.append(chapter.docname)
        env.course_numbers = {
            name: dict(found) for name, found in env.toc_secnumbers.items()
        }
        return changed + self.assign_figure_numbers(env)

    @staticmethod
    def _before(env: BuildEnvironment) -> dict[str, dict[str, tuple[int, ...]]]:
        """The numbers of the last build; Sphinx forgets its own at the start of each."""
        return getattr(env, "course_numbers", {})


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_env_collector(SyllabusNumbering)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True}
