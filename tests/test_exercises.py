"""Every exercise of the course: its solution passes, its mistakes are recognised, it is shown."""

import json
import random
import re

import numpy as np
import pytest

from lib.course import paths, syllabus
from lib.course.exercise import Exercise, find, registry
from lib.course.marking.verdict import NOT_ATTEMPTED, NOT_YET, PASSED, mark

ALL = list(registry().values())
WRONG = [(one, mistake) for one in ALL for mistake in one.wrongs]
each = pytest.mark.parametrize("one", ALL, ids=[one.id for one in ALL])


def notebook_of(one: Exercise):
    """The notebook that shows an exercise: a chapter's or a reference page's."""
    for chapter in syllabus.chapters():
        if chapter.slug == one.chapter:
            return chapter.notebook
    return paths.book() / f"{one.chapter}.ipynb"


@each
def test_the_solution_passes(one):
    verdict = mark(one, one.solution, trusted=True)
    assert verdict.status == PASSED, verdict


@pytest.mark.parametrize(
    ("one", "mistake"),
    WRONG,
    ids=[f"{one.id}-{mistake.name}" for one, mistake in WRONG],
)
def test_a_wrong_answer_is_rejected_with_its_own_hint(one, mistake):
    verdict = mark(one, mistake.answer, trusted=True)
    assert verdict.status == NOT_YET, verdict
    assert verdict.hint == mistake.hint


@each
def test_a_stub_is_not_attempted(one):
    assert mark(one, None).status == NOT_ATTEMPTED
    assert mark(one, ...).status == NOT_ATTEMPTED
    if one.asks_for_class:
        methods = [
            n for n, v in vars(one.solution).items() if callable(v) and n != "__init__"
        ]
        stub = type("Stub", (), dict.fromkeys(methods, _stub))
        assert mark(one, stub).status == NOT_ATTEMPTED
    elif not one.asks_for_value:
        assert mark(one, _stub).status == NOT_ATTEMPTED


def _stub(*args, **kwargs): ...


@each
def test_the_solution_handed_in_is_told_so(one):
    assert "our own implementation" in mark(one, one.solution).summary


@each
def test_hints_differ(one):
    told = [*one.hints, *(mistake.hint for mistake in one.wrongs)]
    assert len(set(told)) == len(told)
    assert len(one.wrongs) >= 2


@each
def test_cases_repeat_and_leave_the_world_alone(one):
    before = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
    first, second = one.cases(), one.cases()
    assert (random.getstate(), repr(np.random.get_state())) == before  # noqa: NPY002
    assert len(first) == len(second)
    assert [c.random for c in first] == sorted(c.random for c in first), (
        "fixed cases come first"
    )
    if not one.asks_for_value:
        assert any(c.random for c in first), "an exercise needs random cases as well"
        assert not first[0].random, "an exercise needs fixed cases as well"


@each
def test_the_chapter_exists_and_the_module_is_its_own(one):
    slugs = {chapter.slug for chapter in syllabus.chapters()}
    assert one.chapter in slugs or list(paths.book().glob(f"{one.chapter}.*"))
    assert one.home.startswith(f"lib.exercises.{one.chapter}.")


@each
def test_the_chapter_shows_the_exercise(one):
    notebook = notebook_of(one)
    if not notebook.exists():
        pytest.skip(f"{notebook.name} is not written yet")
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    assert f'check("{one.id}"' in code
    assert f'solution("{one.id}"' in code


def test_notebooks_ask_only_for_exercises_that_exist():
    for notebook in paths.book().rglob("*.ipynb"):
        if ".ipynb_checkpoints" in notebook.parts:
            continue
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = "\n".join(
            "".join(c["source"]) for c in cells if c["cell_type"] == "code"
        )
        for id in re.findall(r'\b(?:check|hint|solution)\(\s*"([^"]+)"', code):
            assert find(id).chapter == notebook.stem, f"{notebook.name} shows {id}"
