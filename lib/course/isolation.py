"""Running code that may do anything, without letting it harm the kernel.

Where the system can fork (Linux, macOS), the code runs in a forked child: it sees everything the
notebook has defined, needs no pickling, and whatever it breaks (settings, seeds, memory, the
process itself) is gone with the child. The child has a CPU limit kept by the kernel, a wall-clock
limit kept by the parent, and a memory limit; it and all it started are killed when it is over.

Where there is no fork (Windows, Pyodide), the code runs in a daemon thread, or directly if there
are no threads. An endless loop is then interrupted by an exception raised in the thread; a loop
that catches everything goes on in the background, but `check` returns and the kernel stays usable.
"""

import builtins
import gc
import os
import pickle
import random
import select
import signal
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lib.course.portable import plain_load

CAN_FORK = hasattr(os, "fork") and hasattr(os, "setsid") and sys.platform != "emscripten"
MOST_PRINTED = 10_000
_FRAME = struct.Struct("<4sI")
_MAGIC = b"cour"

Send = Callable[[Any], None]


@dataclass(frozen=True)
class Limits:
    """How much the code may use; the wall-clock limit is wide, for busy machines and sleepers."""

    cpu_seconds: int = 5
    wall_seconds: float = 20.0
    memory_bytes: int = 2 << 30


@dataclass
class Run:
    """What happened: the messages sent, how it ended, and what was printed.

    ``ending`` is one of "finished", "time", "exit" (it left the process), "crash" (a signal;
    ``detail`` names it), "interrupt" (the reader pressed stop).
    """

    messages: list = field(default_factory=list)
    ending: str = "exit"
    detail: str = ""
    printed: str = ""


def run_isolated(task: Callable[[Send], None], limits: Limits | None = None) -> Run:
    """Call ``task(send)`` in isolation; the messages it sends must be plain data (see portable)."""
    limits = limits or Limits()
    if CAN_FORK:
        return _run_forked(task, limits)
    return _run_threaded(task, limits)


class _Printed:
    """Takes the place of stdout and stderr: keeps the beginning, drops the flood."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self):
        self.parts, self.size = [], 0

    def write(self, text) -> int:
        text = str(text)
        if self.size < MOST_PRINTED:
            self.parts.append(text[: MOST_PRINTED - self.size])
        self.size += len(text)
        return len(text)

    def writelines(self, lines) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def text(self) -> str:
        return "".join(self.parts)


# ---------------------------------------------------------------- the forked child


def _run_forked(task: Callable[[Send], None], limits: Limits) -> Run:
    read_end, write_end = os.pipe()
    with warnings.catch_warnings():
        # Python warns that forking a process with threads may deadlock. The child runs the
        # answer on its only thread with BLAS and OpenMP set to one thread, and is killed if stuck.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _child(task, read_end, write_end, limits)  # never returns
    os.close(write_end)
    run = Run()
    try:
        closed = _listen(read_end, run, time.monotonic() + limits.wall_seconds)
        if not closed and run.ending != "finished":
            run.ending = "time"
    except KeyboardInterrupt:
        run.ending = "interrupt"
    finally:
        os.close(read_end)
        _reap(pid, run)
    return run


def _child(task, read_end: int, write_end: int, limits: Limits) -> None:
    try:
        os.setsid()
        os.close(read_end)
        gc.freeze()  # objects of the parent are not ours to finalise
        printed = _settle(limits)

        def send(message: Any) -> None:
            _write_frame(write_end, pickle.dumps(message, protocol=4))

        task(send)
        send(("printed", printed.text()))
        send(("end",))
    except BaseException as error:
        try:
            _write_frame(write_end, pickle.dumps(("broken", type(error).__name__), protocol=4))
        except BaseException:
            pass
    finally:
        os._exit(0)


def _settle(limits: Limits) -> _Printed:
    """Make the child a quiet place: nothing reaches the notebook, all limits are set."""
    import resource

    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(name, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    printed = _Printed()
    sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = printed
    builtins.input = _no_input
    _silence_display()
    for what, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1),
        (resource.RLIMIT_FSIZE, 64 << 20, 64 << 20),
        (resource.RLIMIT_AS, *[_address_space() + limits.memory_bytes] * 2),
    ):
        try:
            resource.setrlimit(what, (soft, hard))
        except (ValueError, OSError):
            pass  # a stricter limit is in force already, or the system has none of this kind
    warnings.simplefilter("ignore")
    _one_thread()
    return printed


def _no_input(prompt: object = "") -> str:
    raise RuntimeError("input() cannot be used in an answer: it gets its arguments from check")


def _silence_display() -> None:
    """Figures and displays of an answer must not reach the notebook from the child."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None and getattr(shell, "display_pub", None) is not None:
        shell.display_pub.publish = lambda *args, **kwargs: None


