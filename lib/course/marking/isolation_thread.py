"""Isolation without fork (Windows), for what it is worth: a thread with a time limit.

Prints are captured, and seeds, NumPy's error settings, warning filters and the recursion limit are
put back. An endless loop is interrupted by an exception raised in the thread; one that catches
everything goes on in the background, but `check` returns and the kernel stays usable. There is no
memory limit, and os._exit cannot be survived. Without threads (Pyodide) there is no time limit
either.
"""

import ctypes
import pickle
import random
import sys
import threading
import warnings
from typing import Any

import numpy as np

from lib.course.marking.isolation import Limits, Run, Task
from lib.course.marking.portable import plain_load
from lib.course.marking.printed import Printed


def run_threaded(task: Task, limits: Limits) -> Run:
    """Call ``task`` in a daemon thread; give up on it when its time is over."""
    run, printed, over = Run(), Printed(), threading.Event()

    def send(message: Any) -> None:
        if over.is_set():  # nobody listens any more: do not go on with the next case
            raise SystemExit
        run.messages.append(plain_load(pickle.dumps(message, protocol=4)))

    def work() -> None:
        ending = ("finished", "")
        try:
            task(send)
        except BaseException as error:
            ending = ("crash", str(type(error).__name__)[:80])
        if not over.is_set():
            run.ending, run.detail = ending
            over.set()

    saved = _state()
    sys.stdout = sys.stderr = printed
    warnings.simplefilter("ignore")
    try:
        worker = threading.Thread(target=work, daemon=True)
        try:
            worker.start()
        except RuntimeError:  # no threads here
            work()
        if not over.wait(limits.wall_seconds):
            over.set()
            run.ending = "time"
            _interrupt(worker)
    except KeyboardInterrupt:
        over.set()
        run.ending = "interrupt"
        _interrupt(worker)
    finally:
        _restore(saved)
    run.printed = printed.text()
    return run


def _interrupt(worker: threading.Thread) -> None:
    """Raise SystemExit in the thread, a few times, in case it catches the first."""
    for _ in range(5):
        if not worker.is_alive() or worker.ident is None:
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit)
        )
        worker.join(0.05)


def _state() -> tuple:
    return (
        sys.stdout, sys.stderr, random.getstate(), np.random.get_state(),  # noqa: NPY002
        np.geterr(), warnings.filters[:], sys.getrecursionlimit(),
    )  # fmt: skip


def _restore(saved: tuple) -> None:
    sys.stdout, sys.stderr = saved[:2]
    random.setstate(saved[2])
    np.random.set_state(saved[3])  # noqa: NPY002
    np.seterr(**saved[4])
    warnings.filters[:] = saved[5]
    sys.setrecursionlimit(saved[6])
