"""The progress bar: shown to someone who waits, silent in tests and in the saved book."""

import sys

from tqdm.auto import tqdm

from lib.course.chapter import is_static


def someone_watches() -> bool:
    """Whether output goes to a terminal or to a live notebook, and not into the saved book."""
    if is_static():
        return False
    if "IPython" in sys.modules:
        from IPython import get_ipython

        if getattr(get_ipython(), "kernel", None) is not None:
            return True
    return sys.stderr.isatty()


def bar(total: int, show: bool | None) -> tqdm:
    """Return a bar over ``total`` steps; ``show=None`` decides by :func:`someone_watches`."""
    visible = someone_watches() if show is None else show
    return tqdm(total=total, disable=not visible, leave=False, unit="step")
