"""Building: nothing that was not executed is printed, and a warning stays an error."""

import shutil
import subprocess
import sys

import pytest
from house_notebooks import read, written

from lib.course import book_build, execution, notebook_checks, notebook_form, paths
from lib.course.notebook_checks import load, problems

CONFIG = """\
title: A small book
only_build_toc_files: true
execute: {execute_notebooks: "off"}
html: {use_multitoc_numbering: false}
"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A notebook as `make execute` stores it."""
    path = written(
        tmp_path_factory.mktemp("executed") / "page.ipynb", "x = 1", "print(x)"
    )
    assert execution.execute(path).error == ""
    return path


@pytest.fixture
def tree(executed, tmp_path, monkeypatch):
    """A book of three pages, in the place of the real one."""
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: intro\nchapters: [{file: page}, {file: more}]\n"
    )
    (tmp_path / "intro.md").write_text("# Welcome\n\nHello.\n")
    (tmp_path / "more.md").write_text("# More\n\nHello.\n")
    shutil.copy(executed, tmp_path / "page.ipynb")
    monkeypatch.setattr(paths, "repository", lambda: tmp_path)
    return tmp_path


def alter(path, change):
    notebook = read(path)
    change([cell for cell in notebook.cells if cell.cell_type == "code"])
    path.write_text(notebook_form.text(notebook))


def unexecuted(cells):
    cells[1].execution_count, cells[1].outputs = None, []


def out_of_order(cells):
    cells[1].execution_count = 7


def failed(cells):
    error = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "no",
        "traceback": [],
    }
    cells[1].outputs = [notebook_form.nbformat.from_dict(error)]


def noisy(cells):
    stream = {"output_type": "stream", "name": "stderr", "text": "old\ncareful\n"}
    cells[1].outputs = [notebook_form.nbformat.from_dict(stream)]


UNFIT = {
    unexecuted: "code cell 2 was never executed: print(x)",
    out_of_order: "code cell 2 was executed as number 7",
    failed: "code cell 2 ends in an error: ValueError: no",
    noisy: "code cell 2 writes to stderr: careful",
}


@pytest.mark.parametrize("change", UNFIT, ids=lambda change: change.__name__)
def test_an_unfit_notebook_stops_the_build_with_its_name_and_cell(tree, capsys, change):
    alter(tree / "page.ipynb", change)
    assert book_build.main([]) == 1
    assert f"page.ipynb: {UNFIT[change]}" in capsys.readouterr().err
    assert not (tree / "_build").exists()


def test_a_clean_notebook_has_no_problem(executed):
    assert problems(load(executed)) == []


def test_the_check_before_a_commit(executed, tmp_path, capsys):
    assert notebook_checks.main([str(executed)]) == 0
    copy = tmp_path / "page.ipynb"
    shutil.copy(executed, copy)
    alter(copy, unexecuted)
    (tmp_path / "text.ipynb").write_text("hello")
    assert notebook_checks.main([str(copy), str(tmp_path / "text.ipynb")]) == 1
    told = capsys.readouterr().err
    assert "code cell 2 was never executed" in told
    assert "expected a notebook" in told


def test_a_missing_page_is_one_sentence(tree, capsys):
    (tree / "intro.md").unlink()
    assert book_build.main([]) == 1
    assert capsys.readouterr().err.startswith(
        "The table of contents cannot be read: _toc.yml lists"
    )


def built(tree):
    """Build ``tree`` in a process of its own: Sphinx looks at every object there is in one."""
    code = (
        "import pathlib, sys\n"
        "from lib.course import book_build, paths\n"
        "paths.repository = lambda: pathlib.Path(sys.argv[1])\n"
        "sys.exit(book_build.main([]))\n"
    )
    command = [sys.executable, "-c", code, str(tree)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_warning_fails_every_build_until_it_is_gone(tree):
    """Sphinx forgets the warnings of pages it does not read again; the build must not."""
    assert built(tree).returncode == 0
    (tree / "more.md").write_text("# More\n\n```{nothing}\n```\n")
    for _ in range(2):
        done = built(tree)
        assert done.returncode == 1
        assert "Unknown directive type: 'nothing'" in done.stderr
        assert "see the warnings above" in done.stderr
    (tree / "more.md").write_text("# More\n\nHello.\n")
    done = built(tree)
    assert done.returncode == 0
    assert f"Open {tree / '_build' / 'html' / 'index.html'}" in done.stdout
    page = tree / "_build" / "html" / "page.html"
    assert "A title" in page.read_text(encoding="utf-8")


def test_a_second_build_does_nothing(tree):
    assert built(tree).returncode == 0
    page = tree / "_build" / "html" / "more.html"
    written_at = page.stat().st_mtime_ns
    page.write_text("kept")
    assert built(tree).returncode == 0
    assert page.read_text() == "kept"
    (tree / "more.md").write_text("# More\n\nChanged.\n")
    assert built(tree).returncode == 0
    assert "Changed." in page.read_text(encoding="utf-8")
    assert page.stat().st_mtime_ns > written_at


def test_what_goes_in_and_what_shapes_every_page_are_noticed(tree):
    def noticed(name):
        """Write the file and return which fingerprints that changes."""
        before = book_build.fingerprints(tree)
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("# changed\n")
        after = book_build.fingerprints(tree)
        return {kind for kind in after if after[kind] != before[kind]}

    assert noticed("book/linear/page.md") == {"everything"}
    assert noticed("lib/linear/ridge.py") == {"everything"}
    assert noticed("book/_static/page.css") == {"everything"}
    assert noticed("lib/course/sphinx/look.py") == {"everything", "shape"}
    assert noticed("lib/course/sphinx/templates/page.html") == {"everything", "shape"}
    assert noticed("_config.yml") == {"everything", "shape"}
    assert noticed("lib/linear/__pycache__/ridge.pyc") == set()
    assert noticed("_build/html/page.html") == set()


def test_a_new_remote_is_noticed(tree):
    def git(*arguments):
        subprocess.run(["git", "-C", str(tree), *arguments], check=True)

    git("init", "-q")
    before = book_build.fingerprints(tree)
    git("remote", "add", "origin", "https://example.org/owner/name.git")
    after = book_build.fingerprints(tree)
    assert before["everything"] != after["everything"]
