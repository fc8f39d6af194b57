"""Versions are pinned once, completely, and every way to install the course agrees with it."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from lib.course import paths
from tools import freeze

ROOT = paths.repository()
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def lines(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    stripped = (re.sub(r"\s+#.*|^#.*", "", line).strip() for line in text.splitlines())
    return [line for line in stripped if line]


PINS = {
    canonicalize_name(line.split("==")[0]): line.split("==")[1]
    for line in lines("requirements.txt")
}
ASKED = [Requirement(line) for line in lines("requirements.in")]


def test_every_line_of_the_freeze_is_one_exact_public_version():
    for line in lines("requirements.txt"):
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line), line
    assert len(PINS) == len(lines("requirements.txt"))
    assert PINS["torch"] == "2.13.0"


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_what_is_asked_for_is_pinned_within_its_bounds(asked):
    assert asked.specifier.contains(
        PINS[canonicalize_name(asked.name)], prereleases=True
    )


@pytest.mark.parametrize("name", sorted(PINS))
def test_the_environment_is_the_pinned_one(name):
    try:
        installed = version(name)
    except PackageNotFoundError:
        pytest.fail(f"{name} is pinned but not installed: run any make command")
    assert installed.split("+")[0] == PINS[name]


def test_the_freeze_is_complete():
    """Everything that a pinned package requires where the freeze is made is pinned too."""
    there = {"extra": "", "sys_platform": "linux", "platform_system": "Linux"}
    there |= {"python_version": "3.11", "python_full_version": "3.11.7"}
    gpu = ("nvidia-", "cuda-", "triton")  # only the GPU build of torch asks for them
    for name in PINS:
        for line in requires(name) or []:
            needed = Requirement(line)
            applies = needed.marker is None or needed.marker.evaluate(there)
            if applies and not needed.name.startswith(gpu):
                assert canonicalize_name(needed.name) in PINS, f"{name} needs {needed}"


def test_pyproject_pins_nothing_itself():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert "dependencies" not in project
    assert project["requires-python"] == ">=3.11"


def test_binder_installs_the_pins_with_the_cpu_build_and_lib():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, nested = environment["dependencies"]
    assert conda == [
        "python=3.11",
        "pip",
    ]  # nothing else, so no second place for versions
    assert nested == {
        "pip": [f"--extra-index-url {CPU_INDEX}", "-r requirements.txt", "-e ."]
    }
    python = conda[0].split("=")[1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert SpecifierSet(project["requires-python"]).contains(python)


def test_no_other_host_is_named_where_packages_come_from():
    files = [
        "Makefile",
        "requirements.txt",
        "requirements.in",
        "environment.yml",
        "README.md",
    ]
    files += [
        ".ci/run",
        ".github/workflows/book.yml",
        "tools/prepare.py",
        "tools/freeze.py",
    ]
    for name in files:
        named = re.findall(
            r"https?://[^\s\"'`)]+", (ROOT / name).read_text(encoding="utf-8")
        )
        assert all(address.rstrip(",") == CPU_INDEX for address in named), (name, named)


def test_freeze_drops_what_belongs_to_this_machine():
    frozen = "\n".join(
        [
            "zipp==4.1.2",
            "# Editable Git install with no remote (machine-learning-executed==0.1.0)",
            "-e /somewhere/else",
            "Jinja2==3.1.6",
            "pip==23.2.1",
            "machine-learning-executed==0.1.0",
            "torch==2.13.0+cpu",
        ]
    )
    assert freeze.pins(frozen) == ["Jinja2==3.1.6", "torch==2.13.0", "zipp==4.1.2"]


def test_freeze_refuses_a_package_that_is_not_a_release():
    with pytest.raises(ValueError, match=r"expected a line such as numpy==2\.4\.6"):
        freeze.pins("thing @ file:///somewhere/thing.whl")
