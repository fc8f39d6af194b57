"""The buttons above a chapter: open it on Binder, see its repository, download it.

Where the checkout has no public remote, the first two are left out.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from lib.course.sphinx.repository import Repository, find_repository, parse_remote

AFTER_THE_THEME = 600  # the theme fills its list of buttons at 501
_ICONS = {
    "GitHub": "fab fa-github",
    "GitLab": "fab fa-gitlab",
    "Bitbucket": "fab fa-bitbucket",
}


def buttons(repository: Repository | None, file: str) -> list[dict[str, str]]:
    """Return the buttons that need a public repository, for the page made from ``file``."""
    if repository is None:
        return []
    code = {
        "type": "link",
        "url": repository.url,
        "tooltip": f"The code of this course on {repository.host_name}",
        "icon": _ICONS.get(repository.host_name, "fas fa-code-branch"),
        "label": "repository-button",
    }
    if not file.endswith(".ipynb"):
        return [code]
    binder = {
        "type": "link",
        "url": repository.binder(file),
        "tooltip": "Run this chapter on Binder",
        "icon": "fas fa-rocket",
        "label": "binder-button",
    }
    return [binder, code]


def settle(app: Sphinx, config: Config) -> None:
    """Put the repository's address in the place of jupyter-book's own, the default."""
    for option in ("repository_url", "repository_branch", "launch_buttons"):
        config.html_theme_options.pop(option, None)
    found = find_repository(Path(app.srcdir))
    # A setting of the HTML, so that all pages are written again when the remote changes.
    config.course_repository = found.url if found else ""


def add_buttons(
    app: Sphinx,
    page: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Put the buttons first in the page's header."""
    if doctree is None:
        return
    file = Path(app.env.doc2path(page)).relative_to(app.srcdir).as_posix()
    repository = parse_remote(app.config.course_repository)
    context["header_buttons"][:0] = buttons(repository, file)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.add_config_value("course_repository", "", "html", (str,))
    app.connect("config-inited", settle, priority=100)
    app.connect("html-page-context", add_buttons, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
