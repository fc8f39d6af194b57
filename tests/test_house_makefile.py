"""The commands: what a newcomer sees, also where the machine lacks something."""

import os
import re
import shutil
import stat
import subprocess
import sys

import pytest

from lib.course import paths
from tools import prepare

ROOT = paths.repository()
TARGETS = ["book", "test", "lab", "serve", "execute", "benchmark", "lint"]
TARGETS += ["portability", "freeze", "clean"]
NEEDED = ["Makefile", "requirements.txt", "pyproject.toml", "tools/prepare.py"]


@pytest.fixture
def checkout(tmp_path):
    """A folder with the files that set-up reads, and no .venv."""
    for name in NEEDED:
        target = tmp_path / "checkout" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return tmp_path / "checkout"


def make(folder, *arguments, **environment):
    inherited = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("PIP_", "MAKE", "MFLAGS"))
    }
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=inherited | {"PIP_CONFIG_FILE": os.devnull} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def said(done):
    """Return the sentence of a command that stopped: one line, besides make's own."""
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert "Traceback" not in done.stderr
    assert len(lines) == 1, done.stderr
    return lines[0]


def program(folder, body):
    """Write an executable shell script called python3 and return its path."""
    folder.mkdir(exist_ok=True)
    path = folder / "python3"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_make_alone_explains_every_command_and_variable():
    help_text = make(ROOT).stdout
    for target in TARGETS:
        assert re.search(rf"^  make {target} +\S", help_text, re.MULTILINE), target
    for variable in ("PYTHON", "TORCH_INDEX", "CHAPTER", "FORCE", "TESTS", "PORT"):
        assert re.search(rf"^  {variable}\b", help_text, re.MULTILINE), variable


def test_every_target_is_phony_and_explained():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    written = set(re.findall(r"^([a-z]+):", text, re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split())
    assert written == {*TARGETS, "help"}
    assert written < phony


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_commands_in_the_documents_exist(name):
    named = re.findall(
        r"`(?:\s*)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8")
    )
    assert named
    assert set(named) <= set(TARGETS)


def test_no_python(checkout):
    sentence = said(make(checkout, "book", "PYTHON=no-such-python"))
    assert sentence.startswith(
        "No Python found as 'no-such-python': install Python 3.11"
    )


@pytest.mark.parametrize("python", ["2.7", "3.6", "3.10"])
def test_old_python(checkout, python):
    """An old Python answers the two questions that the Makefile asks it, and no more."""
    body = (
        f"""case "$2" in *print*) echo {python};; *exit*) exit 1;; *) exit 99;; esac"""
    )
    old = program(checkout.parent / "old", body)
    sentence = said(make(checkout, "book", f"PYTHON={old}"))
    assert f"is Python {python}, and the course needs 3.11 or newer" in sentence


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_no_venv_module(checkout, module):
    hidden = checkout.parent / "hidden"
    hidden.mkdir()
    if module == "venv":
        (hidden / "venv.py").write_text("raise ImportError('not installed')\n")
        start = f'export PYTHONPATH={hidden}; exec {sys.executable} "$@"'
    else:  # Debian ships venv without ensurepip
        (hidden / "sitecustomize.py").write_text(
            "import importlib.util as u\nfind = u.find_spec\n"
            "u.find_spec = lambda n, *a: None if n == 'ensurepip' else find(n, *a)\n"
        )
        start = f'export PYTHONPATH={hidden}; exec {sys.executable} "$@"'
    without = program(checkout.parent / "bin", start)
    assert "python3-venv" in said(make(checkout, "book", f"PYTHON={without}"))


def test_no_connection_to_a_package_index(checkout):
    done = make(
        checkout, "book", f"PYTHON={sys.executable}", PIP_INDEX_URL="http://127.0.0.1:9"
    )
    assert said(done).startswith("No connection to a package index:")
    assert not (checkout / ".venv" / ".ready").exists()


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("ERROR: [Errno 28] No space left on device", "The disk is full"),
        ("OSError: [Errno 122] Disk quota exceeded", "The disk is full"),
        (
            "Temporary failure in name resolution\nNo matching distribution found for a",
            "No conn",
        ),
        (
            "ERROR: No matching distribution found for torch==2.13.0",
            "has no torch==2.13.0 for",
        ),
        (
            "ERROR: something new",
            "failed (ERROR: something new); the whole story is in .venv/",
        ),
        ("", "pip said nothing"),
    ],
)
def test_what_pip_reports_becomes_one_sentence(output, sentence):
    told = prepare.explain(output)
    assert sentence in told
    assert "\n" not in told


@pytest.fixture
def settled(checkout):
    """A checkout whose .venv counts as ready; its Python is this one."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to(sys.executable)
    record = checkout / ".venv" / ".ready"
    subprocess.run(
        [
            sys.executable,
            "-c",
            "from tools import prepare; open('.venv/.ready', 'w').write(prepare.wanted())",
        ],
        cwd=checkout,
        check=True,
    )
    return record


PLAN = ["--just-print", "lint"]


def prepares(checkout):
    return "tools/prepare.py" in make(checkout, *PLAN).stdout


def test_a_second_run_prepares_nothing(checkout, settled):
    assert not prepares(checkout)


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_a_change_of_the_pins_prepares_again(checkout, settled, name):
    (checkout / name).write_text((checkout / name).read_text() + "\n# changed\n")
    os.utime(checkout / name, (settled.stat().st_mtime + 10,) * 2)
    assert prepares(checkout)
    assert prepare_says_wanted(checkout) != settled.read_text()


def test_a_newer_file_with_the_same_content_installs_nothing(checkout, settled):
    os.utime(checkout / "requirements.txt", (settled.stat().st_mtime + 10,) * 2)
    done = make(checkout, ".venv/.ready", f"PYTHON={sys.executable}")
    assert done.returncode == 0
    assert done.stdout == ""


def test_a_folder_that_moved_is_prepared_again(checkout, settled):
    moved = checkout.rename(checkout.with_name("moved"))
    assert prepares(moved)


def test_a_python_that_is_gone_is_prepared_again(checkout, settled):
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(checkout / "gone")
    assert prepares(checkout)


def prepare_says_wanted(checkout):
    code = "from tools import prepare; print(prepare.wanted(), end='')"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_clean_removes_what_was_made_and_keeps_the_environment(checkout, settled):
    for made in (
        "_build/html",
        "lib/__pycache__",
        "book/.ipynb_checkpoints",
        ".pytest_cache",
    ):
        (checkout / made).mkdir(parents=True)
    (checkout / "lib" / "kept.py").write_text("")
    assert make(checkout, "clean").returncode == 0
    left = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*")}
    assert {"lib/kept.py", ".venv/.ready"} <= left
    assert not any(
        re.search("_build|__pycache__|checkpoints|_cache", path) for path in left
    )
