"""A page for every file of ``lib`` that a chapter lists, so that a listing's link works offline.

``source`` writes the link that Jupyter follows, from the notebook to the file. In the book it
leads to a page with the whole file, highlighted, as it was when the book was built.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from lib.course import paths

_LINK = re.compile(r'(<a class="listing-file" data-file="([^"]+)" href=")[^"]*"')


def page_of(file: str) -> str:
    """Return the name of the page that shows a file of ``lib``."""
    return f"_modules/{file.removesuffix('.py')}"


def _files(env: BuildEnvironment) -> dict[str, set[str]]:
    """Return page -> the files it lists; kept in the environment, which Sphinx saves."""
    if not hasattr(env, "listed_files"):
        env.listed_files = {}
    return env.listed_files


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note which files a page lists."""
    raws = doctree.findall(nodes.raw)
    found = {file for raw in raws for _, file in _LINK.findall(raw.astext())}
    if found:
        _files(app.env)[app.env.docname] = found


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop what was noted of a page that is read again."""
    _files(env).pop(docname, None)


def merge(
    app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment
) -> None:
    """Take over what another process has noted."""
    noted = _files(other)
    _files(env).update({name: noted[name] for name in docnames if name in noted})


def link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Let the listings of a page link to the pages of their files."""
    if app.builder.format != "html":
        return

    def lead(match: re.Match[str]) -> str:
        return f'{match[1]}{app.builder.get_relative_uri(docname, page_of(match[2]))}"'

    for raw in doctree.findall(nodes.raw):
        if _LINK.search(raw.astext()):
            text = _LINK.sub(lead, raw.astext())
            raw.replace_self(
                nodes.raw(text, text, format=raw["format"], classes=raw["classes"])
            )


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """Write a page for each file that is listed anywhere."""
    for file in sorted(set().union(*_files(app.env).values())):
        code = (paths.repository() / file).read_text(encoding="utf-8")
        shown = app.builder.highlighter.highlight_block(code, "python")
        body = f"<h1>{file}</h1>\n{shown}"
        yield page_of(file), {"title": file, "body": body}, "page.html"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", link)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
