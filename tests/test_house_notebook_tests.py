"""Notebooks as tests: a text that changed fails, a picture that changed does not."""

import base64
import copy
import io
import re
import subprocess
import sys

import pytest
from house_notebooks import read, written
from nbformat.v4 import new_output
from PIL import Image

from lib.course import execution, notebook_form, paths

PICTURE = """\
import base64, io
from IPython.display import HTML, Image, display
from PIL import Image as Pillow
data = io.BytesIO()
Pillow.new("L", (4, 4), 7).save(data, "PNG")
uri = base64.b64encode(data.getvalue()).decode()
display(Image(data.getvalue()), HTML(f'<img src="data:image/png;base64,{uri}">'))"""
SOURCES = ("x = 1", "x += 1\nprint('x is', x)", PICTURE, "x * 10", "x += 1\nx")


def text(new):
    """Store another text for the cell that prints."""
    return lambda cells: cells[1].outputs[0].update(text=new)


def value(cells):
    cells[3].outputs[0].data["text/plain"] = "21"


def repainted(cells):
    data = io.BytesIO()
    Image.new("L", (5, 5), 9).save(data, "PNG")
    other = base64.b64encode(data.getvalue()).decode()
    assert cells[2].outputs[0].data["image/png"] != other
    cells[2].outputs[0].data["image/png"] = other
    cells[2].outputs[1].data["text/html"] = f'<img src="data:image/png;base64,{other}">'


def retitled(cells):
    html = cells[2].outputs[1].data["text/html"]
    cells[2].outputs[1].data["text/html"] = html.replace("<img ", '<img alt="x" ')


def dropped(cells):
    cells[2].outputs.pop()


def shouts(cells):
    cells[1].source += "\nimport sys; print('!', file=sys.stderr)"


def shouted(cells):
    cells[1].outputs.append(new_output("stream", name="stderr", text="!"))


# What is changed in the stored notebook, and the cells that must fail for it.
CHANGES = {
    "unchanged": (lambda cells: None, []),
    "picture": (repainted, []),
    "number": (text("x is 3\n"), [1]),
    "newline": (text("x is 2"), [1]),
    "space": (text("x is  2\n"), [1]),
    "digits": (text("x is 2.0\n"), [1]),
    "value": (value, [3]),
    "words": (retitled, [2]),
    "dropped": (dropped, [2]),
    "stderr": (shouts, [1]),
    "old_stderr": (shouted, [1]),
}


def run(folder, *arguments):
    """Run pytest, with the course's settings, over notebooks in ``folder``."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        "pyproject.toml",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-vv", "--color=no", f"--rootdir={folder}", *map(str, arguments)]
    return subprocess.run(
        command, cwd=paths.repository(), capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A notebook as `make execute` stores it."""
    path = written(tmp_path_factory.mktemp("stored") / "unchanged.ipynb", *SOURCES)
    assert execution.execute(path).error == ""
    return path


@pytest.fixture(scope="module")
def verdicts(stored, tmp_path_factory):
    """The cells that failed, by change, in one run over all the changed notebooks."""
    folder = tmp_path_factory.mktemp("changed")
    original = read(stored)
    for name, (change, _) in CHANGES.items():
        notebook = copy.deepcopy(original)
        change([cell for cell in notebook.cells if cell.cell_type == "code"])
        (folder / f"{name}.ipynb").write_text(notebook_form.text(notebook))
    output = run(folder, *sorted(folder.iterdir())).stdout
    counts = re.search(r"(\d+) failed, (\d+) passed", output)
    assert counts, output
    assert sum(map(int, counts.groups())) == len(SOURCES) * len(CHANGES)
    found = {name: [] for name in CHANGES}
    for name, cell in re.findall(
        r"^FAILED \S*?(\w+)\.ipynb::Cell (\d)", output, re.MULTILINE
    ):
        found[name].append(int(cell))
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_decides(verdicts, name):
    assert verdicts[name] == CHANGES[name][1]


def order(output):
    return re.findall(r"Cell (\d) PASSED", output)


@pytest.mark.parametrize("seed", [1, 2])
def test_cells_run_in_order_whatever_the_seed(stored, seed):
    output = run(stored.parent, stored, f"--randomly-seed={seed}").stdout
    assert order(output) == list("01234"), output


def test_a_notebook_stays_in_one_worker(stored):
    output = run(stored.parent, stored, "-n", "2", "--dist", "loadfile").stdout
    workers = re.findall(r"^\[(gw\d)\].*PASSED.*Cell (\d)", output, re.MULTILINE)
    assert [cell for _, cell in workers] == list("01234"), output
    assert len({worker for worker, _ in workers}) == 1


def test_a_trailing_semicolon_does_not_hide_a_value(tmp_path):
    """Why the structure test forbids it: stored without the value, compared with it."""
    path = written(tmp_path / "chapter.ipynb", "1 + 1;")
    assert execution.execute(path).error == ""
    assert read(path).cells[1].outputs == []
    assert run(tmp_path, path).returncode == 1
