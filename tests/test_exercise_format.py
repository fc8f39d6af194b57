"""The format of an exercise, and what an exercise can ask for."""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest

from lib.course import exercise as exercises
from lib.course.exercise import case, exercise, registry, wrong
from lib.course.marking.verdict import NOT_YET, PASSED, mark


@pytest.fixture
def _own_registry(monkeypatch):
    monkeypatch.setattr(exercises, "_registry", dict(registry()))


def body(**changes):
    """The body of a faultless exercise class, with changes; None takes a name out."""

    def solution(x):
        return x + 1

    def cases(rng):
        yield case(1.0)
        yield case(rng.normal())

    whole = {
        "__doc__": "Add one.",
        "__module__": __name__,
        "solution": solution,
        "why": "Because.",
        "cases": cases,
        "hints": ["Think."],
        "same": wrong("You returned x itself.")(lambda x: x),
        "less": wrong("You took one away.")(lambda x: x - 1),
    }
    return {k: v for k, v in {**whole, **changes}.items() if v is not None}


def build(id="add-one", **changes):
    """The exercise made of `body`."""
    return exercise(id, chapter="how_this_book_works")(
        type("AddOne", (), body(**changes))
    )


@pytest.mark.usefixtures("_own_registry")
@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"id": "Add One"}, "lower-case words and hyphens"),
        ({"__doc__": None}, "needs a docstring"),
        ({"why": " "}, "needs why"),
        ({"why": 3}, "needs why"),
        ({"hints": None}, "needs hints"),
        ({"hints": "Think."}, "needs hints"),
        ({"hints": ["Think.", ""]}, "none of them empty"),
        ({"less": None}, "at least two @wrong answers, has 1"),
        ({"less": wrong("You returned x itself.")(lambda x: x - 1)}, "the same hint"),
        ({"solution": None}, "needs def solution"),
        ({"solution": 3}, "needs def solution"),
        ({"solution": type("solution", (), {})}, "a class needs run"),
        ({"cases": None}, r"needs cases\(rng\)"),
        ({"seconds": 0}, "seconds: expected an integer from 1 to 30, got 0"),
        ({"tol": "small"}, "tol: expected a number"),
        ({"allow": "lib.linear"}, "allow: expected a list"),
        ({"helper": lambda x: x}, "unknown name 'helper'"),
    ],
)
def test_a_fault_of_an_exercise_is_named(changes, fault):
    with pytest.raises(ValueError, match=fault):
        build(**changes)


@pytest.mark.usefixtures("_own_registry")
def test_two_exercises_with_one_id_are_refused():
    build()
    build()  # the same class again: its module was reloaded
    other = type("Other", (), body())
    with pytest.raises(ValueError, match="two have this id"):
        exercise("add-one", chapter="how_this_book_works")(other)


@pytest.mark.usefixtures("_own_registry")
def test_cases_must_be_cases():
    with pytest.raises(ValueError, match="must yield case"):
        build(cases=lambda rng: [1.0]).cases()
    with pytest.raises(ValueError, match="yielded no case"):
        build(cases=lambda rng: []).cases()


@pytest.mark.parametrize("tol", [-1, 2, "0.1", None.__class__])
def test_a_bad_tolerance_of_a_case_is_refused(tol):
    with pytest.raises(ValueError, match="tol of a case"):
        case(1.0, tol=tol)


@pytest.mark.parametrize("hint", ["", "  ", None, 3])
def test_wrong_needs_a_hint(hint):
    with pytest.raises(ValueError, match="needs the hint as text"):
        wrong(hint)


def test_random_cases_are_told_from_fixed_ones():
    assert [c.random for c in build_unregistered().cases()] == [False, True]


def build_unregistered(**changes):
    """An exercise that the registry does not keep."""
    kept = dict(exercises._registry)
    try:
        return build(**changes)
    finally:
        exercises._registry.clear()
        exercises._registry.update(kept)


# ---------------------------------------------------------------- what an exercise can ask for


def test_tolerance_of_the_exercise_and_of_a_case():
    def cases(rng):
        yield case(1.0)
        yield case(rng.normal(), tol=0.5)

    one = build_unregistered(cases=cases, tol=1e-3)
    assert [c.tol for c in one.cases()] == [1e-3, 0.5]
    assert mark(one, lambda x: x + 1.001).status == PASSED
    assert mark(one, lambda x: x + 1.01).status == NOT_YET


def test_accept_decides_where_several_results_are_right():
    def solution(x):
        return np.array([1.0, x])

    def accept(result, expected, args):
        return np.allclose(result, expected) or np.allclose(result, -expected)

    one = build_unregistered(
        solution=solution,
        accept=accept,
        same=wrong("You returned zeros.")(lambda x: np.zeros(2)),
        less=wrong("Swapped.")(lambda x: np.array([x + 2, 1.0])),
    )
    assert mark(one, lambda x: -np.array([1.0, x])).status == PASSED
    assert mark(one, lambda x: "no array at all").status == NOT_YET
    assert mark(one, lambda x: np.array([-x - 2, -1.0])).hint == "Swapped."


