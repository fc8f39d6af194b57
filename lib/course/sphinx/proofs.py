"""Proofs that open with a marked word, and anchors that are unique on their page.

sphinx-proof gives every proof of a page the same anchor, and sets the word “Proof.” as plain text.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from sphinx_proof.nodes import proof_node

_LEAD = "Proof."


def tidy(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the first word of each proof; number the anchors that sphinx-proof repeats."""
    for count, node in enumerate(doctree.findall(proof_node), start=1):
        box = node[0]
        box["ids"] = [f"proof-{count}"]
        box["classes"] = ["argument"]
        first = next(iter(box.findall(nodes.Text)))
        if first.startswith(_LEAD):
            rest = nodes.Text(first.removeprefix(_LEAD))
            first.parent.replace(
                first, [nodes.inline("", _LEAD, classes=["proof-lead"]), rest]
            )
    for section in doctree.findall(nodes.section):
        if section["ids"] == ["proof-content"]:
            section["ids"] = [f"{section.parent['ids'][0]}-content"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", tidy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
