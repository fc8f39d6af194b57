"""Where the course's repository is on the web, told from git's remotes alone.

A fork has nothing to edit: the address of its own remote appears in its own book. Remotes on
private hosts, on disk or behind credentials never reach a page.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

BINDER = "https://mybinder.org"
PUBLIC_HOSTS = {
    "github.com": "GitHub",
    "gitlab.com": "GitLab",
    "bitbucket.org": "Bitbucket",
    "codeberg.org": "Codeberg",
}
_ALIASES = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}
_SCP = re.compile(
    r"(?:[\w.-]+@)?(?P<host>[\w.-]+):(?!//)(?P<path>.+)"
)  # git@host:owner/name
_PART = re.compile(r"[\w.~-]+")


@dataclass(frozen=True)
class Repository:
    """A repository on a public host; ``path`` is ``owner/name``, on GitLab perhaps deeper."""

    host: str
    path: str

    @property
    def host_name(self) -> str:
        """The host as people call it."""
        return PUBLIC_HOSTS[self.host]

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"https://{self.host}/{self.path}"

    def binder(self, file: str) -> str:
        """Return the address that opens ``file`` (from the root) in JupyterLab on Binder.

        ``HEAD`` is the default branch, whatever its name.
        """
        place = quote(f"lab/tree/{file}", safe="")
        return f"{BINDER}/v2/{self._spec}/HEAD?urlpath={place}"

    @property
    def _spec(self) -> str:
        """How Binder names the repository: known hosts by owner and name, others by address."""
        if self.host == "github.com":
            return f"gh/{self.path}"
        if self.host == "gitlab.com":
            return f"gl/{quote(self.path, safe='')}"
        return f"git/{quote(self.url, safe='')}"


def parse_remote(address: str) -> Repository | None:
    """Return the public repository that a remote's address names, or None.

    Understands ``https://``, ``ssh://``, ``git://`` and ``git@host:owner/name``; a user name,
    password or token in the address is dropped.
    """
    address = address.strip()
    if "://" in address:
        try:
            split = urlsplit(address)
            host, path = split.hostname or "", split.path
        except ValueError:
            return None
        if split.scheme not in ("https", "http", "ssh", "git", "git+ssh"):
            return None
    elif match := _SCP.fullmatch(address):
        host, path = match["host"].lower(), match["path"]
    else:
        return None
    host = _ALIASES.get(host, host.removeprefix("www."))
    parts = [
        part for part in path.removesuffix("/").removesuffix(".git").split("/") if part
    ]
    enough = len(parts) >= 2 if host == "gitlab.com" else len(parts) == 2
    if host not in PUBLIC_HOSTS or not enough or not all(map(_PART.fullmatch, parts)):
        return None
    return Repository(host, "/".join(parts))


def find_repository(folder: Path) -> Repository | None:
    """Return the public repository of the checkout at ``folder``: ``origin``, else the first."""
    try:
        listed = subprocess.run(
            ["git", "config", "--get-regexp", r"^remote\..*\.url$"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=10,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None  # no git, as in a downloaded archive
    remotes = [line.split(" ", 1) for line in listed.splitlines() if " " in line]
    remotes.sort(key=lambda remote: remote[0] != "remote.origin.url")
    return next(filter(None, (parse_remote(address) for _, address in remotes)), None)
