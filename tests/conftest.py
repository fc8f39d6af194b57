"""What tests share: one browser a worker, no figure left open, the same examples every time."""

import os
import shutil
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The same examples in every run, so that a failure means that something changed. New ones are
# looked for with `--hypothesis-profile=search`.
settings.register_profile("fixed", derandomize=True)
settings.register_profile("search", print_blob=True)
settings.load_profile("fixed")

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
NO_CHROMIUM = "no Chromium is installed, so nothing is tried in a browser"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium. Without one the tests are skipped, in CI they fail."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_CHROMIUM, pytrace=False)
        pytest.skip(NO_CHROMIUM)
    return found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line that the browser tests were skipped, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_CHROMIUM in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"{count} tests skipped: {NO_CHROMIUM}")


@pytest.fixture(scope="session")
def browser(chromium: str):
    """One Chromium for all tests of a worker: Playwright cannot run twice in one process.

    It resolves no name: nothing but this computer can be reached.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(autouse=True)
def no_figure_left_open() -> Iterator[None]:
    """Close the figures that a test leaves, so that the next, in any order, finds none."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
