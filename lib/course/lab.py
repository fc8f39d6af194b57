"""Open the chapters in JupyterLab: on this computer only, behind a token.

Kernels are pinned as in the stored outputs, so that a reader who runs a chapter sees the numbers
that the book prints. Nothing else is: figures move, and progress is kept.
"""

import os
import sys

from lib.course import kernel_pins, paths

OPTIONS = (
    "--ip=127.0.0.1",
    "--LabApp.default_url=/lab/tree/book",
    # The course asks nothing of the network, and neither does its laboratory.
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


def main(arguments: list[str] | None = None) -> None:
    """Become JupyterLab; further arguments are its own (such as ``--no-browser``)."""
    own = sys.argv[1:] if arguments is None else arguments
    if os.geteuid() == 0:  # in a container; 127.0.0.1 and the token still guard it
        own = ["--allow-root", *own]
    root = paths.repository()
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        *OPTIONS,
        *own,
    ]
    os.chdir(root)
    os.execve(sys.executable, command, kernel_pins.pinned())


if __name__ == "__main__":
    main()
