"""Write requirements.txt: the exact versions of everything in .venv.

``make freeze`` runs it after ``pip install -r requirements.in``, so that the file says what
the names in requirements.in came to.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Every package of the course's environment, pinned: the one place for versions.
# Made by `make freeze` from the names in requirements.in; do not edit by hand.
# What only another system needs (such as appnope on macOS) is resolved when it is installed.
# On Linux the plain torch brings gigabytes of GPU packages: see TORCH_INDEX in the Makefile.
"""
OWN_NAME = "machine-learning-executed"


def pins(frozen: str) -> list[str]:
    """Return the pins in the output of ``pip freeze --all``, sorted, without local versions."""
    found = []
    for line in frozen.splitlines():
        if line.startswith(("#", "-e")) or line.split("==")[0] in ("pip", OWN_NAME):
            continue
        if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+", line):
            raise ValueError(f"expected a line such as numpy==2.4.6, got {line!r}")
        found.append(
            line.split("+")[0]
        )  # torch==2.13.0+cpu is the CPU build of torch==2.13.0
    return sorted(found, key=str.lower)


def main() -> int:
    """Freeze the environment of the Python that runs this."""
    command = [sys.executable, "-m", "pip", "freeze", "--all"]
    frozen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = pins(frozen)
    (ROOT / "requirements.txt").write_text(
        HEAD + "\n".join(lines) + "\n", encoding="utf-8"
    )
    print(f"requirements.txt: {len(lines)} packages pinned")
    return 0


if __name__ == "__main__":
    sys.exit(main())
