"""What a stored notebook must be before it is built or committed: the output of one clean run.

python -m lib.course.notebook_checks book/linear/x.ipynb …
"""

import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode


def load(path: Path) -> NotebookNode:
    """Read the notebook at ``path``; a ``ValueError`` says when it is not one."""
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, AttributeError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(
            f"expected a notebook in {path}, got something else: {reason}"
        ) from None


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells, empty ones included: their places are the cell numbers below."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def problems(notebook: NotebookNode) -> list[str]:
    """Return one sentence for each way in which ``notebook`` is not the output of a clean run.

    Code cells are counted from 1, as a reader counts them.
    """
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count is None:
            found.append(f"code cell {number} was never executed{_first_line(cell)}")
        elif cell.execution_count != number:
            found.append(
                f"code cell {number} was executed as number {cell.execution_count}: "
                "not one run from top to bottom"
            )
        found.extend(f"code cell {number} {what}" for what in output_problems(cell))
    return found


def output_problems(cell: NotebookNode) -> list[str]:
    """Return what is wrong with the outputs of one code cell: an error, or text on stderr."""
    found = []
    for output in cell.outputs:
        if output.output_type == "error":
            found.append(f"ends in an error: {output.ename}: {output.evalue}")
        elif (
            output.output_type == "stream"
            and output.name == "stderr"
            and output.text.strip()
        ):
            found.append(f"writes to stderr: {output.text.strip().splitlines()[-1]}")
    return found


def _first_line(cell: NotebookNode) -> str:
    lines = [line for line in cell.source.splitlines() if line.strip()]
    return f": {lines[0].strip()}" if lines else " and is empty: remove it"


def main(arguments: list[str] | None = None) -> int:
    """Check the notebooks named on the command line; return 1 when one is not a clean run."""
    names = sys.argv[1:] if arguments is None else arguments
    found = []
    for name in names:
        try:
            found.extend(f"{name}: {problem}" for problem in problems(load(Path(name))))
        except (OSError, ValueError) as error:
            found.append(str(error))
    if found:
        print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
