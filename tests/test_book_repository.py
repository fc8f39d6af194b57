"""The address of the repository comes from git's remotes; credentials and private hosts do not."""

import subprocess

import pytest

from lib.course.sphinx.launch import buttons
from lib.course.sphinx.repository import Repository, find_repository, parse_remote

GITHUB = Repository("github.com", "ada/course")


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/ada/course",
        "https://github.com/ada/course.git",
        "https://github.com/ada/course/",
        "https://www.github.com/ada/course.git",
        "https://GitHub.com/ada/course",
        "http://github.com/ada/course",
        "git@github.com:ada/course.git",
        "github.com:ada/course",
        "ssh://git@github.com/ada/course.git",
        "ssh://git@ssh.github.com:443/ada/course.git",
        "git://github.com/ada/course.git",
        "https://ada:secret@github.com/ada/course.git",
        "https://x-access-token:ghs_1234@github.com/ada/course",
        "  https://github.com/ada/course\n",
    ],
)
def test_every_spelling_of_a_remote_names_the_same_repository(address):
    assert parse_remote(address) == GITHUB


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/srv/git/course.git",
        "../course",
        "file:///srv/git/course.git",
        "C:\\course",
        "https://git.example.org/ada/course.git",
        "git@git.example.org:ada/course.git",
        "https://github.com.example.org/ada/course",
        "https://example.org/github.com/ada/course",
        "https://github.com/ada",
        "https://github.com/",
        "https://github.com/ada/course/tree/main",
        "https://github.com/ada/co urse",
        'https://github.com/ada/"><script>',
        "https://[github.com/ada/course",
        "ext::sh -c evil% github.com/ada/course",
    ],
)
def test_what_is_not_a_public_repository_is_none(address):
    assert parse_remote(address) is None


@pytest.mark.parametrize(
    ("address", "binder"),
    [
        ("git@github.com:ada/course.git", "gh/ada/course"),
        ("https://gitlab.com/ada/course.git", "gl/ada%2Fcourse"),
        ("https://gitlab.com/group/sub/course", "gl/group%2Fsub%2Fcourse"),
        (
            "git@bitbucket.org:ada/course.git",
            "git/https%3A%2F%2Fbitbucket.org%2Fada%2Fcourse",
        ),
        (
            "https://codeberg.org/ada/course",
            "git/https%3A%2F%2Fcodeberg.org%2Fada%2Fcourse",
        ),
    ],
)
def test_binder_is_told_the_repository_in_its_own_way(address, binder):
    expected = (
        f"https://mybinder.org/v2/{binder}/HEAD?urlpath=lab%2Ftree%2Fbook%2Fa.ipynb"
    )
    assert parse_remote(address).binder("book/a.ipynb") == expected


def git(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def test_origin_comes_first_and_a_private_origin_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git(tmp_path, "init")
    assert find_repository(tmp_path) is None
    git(tmp_path, "remote", "add", "a-mirror", "https://gitlab.com/ada/mirror")
    git(tmp_path, "remote", "add", "origin", "https://u:p@github.com/ada/course.git")
    assert find_repository(tmp_path) == GITHUB
    git(tmp_path, "remote", "set-url", "origin", "/srv/private.git")
    assert find_repository(tmp_path) == Repository("gitlab.com", "ada/mirror")


def test_without_git_there_is_no_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_repository(tmp_path) is None


def test_buttons():
    assert buttons(None, "book/a.ipynb") == []
    labels = [button["label"] for button in buttons(GITHUB, "book/a.ipynb")]
    assert labels == ["binder-button", "repository-button"]
    labels = [button["label"] for button in buttons(GITHUB, "book/a.md")]
    assert labels == ["repository-button"]
    for button in buttons(GITHUB, "book/a.ipynb"):
        assert button["url"].startswith("https://")
        assert button["tooltip"]
