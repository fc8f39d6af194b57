"""Make .venv what requirements.txt and pyproject.toml ask for; do nothing when it is already.

Run by the Makefile with the system's Python (3.11 or newer), so only the standard library is used.
Everything that a newcomer's machine may lack ends in one sentence, not in a stack trace.
"""

import errno
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".ready"
LOG = VENV / "install.log"
INPUTS = ("requirements.txt", "pyproject.toml")

_NO_CONNECTION = re.compile(
    r"NewConnectionError|Connection refused|Connection reset|Connection aborted|Max retries|"
    r"Temporary failure in name resolution|Name or service not known|nodename nor servname|"
    r"getaddrinfo failed|Timeout|timed out|ProxyError|SSLError|Network is unreachable|"
    r"No route to host|Could not fetch URL|RemoteDisconnected"
)
_DISK_FULL = re.compile(r"No space left on device|Errno 28|Disk quota exceeded")
_NO_VERSION = re.compile(r"No matching distribution found for (\S+)")


class CannotPrepare(Exception):
    """Set-up cannot go on; the message is the sentence that the reader sees."""


def wanted() -> str:
    """Return what the stamp holds when .venv is ready: this folder, and the pins' digest."""
    content = b"\0".join((ROOT / name).read_bytes() for name in INPUTS)
    return f"{ROOT}\n{hashlib.sha256(content).hexdigest()}\n"


def explain(output: str) -> str:
    """Return the sentence for what pip reported in ``output``."""
    missing = _NO_VERSION.search(output)
    if _DISK_FULL.search(output):
        return _disk_full()
    if _NO_CONNECTION.search(output):
        return (
            "No connection to a package index: setting up .venv downloads the pinned packages "
            "once; connect, or name an index with PIP_INDEX_URL, and run the command again."
        )
    if missing:
        version = ".".join(map(str, sys.version_info[:2]))
        return (
            f"The package index has no {missing[1]} for Python {version} on this computer: try "
            "another Python, for example `make book PYTHON=python3.11`."
        )
    last = [line for line in output.splitlines() if line.strip()][-1:] or [
        "pip said nothing"
    ]
    return f"Installing the packages failed ({last[0].strip()}); the whole story is in {_log()}."


def create() -> None:
    """Create .venv unless it is there and its pip answers."""
    works = [str(PYTHON), "-m", "pip", "--version"]
    if (
        PYTHON.exists()
        and subprocess.run(works, capture_output=True, check=False).returncode == 0
    ):
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise CannotPrepare(
            "Python's venv module is incomplete (no ensurepip): on Debian and Ubuntu install the "
            "package python3-venv, then run the command again."
        )
    print("Creating .venv", flush=True)
    try:
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)
    except subprocess.CalledProcessError as error:
        output = (error.output or b"").decode(errors="replace")
        if _DISK_FULL.search(output):
            raise CannotPrepare(_disk_full()) from None
        raise CannotPrepare(
            "Python's venv module could not install pip: on Debian and Ubuntu install the package "
            "python3-venv, then run the command again."
        ) from None


def install() -> None:
    """Install the pinned requirements, then lib itself in editable mode."""
    count = sum(1 for line in _lines(ROOT / "requirements.txt"))
    print(
        f"Installing {count} packages into .venv (minutes at first, then never)",
        flush=True,
    )
    index = os.environ.get("TORCH_INDEX", "").strip()
    extra = ["--extra-index-url", index] if index else []
    _pip(["-r", "requirements.txt", *extra], count)
    _pip(["--no-deps", "--no-build-isolation", "--editable", "."], 1)


def _pip(arguments: list[str], count: int) -> None:
    """Run ``pip install``: its output to the log, a short line of progress to the terminal."""
    command = [str(PYTHON), "-m", "pip", "install", "--progress-bar", "off"]
    command += ["--disable-pip-version-check", "--retries", "3", *arguments]
    output = []
    with (
        LOG.open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process,
    ):
        seen = 0
        for line in process.stdout:
            log.write(line)
            output.append(line)
            if line.startswith(("Collecting", "Requirement already satisfied")):
                seen += 1
                name = re.split(
                    r"[=<>!~ ]", line.split(":")[-1].replace("Collecting", "").strip()
                )
                _progress(f"{min(seen, count)}/{count} {name[0]}")
            elif line.startswith("Installing collected"):
                _progress("unpacking")
    _progress("")
    if process.returncode != 0:
        raise CannotPrepare(explain("".join(output)))


def _progress(text: str) -> None:
    if sys.stdout.isatty():
        print(f"\r  {text}\x1b[K" if text else "\r\x1b[K", end="", flush=True)


def _lines(path: Path) -> Iterator[str]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return (line for line in lines if line and not line.startswith("#"))


def _disk_full() -> str:
    return "The disk is full: the packages need about 2 GB; make room and run the command again."


def _log() -> str:
    return LOG.relative_to(ROOT).as_posix()


def main() -> int:
    """Prepare .venv; print one sentence and return 1 where that cannot be."""
    try:
        if (
            PYTHON.exists()
            and STAMP.exists()
            and STAMP.read_text(encoding="utf-8") == wanted()
        ):
            STAMP.touch()
            return 0
        create()
        install()
        STAMP.write_text(wanted(), encoding="utf-8")
    except CannotPrepare as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        print(
            _disk_full() if full else f"Cannot set up .venv: {error}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        print("\nStopped; run the command again to go on.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
