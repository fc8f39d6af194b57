"""The first line of every chapter: one figure style, fixed seeds, and the name of the chapter."""

import os
import random
import re
import sys
import zlib
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import numpy as np

from lib.course import paths, syllabus

_current: str | None = None


def begin(slug: str) -> np.random.Generator:
    """Start the chapter (or reference page) ``slug`` and return its random generator.

    Sets the figure style; seeds ``random``, NumPy's legacy generator and torch, whether torch is
    imported already or only later; names the chapter for ``verify``, ``check`` and ``quiz``. The
    seed is a checksum of the slug: nobody chose it.
    """
    global _current
    _require_page(slug)
    from lib.course import figures, ledger

    _current = slug
    figures.use_style()
    ledger.start(slug)
    seed = seed_of(slug)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - third-party code may still draw from it
    _seed_torch(seed)
    if not is_static():
        _show_css()
    return np.random.default_rng(seed)


def current() -> str | None:
    """Return the slug that ``begin`` was last called with, or None before any call."""
    return _current


def seed_of(slug: str) -> int:
    """Return the seed of a chapter: the CRC-32 checksum of its slug."""
    return zlib.crc32(slug.encode())


def is_static() -> bool:
    """Whether outputs are made for the saved book (``COURSE_STATIC=1``), not for a live reader."""
    return os.environ.get("COURSE_STATIC", "") not in ("", "0")


def _require_page(slug: str) -> None:
    if not isinstance(slug, str) or not re.fullmatch(r"\w+", slug):
        raise ValueError(f"expected the slug of a chapter, such as 'mlp'; got {slug!r}")
    reference_pages = (paths.book() / f"{slug}.{ending}" for ending in ("ipynb", "md"))
    if not any(page.is_file() for page in reference_pages):
        syllabus.chapter(slug)  # raises, with near matches, when there is none


def _seed_torch(seed: int) -> None:
    """Make torch repeatable now, or as soon as it is imported: importing it takes a second."""
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if not isinstance(finder, _OnTorch)
    ]
    if "torch" in sys.modules:
        _settle(sys.modules["torch"], seed)
    else:
        sys.meta_path.insert(0, _OnTorch(seed))


def _settle(torch: ModuleType, seed: int) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


class _OnTorch:
    """An import hook that settles torch right after its import, whoever imports it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        if name != "torch":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_settle(module: ModuleType) -> None:
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                _settle(module, self.seed)

        spec.loader.exec_module = execute_and_settle
        return spec


def _show_css() -> None:
    """Give a live notebook the looks that the rendered book gets from its own style sheets."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is None:
        return
    sheets = sorted((Path(__file__).parent / "static").glob("*.css"))
    css = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    if css:
        display(HTML(f"<style>\n{css}</style>"))
