"""Answers to the exercise "running-mean" that try, by accident or on purpose, to break `check`.

Each is listed with the status it must get and a part of what the reader must be told.
"""

import asyncio
import ctypes
import functools
import os
import signal
import subprocess
import sys
import threading
import time
import types
import warnings
from contextlib import suppress

import numpy as np

from lib.course.exercise import find

NOT_YET, NOT_ATTEMPTED, PASSED = "not yet", "not attempted yet", "passed"
HOSTILE = []


def right(x):
    """A right answer of the reader's own."""
    means, total = [], 0.0
    for i, value in enumerate(x):
        total += value
        means.append(total / (i + 1))
    return np.array(means)


def hostile(status: str, told: str):
    """List an answer, or a function that makes one if its name begins with ``make_``."""

    def add(answer):
        name = answer.__name__
        made = answer() if name.startswith("make_") else answer
        HOSTILE.append((name.removeprefix("make_"), made, status, told))
        return answer

    return add


# ---------------------------------------------------------------- not written yet


@hostile(NOT_ATTEMPTED, "Replace the placeholder")
def dots(x): ...


@hostile(NOT_ATTEMPTED, "Replace the placeholder")
def passes(x):
    pass


@hostile(NOT_ATTEMPTED, "Replace the placeholder")
def docstring_only(x):
    """The running mean of x."""


@hostile(NOT_ATTEMPTED, "Replace the placeholder")
def not_implemented(x):
    raise NotImplementedError


@hostile(NOT_ATTEMPTED, "Replace the placeholder")
def not_implemented_with_words(x):
    raise NotImplementedError("your turn")


@hostile(NOT_ATTEMPTED, "NotImplementedError")
def begun_but_not_implemented(x):
    n = len(x)
    raise NotImplementedError(f"{n} to go")


@hostile(NOT_ATTEMPTED, "is the return missing?")
def forgot_return(x):
    np.cumsum(x) / np.arange(1, len(x) + 1)


@hostile(NOT_ATTEMPTED, "in place of the placeholder")
def make_none():
    return None


@hostile(NOT_ATTEMPTED, "in place of the placeholder")
def make_ellipsis():
    return ...


# ---------------------------------------------------------------- wrong in kind


@hostile(NOT_YET, "asks for a function")
def make_a_number():
    return 3.0


@hostile(NOT_YET, "asks for a function")
def make_a_module():
    return np


@hostile(NOT_YET, "called with 1 arguments: x")
def no_parameters():
    return 1


@hostile(NOT_YET, "text where")
def text(x):
    return "the running mean"


@hostile(NOT_YET, "The right values, but shape (1, 1) where (1,)")
def column(x):
    return right(x)[:, None]


@hostile(NOT_YET, "You returned shape (2,) where (1,)")
def one_too_many(x):
    return np.append(right(x), 0.0)


@hostile(NOT_YET, "exactly twice ours")
def twice(x):
    return 2 * right(x)


@hostile(NOT_YET, "exactly minus ours")
def minus(x):
    return -right(x)


@hostile(NOT_YET, "rounded to integers")
def rounded(x):
    return np.round(right(x)).astype(int)


@hostile(NOT_YET, "complex")
def complex_numbers(x):
    return right(x) + 0j


@hostile(NOT_YET, "NaN")
def nan(x):
    return np.full(len(x), np.nan)


@hostile(NOT_YET, "infinite")
def infinite(x):
    return np.full(len(x), np.inf)


@hostile(NOT_YET, "returned a function")
def returns_a_function(x):
    return right


@hostile(NOT_YET, "it uses `yield`")
def generator(x):
    yield from right(x)


@hostile(NOT_YET, "asynchronous")
async def coroutine(x):
    await asyncio.sleep(0)
    return right(x)


@hostile(NOT_YET, "changes its input x")
def mutates(x):
    means = right(x)
    x *= 0
    return means


@hostile(PASSED, "3 fixed cases and 3 random cases")
def gives_a_list(x):
    return list(right(x))


@hostile(PASSED, "3 fixed cases and 3 random cases")
def make_callable_object():
    class Mean:
        def __call__(self, x):
            return right(x)

    return Mean()


# ---------------------------------------------------------------- exceptions


@hostile(NOT_YET, "in divides: return 1 / zero")
def divides(x):
    zero = 0
    return 1 / zero


@hostile(NOT_YET, "misspelt")
def misspelt(x):
    return np.cumsum(x) / lenght(x)  # noqa: F821


@hostile(NOT_YET, "shapes do not fit")
def shapes(x):
    return np.ones(len(x) + 2) @ x


class Unprintable(Exception):
    """An exception that cannot be printed."""

    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


@hostile(NOT_YET, "It raises Unprintable")
def raises_unprintable(x):
    raise Unprintable


@hostile(NOT_YET, "It raises SystemExit")
def exits(x):
    sys.exit(3)


@hostile(NOT_YET, "It raises KeyboardInterrupt")
def interrupts(x):
    raise KeyboardInterrupt


@hostile(NOT_YET, "calls itself without end")
def recurses(x):
    return recurses(x)


@hostile(NOT_YET, "input() cannot be used")
def asks(x):
    return input("your mean? ")


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


# ---------------------------------------------------------------- not the reader's own


@hostile(NOT_YET, "our own implementation (the reference solution)")
def make_the_solution():
    return find("running-mean").solution


@hostile(NOT_YET, "our own implementation (the reference solution)")
def make_partial_of_the_solution():
    return functools.partial(find("running-mean").solution)


@hostile(NOT_YET, "our own implementation (the reference solution)")
def make_copy_of_the_solution():
    ours = find("running-mean").solution
    return types.FunctionType(ours.__code__, ours.__globals__)


@hostile(NOT_YET, "our own implementation (the reference solution)")
def calls_the_solution(x):
    return find("running-mean").solution(x)


@hostile(NOT_YET, "our own implementation (the reference solution)")
def calls_the_solution_sometimes(x):
    return find("running-mean").solution(x) if len(x) > 4 else right(x)


# ---------------------------------------------------------------- global state


@hostile(PASSED, "3 fixed cases and 3 random cases")
def changes_the_world(x):
    np.random.seed(1)  # noqa: NPY002
    np.seterr(all="raise")
    np.set_printoptions(precision=1)
    warnings.simplefilter("error")
    sys.setrecursionlimit(99)
    sys.stdout = None
    os.environ["COURSE_PROGRESS"] = "/nowhere"
    os.chdir("/")
    np.cumsum = None
    return right(x)


@hostile(PASSED, "printed: x is [2. 4.]\n           to stderr")
def prints(x):
    print("x is", x)
    print("to stderr", file=sys.stderr)
    os.write(1, b"to the terminal")
    return right(x)
