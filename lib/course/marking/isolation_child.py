"""Life in the forked child of `isolation`: quiet, limited, and gone at the end.

Nothing here may reach the notebook: not the kernel's sockets, not its files, not its objects.
"""

import builtins
import gc
import os
import pickle
import resource
import signal
import sys
import warnings
from contextlib import suppress
from typing import Any, NoReturn

from lib.course.marking.isolation import FRAME, MAGIC, Limits, Task
from lib.course.marking.printed import Printed

_MOST_FILE_BYTES = 64 << 20


def live_as_child(
    task: Task, read_end: int, write_end: int, limits: Limits
) -> NoReturn:
    """Run ``task``, send what it sends, and leave the process without any farewell."""
    try:
        os.setsid()  # the whole group can be killed, and Ctrl-C reaches the kernel alone
        os.close(read_end)
        gc.freeze()  # objects of the parent are not ours to finalise
        printed = Printed()
        _settle(printed, write_end, limits)
        task(lambda message: _send(write_end, message))
        _send(write_end, ("end", printed.text()))
    except BaseException as error:
        with suppress(BaseException):
            _send(write_end, ("broken", str(type(error).__name__)[:80]))
    finally:
        os._exit(0)


def _send(descriptor: int, message: Any) -> None:
    data = pickle.dumps(message, protocol=4)
    left = memoryview(FRAME.pack(MAGIC, len(data)) + data)
    while left:
        left = left[os.write(descriptor, left) :]


def _settle(printed: Printed, write_end: int, limits: Limits) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(int(limits.wall_seconds) + 5)  # should the parent be gone
    _cut_off(keep=write_end)
    sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = printed
    builtins.input = _no_input
    _silence_display()
    space = _address_space() + limits.memory_bytes
    for what, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1),
        (resource.RLIMIT_FSIZE, _MOST_FILE_BYTES, _MOST_FILE_BYTES),
        (resource.RLIMIT_AS, space, space),
    ):
        # A stricter limit may be in force already, or the system has none of this kind.
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (soft, hard))
    warnings.simplefilter("ignore")
    _use_one_thread()


def _cut_off(keep: int) -> None:
    """Point every open file, pipe and socket of the parent at nothing, the pipe to it excepted.

    They are not closed: their numbers would be given to new files, which objects of the parent
    that still believe in them could then close.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        if descriptor not in (keep, nothing):
            with suppress(OSError):  # the one that listed the folder is gone
                os.fstat(descriptor)
                os.dup2(nothing, descriptor)


def _no_input(prompt: object = "") -> str:
    raise RuntimeError(
        "input() cannot be used in an answer: it gets its arguments from check"
    )


def _silence_display() -> None:
    """Figures and displays of an answer must not reach the notebook from the child."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None and getattr(shell, "display_pub", None) is not None:
        shell.display_pub.publish = lambda *args, **kwargs: None


def _address_space() -> int:
    """Bytes of address space in use, torch's mappings included; a guess if nobody says."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 16 << 30


def _use_one_thread() -> None:
    """Thread pools do not survive a fork; with one thread nobody asks for them."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    if "threadpoolctl" in sys.modules:
        sys.modules["threadpoolctl"].threadpool_limits(1)
