"""begin: the same seeds, style and name for every chapter. Each run has a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from lib.course import chapter, paths, syllabus

PRELUDE = "import json, sys\nfrom lib.course import begin, chapter\n"


def run(code, **environment):
    """Run code in a fresh interpreter; return what it printed as JSON on its last line."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", PRELUDE + code],
        capture_output=True,
        text=True,
        cwd=paths.repository(),
        env={**os.environ, "COURSE_STATIC": "1", "OMP_NUM_THREADS": "2", **environment},
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout.splitlines()[-1])


DRAWS = """
import random, numpy as np
def draws(rng):
    return [rng.random(), random.random(), float(np.random.rand())]
"""


def test_every_generator_starts_from_the_chapter():
    first, again, other = run(
        DRAWS
        + """
first = draws(begin("mlp"))
again = draws(begin("mlp"))
print(json.dumps([first, again, draws(begin("flows"))]))
"""
    )
    assert first == again
    assert all(a != b for a, b in zip(first, other, strict=True))


TORCH = """
state = [torch.initial_seed(), torch.get_num_threads(),
         torch.are_deterministic_algorithms_enabled(), torch.rand(3).tolist()]
print(json.dumps([state, draws(rng)]))
"""


def test_torch_is_settled_whether_imported_before_or_after():
    before = run(DRAWS + "import torch\nrng = begin('mlp')\n" + TORCH)
    after = run(
        DRAWS
        + "rng = begin('mlp')\nassert 'torch' not in sys.modules\nimport torch\n"
        + TORCH
    )
    elsewhere = run(
        DRAWS
        + "rng = begin('flows')\nrng = begin('mlp')\n"
        + "import importlib.util\nimportlib.util.find_spec('torch')\n"
        + "from torch import nn\nimport torch\n"
        + TORCH
    )
    assert before == after == elsewhere
    assert before[0][:3] == [chapter.seed_of("mlp"), 1, True]


def test_the_hook_is_gone_once_torch_is_there():
    assert run(
        """
begin("mlp")
import torch
torch.manual_seed(3)
import torch.nn.functional
left = [f for f in sys.meta_path if type(f).__module__ == "lib.course.chapter"]
print(json.dumps([torch.initial_seed(), len(left)]))
"""
    ) == [3, 0]


def test_begin_names_the_chapter_and_empties_its_ledger():
    assert run(
        """
from lib.course import ledger, verify
before = chapter.current()
begin("mlp")
verify("a", 1, 1)
count = len(ledger.entries("mlp"))
begin("mlp")
print(json.dumps([before, chapter.current(), count, len(ledger.entries("mlp"))]))
"""
    ) == [None, "mlp", 1, 0]


def test_begin_sets_the_style():
    assert run(
        """
import matplotlib as mpl
begin("mlp")
print(json.dumps(mpl.rcParams["figure.figsize"]))
"""
    ) == [7, 4]


LIVE = """
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
InteractiveShell.instance()
with capture_output() as captured:
    begin("mlp")
    begin("mlp")
pages = [output.data.get("text/html", "") for output in captured.outputs]
print(json.dumps([captured.stdout, pages]))
"""


def test_a_live_notebook_gets_the_looks():
    stdout, pages = run(LIVE, COURSE_STATIC="")
    assert stdout == ""
    assert len(pages) == 2, "each run of the cell replaces its output"
    assert pages[0] == pages[1]
    assert pages[0].startswith("<style>")
    for sheet in (paths.repository() / "lib" / "course" / "static").glob("*.css"):
        assert sheet.read_text(encoding="utf-8") in pages[0]


def test_the_saved_book_gets_no_output():
    assert run(LIVE, COURSE_STATIC="1") == ["", []]


def test_outside_a_notebook_nothing_is_shown():
    assert run("begin('mlp')\nprint('[]')", COURSE_STATIC="0") == []


@pytest.mark.parametrize(
    ("value", "static"), [("1", True), ("yes", True), ("0", False), ("", False)]
)
def test_static_mode(value, static, monkeypatch):
    monkeypatch.setenv("COURSE_STATIC", value)
    assert chapter.is_static() is static
    monkeypatch.delenv("COURSE_STATIC")
    assert chapter.is_static() is False


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("linear_regresion", "did you mean 'linear_regression'"),
        ("nonsense", "got 'nonsense'"),
        ("", "such as 'mlp'"),
        ("*", "such as 'mlp'"),
        ("../book/intro", "such as 'mlp'"),
        (None, "such as 'mlp'"),
        (4, "such as 'mlp'"),
    ],
)
def test_an_unknown_slug(slug, said, monkeypatch):
    monkeypatch.setattr(chapter, "_current", "mlp")
    with pytest.raises(ValueError, match="expected the slug of a chapter") as caught:
        chapter.begin(slug)
    assert said in str(caught.value)
    assert chapter.current() == "mlp"


def test_reference_pages_may_begin_too():
    chapter._require_page("intro")


def test_seeds_differ():
    assert len({chapter.seed_of(c.slug) for c in syllabus.chapters()}) == 41


def test_the_syllabus():
    listed = syllabus.chapters()
    assert [c.number for c in listed] == list(range(1, 42))
    assert len({c.slug for c in listed}) == 41
    assert [part.number for part in syllabus.parts()] == list(range(1, 8))
    mlp = syllabus.chapter("mlp")
    assert paths.relative(mlp.notebook) == "book/networks/mlp.ipynb"
    assert paths.relative(mlp.quiz) == "book/networks/mlp.quiz.yml"
    assert paths.relative(mlp.exercises) == "lib/exercises/mlp.py"
    assert mlp.docname == "book/networks/mlp"
    assert mlp.part == "Neural networks"


def test_the_repository_is_found_from_anywhere(tmp_path):
    code = "from lib.course import paths; print(paths.repository())"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert result.stdout.strip() == str(paths.repository()), result.stderr


def test_a_copy_of_lib_elsewhere_finds_the_book_from_inside(tmp_path, monkeypatch):
    monkeypatch.setattr(
        paths, "__file__", str(tmp_path / "site" / "lib" / "course" / "p.py")
    )
    monkeypatch.chdir(paths.book())
    assert paths.repository.__wrapped__() == paths.repository()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"expected book/syllabus\.yml"):
        paths.repository.__wrapped__()