def test_arguments_may_be_changed_where_the_exercise_says_so():
    def solution(x):
        x.sort()

    def run(answer, x):
        answer(x)
        return x

    def cases(rng):
        yield case([3.0, 1.0])
        yield case(list(rng.normal(size=3)))

    def by_hand(x):
        x[:] = sorted(x)

    marks = {
        "same": wrong("Unsorted.")(lambda x: None),
        "less": wrong("Down.")(_sort_down),
    }
    one = build_unregistered(
        solution=solution, run=run, cases=cases, may_mutate=True, **marks
    )
    assert mark(one, by_hand).status == PASSED
    assert mark(one, _sort_down_too).hint == "Down."
    strict = replace(one, may_mutate=False)
    assert "changes its input x" in mark(strict, by_hand).summary


def _sort_down(x):
    x.sort(reverse=True)


def _sort_down_too(x):
    x[:] = sorted(x)[::-1]


def test_a_hint_appears_only_when_the_mistake_is_that_one():
    one = build_unregistered()
    assert mark(one, lambda x: x).hint == "You returned x itself."
    assert mark(one, lambda x: x + 7.3).hint != "You returned x itself."
    sometimes = mark(one, lambda x: x if x == 1.0 else x + 7.3)
    assert "itself" not in sometimes.hint


def test_a_typical_mistake_may_crash_or_never_end():
    def never_ends(x):
        while True:
            pass

    one = build_unregistered(
        seconds=1,
        same=wrong("It leaves.")(lambda x: os._exit(1)),
        more=wrong("It never ends.")(never_ends),
        less=wrong("You took one away.")(lambda x: x - 1),
    )
    assert mark(one, lambda x: x - 1).hint == "You took one away."


def test_a_solution_that_fails_is_our_fault():
    one = build_unregistered(solution=lambda x: 1 / 0)
    assert "The fault is ours" in mark(one, lambda x: x).summary


def test_each_result_of_a_tuple_has_its_own_scale():
    def solution(x):
        return 1e6 * x, 1e-3 * x

    one = build_unregistered(solution=solution)
    assert mark(one, lambda x: (1e6 * x, 1e-3 * x)).status == PASSED
    assert "result 2" in mark(one, lambda x: (1e6 * x, 1.1e-3 * x)).hint


def test_functions_and_generators_can_be_arguments():
    def solution(f, rng):
        return f(rng.normal())

    def cases(rng):
        yield case(np.cos, np.random.default_rng(3))
        yield case(np.sin, np.random.default_rng(int(rng.integers(9))))

    one = build_unregistered(
        solution=solution,
        cases=cases,
        same=wrong("f twice.")(lambda f, rng: f(f(rng.normal()))),
        less=wrong("No f.")(lambda f, rng: rng.normal()),
    )
    assert mark(one, lambda f, rng: f(rng.standard_normal())).status == PASSED
    assert mark(one, lambda f, rng: rng.standard_normal()).hint == "No f."


def test_results_may_be_tuples_dicts_texts_and_tensors():
    torch = pytest.importorskip("torch")

    def solution(x):
        return {"pair": (np.eye(2), 1e-6 * x), "name": "one", "t": torch.full((2,), x)}

    one = build_unregistered(solution=solution)
    assert mark(one, lambda x: _results(torch, x)).status == PASSED
    assert "entry 'pair'" in mark(one, lambda x: _results(torch, x, small=2e-6)).hint
    assert "entry 'name'" in mark(one, lambda x: _results(torch, x, name=1)).hint
    assert "lacks the key 'name'" in mark(one, lambda x: {"pair": 1, "t": 2}).hint
    assert "A dict was expected" in mark(one, lambda x: 3).hint


def _results(torch, x, small=1e-6, name="one"):
    return {"pair": [np.eye(2), small * x], "name": name, "t": torch.full((2,), x)}


# ---------------------------------------------------------------- our own implementations


@pytest.fixture
def our_module(monkeypatch):
    """A module of lib, made up, with an implementation and something to help."""
    import types

    module = types.ModuleType("lib.made_up")
    code = "def add_one(x):\n    return x + 1\n\ndef help_me(x):\n    return x\n"
    exec(compile(code, "made_up.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "lib.made_up", module)
    return module


def test_a_lib_function_is_not_an_answer(our_module):
    one = build_unregistered()
    assert "(lib.made_up.add_one)" in mark(one, our_module.add_one).summary
    assert "(lib.made_up.add_one)" in mark(one, lambda x: our_module.add_one(x)).summary


def test_what_the_solution_uses_may_be_used(our_module):
    def solution(x):
        return our_module.help_me(x) + 1

    one = build_unregistered(solution=solution)
    assert mark(one, lambda x: our_module.help_me(x) + 1).status == PASSED
    named = replace(one, ours=("lib.made_up.add_one",))
    assert mark(named, lambda x: our_module.help_me(x) + 1).status == PASSED
    assert (
        "(lib.made_up.add_one)" in mark(named, lambda x: our_module.add_one(x)).summary
    )


def test_an_exercise_can_allow_more(our_module):
    one = replace(build_unregistered(), allow=("lib.made_up",))
    assert mark(one, lambda x: our_module.add_one(x)).status == PASSED
