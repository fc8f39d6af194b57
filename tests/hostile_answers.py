"""Answers to the exercise "running-mean" that try, by accident or on purpose, to break `check`.

Each is listed with the status it must get and a part of what the reader must be told.
"""

from importlib import import_module

import numpy as np

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


def everything():
    """All hostile answers: (name, answer, status, part of what is told)."""
    for name in ("hostile_code", "hostile_processes"):
        import_module(name)  # lists its answers
    return HOSTILE
