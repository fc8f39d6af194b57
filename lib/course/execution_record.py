"""Whether a chapter must be executed again: what it depends on, and what it was executed with.

A chapter depends on its code, its quiz, its errata, the pinned requirements and the parts of
``lib`` that it can reach. The digest of all that is kept in ``_build``, out of version control, so
that executing a chapter whose output does not change leaves no trace in its file. A fresh clone
has no such record: there the history answers. A chapter that was committed with or after its
inputs, all of them unmodified since, is current.
"""

import ast
import hashlib
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import yaml

from lib.course import _HOME, paths
from lib.course.notebook_checks import code_cells, load, problems


def inputs(notebook: Path) -> list[Path]:
    """Return the files, sorted, whose content decides what executing ``notebook`` gives.

    The list of errata is not among them: only the chapter's own entries count, see ``digest``.
    """
    root = paths.repository()
    lib = root / "lib"
    sources = "\n".join(_python(cell.source) for cell in code_cells(load(notebook)))
    start = [
        *_modules(_imports(sources, package=[]), root),
        *(lib / "course" / f"{home}.py" for home in set(_HOME.values())),
        lib / "exercises" / "__init__.py",
        lib / "exercises" / f"{notebook.stem}.py",
    ]
    reached = _closure(start, root)
    data = (
        _files(lib / "data")
        if any(lib / "data" in path.parents for path in reached)
        else []
    )
    looks = [
        path
        for path in _files(lib / "course")
        if path.suffix != ".py" and lib / "course" / "sphinx" not in path.parents
    ]
    beside = [notebook.with_suffix(".quiz.yml"), root / "requirements.txt"]
    return sorted(
        {path for path in [*reached, *looks, *data, *beside] if path.is_file()}
    )


def digest(notebook: Path) -> str:
    """Return the digest of the chapter's code and of everything it depends on."""
    state = hashlib.sha256()
    for cell in code_cells(load(notebook)):
        state.update(cell.source.encode() + b"\0")
    for path in inputs(notebook):
        state.update(path.relative_to(paths.repository()).as_posix().encode() + b"\0")
        state.update(hashlib.sha256(path.read_bytes()).digest())
    listed = paths.repository() / "book" / "errata.yml"
    if listed.is_file():
        state.update(_own_errata(notebook, listed.read_text(encoding="utf-8")).encode())
    return state.hexdigest()


def _own_errata(notebook: Path, text: str) -> str:
    """Return the entries of one chapter in the list of errata, in one form."""
    try:
        listed = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        own = [entry for entry in listed if entry["chapter"] == notebook.stem]
        return json.dumps(own, sort_keys=True, default=str)
    except (yaml.YAMLError, TypeError, KeyError):  # executing it will say so, better
        return text


def current(notebook: Path) -> bool:
    """Say whether the stored outputs of ``notebook`` are those of its code as it is now."""
    if problems(load(notebook)):
        return False
    recorded = _read().get(_key(notebook))
    return recorded == digest(notebook) if recorded else _current_in_history(notebook)


def remember(notebook: Path) -> None:
    """Record that ``notebook`` has just been executed with its inputs as they are."""
    record = _read() | {_key(notebook): digest(notebook)}
    _record_file().parent.mkdir(parents=True, exist_ok=True)
    _record_file().write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def _current_in_history(notebook: Path) -> bool:
    """Say whether version control holds the chapter unmodified, not older than its inputs."""
    names = [str(path) for path in inputs(notebook)]
    if _git("status", "--porcelain", "--", str(notebook), *names) != "":
        return False
    chapter = _git("log", "-1", "--format=%H", "--", str(notebook))
    newest = _git("log", "-1", "--format=%H", "--", *names)
    if not chapter or not newest:
        return False
    if _git("merge-base", "--is-ancestor", newest, chapter) is None:
        return False
    listed = paths.repository() / "book" / "errata.yml"
    now = listed.read_text(encoding="utf-8") if listed.is_file() else "[]"
    then = _git("show", f"{chapter}:book/errata.yml") or "[]"
    return _own_errata(notebook, then) == _own_errata(notebook, now)


def _git(*arguments: str) -> str | None:
    """Return what git answers, or None where it fails or is not there."""
    command = ["git", "-C", str(paths.repository()), *arguments]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def _python(source: str) -> str:
    """Return ``source`` without IPython's magics and shell lines, which ``ast`` cannot read."""
    lines = source.splitlines()
    return "\n".join(
        "" if line.lstrip().startswith(("%", "!")) else line for line in lines
    )


def _imports(source: str, package: list[str]) -> set[str]:
    """Return the dotted names that ``source`` imports, at any depth, relative ones resolved."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # executing it will say so, better
        return {"lib"}
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "lib"}


def _modules(names: Iterable[str], root: Path) -> list[Path]:
    """Return the files that importing ``names`` runs, packages on the way included."""
    found = []
    for name in names:
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            place = root.joinpath(*parts[:length])
            found += [place / "__init__.py", place.with_suffix(".py")]
    return [path for path in found if path.is_file()]


def _closure(start: Iterable[Path], root: Path) -> set[Path]:
    """Return ``start`` and every module of lib that it imports, directly or not."""
    waiting, reached = [path for path in start if path.is_file()], set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        source = path.read_text(encoding="utf-8")
        package = list(path.relative_to(root).parent.parts)
        waiting += _modules(_imports(source, package), root)
        # A package that loads its modules on demand can reach all of them; for these two it is
        # known which a chapter uses.
        lazy = path.name == "__init__.py" and "loads_on_first_use" in source
        if lazy and path.parent.name not in ("course", "exercises"):
            waiting += [file for file in _files(path.parent) if file.suffix == ".py"]
    return reached


def _files(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]


def _key(notebook: Path) -> str:
    return notebook.resolve().relative_to(paths.repository()).as_posix()


def _record_file() -> Path:
    return paths.repository() / "_build" / "executed.json"


def _read() -> dict[str, str]:
    try:
        return json.loads(_record_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
