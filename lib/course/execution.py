"""Execute chapters in place, always in the same way, and store them in one form.

    python -m lib.course.execution                      every chapter that changed
    python -m lib.course.execution book/linear/x.ipynb  these chapters only
    python -m lib.course.execution --force              also those that did not change

A chapter runs from top to bottom in a fresh process with the pinned environment of
``lib.course.kernel_pins``, then is brought into the form of ``lib.course.notebook_form``. When a
cell fails, or writes to stderr, the file on disk stays as it was.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from lib.course import (
    contents,
    execution_record,
    kernel_pins,
    notebook_form,
    paths,
    syllabus,
)
from lib.course.notebook_checks import code_cells, load, output_problems

BUDGET = 20.0
BUDGET_WITH_TRAINING = 60.0
_TRAINING_PARTS = {"networks", "architectures", "generative", "optimisation"}
_CELL_TIMEOUT = 600  # seconds; a cell that takes longer hangs
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class ExecutionError(Exception):
    """A chapter did not run cleanly; the message shows the cell and what it said."""


@dataclass(frozen=True)
class Outcome:
    """What executing one chapter came to; ``error`` is empty when all went well.

    ``seconds`` pass on the clock; ``processor`` are those that a core spent, which the budget is
    about: they do not grow when the computer is busy with other things.
    """

    notebook: Path
    seconds: float
    processor: float
    changed: bool = False
    error: str = ""


def run(
    notebook: NotebookNode,
    folder: Path,
    *,
    kernels: Mapping[str, str] | None = None,
    at_cell: Callable[[int], None] | None = None,
) -> NotebookNode:
    """Execute ``notebook`` as if it lay in ``folder``, in place, and return it normalised.

    ``kernels`` replaces the pinned choice of numerical kernels and threads. ``at_cell`` is called
    with the number of each code cell as it begins. Raises an ``ExecutionError``.
    """
    cells = code_cells(notebook)
    places = {id(cell): number for number, cell in enumerate(cells, start=1)}
    running = {"number": 0}

    def begun(cell: NotebookNode, cell_index: int) -> None:
        running["number"] = places.get(id(cell), running["number"])
        if at_cell is not None and id(cell) in places:
            at_cell(places[id(cell)])

    for cell in cells:
        cell.outputs, cell.execution_count = [], None
    with (
        tempfile.TemporaryDirectory(prefix="course-") as scratch,
        tempfile.TemporaryFile() as said,  # what the process itself says, not a cell
    ):
        client = NotebookClient(
            notebook,
            timeout=_CELL_TIMEOUT,
            kernel_name=notebook_form.KERNELSPEC["name"],
            record_timing=False,
            allow_errors=False,
            force_raise_errors=True,
            on_cell_start=begun,
            resources={"metadata": {"path": str(folder)}},
        )
        try:
            client.execute(
                env=kernel_pins.for_notebook(Path(scratch), kernels=kernels),
                stderr=said,
            )
        except CellExecutionError as error:
            told = _traceback(cells[running["number"] - 1]) or str(error)
            raise ExecutionError(_story(running["number"], cells, told)) from None
        except CellTimeoutError:
            told = f"still running after {_CELL_TIMEOUT} seconds"
            raise ExecutionError(_story(running["number"], cells, told)) from None
        except DeadKernelError:
            said.seek(0)
            told = (
                "the Python process died (out of memory, or a crash in compiled code)\n"
            )
            told += said.read().decode(errors="replace")[-2000:]
            raise ExecutionError(_story(running["number"], cells, told)) from None
    for number, cell in enumerate(cells, start=1):
        for problem in output_problems(cell):
            raise ExecutionError(_story(number, cells, problem))
        # nbclient leaves empty cells alone; they count all the same.
        cell.execution_count = number
    return notebook_form.normalise(notebook)


def execute(path: Path, at_cell: Callable[[int], None] | None = None) -> Outcome:
    """Execute the notebook at ``path`` in place; what went wrong is in the outcome."""
    begun, spent = time.perf_counter(), _processor()
    changed, told = False, ""
    try:
        changed = store(path, run(load(path), path.parent, at_cell=at_cell))
    except (ExecutionError, ValueError) as error:
        told = str(error)
    seconds, processor = time.perf_counter() - begun, _processor() - spent
    return Outcome(path, seconds, processor, changed, told)


def _processor() -> float:
    """Return the seconds that the processes started here, and ended, spent on a core."""
    return sum(os.times()[2:4])


def store(path: Path, notebook: NotebookNode) -> bool:
    """Write ``notebook`` with the course's metadata to ``path``; say whether the file changed."""
    notebook.metadata["course"] = course_metadata(path)
    text = notebook_form.text(notebook_form.normalise(notebook))
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
    return True


