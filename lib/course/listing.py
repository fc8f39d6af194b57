"""``source``: the code of ``lib`` on the page, read from the module that runs.

A chapter never copies code; it shows it. So the page cannot differ from what the cells execute.
"""

import ast
import functools
import html
import inspect
import os.path
import re
import textwrap
from pathlib import Path
from typing import Any

from lib.course import paths

Lines = tuple[int, int] | tuple[str, str] | str


def source(obj: Any, *, docstring: bool = True, lines: Lines | None = None) -> None:
    """Show the source of a function, method or class of ``lib``, highlighted.

    ``docstring=False`` leaves the docstrings out. ``lines`` shows a part of the rest: ``(a, b)``
    its lines a to b, counted from 1 and both shown; ``"pattern"`` the first statement that begins
    with a line where the regular expression is found, with its whole body; ``("from", "to")`` the
    lines from the first match of one pattern to the next match of the other.
    """
    from IPython.display import display

    target, file = _locate(obj)
    code = _code_of(target, obj)
    if not docstring:
        code = without_docstrings(code)
    part = lines is not None
    if part:
        code = excerpt(code, lines)
    name = getattr(target, "__qualname__", target.__name__)
    label = f"{name} (part)" if part else name
    plain = f"# {label} · {file}\n{code}"
    display({"text/html": _page(code, label, file), "text/plain": plain}, raw=True)


def _locate(obj: Any) -> tuple[Any, str]:
    """Return the function or class behind ``obj`` and its file, seen from the repository."""
    target = obj
    if isinstance(target, property):
        target = target.fget
    if isinstance(target, functools.partial):
        target = target.func
    target = inspect.unwrap(getattr(target, "__func__", target))
    if not (inspect.isfunction(target) or inspect.isclass(target)):
        raise ValueError(
            f"expected a function, method or class of lib, got {_described(obj)}, "
            "which has no Python source of its own"
        )
    try:
        file = Path(inspect.getsourcefile(target) or "")
        inside = file.resolve().relative_to(paths.repository() / "lib")
    except (TypeError, ValueError):
        module = getattr(target, "__module__", "?")
        raise ValueError(
            f"expected something defined in lib, got {_described(obj)} from {module}: "
            "code that a chapter shows lives in lib"
        ) from None
    return target, f"lib/{inside.as_posix()}"


def _described(obj: Any) -> str:
    name = getattr(obj, "__qualname__", None)
    return repr(name) if name else f"an object of type {type(obj).__name__}"


def _code_of(target: Any, obj: Any) -> str:
    """Return the source text, and make sure that it is the source of what was asked for."""
    try:
        code = textwrap.dedent(inspect.getsource(target)).rstrip() + "\n"
        found = ast.parse(code).body[0]
    except (OSError, SyntaxError) as error:
        raise ValueError(
            f"cannot read the source of {_described(obj)}: {error}"
        ) from None
    if getattr(found, "name", "<lambda>") != target.__name__:
        raise ValueError(
            f"the file of {_described(obj)} has changed since it was imported: restart the kernel"
        )
    return code


def without_docstrings(code: str) -> str:
    """Return the code without its docstrings (one that is all of a body stays)."""
    lines: list[str | None] = list(code.splitlines())
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if ast.get_docstring(node, clean=False) is None or len(node.body) == 1:
            continue
        first, last = node.body[0].lineno - 1, node.body[0].end_lineno
        while last < len(lines) and not (lines[last] or "").strip():
            last += 1  # the blank lines that set it off go with it
        lines[first:last] = [None] * (last - first)
    return "\n".join(line for line in lines if line is not None) + "\n"


def excerpt(code: str, lines: Lines) -> str:
    """Return the part of the code that ``lines`` names (as in ``source``), dedented."""
    listed = code.splitlines()
    if isinstance(lines, str):
        first, last = _statement(code, lines)
    elif (
        isinstance(lines, tuple)
        and len(lines) == 2
        and all(type(n) is int for n in lines)
    ):
        first, last = lines
        if not 1 <= first <= last <= len(listed):
            raise ValueError(f"expected lines between 1 and {len(listed)}, got {lines}")
    elif (
        isinstance(lines, tuple)
        and len(lines) == 2
        and all(type(n) is str for n in lines)
    ):
        first = _match(listed, lines[0], 1)
        last = _match(listed, lines[1], first)
    else:
        raise ValueError(
            f"expected lines=(a, b), a pattern or two patterns; got {lines!r}"
        )
    return textwrap.dedent("\n".join(listed[first - 1 : last])) + "\n"


def _statement(code: str, pattern: str) -> tuple[int, int]:
    """Return the first and last line of the first statement that begins with a match."""
    listed = code.splitlines()
    statements = (
        node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)
    )
    for node in sorted(statements, key=lambda node: node.lineno):
        if _search(pattern, listed[node.lineno - 1]):
            return node.lineno, node.end_lineno
    raise ValueError(
        f"expected a statement of the listing to match {pattern!r}; none does"
    )


def _match(listed: list[str], pattern: str, start: int) -> int:
    for number in range(start, len(listed) + 1):
        if _search(pattern, listed[number - 1]):
            return number
    raise ValueError(f"expected a line of the listing to match {pattern!r}; none does")


def _search(pattern: str, line: str) -> bool:
    try:
        return re.search(pattern, line) is not None
    except re.error as error:
        raise ValueError(
            f"expected a regular expression, got {pattern!r}: {error}"
        ) from None


def _page(code: str, label: str, file: str) -> str:
    """Return the listing as HTML: its name, its file and the code."""
    caption = (
        f'<code class="listing-name">{html.escape(label)}</code> '
        f'<a class="listing-file" data-file="{file}" href="{_link(file)}">{file}</a>'
    )
    return (
        f'<figure class="listing"><figcaption>{caption}</figcaption>\n'
        f"{highlighted(code)}</figure>"
    )


def highlighted(code: str) -> str:
    """Return code as HTML with the classes that Sphinx gives highlighted code."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    body = highlight(code, PythonLexer(), HtmlFormatter(cssclass="highlight")).strip()
    return f'<div class="highlight-python notranslate">{body}</div>'


def _link(file: str) -> str:
    """Return the way from the notebook to the file, for a reader in Jupyter."""
    from lib.course import chapter, syllabus

    page = next((c for c in syllabus.chapters() if c.slug == chapter.current()), None)
    folder = f"book/{page.folder}" if page else "book"
    return os.path.relpath(file, folder).replace(os.sep, "/")
