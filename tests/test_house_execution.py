"""Executing chapters: the same bytes every time, and a clear story when a cell fails."""

import json
import os

import pytest
from house_notebooks import notebook, read, written

from lib.course import contents, execution, paths
from lib.course.notebook_checks import code_cells, load, problems
from lib.course.notebook_form import normalise, text

LIVELY = (
    "import random\nimport matplotlib.pyplot as plt\nimport numpy as np\nimport torch",
    "print({'a', 'b', 'c', 'd'}, hash('course'))",  # the order of a set of strings
    "A = np.random.default_rng(0).normal(size=(300, 300))\nprint((A @ A.T).sum())",
    "T = torch.from_numpy(A).float()\nprint((T @ T.T).std().item())",
    "fig, ax = plt.subplots()\nax.plot(A[0])\nplt.show()",
    "for k in range(50):\n    print(k)",
    "A[:2, :2]",
)


def test_executing_twice_gives_the_same_bytes(tmp_path):
    path = written(tmp_path / "lively.ipynb", *LIVELY)
    first = execution.execute(path)
    bytes_of_first = path.read_bytes()
    second = execution.execute(path)
    assert (first.error, second.error) == ("", "")
    assert not second.changed
    assert path.read_bytes() == bytes_of_first
    assert problems(load(path)) == []


def chapters():
    """The notebook with the fewest code cells: one that is quick to execute twice."""
    listed = contents.notebooks()
    return sorted(listed, key=lambda path: len(code_cells(load(path))))[:1]


@pytest.mark.parametrize("chapter", chapters(), ids=lambda path: path.stem)
def test_executing_a_chapter_twice_gives_the_same_bytes(chapter):
    def once():
        fresh = execution.run(load(chapter), chapter.parent)
        fresh.metadata["course"] = execution.course_metadata(chapter)
        return text(normalise(fresh))

    assert once() == once()


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a chapter sees of its environment."""
    source = (
        "import os, json, pathlib\n"
        "names = ['OMP_NUM_THREADS', 'COURSE_STATIC', 'PYTHONHASHSEED', 'COURSE_PROGRESS']\n"
        "print(json.dumps({name: os.environ[name] for name in names} | {'cwd': os.getcwd()}))"
    )
    folder = tmp_path_factory.mktemp("seen")
    made = execution.run(notebook(source), folder)
    return json.loads(code_cells(made)[0].outputs[0].text), folder


def test_a_chapter_runs_pinned_static_and_in_its_own_folder(seen):
    found, folder = seen
    assert found["OMP_NUM_THREADS"] == "1"
    assert found["COURSE_STATIC"] == "1"
    assert found["PYTHONHASHSEED"] == "0"
    assert found["cwd"] == str(folder)


def test_the_readers_progress_is_not_touched(seen):
    found, _ = seen
    assert not found["COURSE_PROGRESS"].startswith(str(paths.repository()))
    assert not os.path.exists(found["COURSE_PROGRESS"])


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\nx / 0", ["ZeroDivisionError: division by zero", "2 | x / 0"]),
        (
            "import sys\nprint('careful', file=sys.stderr)",
            ["writes to stderr: careful"],
        ),
        ("import warnings\nwarnings.warn('old')", ["writes to stderr"]),
        ("import os\nos._exit(3)", ["the Python process died"]),
        ("raise KeyboardInterrupt", ["KeyboardInterrupt"]),
        ("def broken(:", ["SyntaxError"]),
    ],
)
def test_a_failing_cell_is_shown_and_the_file_stays(tmp_path, source, told):
    path = written(
        tmp_path / "failing.ipynb", "print('well')", source, "print('after')"
    )
    before = path.read_bytes()
    outcome = execution.execute(path)
    assert outcome.error.startswith("code cell 2 of 3")
    for part in told:
        assert part in outcome.error
    assert "\x1b" not in outcome.error
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [path]


def test_the_command_reports_times_and_failures(tmp_path, capsys):
    good = written(tmp_path / "good.ipynb", "print('well')")
    bad = written(tmp_path / "bad.ipynb", "print('well')", "1 / 0")
    assert execution.main([str(good), "--jobs", "1"]) == 0
    assert "good.ipynb: " in capsys.readouterr().out
    assert execution.main([str(good), str(bad), "--jobs", "2"]) == 1
    told = capsys.readouterr()
    assert "same bytes" in told.out
    assert "in code cell 2 of 2" in told.out
    assert "1 of 2 failed" in told.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_chapters_that_are_current_are_left_alone(tmp_path, capsys, monkeypatch, jobs):
    current = written(tmp_path / "current.ipynb", "print('well')")
    monkeypatch.setattr(paths, "repository", lambda: tmp_path)
    monkeypatch.setattr(execution.execution_record, "current", lambda path: True)
    monkeypatch.setattr(execution, "store", lambda path, notebook: None)
    assert execution.main([str(current), "--jobs", jobs]) == 0
    assert "1 unchanged, not executed" in capsys.readouterr().out


def test_a_path_that_is_no_notebook_is_refused(tmp_path, capsys):
    assert execution.main([str(tmp_path / "missing.ipynb")]) == 2
    assert "expected the path of a notebook" in capsys.readouterr().err
    (tmp_path / "text.ipynb").write_text("hello")
    assert execution.main([str(tmp_path / "text.ipynb")]) == 1
    assert "expected a notebook" in capsys.readouterr().out


def test_a_slow_chapter_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(execution, "BUDGET", 0.0)
    execution.main([str(written(tmp_path / "slow.ipynb", "print(1)")), "--jobs", "1"])
    assert "over its budget of 0 s" in capsys.readouterr().out


def test_budgets_by_part():
    book = paths.book()
    assert execution.budget(book / "linear" / "trees.ipynb") == 20
    assert execution.budget(book / "generative" / "flows.ipynb") == 60


def test_metadata_of_a_chapter_and_of_a_page(tmp_path):
    chapter = execution.course_metadata(
        paths.book() / "linear" / "linear_regression.ipynb"
    )
    assert (chapter["slug"], chapter["number"]) == ("linear_regression", 4)
    assert "lal:3.1" in chapter["mirrors"]
    assert execution.course_metadata(tmp_path / "page.ipynb") == {"slug": "page"}
    path = written(tmp_path / "linear_regression.ipynb", "print(1)")
    assert execution.execute(path).error == ""
    assert read(path).metadata.course == chapter


def test_empty_cells_count(tmp_path):
    path = written(tmp_path / "gaps.ipynb", "", "1 + 1", "")
    assert execution.execute(path).error == ""
    assert problems(load(path)) == []
