"""`check`, `hint` and `solution`: what they say, and that nothing a reader writes breaks them."""

import os
import random
import sys
import time
import warnings
from dataclasses import replace

import numpy as np
import psutil
import pytest
from class_exercises import RunningVariance
from hostile_answers import everything, right

from lib.course import check, hint, record, solution
from lib.course import exercise as exercises
from lib.course.exercise import find
from lib.course.marking import isolation
from lib.course.marking.verdict import mark
from lib.course.marking.verdict_view import verdict_panel

HOSTILE = everything()
FORKS = pytest.mark.skipif(not isolation.CAN_FORK, reason="this system cannot fork")


@pytest.fixture(autouse=True)
def _own_record(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("COURSE_STATIC", raising=False)


def quick(id="running-mean"):
    """An exercise with the shortest time limit, for answers that never end."""
    return replace(find(id), seconds=1)


def world():
    """Everything an answer could change in the process that calls `check`."""
    return (
        random.getstate(),
        np.random.get_state()[1].tolist(),  # noqa: NPY002
        np.geterr(),
        repr(np.get_printoptions()),
        warnings.filters[:],
        sys.getrecursionlimit(),
        id(sys.stdout),
        id(np.cumsum),
        os.getcwd(),
        dict(os.environ),
        len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
    )


def children():
    """The processes started here and not waited for; a browser may be one of them."""
    return {child.pid for child in psutil.Process().children()}


@FORKS
@pytest.mark.parametrize(
    ("answer", "status", "told"),
    [row[1:] for row in HOSTILE],
    ids=[row[0] for row in HOSTILE],
)
def test_survives_and_says_what_is_wrong(answer, status, told):
    exercise = quick() if "did not finish" in told else find("running-mean")
    before, born = world(), children()
    verdict = mark(exercise, answer)
    panel = verdict_panel(verdict)
    assert verdict.status == status, panel.text
    assert told in panel.text
    assert world() == before
    assert children() <= born  # no zombie is left
    assert mark(find("running-mean"), right).status == "passed"


@FORKS
@pytest.mark.parametrize(
    "answer",
    [row[1] for row in HOSTILE if row[0] in ("twice", "raises_unprintable", "mutates")],
)
def test_output_is_the_same_every_time(answer):
    panels = [verdict_panel(mark(quick(), answer)) for _ in range(2)]
    assert panels[0] == panels[1]
    assert "0x" not in panels[0].html.replace("0x…", "")


@FORKS
def test_processes_left_behind_are_ended():
    answer = next(row[1] for row in HOSTILE if row[0] == "leaves_processes_behind")
    mark(find("running-mean"), answer)
    mine = f"left behind by {os.getpid()}"
    for _ in range(500):  # the system takes a moment to clear them away
        if not any(mine in command for command in _commands()):
            return
        time.sleep(0.01)
    pytest.fail("a process of the answer is still there")


def _commands():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read().replace(b"\0", b" ").decode(errors="replace")
            with open(f"/proc/{pid}/stat") as file:
                zombie = file.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if not zombie and "pytest" not in command:
            yield command


# ---------------------------------------------------------------- check itself


def test_check_prints_and_records(capsys):
    assert check("running-mean", right) is None
    assert "✓ running-mean: passed. Checked on 3 fixed cases" in capsys.readouterr().out
    assert record.read() == {"running-mean": "passed"}


def test_a_failed_try_is_recorded_and_a_pass_stays(capsys):
    check("running-mean", lambda x: x + 1)
    assert record.read() == {"running-mean": "tried"}
    check("running-mean", right)
    check("running-mean", lambda x: x + 1)
    assert record.read() == {"running-mean": "passed"}
    check("two-heads", None)
    assert "two-heads" not in record.read()


def test_the_saved_book_records_nothing(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_STATIC", "1")
    check("running-mean", right)
    assert record.read() == {}


@pytest.mark.parametrize("call", [check, hint, solution])
def test_unknown_id_names_the_nearest(call, capsys):
    call("runing-mean")
    assert "Did you mean running-mean" in capsys.readouterr().out


@pytest.mark.parametrize("id", [None, 3, ["running-mean"], object()])
def test_an_id_that_is_no_text_is_told_so(id, capsys):
    check(id, right)
    assert "The id of the exercise comes first" in capsys.readouterr().out


def test_a_fault_of_the_machinery_is_shown_not_raised(monkeypatch, capsys):
    monkeypatch.setattr("lib.course.checking.mark", lambda *_: 1 / 0)
    check("running-mean", right)
    assert "(ZeroDivisionError). The fault is ours." in capsys.readouterr().out


def test_a_read_only_disk_does_not_matter(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", "/proc/nowhere/progress.json")
    check("running-mean", right)
    assert "passed" in capsys.readouterr().out


def test_the_first_exercise_of_a_notebook_loads_its_chapter_alone(monkeypatch):
    monkeypatch.setattr(exercises, "_registry", {})
    monkeypatch.delitem(sys.modules, "lib.exercises.how_this_book_works", raising=False)
    monkeypatch.setattr("lib.course.chapter.current", lambda: "how_this_book_works")
    monkeypatch.setattr(
        exercises, "registry", lambda **_: pytest.fail("loaded them all")
    )
    assert find("running-mean").chapter == "how_this_book_works"


# ---------------------------------------------------------------- values and classes


@pytest.mark.parametrize(
    "value", [0.375, 3 / 8, np.float32(0.375), np.array(0.375), lambda: 0.375]
)
def test_a_value_passes_in_any_form(value):
    assert mark(find("two-heads"), value).summary == "Your value is right."


def test_a_wrong_value_does_not_give_the_right_one_away():
    panel = verdict_panel(mark(find("two-heads"), 0.9))
    assert "0.375" not in panel.text + panel.html
    assert "got: 0.9" in panel.text


@pytest.mark.parametrize(
    "value", [[0.375], "0.375", float("nan"), True, object(), 10**400]
)
def test_odd_values_are_not_yet(value):
    assert mark(find("two-heads"), value).status == "not yet"


def test_class_with_a_placeholder_is_not_attempted():
    class Variance:
        def __init__(self):
            self.n = 0

        def add(self, x): ...

        def variance(self):
            return 0.0

    verdict = mark(RunningVariance, Variance)
    assert verdict.status == "not attempted yet"
    assert "The method add is a placeholder" in verdict.summary


def test_class_of_the_readers_own_passes():
    class Variance:
        def __init__(self):
            self.all = []

        def add(self, x):
            self.all.append(x)

        def variance(self):
            return np.var(self.all)

    assert mark(RunningVariance, Variance).status == "passed"


def test_typical_mistakes_of_a_class_are_recognised():
    assert (
        mark(RunningVariance, RunningVariance.solution, trusted=True).status == "passed"
    )
    for mistake in RunningVariance.wrongs:
        assert mark(RunningVariance, mistake.answer, trusted=True).hint == mistake.hint


def test_an_instance_where_a_class_is_wanted():
    ours = RunningVariance.solution
    assert "asks for a class" in mark(RunningVariance, ours()).summary


# ---------------------------------------------------------------- hint and solution


def test_hints_come_one_by_one(monkeypatch, capsys):
    monkeypatch.setattr("lib.course.checking._hints_shown", {})
    counts = []
    for _ in range(4):
        hint("running-mean")
        counts.append(capsys.readouterr().out.count("Hint "))
    assert counts == [1, 2, 3, 3]


def test_hints_in_the_saved_book_are_folded(monkeypatch, displayed):
    monkeypatch.setenv("COURSE_STATIC", "1")
    hint("running-mean")
    hint("running-mean")
    assert displayed[0] == displayed[1]
    assert displayed[0].html.count("<details") == 3


@pytest.fixture
def displayed(monkeypatch):
    """The panels that were shown."""
    shown = []
    monkeypatch.setattr(
        "lib.course.panel.Panel.show", lambda panel: shown.append(panel)
    )
    return shown


def test_solution_shows_the_code_that_runs(displayed, monkeypatch):
    monkeypatch.setitem(exercises._registry, "running-variance", RunningVariance)
    for id in ("running-mean", "running-variance", "two-heads"):
        solution(id)
    mean, variance, heads = displayed
    assert (
        "def solution(x):\n    return np.cumsum(x) / np.arange(1, len(x) + 1)"
        in mean.text
    )
    assert "class solution:\n    def __init__(self):" in variance.text
    assert "def solution():\n    return 3 * 0.5**3" in heads.text
    assert mean.html.startswith('<details class="course-solution"')
    assert '<span class="k">def</span>' in mean.html
    assert '<span class="math">\\(i + 1\\)</span>' in mean.html
    assert "<code>np.cumsum(x)</code>" in mean.html


def test_text_is_escaped(displayed):
    def bad(x):
        raise ValueError("<script>alert('x & y')</script>")

    check("running-mean", bad)
    assert "<script>" not in displayed[0].html
    assert "&lt;script&gt;" in displayed[0].html
