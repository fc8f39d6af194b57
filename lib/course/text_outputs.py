"""The text that a code cell shows: what must not change from one computer to another.

nbval compares the same in ``make test``; here it serves ``make portability`` and the tests of the
notebooks' structure. The rules for what is replaced before a comparison are nbval's, in
``tests/nbval_sanitize.cfg``.
"""

import re
from functools import cache

from nbformat import NotebookNode

from lib.course import paths
from lib.course.notebook_form import WIDGET_VIEW

IGNORED = "nbval-ignore-output"
_PAIR = re.compile(r"^regex: (.*)\n^replace: (.*)$", re.MULTILINE)


@cache
def rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the sanitising rules as pairs of a pattern and its replacement."""
    text = (paths.repository() / "tests" / "nbval_sanitize.cfg").read_text(
        encoding="utf-8"
    )
    return tuple((re.compile(pattern), new) for pattern, new in _PAIR.findall(text))


def sanitised(text: str) -> str:
    """Return ``text`` with what may differ replaced."""
    for pattern, new in rules():
        text = pattern.sub(new, text)
    return text


def texts(cell: NotebookNode) -> list[tuple[str, str]]:
    """Return kind (a stream's name or a MIME type) and sanitised text of each output, in order."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append((output.name, sanitised(output.text)))
        for mime, value in sorted(output.get("data", {}).items()):
            if not mime.startswith(("image/png", "image/jpeg")) and mime != WIDGET_VIEW:
                found.append(
                    (mime, sanitised(value if isinstance(value, str) else repr(value)))
                )
    return found


def compared(cell: NotebookNode) -> bool:
    """Say whether the cell's output is compared at all; a tag with a reason can say no."""
    return IGNORED not in cell.metadata.get("tags", [])
