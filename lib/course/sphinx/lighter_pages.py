"""Pages lose weight that no reader sees.

Highlighted code marks every name and bracket with a tag although they have the colour of plain
text: that doubles its length. Pictures inside HTML outputs are written as text, a third longer
than they are: in the book they become files.
"""

import hashlib
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text, Whitespace
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.util.typing import ExtensionMetadata

_PLAIN = {Name, Punctuation, Whitespace}
_PICTURE = re.compile(r"data:image/(png|webp|jpeg|gif);base64,([A-Za-z0-9+/]{1000,}=*)")


class PlainNames(HtmlFormatter):
    """Highlights code without tags around what has the colour of plain text."""

    def format_unencoded(self, tokensource: Iterable, outfile) -> None:
        """Write the tokens; those of ``_PLAIN`` as text."""
        super().format_unencoded(_as_text(tokensource), outfile)


def _as_text(tokens: Iterable) -> Iterator:
    for kind, value in tokens:
        yield (Text if kind in _PLAIN else kind), value


def unpack(html: str, folder: Path, address: str) -> str:
    """Write the pictures in ``html`` to ``folder``; return it with ``address`` in their place.

    Files are named after the checksum of their content, so equal pictures are one file.
    """

    def file(match: re.Match[str]) -> str:
        content = b64decode(match[2])
        name = f"{hashlib.sha256(content).hexdigest()[:32]}.{match[1]}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        return f"{address}{name}"

    return _PICTURE.sub(file, html)


def lighten(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Unpack the pictures of a page that is about to be written."""
    if app.builder.name != "html":
        return
    folder = Path(app.outdir) / app.builder.imagedir
    address = "../" * docname.count("/") + f"{app.builder.imagedir}/"
    for raw in list(doctree.findall(nodes.raw)):
        if raw.get("format") == "html" and _PICTURE.search(raw.astext()):
            text = unpack(raw.astext(), folder, address)
            raw.replace_self(nodes.raw(text, text, **raw.attributes))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    PygmentsBridge.html_formatter = PlainNames
    app.connect("doctree-resolved", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
