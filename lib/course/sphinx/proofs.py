"""Proofs that open with a marked word; boxes whose anchors are unique on their page.

sphinx-proof and sphinx-exercise give all boxes of a kind the same anchor, and the word “Proof.” is
plain text.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from sphinx_proof.nodes import proof_node

_LEAD = "Proof."
_SHARED = {"proof-content", "exercise-content", "solution-content"}


def tidy(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the first word of each proof; make the anchors that boxes share unique."""
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
        if _SHARED.intersection(section["ids"]) and section.parent["ids"]:
            section["ids"] = [f"{section.parent['ids'][0]}-content"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", tidy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
