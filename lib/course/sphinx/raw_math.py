"""Formulas inside HTML outputs count as formulas: their page gets MathJax too.

Sphinx loads MathJax where it has parsed a formula itself. Quizzes, errata and solutions bring
theirs as HTML.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

_OPENINGS = (r"\(", r"\[")


def notice(app: Sphinx, doctree: nodes.document) -> None:
    """Note when an HTML output of the page holds a formula."""
    raws = (raw.astext() for raw in doctree.findall(nodes.raw))
    if any(opening in raw for raw in raws for opening in _OPENINGS):
        domain = app.env.get_domain("math")
        domain.data["has_equations"][app.env.docname] = True


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", notice)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
