"""Headings get the anchors that the rendered page gives them, and the source map links to them."""

import json
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

from lib.course import headings, mirrored, paths, sources
from lib.course.sphinx import source_map

ENTRIES = sources.entries()


@pytest.mark.parametrize(
    ("markdown", "text", "anchor"),
    [
        ("## The normal equations", "The normal equations", "the-normal-equations"),
        ("## Cost $O(n^2)$, *not* `x_y`", "Cost O(n^2), not x_y", "cost-o-n-2-not-x-y"),
        ("### Oja's rule & [PCA](x.md)", "Oja's rule & PCA", "oja-s-rule-pca"),
        ("## 2. Größe", "2. Größe", "grosze"),
        ("Two\nlines\n---", "Two lines", "two-lines"),
    ],
)
def test_heading_text_and_anchor(markdown, text, anchor):
    (heading,) = headings.of_markdown(f"words\n\n{markdown}\n\nwords")
    assert (heading.text, heading.anchor) == (text, anchor)


def test_headings_in_fences_are_none():
    fenced = "```python\n# no\n```\n\n```{note}\n## no\n```\n\n:::{note}\n## no\n:::\n\n> # no\n"
    assert headings.of_markdown(fenced) == ()


def test_only_headings_with_their_own_anchor_can_be_reached():
    found = headings.of_markdown("# A b\n\n## a-b\n\n## c\n\n## 数\n")
    assert [h.text for h in headings.unique(found)] == ["c"]


CHAPTER = [
    r"""# Trees, *really*

## Impurity $G = \sum_k p_k^2$ and `gini_index`

(sec-why)=
## Why "greedy"? Oja's rule & co.

```{note}
Not a heading.
```

## λ and the margin

### A [link](https://example.org) in it

(committees)=
## Committees

## Twin

## Twin
""",
    "words\n\nTwo\nlines\n---\n",
    "## 3.1 Numbers first\n\n## E[x] ≤ ½\n",
]
CONF = """
extensions = ["myst_nb", "lib.course.sphinx.source_map"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
nb_execution_mode = "off"
exclude_patterns = ["_build"]
"""
IMPURITY = r"Impurity G = \sum_k p_k^2 and gini_index"


def write_notebook(path, markdown):
    path.parent.mkdir(parents=True)
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [text]} for text in markdown
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small book: the source map, an introduction and the chapter on trees."""
    write_notebook(tmp_path / "book" / "linear" / "trees.ipynb", CHAPTER)
    (tmp_path / "book" / "source_map.md").write_text("# Map\n\n```{source-map}\n```\n")
    (tmp_path / "book" / "intro.md").write_text("# Welcome\n")
    pages = "book/source_map\nbook/intro\nbook/linear/trees"
    (tmp_path / "index.md").write_text(f"# Book\n\n```{{toctree}}\n{pages}\n```\n")
    (tmp_path / "conf.py").write_text(CONF)
    (tmp_path / "_config.yml").write_text(
        (paths.repository() / "_config.yml").read_text()
    )
    monkeypatch.setattr(paths, "book", lambda folder=tmp_path / "book": folder)
    return tmp_path


def write_map(entries, found):
    """Write the map with the given headings, place -> heading in its main chapter alone."""
    lines = []
    for note in mirrored.NOTES:
        lines.append(f"{note}:")
        for entry in (e for e in entries if e.note == note):
            also = dict.fromkeys(entry.also)
            lines.append(
                replace(entry, heading=found.get(entry.place), also=also).line()
            )
    sources.file().write_text("\n".join(lines) + "\n", encoding="utf-8")


def build(project, found):
    """Build the small book; return the warnings, the map and the chapter."""
    write_map(ENTRIES, found)
    app = SphinxTestApp("html", srcdir=project)
    try:
        app.build()
        names = ("source_map.html", "linear/trees.html")
        pages = [
            (app.outdir / "book" / name).read_text(encoding="utf-8") for name in names
        ]
        return app.warning.getvalue(), *(
            BeautifulSoup(page, "html.parser") for page in pages
        )
    finally:
        app.cleanup()


def landing(page, anchor):
    """Return the words of the heading where a link to ``anchor`` lands."""
    target = page.find(id=anchor)
    assert target is not None, f"the page has no anchor {anchor!r}"
    section = target if target.name == "section" else target.find_parent("section")
    title = section.find(["h1", "h2", "h3"]).get_text()
    return " ".join(title.replace(r"\(", "").replace(r"\)", "").split()).rstrip("¶#")


def test_anchors_are_those_of_the_rendered_page(project):
    _, _, chapter = build(project, {})
    found = headings.of_notebook(project / "book" / "linear" / "trees.ipynb")
    assert len(found) == 11
    reachable = headings.unique(found)
    assert {h.text for h in found} - {h.text for h in reachable} == {"Twin"}
    for heading in reachable:
        assert headings.bare(landing(chapter, heading.anchor)) == heading.text


def row_of(page, note, section):
    """Return the cells of an entry's row, by the note's title and the entry's id."""
    part = next(
        s
        for s in page.find_all("section")
        if s.h2 and mirrored.NOTES[note] in s.h2.text
    )
    rows = part.find_all("tr")
    return next(
        cells
        for cells in (row.find_all("td") for row in rows)
        if cells and cells[0].text.strip() == section
    )


