"""What every test finds and leaves: no open figure."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_figure_left_open() -> Iterator[None]:
    """Close the figures that a test leaves, so that the next, in any order, finds none."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
