"""Show the built book on this computer: ``python -m lib.course.serving [--port 8000]``."""

import argparse
import errno
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lib.course import paths

HOST = "127.0.0.1"
_TRIED = 20  # ports, before the system chooses


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line in the terminal for each of them."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of ``folder`` on the first free port from ``port`` on, or on any."""
    handler = partial(_Quiet, directory=str(folder))
    for candidate in [*range(port, min(port + _TRIED, 65536)), 0]:
        try:
            return ThreadingHTTPServer((HOST, candidate), handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise OSError(errno.EADDRINUSE, f"no free port on {HOST}")


def main(arguments: list[str] | None = None) -> int:
    """Serve ``_build/html`` until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m lib.course.serving", description="Show the built book."
    )
    parser.add_argument("--port", type=int, default=8000, help="the port to try first")
    port = parser.parse_args(arguments).port
    folder = paths.repository() / "_build" / "html"
    if not 0 <= port < 65536:
        print(f"Expected a port from 0 to 65535, got {port}.", file=sys.stderr)
        return 2
    if not (folder / "index.html").is_file():
        print("There is no book to show yet: `make book` builds it.", file=sys.stderr)
        return 1
    with server(folder, port) as serving:
        where = f"http://{HOST}:{serving.server_address[1]}/"
        print(f"The book is at {where} (Ctrl-C stops)", flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
