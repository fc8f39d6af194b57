"""The shape of the book's notebooks and of the repository that holds them."""

import re
import subprocess

import pytest

from lib.course import contents, notebook_form, paths, syllabus
from lib.course.execution import course_metadata
from lib.course.notebook_checks import code_cells, load, problems
from lib.course.text_outputs import IGNORED, texts

ROOT = paths.repository()
NOTEBOOKS = contents.notebooks()
LONGEST_CELL = 45
LARGEST_NOTEBOOK = 2_500_000
LARGEST_FILE = 4_000_000
LARGEST_CHECKOUT = 60_000_000

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def markdown(notebook):
    """Return the prose without fenced blocks, in which a # begins no heading."""
    prose = "\n\n".join(
        cell.source for cell in notebook.cells if cell.cell_type == "markdown"
    )
    return re.sub(r"^(`{3,}|:{3,}).*?^\1", "", prose, flags=re.DOTALL | re.MULTILINE)


def test_every_page_of_the_table_of_contents_exists_once():
    pages = contents.documents()
    assert len(pages) == len(set(pages))


def test_every_notebook_of_the_book_is_in_the_table_of_contents():
    found = {
        path
        for path in paths.book().rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    }
    assert found == set(NOTEBOOKS)


def test_chapters_stand_in_the_order_and_the_place_of_the_syllabus():
    known = {chapter.notebook: chapter.number for chapter in syllabus.chapters()}
    folders = {chapter.folder for chapter in syllabus.chapters()}
    chapters = [path for path in NOTEBOOKS if path.parent.name in folders]
    assert all(path in known for path in chapters), (
        "a notebook that is no chapter of the syllabus"
    )
    numbers = [known[path] for path in chapters]
    assert numbers == sorted(numbers)


@every_notebook
def test_it_is_the_output_of_one_clean_run(path):
    assert problems(load(path)) == []


@every_notebook
def test_it_is_stored_in_the_one_form(path):
    stored = path.read_text(encoding="utf-8")
    assert notebook_form.text(notebook_form.normalise(load(path))) == stored, (
        "run make execute, which stores notebooks in the same form everywhere"
    )


@every_notebook
def test_its_metadata_is_that_of_the_syllabus_and_the_map(path):
    assert load(path).metadata.get("course") == course_metadata(path)


@every_notebook
def test_it_has_one_title(path):
    titles = re.findall(r"^# .+", markdown(load(path)), flags=re.MULTILINE)
    assert len(titles) == 1


@every_notebook
def test_code_cells_are_short(path):
    for number, cell in enumerate(code_cells(load(path)), start=1):
        length = len(cell.source.splitlines())
        assert length <= LONGEST_CELL, f"code cell {number} has {length} lines"


@every_notebook
def test_no_cell_ends_in_a_semicolon(path):
    """It hides a value when the chapter is executed and not when it is tested."""
    for number, cell in enumerate(code_cells(load(path)), start=1):
        assert not cell.source.rstrip().endswith(";"), f"code cell {number}"


@every_notebook
def test_no_output_tells_of_this_machine(path):
    """Neither a memory address, nor a path, nor a widget that no page can show."""
    telling = re.compile(
        r"\bat 0x[0-9a-f]{6,}|(?<![\w.])/(?:home|root|tmp|Users)/|site-packages"
    )
    for number, cell in enumerate(code_cells(load(path)), start=1):
        for kind, text in texts(cell):
            assert not telling.search(text), f"code cell {number}, {kind}"
        for output in cell.outputs:
            assert "widget-view" not in " ".join(output.get("data", {})), (
                f"code cell {number}"
            )


@every_notebook
def test_only_a_tag_with_a_reason_keeps_an_output_from_being_compared(path):
    marker = re.compile(r"#\s*(NBVAL_\w+|PYTEST_VALIDATE_\w+)")
    for number, cell in enumerate(code_cells(load(path)), start=1):
        tags = set(cell.metadata.get("tags", []))
        place = f"code cell {number}"
        assert not marker.search(cell.source), f"{place}: use a tag with a reason"
        assert not tags & {
            "nbval-skip",
            "nbval-raises-exception",
            "raises-exception",
        }, place
        if IGNORED in tags:
            assert len(cell.metadata.get("nbval_reason", "")) >= 15, (
                f"{place}: nbval_reason"
            )
        else:
            assert "nbval_reason" not in cell.metadata, (
                f"{place}: a reason without a tag"
            )


@every_notebook
def test_it_is_not_heavy(path):
    assert path.stat().st_size <= LARGEST_NOTEBOOK


def tracked():
    answer = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"],
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode != 0:
        pytest.skip("not a git checkout")
    return [
        ROOT / name
        for name in answer.stdout.split("\0")
        if name and (ROOT / name).is_file()
    ]


def test_the_repository_is_light():
    sizes = {path: path.stat().st_size for path in tracked()}
    heavy = [
        paths.relative(path) for path, size in sizes.items() if size > LARGEST_FILE
    ]
    assert heavy == []
    assert sum(sizes.values()) <= LARGEST_CHECKOUT


def test_no_file_has_a_name_that_says_nothing():
    empty = {"utils", "util", "helpers", "common", "misc"}
    assert [paths.relative(path) for path in tracked() if path.stem in empty] == []


def test_outputs_that_were_built_are_not_tracked():
    for path in tracked():
        parts = path.relative_to(ROOT).parts
        assert not {"_build", ".venv", "__pycache__", ".ipynb_checkpoints"} & set(parts)
