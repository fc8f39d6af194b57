"""The pytest plugin that makes chapters tests: nbval runs every cell and compares every text.

``pyproject.toml`` loads it first of all, so that threads and kernels are pinned before anything
imports NumPy. Processes started later (the kernels, the workers of xdist) inherit the pins.
"""

import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from lib.course import contents, kernel_pins, paths
from lib.course.text_outputs import IGNORED

_CELL_TIMEOUT = 600
_scratch = tempfile.TemporaryDirectory(prefix="course-tests-")

os.environ.update(kernel_pins.pinned())
os.environ["MPLBACKEND"] = "agg"
os.environ["COURSE_PROGRESS"] = str(Path(_scratch.name) / "progress.json")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Switch nbval on, with the sanitising rules and the environment that pytest itself has."""
    config.option.nbval = True
    config.option.nbval_current_env = True
    config.option.nbval_cell_timeout = _CELL_TIMEOUT
    config.option.nbval_sanitize_with = str(
        paths.repository() / "tests" / "nbval_sanitize.cfg"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out notebooks that the table of contents does not list, unless named by the user."""
    if (
        collection_path.suffix != ".ipynb"
        or not (paths.repository() / "_toc.yml").is_file()
    ):
        return None
    named = {Path(str(argument).split("::")[0]).resolve() for argument in config.args}
    listed = collection_path in named or collection_path in contents.notebooks()
    return None if listed else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the cells of each notebook back in order, and the notebooks before all other tests.

    Random order, which pytest-randomly has brought about by now, is for the others. Notebooks are
    the slowest tests: begun first, no worker is left alone with one at the end.
    """
    notebooks: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if is_cell(item):
            notebooks.setdefault(item.path, []).append(item)
    cells = [
        cell
        for group in notebooks.values()
        for cell in sorted(group, key=lambda cell: cell.cell_num)
    ]
    items[:] = cells + [item for item in items if not is_cell(item)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Start a notebook's kernel in the environment in which chapters are executed."""
    if not is_cell(item) or item.parent.kernel is not None:
        return (yield)
    own = Path(tempfile.mkdtemp(dir=_scratch.name))
    before = dict(os.environ)
    os.environ.update(kernel_pins.for_notebook(own))
    try:
        return (yield)
    finally:
        os.environ.clear()
        os.environ.update(before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the cells whose output was not compared, with the reason that each must give."""
    ignored = _ignored()
    if ignored:
        terminalreporter.section("outputs that are not compared")
        for line in ignored:
            terminalreporter.write_line(line)


def is_cell(item: pytest.Item) -> bool:
    """Say whether ``item`` is a cell of a notebook."""
    return hasattr(item, "cell_num")


def _ignored() -> list[str]:
    from lib.course.notebook_checks import code_cells, load

    if not (paths.repository() / "_toc.yml").is_file():
        return []
    return [
        f"{paths.relative(path)}, code cell {number}: "
        f"{cell.metadata.get('nbval_reason', 'no reason given')}"
        for path in contents.notebooks()
        for number, cell in enumerate(code_cells(load(path)), start=1)
        if IGNORED in cell.metadata.get("tags", [])
    ]
