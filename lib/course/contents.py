"""The pages of the book, read from ``_toc.yml``: what is built, executed and tested."""

from pathlib import Path

import yaml

from lib.course import paths

_SUFFIXES = (".ipynb", ".md")


def documents(root: Path | None = None) -> list[Path]:
    """Return the file of every page in the table of contents, in reading order.

    A ``ValueError`` names a page that the table of contents lists and the tree does not hold.
    """
    root = paths.repository() if root is None else Path(root)
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return [_file(root, name) for name in _names(toc)]


def notebooks(root: Path | None = None) -> list[Path]:
    """Return the notebooks of the table of contents, in reading order."""
    return [page for page in documents(root) if page.suffix == ".ipynb"]


def _names(entry: object) -> list[str]:
    """Return the pages named anywhere below ``entry``, depth first, as they are written."""
    if isinstance(entry, list):
        return [name for item in entry for name in _names(item)]
    if not isinstance(entry, dict):
        return []
    own = [entry[key] for key in ("root", "file") if key in entry]
    return own + [name for value in entry.values() for name in _names(value)]


def _file(root: Path, name: str) -> Path:
    named = root / name
    candidates = [
        named,
        *(named.with_name(named.name + suffix) for suffix in _SUFFIXES),
    ]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise ValueError(
        f"_toc.yml lists {name!r}, but there is no {name}.ipynb or {name}.md"
    )
