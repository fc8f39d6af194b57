"""A notebook that was not executed from top to bottom, or ends in an error, fails the build."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from lib.course import notebook_checks

logger = logging.getLogger(__name__)


def look(app: Sphinx, doctree: nodes.document) -> None:
    """Warn of what keeps the page's notebook from being the output of one clean run."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    for problem in notebook_checks.problems(notebook_checks.load(path)):
        logger.warning("%s", problem, location=app.env.docname)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
