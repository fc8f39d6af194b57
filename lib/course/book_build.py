"""Build the HTML of the book into ``_build/html``; anything doubtful fails the build.

    python -m lib.course.book_build [--output FOLDER]

Before Sphinx begins, every notebook of the table of contents must be the output of one clean run.
Sphinx then runs with warnings as errors, unless nothing at all changed. It rebuilds only pages
that changed; all of them when something changed that it does not watch, and after a build that
failed: Sphinx forgets the warnings of pages that it does not read again.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
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
# All that goes into the book: pages show the code of lib and link to its tests.
_GOES_IN = (
    *("_config.yml", "_toc.yml", "requirements.txt", "*.md"),
    *("book/**/*", "lib/**/*", "tests/**/*"),
)
_NOT_A_SOURCE = {"__pycache__", ".ipynb_checkpoints"}


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


def fingerprint(root: Path, patterns: Iterable[str]) -> str:
    """Return the digest of the files under ``root`` that match one of ``patterns``."""
    state = hashlib.sha256(sys.version.encode())
    found = {path for pattern in patterns for path in root.glob(pattern)}
    for path in sorted(found):
        place = path.relative_to(root)
        if path.is_file() and not _NOT_A_SOURCE & set(place.parts):
            state.update(place.as_posix().encode())
            state.update(hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()


def fingerprints(root: Path) -> dict[str, str]:
    """Return the digests of what shapes every page, and of all that goes into the book.

    The remotes count too: launch buttons point to them.
    """
    everything = fingerprint(root, _GOES_IN) + _remotes(root)
    return {
        "shape": fingerprint(root, _SHAPES_ALL),
        "everything": hashlib.sha256(everything.encode()).hexdigest(),
    }


def _remotes(root: Path) -> str:
    command = ["git", "-C", str(root), "config", "--get-regexp", r"^remote\..*\.url$"]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False
        ).stdout
    except OSError:  # no git, as in a downloaded archive
        return ""


def build(root: Path, output: Path) -> int:
    """Do what ``jupyter-book build -W -n --keep-going`` does; return 0 when all went well."""
    from jupyter_book.sphinx import build_sphinx

    now, before = fingerprints(root), _read(output / "built.json")
    if now == before and (output / "html" / "index.html").is_file():
        return 0
    if now["shape"] != before.get("shape"):
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
        (output / "built.json").write_text(json.dumps(now), encoding="utf-8")
    else:
        _forget(output)
    return status


def _read(mark: Path) -> dict[str, str]:
    try:
        return json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _forget(output: Path) -> None:
    """Remove what was built, so that the next build reads and checks every page."""
    for name in ("html", ".doctrees", "built.json"):
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
