"""A chapter is executed again when its code or what it reaches in lib changed, and only then."""

import subprocess

import pytest
from house_notebooks import read, written

from lib.course import execution_record, notebook_form, paths

TREE = {
    "requirements.txt": "numpy==2.4.6\n",
    "book/syllabus.yml": "[]\n",
    "book/errata.yml": "[]\n",
    "book/linear/chapter.quiz.yml": "[]\n",
    "lib/__init__.py": "",
    "lib/course/__init__.py": "",
    "lib/course/paths.py": "",
    "lib/course/verification.py": "from lib.course import agreement\n",
    "lib/course/agreement.py": "",
    "lib/course/execution.py": "",
    "lib/course/static/explore.js": "",
    "lib/course/sphinx/look.py": "",
    "lib/exercises/__init__.py": "",
    "lib/exercises/chapter.py": "from lib.linear.ridge import ridge\n",
    "lib/exercises/other.py": "",
    "lib/linear/__init__.py": "",
    "lib/linear/least_squares.py": "def f():\n    from ..shapes import check\n",
    "lib/linear/ridge.py": "",
    "lib/linear/lasso.py": "",
    "lib/shapes.py": "",
    "lib/optim/__init__.py": "from lib.first_use import loads_on_first_use\n",
    "lib/optim/sgd.py": "",
    "lib/data/__init__.py": "",
    "lib/data/files/a.csv": "1\n",
}
SOURCES = (
    "%matplotlib inline\nfrom lib.course import verify",
    "from lib.linear.least_squares import least_squares",
)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small repository with one executed chapter, in the place of the real one."""
    for name, content in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.setattr(paths, "repository", lambda: tmp_path)
    monkeypatch.setattr(execution_record, "_HOME", {"verify": "verification"})
    executed(tmp_path / "book" / "linear" / "chapter.ipynb", *SOURCES)
    return tmp_path


def executed(path, *sources, **options):
    """Write a notebook whose cells count as executed."""
    written(path, *sources, **options)
    made = read(path)
    for number, cell in enumerate(made.cells[1:], start=1):
        cell.execution_count = number
    path.write_text(notebook_form.text(notebook_form.normalise(made)))
    return path


def chapter(tree):
    return tree / "book" / "linear" / "chapter.ipynb"


def change(path):
    path.write_text(path.read_text() + "# changed\n")


REACHED = [
    "requirements.txt",
    "book/linear/chapter.quiz.yml",
    "lib/course/verification.py",
    "lib/course/agreement.py",
    "lib/course/static/explore.js",
    "lib/exercises/chapter.py",
    "lib/linear/__init__.py",
    "lib/linear/least_squares.py",
    "lib/linear/ridge.py",
    "lib/shapes.py",
]
NOT_REACHED = [
    "lib/course/execution.py",
    "lib/course/sphinx/look.py",
    "lib/exercises/other.py",
    "lib/linear/lasso.py",
    "lib/optim/sgd.py",
    "lib/data/files/a.csv",
]


@pytest.mark.parametrize("name", REACHED)
def test_a_change_of_what_it_reaches_counts(tree, name):
    execution_record.remember(chapter(tree))
    assert execution_record.current(chapter(tree))
    change(tree / name)
    assert not execution_record.current(chapter(tree))


@pytest.mark.parametrize("name", NOT_REACHED)
def test_a_change_of_anything_else_does_not(tree, name):
    execution_record.remember(chapter(tree))
    change(tree / name)
    assert execution_record.current(chapter(tree))


def test_a_change_of_code_counts_and_one_of_prose_does_not(tree):
    execution_record.remember(chapter(tree))
    executed(chapter(tree), *SOURCES, title="# Another title")
    assert execution_record.current(chapter(tree))
    executed(chapter(tree), *SOURCES, "print(1)")
    assert not execution_record.current(chapter(tree))


def errata(tree, **says):
    """Write a list of errata: chapter and what the note says."""
    entries = [f"- {{chapter: {c}, says: {text}}}\n" for c, text in says.items()]
    (tree / "book" / "errata.yml").write_text("".join(entries) or "[]\n")


def test_its_own_errata_count_and_those_of_others_do_not(tree):
    errata(tree, chapter="one", other="two")
    execution_record.remember(chapter(tree))
    errata(tree, chapter="one", other="three")
    assert execution_record.current(chapter(tree))
    errata(tree, chapter="another", other="three")
    assert not execution_record.current(chapter(tree))
    (tree / "book" / "errata.yml").write_text("- {broken")
    assert not execution_record.current(chapter(tree))


def test_an_import_of_data_reaches_all_files_of_data(tree):
    executed(chapter(tree), "from lib.data import cholesterol")
    execution_record.remember(chapter(tree))
    change(tree / "lib" / "data" / "files" / "a.csv")
    assert not execution_record.current(chapter(tree))


def test_a_package_that_loads_on_demand_reaches_all_its_modules(tree):
    executed(chapter(tree), "from lib.optim import sgd_of_another_name")
    execution_record.remember(chapter(tree))
    change(tree / "lib" / "optim" / "sgd.py")
    assert not execution_record.current(chapter(tree))


def test_a_chapter_that_is_not_executed_is_not_current(tree):
    written(chapter(tree), *SOURCES)
    execution_record.remember(chapter(tree))
    assert not execution_record.current(chapter(tree))


def git(tree, *arguments):
    name = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(
        ["git", "-C", str(tree), *name, *arguments], check=True, capture_output=True
    )


def commit(tree):
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "a change")


def test_without_a_record_or_history_a_chapter_is_executed(tree):
    assert not execution_record.current(chapter(tree))


def test_a_fresh_clone_executes_nothing(tree, tmp_path_factory, monkeypatch):
    git(tree, "init", "-q")
    commit(tree)
    clone = tmp_path_factory.mktemp("clones") / "clone"
    git(tree, "clone", "-q", str(tree), str(clone))
    monkeypatch.setattr(paths, "repository", lambda: clone)
    assert execution_record.current(chapter(clone))
    change(clone / "lib" / "shapes.py")
    assert not execution_record.current(chapter(clone))


def test_history_knows_a_chapter_that_is_older_than_its_inputs(tree):
    git(tree, "init", "-q")
    commit(tree)
    change(tree / "lib" / "linear" / "lasso.py")
    commit(tree)
    assert execution_record.current(chapter(tree))
    change(tree / "lib" / "shapes.py")
    commit(tree)
    assert not execution_record.current(chapter(tree))
    executed(chapter(tree), *SOURCES, title="# Committed after its inputs")
    commit(tree)
    assert execution_record.current(chapter(tree))


def test_history_tells_its_own_errata_from_those_of_others(tree):
    git(tree, "init", "-q")
    errata(tree, chapter="one")
    commit(tree)
    errata(tree, chapter="one", other="two")
    commit(tree)
    assert execution_record.current(chapter(tree))
    errata(tree, chapter="another", other="two")
    assert not execution_record.current(chapter(tree))
    commit(tree)
    assert not execution_record.current(chapter(tree))


def test_a_damaged_record_is_no_record(tree):
    execution_record.remember(chapter(tree))
    (tree / "_build" / "executed.json").write_text("{")
    assert not execution_record.current(chapter(tree))


def test_the_book_reaches_its_machinery_and_not_its_workshop(tmp_path):
    """On the real tree: what a chapter imports from lib.course is found, what builds it is not."""
    probe = written(tmp_path / "probe.ipynb", "print(1)")
    reached = {path.name for path in execution_record.inputs(probe)}
    assert {
        "verification.py",
        "figures.py",
        "exploration.py",
        "course.mplstyle",
    } <= reached
    assert not {"execution.py", "book_build.py", "portability.py"} & reached
