"""Where the files of the book are.

The package is installed in editable mode, so the repository is the folder above ``lib``. A copy of
``lib`` installed elsewhere still finds the book when the working directory lies inside it.
"""

from functools import cache
from pathlib import Path

_MARK = Path("book") / "syllabus.yml"


@cache
def repository() -> Path:
    """Return the root of the repository: the folder that holds ``book`` and ``lib``."""
    here = Path(__file__).resolve().parents[2]
    cwd = Path.cwd().resolve()
    for folder in (here, cwd, *cwd.parents):
        if (folder / _MARK).is_file():
            return folder
    raise FileNotFoundError(
        f"expected {_MARK.as_posix()} beside lib or above the working directory; found none: "
        "install the course in editable mode or run from inside its repository"
    )


def book() -> Path:
    """Return the folder of the book: chapters, reference pages and their YAML files."""
    return repository() / "book"


def relative(path: Path) -> str:
    """Return ``path`` as written from the root of the repository, with forward slashes."""
    return Path(path).resolve().relative_to(repository()).as_posix()
