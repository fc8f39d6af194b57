"""Running code that may do anything, without letting it harm the kernel.

Where the system can fork (Linux, macOS), the code runs in a forked child: it sees everything the
notebook has defined, needs no pickling, and whatever it breaks (settings, seeds, memory, the
process itself) is gone with the child. The child has a CPU limit kept by the system, a wall-clock
limit kept by the parent, and a memory limit; it and all it started are killed when it is over.
What the child does first is in `isolation_child`.

Where there is no fork (Windows, Pyodide), it runs in a thread: see `isolation_thread`.
"""

import os
import select
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lib.course.marking.portable import plain_load

CAN_FORK = (
    hasattr(os, "fork") and hasattr(os, "setsid") and sys.platform != "emscripten"
)
FRAME = struct.Struct("<4sI")
MAGIC = b"cour"

Send = Callable[[Any], None]
Task = Callable[[Send], None]


@dataclass(frozen=True)
class Limits:
    """How much the code may use.

    CPU time decides, so that a busy machine fails nobody; ``patience`` times as long by the clock
    is for code that sleeps or waits.
    """

    cpu_seconds: int = 5
    memory_bytes: int = 2 << 30
    patience: float = 4.0

    @property
    def wall_seconds(self) -> float:
        """Seconds by the clock after which the child is killed."""
        return self.patience * self.cpu_seconds


@dataclass
class Run:
    """What happened: the messages sent, how it ended, and what was printed.

    ``ending`` is one of "finished", "time", "exit" (it left the process), "crash" and "interrupt"
    (the reader pressed stop); ``detail`` has the signal or the reason.
    """

    messages: list = field(default_factory=list)
    ending: str = "exit"
    detail: str = ""
    printed: str = ""


def run_isolated(task: Task, limits: Limits | None = None) -> Run:
    """Call ``task(send)`` in isolation; the messages must be tuples of plain data."""
    limits = limits or Limits()
    if CAN_FORK:
        return run_forked(task, limits)
    from lib.course.marking.isolation_thread import run_threaded

    return run_threaded(task, limits)


def run_forked(task: Task, limits: Limits) -> Run:
    """Call ``task`` in a forked child and collect what it sends until it ends or is ended."""
    from lib.course.marking.isolation_child import live_as_child

    read_end, write_end = os.pipe()
    with warnings.catch_warnings():
        # Python warns that a fork of a process with threads may deadlock. The child runs the
        # answer on its only thread, BLAS and OpenMP set to one thread, and is killed if stuck.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        live_as_child(task, read_end, write_end, limits)  # never returns
    os.close(write_end)
    run = Run()
    try:
        closed = _listen(read_end, run, time.monotonic() + limits.wall_seconds)
        if not closed:
            run.ending, run.detail = "time", "by the clock"
    except KeyboardInterrupt:
        run.ending = "interrupt"
    finally:
        os.close(read_end)
        _reap(pid, run)
    return run


def _listen(descriptor: int, run: Run, deadline: float) -> bool:
    """Collect messages until the end, the deadline or a closed pipe; False at the deadline."""
    buffer = bytearray()
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return False
        chunk = os.read(descriptor, 1 << 20)
        if not chunk:
            return True
        buffer += chunk
        while len(buffer) >= FRAME.size:
            magic, size = FRAME.unpack_from(buffer)
            if magic != MAGIC:
                run.ending, run.detail = "crash", "it meddled with the check"
                return True
            if len(buffer) < FRAME.size + size:
                break
            frame = bytes(buffer[FRAME.size : FRAME.size + size])
            del buffer[: FRAME.size + size]
            if _take(frame, run):
                return True


def _take(frame: bytes, run: Run) -> bool:
    """Read one message into ``run``; True when it was the last."""
    try:
        message = plain_load(frame)
        kind = message[0]
    except Exception:
        run.ending, run.detail = "crash", "it meddled with the check"
        return True
    if kind == "end":
        run.ending, run.printed = "finished", message[1]
        return True
    if kind == "broken":
        run.ending, run.detail = "crash", message[1]
        return True
    run.messages.append(message)
    return False


def _reap(pid: int, run: Run) -> None:
    """End the child and everything it started, and learn how it died."""
    patience = 0.5 if run.ending == "exit" else 0.0
    ended, status = _wait(pid, patience)
    for kill in (os.killpg, os.kill) if not ended else (os.killpg,):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    if not ended:
        _wait(pid, None)
    elif run.ending == "exit" and status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        # Out of CPU time, or killed by the system because nothing else stopped it.
        if number in (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM):
            run.ending, run.detail = "time", _name(number)
        else:
            run.ending, run.detail = "crash", _name(number)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _wait(pid: int, seconds: float | None) -> tuple[bool, int | None]:
    """Wait for the child to end, for ever if ``seconds`` is None: (has it ended, its status)."""
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        try:
            found, status = os.waitpid(pid, 0 if end is None else os.WNOHANG)
        except ChildProcessError:  # somebody else has collected it
            return True, None
        except KeyboardInterrupt:
            continue
        if found:
            return True, status
        if end is not None and time.monotonic() >= end:
            return False, None
        time.sleep(0.001)
