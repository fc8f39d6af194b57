"""The record of what a reader has passed: a small local file that is never in the way.

It is ``.progress.json`` in the repository, or wherever the environment variable COURSE_PROGRESS
says. Writers take turns by a lock and replace the file in one step. A damaged file is set aside,
a read-only disk means that nothing is remembered; neither disturbs a check.
"""

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lib.course import chapter, paths
from lib.course.panel import Panel

_STATES = ("passed", "tried")
_PATIENCE = (
    2.0  # seconds for another writer to finish; then the record is left as it is
)


def path() -> Path:
    """Where the record is."""
    chosen = os.environ.get("COURSE_PROGRESS", "").strip()
    if chosen:
        return Path(os.path.expanduser(chosen))
    return paths.repository() / ".progress.json"


def read() -> dict[str, str]:
    """The record: exercise id to "passed" or "tried". A damaged file is set aside."""
    return _read()[0]


def remember(id: str, *, passed: bool) -> bool:
    """Record one attempt; a pass stays a pass. False if it could not be written."""
    try:
        with _turn():
            known, _ = _read()
            state = "passed" if passed or known.get(id) == "passed" else "tried"
            if known.get(id) != state:
                _write({**known, id: state})
        return True
    except (OSError, ValueError):  # ValueError: a path that cannot be one
        return False


def progress() -> None:
    """Draw what is passed, tried and open, chapter by chapter.

    The saved book has no reader: there it draws the chapter it stands in, all of it open.
    """
    from lib.course import progress_view

    if chapter.is_static():
        panel = progress_view.panel({}, only=chapter.current())
    else:
        try:
            known, note = _read()
            panel = progress_view.panel(known, note=note)
        except Exception as error:  # never in the way
            text = f"The record cannot be shown ({type(error).__name__})."
            panel = Panel(f"<p>{text}</p>", text)
    panel.show()


def _read() -> tuple[dict[str, str], str]:
    """The record, and a note for the reader if the file had to be set aside."""
    try:
        content = path().read_bytes()
    except (OSError, ValueError):
        return {}, ""
    try:
        states = json.loads(content.decode("utf-8"))["exercises"]
        return {k: v for k, v in states.items() if v in _STATES}, ""
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        aside = path().with_name(path().name + ".damaged")
        with suppress(OSError):
            os.replace(path(), aside)
        return (
            {},
            f"The record was damaged and begins anew; the old one is kept as {aside.name}.",
        )


def _write(known: dict[str, str]) -> None:
    target = path()
    content = (
        json.dumps({"version": 1, "exercises": known}, indent=1, sort_keys=True) + "\n"
    )
    descriptor, name = tempfile.mkstemp(prefix=target.name + ".", dir=target.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


@contextmanager
def _turn() -> Iterator[None]:
    """Hold the lock of the record; OSError if another writer does not let go of it."""
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target.with_name(target.name + ".lock"), "a+b") as file:
        end = time.monotonic() + _PATIENCE
        while not _lock(file):
            if time.monotonic() > end:
                raise OSError("the record is in use")
            time.sleep(0.01)
        yield  # closing the file lets go of the lock


def _lock(file) -> bool:
    """Try to lock the file, on POSIX or on Windows; False while somebody else has it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks: the file is still replaced in one step
    return True
