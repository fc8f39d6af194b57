"""Build the HTML of the book into ``_build/html``; anything doubtful fails the build.

    python -m lib.course.book_build [--output FOLDER]

Before Sphinx begins, every notebook of the table of contents must be the output of one clean run.
Sphinx then runs with warnings as errors. It rebuilds only pages that changed; all of them when
something changed that it does not watch, and after a build that failed: Sphinx forgets the
warnings of pages that it does not read again.
"""

import argparse
import hashlib
import shutil
import sys
import time
from pathlib import Path

from lib.course import contents, paths
from lib.course.notebook_checks import load, problems

# What shapes every page. Sphinx watches the pages themselves.
_SHAPES_ALL = (
    "_config.yml",
    "_toc.yml",
    "requirements.txt",
    "book/*.yml",
    "book/*.bib",
    "lib/course/**/*.py",
    "lib/course/sphinx/**/*",
)


def unfit(notebooks: list[Path]) -> list[str]:
    """Return one line for each cell that was not executed, failed, or wrote to stderr."""
    found = []
    for path in notebooks:
        try:
            found.extend(
                f"{paths.relative(path)}: {what}" for what in problems(load(path))
            )
        except ValueError as error:
            found.append(str(error))
    return found


def fingerprint(root: Path) -> str:
    """Return the digest of all that shapes every page."""
    state = hashlib.sha256(sys.version.encode())
    for pattern in _SHAPES_ALL:
        for path in sorted(root.glob(pattern)):
            if path.is_file() and path.suffix != ".pyc":
                state.update(path.relative_to(root).as_posix().encode())
                state.update(hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()


def build(root: Path, output: Path) -> int:
    """Do what ``jupyter-book build -W -n --keep-going`` does; return 0 when all went well."""
    from jupyter_book.sphinx import build_sphinx

    mark = output / "built.sha256"
    expected = fingerprint(root)
    if not mark.is_file() or mark.read_text(encoding="utf-8") != expected:
        _forget(output)
    status = build_sphinx(
        root,
        output / "html",
        path_config=root / "_config.yml",
        noconfig=True,
        confoverrides={
            "external_toc_path": str(root / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if status == 0:
        mark.write_text(expected, encoding="utf-8")
    else:
        _forget(output)
    return status


def _forget(output: Path) -> None:
    """Remove what was built, so that the next build reads and checks every page."""
    for name in ("html", ".doctrees", "built.sha256"):
        place = output / name
        if place.is_dir():
            shutil.rmtree(place)
        elif place.exists():
            place.unlink()


def main(arguments: list[str] | None = None) -> int:
    """Check the notebooks, build the book, say where to open it."""
    root = paths.repository()
    parser = argparse.ArgumentParser(
        prog="python -m lib.course.book_build",
        description="Build the HTML of the book.",
    )
    parser.add_argument(
        "--output", type=Path, default=root / "_build", help="default: _build"
    )
    output = parser.parse_args(arguments).output.resolve()
    begun = time.perf_counter()
    try:
        pages = contents.documents(root)
    except (OSError, ValueError) as error:
        print(f"The table of contents cannot be read: {error}", file=sys.stderr)
        return 1
    wrong = unfit([page for page in pages if page.suffix == ".ipynb"])
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        print(
            "The book is not built: `make execute` renews these chapters.",
            file=sys.stderr,
        )
        return 1
    print(f"Building {len(pages)} pages", flush=True)
    status = build(root, output)
    if status != 0:
        print("The book is not built: see the warnings above.", file=sys.stderr)
        return 1
    seconds = time.perf_counter() - begun
    index = output / "html" / "index.html"
    print(f"{len(pages)} pages in {seconds:.0f} s. Open {index} or run `make serve`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
