"""Hostile answers: out of time, out of memory, out of the process, and objects that fight back."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
from hostile_answers import NOT_YET, PASSED, hostile, right

# ---------------------------------------------------------------- time, memory, the process


@hostile(NOT_YET, "did not finish within 1 second")
def loops(x):
    while True:
        pass


@hostile(NOT_YET, "did not finish within 1 second")
def loops_and_catches_all(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


@hostile(NOT_YET, "did not finish within 1 second")
def loops_and_ignores_signals(x):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


@hostile(NOT_YET, "did not finish within 1 second")
def sleeps(x):
    time.sleep(1e6)


@hostile(NOT_YET, "did not finish within 1 second")
def prints_for_ever(x):
    while True:
        print("still here", "x" * 1000)


@hostile(NOT_YET, "It ended the Python process")
def leaves(x):
    os._exit(0)


@hostile(NOT_YET, "It ended the Python process (SIGTERM)")
def ends_itself(x):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


@hostile(NOT_YET, "It crashed Python (SIGSEGV)")
def crashes(x):
    ctypes.string_at(0)


@hostile(NOT_YET, "ore memory than a check allows")
def asks_for_memory(x):
    return np.ones(10**12)


@hostile(NOT_YET, "ore memory than a check allows")
def fills_memory(x):
    kept = []
    while True:
        kept.append(np.zeros(1 << 25))


@hostile(NOT_YET, "far larger than ours")
def huge_array(x):
    return np.zeros(10**8, dtype=np.uint8)


@hostile(NOT_YET, "where (1,) was expected")
def long_list(x):
    return [0.0] * 10**5


@hostile(NOT_YET, "far larger than ours")
def very_long_list(x):
    return [0] * 10**8


@hostile(NOT_YET, "a number where an array")
def huge_integer(x):
    return 10 ** (10**5)


@hostile(NOT_YET, "expected")
def contains_itself(x):
    knot = []
    knot.append(knot)
    return knot


@hostile(NOT_YET, "far larger than ours")
def doubles_itself(x):
    knot = []
    knot.extend([knot, knot, knot])
    return knot


@hostile(PASSED, "3 fixed cases and 3 random cases")
def forks(x):
    if len(x) == 1:
        os.fork()
    return right(x)


@hostile(PASSED, "3 fixed cases and 3 random cases")
def leaves_processes_behind(x):
    sleeper = f"import time; time.sleep(300)  # left behind by {os.getppid()}"
    subprocess.Popen([sys.executable, "-c", sleeper])
    threading.Thread(target=time.sleep, args=(300,)).start()
    return right(x)


@hostile(NOT_YET, "It ended the Python process")
def closes_everything(x):
    os.closerange(0, 10_000)
    return right(x)


@hostile(NOT_YET, "meddled")
def writes_to_everything(x):
    for descriptor in range(3, 200):
        with suppress(OSError):
            os.write(descriptor, b"nonsense" * 100)
    return right(x)


# ---------------------------------------------------------------- objects that fight back


class Evil:
    """An object that raises whatever one asks of it."""

    def __getattribute__(self, name):
        raise RuntimeError("do not touch")

    def _no(self, *args, **kwargs):
        raise RuntimeError("do not touch")

    __eq__ = __ne__ = __lt__ = __bool__ = __len__ = __iter__ = __array__ = __float__ = (
        _no
    )
    __repr__ = __str__ = __hash__ = __reduce__ = __deepcopy__ = __getitem__ = (
        __index__
    ) = _no


class Endless:
    """An object that never answers."""

    @property
    def __class__(self):
        while True:
            pass

    __array__ = __eq__ = __repr__ = __len__ = __hash__ = __class__.fget


class EvilArray(np.ndarray):
    """An array that objects to being compared, printed or copied."""

    def _no(self, *args, **kwargs):
        raise RuntimeError("do not touch")

    __eq__ = __repr__ = __str__ = __reduce__ = __array_ufunc__ = __array_wrap__ = (
        copy
    ) = _no


class EvilMeta(type):
    """A class of classes that raises whatever one asks of them."""

    def __getattribute__(cls, name):
        raise RuntimeError("do not touch")


@hostile(NOT_YET, "object of type Evil")
def returns_evil(x):
    return Evil()


@hostile(NOT_YET, "object of type Endless")
def returns_endless(x):
    return Endless()


@hostile(NOT_YET, "a list of length 1")
def returns_list_of_evil(x):
    return [Evil()]


@hostile(PASSED, "3 fixed cases and 3 random cases")
def returns_evil_array(x):
    return right(x).view(EvilArray)


@hostile(NOT_YET, "object of type Odd")
def returns_evil_class_instance(x):
    return EvilMeta("Odd", (), {})()


@hostile(NOT_YET, "asks for a function")
def make_evil_object():
    return Evil()


@hostile(NOT_YET, "asks for a function")
def make_endless_object():
    return Endless()


@hostile(NOT_YET, "It raises RuntimeError")
def make_evil_callable():
    class EvilCallable(Evil):
        def __call__(self, x):
            raise RuntimeError("called")

    return EvilCallable()


@hostile(NOT_YET, "It raises")
def make_evil_class():
    return EvilMeta("Odd", (), {})
