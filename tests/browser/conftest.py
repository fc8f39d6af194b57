"""The built book and a local server, each once a worker; the browser is that of all tests."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from visiting import DESKTOP, Troubles, settle

from lib.course import paths, serving


@pytest.fixture(scope="session")
def html(request: pytest.FixtureRequest) -> Path:
    """The folder of the built book, brought up to date once by whichever worker comes first."""
    output = paths.repository() / "_build"
    output.mkdir(exist_ok=True)
    run = getattr(request.config, "workerinput", {}).get("testrunuid", str(os.getpid()))
    mark = output / ".tested-run"
    with FileLock(output / ".building.lock"):
        if not mark.is_file() or mark.read_text(encoding="utf-8") != run:
            command = [sys.executable, "-m", "lib.course.book_build"]
            built = subprocess.run(
                command, cwd=paths.repository(), capture_output=True, text=True
            )
            if built.returncode != 0:
                pytest.fail(f"the book does not build:\n{built.stderr}", pytrace=False)
            mark.write_text(run, encoding="utf-8")
    return output / "html"


@pytest.fixture(scope="session")
def base(html: Path) -> Iterator[str]:
    """The address of the book on a local server, with a slash at its end."""
    with serving.server(html, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture
def open_page(browser, base: str) -> Iterator[Callable]:
    """Open a page of the book in a window of its own; in the end nothing may have gone wrong."""
    contexts, troubles = [], Troubles()

    def opened(address: str, *, viewport: dict | None = None, **options):
        contexts.append(browser.new_context(viewport=viewport or DESKTOP, **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        troubles.watch(page, base)
        page.goto(base + address, wait_until="load")
        settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not troubles
