"""Hostile answers: not written, wrong in kind, raising, borrowed, changing the world."""

import asyncio
import functools
import os
import sys
import types
import warnings

import numpy as np
from hostile_answers import NOT_ATTEMPTED, NOT_YET, PASSED, hostile, right

from lib.course.exercise import find

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
