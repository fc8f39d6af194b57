"""The pages that Sphinx makes of the ledger, the errata and the listed files, in a small book."""

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.testing.util import SphinxTestApp

from lib.course import chapter, errata, paths

CONF = """
extensions = ["myst_nb", "lib.course.sphinx.source_map", "lib.course.sphinx.errata_page",
              "lib.course.sphinx.ledger_page", "lib.course.sphinx.listing_pages"]
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "off"
exclude_patterns = ["_build"]
"""
VERIFIED = """# Verified

There are {verified-count}`book` in all, {verified-count}`trees` on trees,
{verified-count}`lal` of lal.

```{verified} chapter
```

```{verified} note
```
"""
ERRATA = [
    {
        "id": "lal-2",
        "note": "lal",
        "where": "2, eq. (4), $z_i$",
        "section": "2",
        "kind": "sign",
        "chapter": "trees",
        "says": "that $a < b$",
        "correct": "that `b` is *smaller*",
        "why": "See $\\frac{1}{2}$.",
    },
    {
        "id": "deep-1",
        "note": "deep",
        "where": "1",
        "section": "1",
        "kind": "sign",
        "chapter": "mlp",
        "says": "a",
        "correct": "b",
        "why": "c",
    },
    {
        "id": "deep-2",
        "note": "deep",
        "where": "2",
        "section": "2",
        "kind": "word",
        "chapter": "trees",
        "says": "a",
        "correct": "b",
        "why": "c",
    },
]


def printing(*lines):
    text = "".join(f"{line}\n" for line in lines)
    return new_code_cell(
        "pass", outputs=[new_output("stream", name="stdout", text=text)]
    )


def displaying(page):
    return new_code_cell(
        "pass", outputs=[new_output("display_data", {"text/html": page})]
    )


def listing_of(obj, monkeypatch):
    """The HTML that source(obj) stores in the notebook of the chapter on trees."""
    from lib.course import listing

    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    monkeypatch.setattr(chapter, "_current", "trees")
    listing.source(obj)
    return shown[0]["text/html"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small book: the chapter on trees, the errata and what is verified."""
    repository = paths.repository()
    book = tmp_path / "book"
    (book / "linear").mkdir(parents=True)
    cells = [
        new_markdown_cell("# Trees"),
        displaying(listing_of(errata.find, monkeypatch)),
        new_markdown_cell("## Impurity $G$"),
        printing("✓ one < two · equal · lal 2", "✓ two · at most 1 · lal 2, lal 3.1"),
        printing("✓ three · agrees to 1e-09"),
    ]
    about = {"language_info": {"name": "python", "pygments_lexer": "python"}}
    notebook = new_notebook(cells=cells, metadata=about)
    nbformat.write(notebook, book / "linear" / "trees.ipynb")
    (book / "errata.md").write_text("# Errata\n\n```{errata}\n```\n")
    (book / "verified.md").write_text(VERIFIED)
    (book / "sources.yml").write_text((repository / "book" / "sources.yml").read_text())
    (book / "errata.yml").write_text(yaml.safe_dump(ERRATA))
    pages = "book/errata\nbook/verified\nbook/linear/trees"
    (tmp_path / "index.md").write_text(f"# Book\n\n```{{toctree}}\n{pages}\n```\n")
    (tmp_path / "conf.py").write_text(CONF)
    monkeypatch.setattr(paths, "book", lambda: book)
    return tmp_path


def build(project):
    """Build the small book; return the warnings and a function that opens a page."""
    app = SphinxTestApp("html", srcdir=project)
    try:
        app.build()
        warnings = app.warning.getvalue()
        out = project / "_build" / "html"
    finally:
        app.cleanup()

    def page(name):
        return BeautifulSoup((out / f"{name}.html").read_text("utf-8"), "html.parser")

    return warnings, page


def words(tag):
    return " ".join(tag.get_text(" ").split())


def rows(table):
    return [
        [words(cell) for cell in row.find_all(["td", "th"])]
        for row in table.find_all("tr")
    ]


def test_the_pages(project):
    warnings, page = build(project)
    assert warnings == ""
    check_errata(page("book/errata"))
    check_verified(page("book/verified"))
    check_listing(page("book/linear/trees"), page("_modules/lib/course/errata"))


def check_errata(page):
    assert rows(page.find("table", class_="errata-counts")) == [
        ["", "lal", "deep", "all"],
        ["wrong sign", "1", "1", "2"],
        ["wrong word", "", "1", "1"],
        ["all", "1", "2", "3"],
    ]
    entries = {entry["id"]: entry for entry in page.find_all("div", class_="erratum")}
    assert list(entries) == ["listed-lal-2", "listed-deep-1", "listed-deep-2"]
    first = entries["listed-lal-2"]
    assert first.find("a")["href"] == "linear/trees.html#erratum-lal-2"
    assert (
        first.find("a").get_text() == "Proof in chapter 10, Trees, forests, committees"
    )
    formulas = [tag.get_text() for tag in first.find_all("span", class_="math")]
    assert formulas == [r"\(z_i\)", r"\(a < b\)", r"\(\frac{1}{2}\)"]
    assert first.parent.name == "details"
    assert words(first.parent.find("summary")) == "Wrong sign 1"
    assert first.find("em").get_text() == "smaller"
    assert first.find("code").get_text() == "b"
    assert entries["listed-deep-1"].find("a") is None
    assert "chapter 17, planned" in words(entries["listed-deep-1"])


def check_verified(page):
    assert "There are 3 in all, 3 on trees, 2 of lal." in words(page)
    by_chapter, by_note = page.find_all("details")
    assert words(by_chapter.find("summary")) == "10 Trees, forests, committees 3"
    assert rows(by_chapter) == [
        ["Claim", "Checked", "Notes"],
        ["one < two", "equal", "lal 2"],
        ["two", "at most 1", "lal 2, lal 3.1"],
        ["three", "agrees to 1e-09", ""],
    ]
    assert {a["href"] for a in by_chapter.find_all("a")} == {
        "linear/trees.html#impurity-g"
    }
    assert words(by_note.find("summary")).endswith("2")
    assert [(row[0], row[2]) for row in rows(by_note)[1:]] == [
        ("2", "one < two"),
        ("2", "two"),
        ("3.1", "two"),
    ]


def check_listing(trees, module):
    assert trees.find(id="impurity-g") is not None
    link = trees.find("a", class_="listing-file")
    assert link["href"] == "../../_modules/lib/course/errata.html"
    assert link.get_text() == "lib/course/errata.py"
    code = module.find("div", class_="highlight").find("pre").get_text()
    assert (
        code.strip()
        == (paths.repository() / "lib/course/errata.py").read_text().strip()
    )


def test_nothing_yet(project):
    (project / "book" / "errata.yml").write_text("# none\n")
    (project / "book" / "linear" / "trees.ipynb").unlink()
    index = project / "index.md"
    index.write_text(index.read_text().replace("book/linear/trees\n", ""))
    verified = project / "book" / "verified.md"
    warnings, page = build(project)
    assert warnings == ""
    assert "No errors are listed yet." in words(page("book/errata"))
    assert "There are 0 in all, 0 on trees, 0 of lal." in words(page("book/verified"))
    assert "No chapter is written yet." in words(page("book/verified"))
    verified.write_text(
        "# V\n\n{verified-count}`nonsense`\n\n```{verified} part\n```\n"
    )
    warnings, _ = build(project)
    assert "expected the slug of a chapter" in warnings
    assert "expected chapter or note, got 'part'" in warnings