def test_the_map_links_to_headings_and_says_what_is_planned(project):
    found = {"explainers:2.4": IMPURITY, "report:D.3-q09": "Trees, really"}
    warnings, page, chapter = build(project, found)
    assert "maps to a heading" not in warnings
    link = row_of(page, "explainers", "2.4")[2].a
    assert link.text == r"10 · Impurity \(G = \sum_k p_k^2\) and gini_index"
    address, anchor = link["href"].split("#")
    assert address == "linear/trees.html"
    assert landing(chapter, anchor) == IMPURITY
    committee = row_of(page, "report", "D.3-q09")[2]
    assert committee.a["href"] == "linear/trees.html"
    assert committee.text.strip().endswith("; chapter 41, planned")
    assert row_of(page, "lal", "abstract")[2].a.text == "Welcome"
    assert row_of(page, "lal", "4.2")[2].text.strip() == "chapter 12, planned"


def test_the_map_counts_what_is_covered(project):
    _, page, _ = build(project, {"explainers:2.4": "Committees"})
    bars = [(int(b["value"]), int(b["max"])) for b in page.find_all("progress")]
    # The abstract, contents, acknowledgements and appendix title belong to the introduction.
    assert bars == [(6, 811), (2, 133), (0, 59), (4, 100), (0, 299), (0, 220)]
    assert len(page.find_all("tr")) == 811 + len(page.find_all("details"))


def test_a_heading_that_the_page_lacks_is_a_warning(project):
    warnings, _, _ = build(project, {"explainers:2.4": "Nowhere"})
    assert "explainers:2.4 maps to a heading that trees lacks: Nowhere" in warnings


def test_typographic_quotes_do_not_hide_a_heading(project):
    heading = """Why "greedy"? Oja's rule & co."""
    warnings, page, _ = build(project, {"explainers:2.4": heading})
    assert "maps to a heading" not in warnings
    assert (
        row_of(page, "explainers", "2.4")[2]
        .a["href"]
        .endswith("#why-greedy-oja-s-rule-co")
    )


@pytest.mark.parametrize("note", mirrored.NOTES)
def test_groups_hold_every_entry_once_under_a_top_level_section(note):
    entries = sources.entries(note=note)
    found = source_map.groups(entries)
    assert tuple(entry for group in found for entry in group.entries) == entries
    heads = [group.head.id for group in found]
    assert len(set(heads)) == len(heads)
    assert all("." not in head or head.startswith("D.") for head in heads)
