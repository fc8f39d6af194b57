"""What ``verify`` printed stands out from other output: a tick, the claim, how it was checked."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from lib.course.ledger import Entry


def verified_block(text: str) -> nodes.literal_block | None:
    """Return the output ``text`` dressed as verified claims, or None when it is anything else."""
    lines = text.rstrip("\n").split("\n")
    entries = [Entry.read(line) for line in lines]
    if not text.strip() or None in entries:
        return None
    # Text that differs from its source is not run through the highlighter, so the spans survive.
    block = nodes.literal_block("", "", classes=["output", "verified"])
    for number, (line, entry) in enumerate(zip(lines, entries, strict=True)):
        tick, rest = line[: line.index(entry.claim)], line[line.index(entry.claim) :]
        block += nodes.Text("\n" if number else "")
        block += nodes.inline("", tick, classes=["tick"])
        block += nodes.inline("", entry.claim, classes=["claim"])
        block += nodes.inline("", rest.removeprefix(entry.claim), classes=["how"])
    return block


def dress(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the outputs of a page that consist of verified lines."""
    for block in list(doctree.findall(nodes.literal_block)):
        if "stream" in block.get("classes", []) and (
            dressed := verified_block(block.astext())
        ):
            block.replace_self(dressed)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", dress)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
