"""Benchmarks compare what they say, and every one of them computes the same as its rivals."""

from importlib import import_module
from itertools import count

import numpy as np
import pytest

from benchmarks.__main__ import available, main
from benchmarks.timing import Race, measure, table


def test_measuring_keeps_the_best_round_of_each():
    """A clock that is told how long each call takes."""
    now, calls = [0.0], {"lib": count(), "other": count()}

    def runner(name, base):
        def call():
            now[0] += base + (0.5 if next(calls[name]) % 3 else 0.0)

        return call

    race = Race("task", {"lib": runner("lib", 1.0), "other": runner("other", 3.0)})
    seconds = measure(race, rounds=6, clock=lambda: now[0])
    assert seconds == pytest.approx({"lib": 1.0, "other": 3.0})
    assert table(race, seconds).splitlines()[2].split() == [
        "other",
        "3",
        "s",
        "3.00",
        "×",
    ]


def test_quick_calls_are_repeated_within_a_round():
    now, calls = [0.0], count()

    def call():
        now[0] += 1e-6
        next(calls)

    seconds = measure(Race("t", {"a": call, "b": call}), rounds=2, clock=lambda: now[0])
    assert seconds == pytest.approx({"a": 1e-6, "b": 1e-6})
    assert next(calls) > 10_000


def test_a_race_needs_two():
    with pytest.raises(ValueError, match="at least two runners"):
        Race("alone", {"lib": int})


def test_a_name_that_is_no_benchmark_is_refused(capsys):
    assert main(["nonsense"]) == 2
    assert "expected one of" in capsys.readouterr().err


@pytest.mark.parametrize("name", available())
def test_every_benchmark_sets_lib_beside_something_else(name):
    """Without running them: lib's own tests say that it computes the right thing."""
    races = list(import_module(f"benchmarks.{name}").races())
    assert races
    assert len({race.task for race in races}) == len(races)
    for race in races:
        assert next(iter(race.runners)).startswith("lib")


def test_the_runners_of_a_race_agree():
    for race in import_module("benchmarks.least_squares").races():
        first, *others = (np.asarray(call()) for call in race.runners.values())
        for answer in others:
            np.testing.assert_allclose(answer, first, rtol=1e-6, atol=1e-8)
