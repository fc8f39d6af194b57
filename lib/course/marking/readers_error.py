"""An exception of the reader's code in three short texts: name, message, and the line at fault."""

import os
import re
import sysconfig
import traceback
from pathlib import Path

_LIB = str(Path(__file__).resolve().parents[1]) + os.sep
_NOT_THE_READERS = (
    _LIB,
    "<frozen",
    *{
        sysconfig.get_path(name)
        for name in ("stdlib", "platstdlib", "purelib", "platlib")
    },
)


def describe_error(error: BaseException) -> tuple[str, str, str]:
    """The exception's name, its message without addresses, and where in the reader's code."""
    name = str(type.__dict__["__name__"].__get__(type(error)))[:80]
    try:
        message = tidy(str(error))
    except BaseException:
        message = ""
    try:
        place = _place(error)
    except BaseException:
        place = ""
    return name, message, place


def tidy(text: str, most: int = 300) -> str:
    """Text on one line, not too long, without addresses and control characters."""
    text = re.sub(r"\b0x[0-9a-fA-F]+", "0x…", text[: 4 * most])
    text = re.sub(r"(/[\w.+-]+){2,}/", "…/", text)  # paths of the machine
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _place(error: BaseException) -> str:
    """The innermost line of the reader's own code: "in ridge: return X @ w"."""
    for frame in reversed(traceback.extract_tb(error.__traceback__, limit=-300)):
        if not frame.filename.startswith(_NOT_THE_READERS):
            line = tidy((frame.line or "").strip(), 120)
            return f"in {frame.name}: {line}" if line else f"in {frame.name}"
    return ""