def course_metadata(path: Path) -> dict[str, object]:
    """Return the slug and, for a chapter, its number and the places in the notes it mirrors."""
    from lib.course import sources

    slug = path.stem
    numbers = {chapter.slug: chapter.number for chapter in syllabus.chapters()}
    if slug not in numbers:
        return {"slug": slug}
    return {"slug": slug, "number": numbers[slug], "mirrors": sources.mirrors(slug)}


def budget(path: Path) -> float:
    """Return how many seconds the chapter at ``path`` may take on one core."""
    return BUDGET_WITH_TRAINING if path.parent.name in _TRAINING_PARTS else BUDGET


def _story(number: int, cells: list[NotebookNode], told: str) -> str:
    """Return the failing cell and what it said, to be read in a terminal."""
    source = cells[number - 1].source if number else ""
    lines = [
        f"  {n:3d} | {line}" for n, line in enumerate(source.splitlines(), start=1)
    ]
    return "\n".join(
        [f"code cell {number} of {len(cells)}", *lines, "", _ANSI.sub("", told)]
    )


def _traceback(cell: NotebookNode) -> str:
    """Return the traceback that ends the cell, or nothing."""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    return "\n".join(errors[-1].traceback) if errors else ""


def named_notebooks(names: Iterable[str]) -> list[Path]:
    """Return the paths of ``names``; a ``ValueError`` for one that is not a notebook."""
    found = [Path(name).resolve() for name in names]
    for path in found:
        if path.suffix != ".ipynb" or not path.is_file():
            raise ValueError(f"expected the path of a notebook, got {path}")
    return found


def display_name(path: Path) -> str:
    """Return ``path`` as a reader types it: from the root of the repository if it lies there."""
    root = paths.repository()
    return paths.relative(path) if root in path.resolve().parents else str(path)


def _report(outcome: Outcome, done: int, total: int) -> None:
    place = f"[{done}/{total}] {display_name(outcome.notebook)}"
    clock = f"{outcome.seconds:.1f} s"
    if outcome.error:
        print(f"{place}: failed after {clock} in {outcome.error}\n", flush=True)
        return
    core = f", {outcome.processor:.1f} s of a core"
    print(
        f"{place}: {clock}{core}{'' if outcome.changed else ', same bytes'}", flush=True
    )
    allowed = budget(outcome.notebook)
    if outcome.processor > allowed:
        print(f"      over its budget of {allowed:.0f} s: make it quicker", flush=True)


def _execute_all(waiting: list[Path], jobs: int) -> list[Outcome]:
    outcomes: list[Outcome] = []
    if jobs == 1 or len(waiting) <= 1:
        for path in waiting:
            outcomes.append(execute(path, at_cell=_counter(path)))
            _report(outcomes[-1], len(outcomes), len(waiting))
        return outcomes
    with ProcessPoolExecutor(max_workers=min(jobs, len(waiting))) as pool:
        for future in as_completed([pool.submit(execute, path) for path in waiting]):
            outcomes.append(future.result())
            _report(outcomes[-1], len(outcomes), len(waiting))
    return outcomes


def _counter(path: Path) -> Callable[[int], None] | None:
    """Return a line that counts cells in a terminal; None where nobody watches."""
    if not sys.stdout.isatty():
        return None
    total = len(code_cells(load(path)))
    return lambda number: print(
        f"{display_name(path)}: cell {number} of {total}\x1b[K", end="\r", flush=True
    )


def parser_of_chapters(module: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of a command of this package that works on chapters."""
    parser = argparse.ArgumentParser(
        prog=f"python -m lib.course.{module}", description=description
    )
    parser.add_argument(
        "chapter", nargs="*", help="notebooks; all of the book when none is named"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="side by side"
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Execute the chapters named on the command line; return 1 when one of them fails."""
    parser = parser_of_chapters("execution", "Execute chapters in place.")
    parser.add_argument(
        "--force", action="store_true", help="also when nothing changed"
    )
    options = parser.parse_args(arguments)
    try:
        chapters = named_notebooks(options.chapter) or contents.notebooks()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    tracked = {path for path in chapters if paths.repository() in path.parents}
    waiting = [
        path
        for path in chapters
        if options.force or path not in tracked or not execution_record.current(path)
    ]
    skipped = [path for path in chapters if path not in waiting]
    for path in skipped:
        store(path, load(path))  # its place in the course may have changed all the same
    if skipped:
        print(
            f"{len(skipped)} unchanged, not executed (FORCE=1 executes them too)",
            flush=True,
        )
    outcomes = _execute_all(waiting, max(1, options.jobs))
    for outcome in outcomes:
        if not outcome.error and outcome.notebook in tracked:
            execution_record.remember(outcome.notebook)
    failed = [display_name(outcome.notebook) for outcome in outcomes if outcome.error]
    if failed:
        print(
            f"{len(failed)} of {len(waiting)} failed: {', '.join(failed)}",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
