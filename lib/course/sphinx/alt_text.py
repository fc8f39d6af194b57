"""Every picture has words for those who cannot see it; one without fails the build.

``show(fig, alt=…)`` stores the words in the output's metadata, where myst-nb does not look. It
names the picture's file after the checksum of its content, and that leads back to the output.
"""

import hashlib
from binascii import a2b_base64
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from lib.course import notebook_checks

logger = logging.getLogger(__name__)

_BINARY = ("image/png", "image/jpeg", "image/gif")


def alternative_texts(notebook: NotebookNode) -> dict[str, str]:
    """Return SHA-256 of a picture -> its alternative text, for the pictures a notebook shows."""
    texts = {}
    for cell in notebook_checks.code_cells(notebook):
        for output in cell.outputs:
            for mime in _BINARY:
                alt = output.get("metadata", {}).get(mime, {}).get("alt", "")
                if mime in output.get("data", {}) and alt:
                    content = a2b_base64("".join(output["data"][mime]))
                    texts[hashlib.sha256(content).hexdigest()] = alt
    return texts


class _Images(HTMLParser):
    """Collects the ``<img>`` tags that have no ``alt`` at all."""

    def __init__(self) -> None:
        super().__init__()
        self.wordless: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img" and not any(name == "alt" for name, _ in attrs):
            self.wordless.append((dict(attrs).get("src") or "")[:60])


def images_without_alt(html: str) -> list[str]:
    """Return the beginning of the address of every ``<img>`` in ``html`` that lacks ``alt``.

    An empty ``alt`` is allowed in HTML: it says that the picture only decorates.
    """
    parser = _Images()
    parser.feed(html)
    return parser.wordless


def describe(app: Sphinx, doctree: nodes.document) -> None:
    """Give the pictures of a notebook their words; warn of any picture that has none."""
    page = app.env.docname
    path = Path(app.env.doc2path(page))
    texts = {}
    if path.suffix == ".ipynb":
        texts = alternative_texts(notebook_checks.load(path))
    for image in doctree.findall(nodes.image):
        checksum = PurePosixPath(image["uri"]).stem
        image["alt"] = image.get("alt", "").strip() or texts.get(checksum, "").strip()
        if not image["alt"]:
            logger.warning(
                "a picture has no alternative text: %s", image["uri"], location=page
            )
    for raw in doctree.findall(nodes.raw):
        for address in images_without_alt(raw.astext()):
            logger.warning("an <img> has no alt: %s", address, location=page)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