def _address_space() -> int:
    """Bytes of address space in use, torch's mappings included; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 16 << 30


def _one_thread() -> None:
    """Thread pools do not survive a fork; with one thread nobody asks for them."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    if "threadpoolctl" in sys.modules or "sklearn" in sys.modules:
        import threadpoolctl

        threadpoolctl.threadpool_limits(1)


def _write_frame(descriptor: int, data: bytes) -> None:
    data = memoryview(_FRAME.pack(_MAGIC, len(data)) + data)
    while data:
        data = data[os.write(descriptor, data) :]


# ---------------------------------------------------------------- the parent


def _listen(descriptor: int, run: Run, deadline: float) -> bool:
    """Collect messages until the end, the deadline or a closed pipe; True when it closed."""
    buffer = bytearray()
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        ready, _, _ = select.select([descriptor], [], [], left)
        if not ready:
            return False
        chunk = os.read(descriptor, 1 << 20)
        if not chunk:
            return True
        buffer += chunk
        while len(buffer) >= _FRAME.size:
            magic, size = _FRAME.unpack_from(buffer)
            if magic != _MAGIC:
                run.detail = "unreadable"
                return True
            if len(buffer) < _FRAME.size + size:
                break
            frame = bytes(buffer[_FRAME.size : _FRAME.size + size])
            del buffer[: _FRAME.size + size]
            if _take(frame, run):
                return True


def _take(frame: bytes, run: Run) -> bool:
    """Read one message into ``run``; True when it was the last."""
    try:
        message = plain_load(frame)
    except Exception:
        run.detail = "unreadable"
        return True
    if message[0] == "printed":
        run.printed = message[1]
    elif message[0] == "end":
        run.ending = "finished"
        return True
    elif message[0] == "broken":
        run.ending, run.detail = "crash", message[1]
        return True
    else:
        run.messages.append(message)
    return False


def _reap(pid: int, run: Run) -> None:
    """End the child and everything it started, and learn how it died."""
    died_by_itself, status = _wait(pid, 0.0 if run.ending in ("finished", "time") else 0.5)
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    if not died_by_itself:
        _, status = _wait(pid, None)
    if died_by_itself and run.ending == "exit" and status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            run.ending = "time"
        else:
            run.ending, run.detail = "crash", signal.Signals(number).name


def _wait(pid: int, seconds: float | None) -> tuple[bool, int | None]:
    """Wait for the child to end, for ever if ``seconds`` is None: (ended, status)."""
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
        time.sleep(0.002)


# ---------------------------------------------------------------- without fork


def _run_threaded(task: Callable[[Send], None], limits: Limits) -> Run:
    run = Run()
    printed = _Printed()
    done = threading.Event()

    def send(message: Any) -> None:
        if not done.is_set():
            run.messages.append(plain_load(pickle.dumps(message, protocol=4)))

    def work() -> None:
        try:
            task(send)
            run.ending = "finished"
        except BaseException as error:
            run.ending, run.detail = "crash", type(error).__name__
        finally:
            done.set()

    saved = _saved_state()
    sys.stdout, sys.stderr = printed, printed
    try:
        try:
            worker = threading.Thread(target=work, daemon=True)
            worker.start()
        except RuntimeError:  # no threads here (Pyodide)
            work()
        else:
            if not done.wait(limits.cpu_seconds):
                run.ending = "time"
                done.set()
                _interrupt(worker)
    except KeyboardInterrupt:
        run.ending = "interrupt"
        done.set()
    finally:
        _restore_state(saved)
    run.printed = printed.text()
    return run


def _interrupt(worker: threading.Thread) -> None:
    import ctypes

    for _ in range(5):
        if worker.is_alive() and worker.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit)
            )
            worker.join(0.05)


def _saved_state() -> tuple:
    import numpy as np

    return (
        sys.stdout, sys.stderr, random.getstate(), np.random.get_state(),  # noqa: NPY002
        np.geterr(), warnings.filters[:], sys.getrecursionlimit(),
    )  # fmt: skip


def _restore_state(saved: tuple) -> None:
    import numpy as np

    sys.stdout, sys.stderr = saved[:2]
    random.setstate(saved[2])
    np.random.set_state(saved[3])  # noqa: NPY002
    np.seterr(**saved[4])
    warnings.filters[:] = saved[5]
    sys.setrecursionlimit(saved[6])
