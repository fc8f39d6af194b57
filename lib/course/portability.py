"""Execute chapters as other computers would, and report every text that comes out differently.

    python -m lib.course.portability [book/linear/x.ipynb …]

Each chapter runs under kernels for older processors, then without any pin on one and on two
threads (``lib.course.kernel_pins.other_kernels``). Its text outputs must be those on disk, to the
letter. The files stay as they are.
"""

import difflib
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import zip_longest
from pathlib import Path

from nbformat import NotebookNode

from lib.course import contents, execution_record, kernel_pins, paths
from lib.course.execution import (
    ExecutionError,
    display_name,
    named_notebooks,
    parser_of_chapters,
    run,
)
from lib.course.notebook_checks import code_cells, load
from lib.course.text_outputs import compared, texts

_SHOWN = 12  # lines of a difference,
_WIDTH = 120  # characters of a line,
_CONTEXT = 30  # and how many of them before the difference


def differences(stored: NotebookNode, fresh: NotebookNode) -> list[str]:
    """Return one paragraph for each code cell whose compared text is not the stored one."""
    found = []
    pairs = zip(code_cells(stored), code_cells(fresh), strict=True)
    for number, (old, new) in enumerate(pairs, start=1):
        if compared(old) and texts(old) != texts(new):
            changed = _changed_lines(_lines(old), _lines(new))
            more = len(changed) - _SHOWN
            rest = [f"    … {more} lines more"] if more > 0 else []
            shown = [f"    {line}" for line in changed[:_SHOWN]]
            found.append("\n".join([f"  code cell {number}", *shown, *rest]))
    return found


def _changed_lines(stored: list[str], fresh: list[str]) -> list[str]:
    """Return stored (-) and fresh (+) lines that differ, cut to where they begin to."""
    found = []
    matcher = difflib.SequenceMatcher(a=stored, b=fresh, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for old, new in zip_longest(stored[i:i_end], fresh[j:j_end]):
            both = [line for line in (old, new) if line is not None]
            begin = _common(old, new) if len(both) == 2 else 0
            start = max(0, begin - _CONTEXT) if max(map(len, both)) > _WIDTH else 0
            for sign, line in (("-", old), ("+", new)):
                if line is not None:
                    found.append(f"{sign}{'…' if start else ''}{line[start:][:_WIDTH]}")
    return found


def _common(one: str, two: str) -> int:
    """Return how many characters the two lines begin with in common."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(two)))


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
    parser = parser_of_chapters("portability", "Execute chapters on other kernels.")
    options = parser.parse_args(arguments)
    try:
        chapters = named_notebooks(options.chapter) or contents.notebooks()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for path in chapters:
        if paths.repository() in path.parents and not execution_record.current(path):
            print(
                f"{display_name(path)}: changed since it was executed; make execute first"
            )
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
