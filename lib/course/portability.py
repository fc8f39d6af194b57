"""Execute chapters as other computers would, and report every text that comes out differently.

    python -m lib.course.portability [book/linear/x.ipynb …]

Each chapter runs under kernels for older processors, then without any pin on one and on two
threads (``lib.course.kernel_pins.other_kernels``). Its text outputs must be those on disk, to the
letter. The files stay as they are.
"""

import argparse
import difflib
import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from nbformat import NotebookNode

from lib.course import contents, kernel_pins
from lib.course.execution import ExecutionError, display_name, named_notebooks, run
from lib.course.notebook_checks import code_cells, load
from lib.course.text_outputs import compared, texts

_SHOWN = 12  # lines of a difference


def differences(stored: NotebookNode, fresh: NotebookNode) -> list[str]:
    """Return one paragraph for each code cell whose compared text is not the stored one."""
    found = []
    pairs = zip(code_cells(stored), code_cells(fresh), strict=True)
    for number, (old, new) in enumerate(pairs, start=1):
        if not compared(old) or texts(old) == texts(new):
            continue
        lines = difflib.unified_diff(
            _lines(old), _lines(new), "stored", "here", n=0, lineterm=""
        )
        changed = [f"    {line[:160]}" for line in lines if not line.startswith("@@")]
        more = (
            [f"    … {len(changed) - _SHOWN} lines more"]
            if len(changed) > _SHOWN
            else []
        )
        found.append("\n".join([f"  code cell {number}", *changed[:_SHOWN], *more]))
    return found


def compare(path: Path, kernels: Mapping[str, str]) -> tuple[list[str], float]:
    """Execute the chapter at ``path`` under ``kernels``; return what changes, and the seconds."""
    begun = time.perf_counter()
    stored = load(path)
    try:
        found = differences(stored, run(load(path), path.parent, kernels=kernels))
    except ExecutionError as error:
        found = [f"  fails in {error}"]
    return found, time.perf_counter() - begun


def _lines(cell: NotebookNode) -> list[str]:
    return [
        f"{kind}: {line}" for kind, text in texts(cell) for line in text.splitlines()
    ]


def main(arguments: list[str] | None = None) -> int:
    """Compare the chapters named on the command line, or all; return 1 when one changes."""
    parser = argparse.ArgumentParser(
        prog="python -m lib.course.portability",
        description="Execute chapters on other kernels.",
    )
    parser.add_argument(
        "chapter", nargs="*", help="notebooks; all of the book when none is named"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="side by side"
    )
    options = parser.parse_args(arguments)
    try:
        chapters = named_notebooks(options.chapter) or contents.notebooks()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    choices = kernel_pins.other_kernels()
    changed = 0
    with ProcessPoolExecutor(max_workers=max(1, options.jobs)) as pool:
        waiting = {
            pool.submit(compare, path, kernels): (path, name)
            for path in chapters
            for name, kernels in choices.items()
        }
        for done, future in enumerate(as_completed(waiting), start=1):
            path, name = waiting[future]
            found, seconds = future.result()
            changed += bool(found)
            verdict = "CHANGED" if found else "same text"
            place = f"[{done}/{len(waiting)}] {display_name(path)}, {name}"
            print(
                "\n".join([f"{place}: {verdict} ({seconds:.1f} s)", *found]), flush=True
            )
    print(
        f"{len(chapters)} chapters, {len(choices)} choices of kernels: {changed} changed"
    )
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
