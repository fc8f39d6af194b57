"""Whether a notebook shows its errata and proves each: ``verify`` in the same or the next cell."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lib.course import syllabus
from lib.course.errata import Erratum


@dataclass(frozen=True)
class Showing:
    """One call of ``erratum`` in a notebook."""

    id: str | None  # None when the call does not name it in plain text
    proved: bool  # the next such call is verify, in the same or the next code cell
    displayed: bool  # the stored output shows it


def showings(notebook: dict) -> list[Showing]:
    """Return every call of ``erratum`` in a notebook (parsed JSON), in order."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    calls = [list(_calls("".join(cell["source"]))) for cell in cells]
    found = []
    for number, (cell, in_cell) in enumerate(zip(cells, calls, strict=True)):
        in_next = calls[number + 1] if number + 1 < len(cells) else []
        for place, call in enumerate(in_cell):
            if call.func.id == "erratum":
                after = [*in_cell[place + 1 :], *in_next]
                proved = bool(after) and after[0].func.id == "verify"
                id = _named(call)
                found.append(Showing(id, proved, _displays(cell, id)))
    return found


def problems(notebook: dict, slug: str, errata: tuple[Erratum, ...]) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with the errata of the notebook ``slug``."""
    known = {one.id: one for one in errata}
    found = showings(notebook)
    for showing in found:
        name = f'erratum("{showing.id}")'
        if showing.id is None:
            yield "erratum(…) is called without the id in plain text"
            continue
        if showing.id not in known:
            yield f"{name} has no entry in book/errata.yml"
        elif not showing.displayed:
            yield f"{name} is not in the stored output: execute the notebook"
        if not showing.proved:
            yield f"{name} is not followed by verify in the same or the next code cell"
    shown = {showing.id for showing in found}
    for one in errata:
        if one.chapter == slug and one.id not in shown:
            yield f'erratum("{one.id}") is not shown, though its entry names {slug}'


def misplaced(
    notebooks: Mapping[str, dict], errata: tuple[Erratum, ...]
) -> Iterator[str]:
    """Yield a sentence for each erratum that a notebook (by slug) shows and should not.

    A chapter shows its own errata alone, each once. A page that is no chapter of the syllabus,
    such as the one on how the book works, may show one as an example; the chapter that its entry
    names must then show and prove it.
    """
    home = {one.id: one.chapter for one in errata}
    shown = {slug: showings(notebook) for slug, notebook in notebooks.items()}
    chapters = {chapter.slug for chapter in syllabus.chapters()}
    for slug, found in shown.items():
        ids = [showing.id for showing in found if showing.id in home]
        for id in sorted(set(ids)):
            if ids.count(id) > 1:
                yield f'{slug} shows erratum("{id}") more than once'
            if slug in chapters and home[id] != slug:
                yield f'{slug} shows erratum("{id}"), which belongs to {home[id]}'
            elif slug != home[id]:
                at_home = shown.get(home[id], ())
                if not any(one.id == id and one.proved for one in at_home):
                    yield (
                        f'{slug} shows erratum("{id}"), and {home[id]}, which its entry names, '
                        "does not show and prove it"
                    )


def _calls(code: str) -> Iterator[ast.Call]:
    """Yield the calls of ``erratum`` and ``verify`` in the order of the code."""
    lines = (
        line for line in code.splitlines() if not line.lstrip().startswith(("%", "!"))
    )
    found = (
        node
        for node in ast.walk(ast.parse("\n".join(lines)))
        if isinstance(node, ast.Call)
    )
    named = (
        call
        for call in found
        if isinstance(call.func, ast.Name) and call.func.id in ("erratum", "verify")
    )
    yield from sorted(named, key=lambda call: (call.lineno, call.col_offset))


def _named(call: ast.Call) -> str | None:
    if len(call.args) == 1 and isinstance(call.args[0], ast.Constant):
        return str(call.args[0].value)
    return None


def _displays(cell: dict, id: str | None) -> bool:
    pages = (
        "".join(o.get("data", {}).get("text/html", "")) for o in cell.get("outputs", ())
    )
    return any(f'id="erratum-{id}"' in page for page in pages)
