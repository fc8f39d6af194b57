"""The one form in which notebooks are stored.

Executing an unchanged chapter must give the same bytes, so everything that tells when, where or in
which editor a notebook ran is taken out: timestamps, widget state, versions, random cell ids,
picture metadata, the way a stream was cut into pieces.
"""

import base64
import hashlib
import re
import struct
from collections import Counter

import nbformat
from nbformat import NotebookNode

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

# What a cell may say about itself: tags, options of the page builder, and why its output is not
# compared (see tests/test_house_notebooks.py).
_CELL_METADATA = ("mystnb", "nbval_reason", "tags")
_NOTEBOOK_METADATA = ("course",)

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_METADATA = {b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf"}
_EMBEDDED_PNG = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=]+")


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Bring ``notebook`` into its stored form, in place, and return it."""
    course = {
        key: notebook.metadata[key]
        for key in _NOTEBOOK_METADATA
        if key in notebook.metadata
    }
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": LANGUAGE} | course
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        kept = {
            key: cell.metadata[key] for key in _CELL_METADATA if cell.metadata.get(key)
        }
        cell.metadata = nbformat.from_dict(kept)
        if not cell.get("attachments"):
            cell.pop("attachments", None)
        if cell.cell_type == "code":
            executed = cell.execution_count is not None
            count += executed
            cell.execution_count = count if executed else None
            cell.outputs = _outputs(cell.outputs, cell.execution_count)
    _name_cells(notebook.cells)
    return notebook


def text(notebook: NotebookNode) -> str:
    """Return ``notebook`` as it is written to its file: sorted JSON, one newline at the end."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def without_png_metadata(data: bytes) -> bytes:
    """Return a PNG without the chunks that name the software, the time or a comment."""
    if not data.startswith(_PNG_SIGNATURE):
        raise ValueError(
            f"expected a PNG picture, got data that begins with {data[:8]!r}"
        )
    kept, position = [_PNG_SIGNATURE], len(_PNG_SIGNATURE)
    while position < len(data):
        if position + 12 > len(data):
            raise ValueError(
                "expected a whole PNG picture, got one that ends within a chunk"
            )
        (length,) = struct.unpack_from(">I", data, position)
        end = position + 12 + length  # length, type, data, checksum
        if data[position + 4 : position + 8] not in _PNG_METADATA:
            kept.append(data[position:end])
        position = end
    return b"".join(kept)


def _outputs(outputs: list[NotebookNode], count: int | None) -> list[NotebookNode]:
    merged: list[NotebookNode] = []
    for output in outputs:
        previous = merged[-1] if merged else None
        if output.output_type == "stream":
            if (
                previous
                and previous.output_type == "stream"
                and previous.name == output.name
            ):
                previous.text += output.text
                continue
        elif "data" in output:
            output.data.pop(WIDGET_VIEW, None)
            for mime, value in output.data.items():
                output.data[mime] = _clean(mime, value)
            output.metadata = nbformat.from_dict(dict(output.get("metadata", {})))
        if output.output_type == "execute_result":
            output.execution_count = count
        output.pop("transient", None)
        merged.append(output)
    return merged


def _clean(mime: str, value: object) -> object:
    if mime == "image/png" and isinstance(value, str):
        return _clean_base64(value)
    if mime == "text/html" and isinstance(value, str):
        return _EMBEDDED_PNG.sub(lambda found: _clean_base64(found[0]), value)
    return value


def _clean_base64(encoded: str) -> str:
    return base64.b64encode(without_png_metadata(base64.b64decode(encoded))).decode(
        "ascii"
    )


def _name_cells(cells: list[NotebookNode]) -> None:
    """Give every cell an id made from its content, so that moving a cell moves its id with it."""
    seen: Counter[str] = Counter()
    for cell in cells:
        digest = hashlib.sha256(
            f"{cell.cell_type}\n{cell.source}".encode()
        ).hexdigest()[:8]
        seen[digest] += 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
