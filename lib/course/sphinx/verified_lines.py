"""What ``verify`` printed stands out from other output: a tick, the claim, how it was checked."""

from itertools import groupby

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from lib.course.ledger import Entry


def verified_block(lines: list[str]) -> nodes.literal_block:
    """Return printed lines of the ledger dressed as verified claims."""
    # Text that differs from its source is not run through the highlighter, so the spans survive.
    block = nodes.literal_block("", "", classes=["output", "verified"])
    for number, line in enumerate(lines):
        claim = Entry.read(line).claim
        tick, _, rest = line.partition(claim)
        block += nodes.Text("\n" if number else "")
        block += nodes.inline("", tick, classes=["tick"])
        block += nodes.inline("", claim, classes=["claim"])
        block += nodes.inline("", rest, classes=["how"])
    return block


def split(block: nodes.literal_block) -> list[nodes.literal_block]:
    """Return an output as blocks: runs of verified claims, and what was printed between them."""
    lines = block.astext().rstrip("\n").split("\n")
    found = []
    for verified, run in groupby(lines, key=lambda line: Entry.read(line) is not None):
        if verified:
            found.append(verified_block(list(run)))
        elif text := "\n".join(run).strip("\n"):
            found.append(nodes.literal_block(text, text, **block.attributes))
    return found


def dress(app: Sphinx, doctree: nodes.document) -> None:
    """Take apart the printed outputs of a page that hold verified claims."""
    for block in list(doctree.findall(nodes.literal_block)):
        if "stream" in block.get("classes", []):
            blocks = split(block)
            if any("verified" in found["classes"] for found in blocks):
                block.replace_self(blocks)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", dress)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
