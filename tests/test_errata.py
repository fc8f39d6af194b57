"""Errata: the list is in order, and every entry is shown and proved by the chapter it names."""

import json
import re

import pytest
import yaml

from lib.course import errata, mirrored, paths, prose, syllabus
from lib.course.errata import KINDS, ErrataError, Erratum
from lib.course.errata_proofs import misplaced, problems

GOOD = {
    "id": "lal-3.1",
    "note": "lal",
    "where": "3.1, eq. (3.2), $z_i$",
    "section": "3.1",
    "kind": "factor",
    "chapter": "linear_regression",
    "says": "the mean of $n$ terms, $a<b$ & `x < y`",
    "correct": "twice the *mean*",
    "why": "The square brings\ndown a 2.",
}


def listed(*entries):
    return yaml.safe_dump(list(entries), sort_keys=False, allow_unicode=True)


@pytest.fixture
def book(monkeypatch, tmp_path):
    """A list of our own in place of the book's; returns a function that writes it."""
    monkeypatch.setattr(errata, "file", lambda: tmp_path / "errata.yml")

    def write(*entries):
        errata.file().write_text(listed(*entries), encoding="utf-8")

    write(GOOD)
    return write


def test_a_good_entry():
    (one,) = errata.parse(listed(GOOD))
    assert one == Erratum(**GOOD | {"why": "The square brings down a 2."})
    assert one.place == "lal:3.1"
    assert one.anchor == "erratum-lal-3.1"


@pytest.mark.parametrize("text", ["", "# only a comment\n", "[]"])
def test_a_list_without_entries(text):
    assert errata.parse(text) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "typo"}, "kind: expected one of sign, index"),
        ({"says": None}, "says: expected a text"),
        ({"why": "  "}, "why: expected a text"),
        ({"section": 3.1}, "section: expected a text (in quotes), got 3.1"),
        ({"section": "3.99"}, "section: expected an id of lal in book/sources.yml"),
        ({"note": "bishop", "id": "bishop-1"}, "section: expected one of the notes"),
        ({"chapter": "linear_regresion"}, "did you mean 'linear_regression'"),
        ({"id": "deep-3.1"}, "id: expected the note and the place"),
        ({"id": "lal 3.1"}, "id: expected the note and the place"),
        ({"id": 'lal-"'}, "id: expected the note and the place"),
        ({"page": "4"}, "page: expected only id, note"),
        ({"why": "See {eq}`eq-normal`."}, "why: expected plain Markdown"),
        ({"where": "{prf:ref}`thm-a`"}, "got the role {prf:ref}`thm-a`"),
    ],
)
def test_a_bad_field_is_named(change, said):
    with pytest.raises(ErrataError) as caught:
        errata.parse(listed(GOOD | change))
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"erratum {(GOOD | change)['id']}: ")


@pytest.mark.parametrize("field", GOOD)
def test_a_missing_field_is_named(field):
    entry = {name: text for name, text in GOOD.items() if name != field}
    with pytest.raises(ErrataError, match=f"{field}: expected this field"):
        errata.parse(listed(entry))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (listed(GOOD, GOOD), "erratum lal-3.1: id: expected every id once"),
        ("a: 1", "to be a list"),
        ("- just text", "expected the fields"),
        ('- id: "unclosed', "not valid YAML"),
    ],
)
def test_a_bad_list(text, said):
    with pytest.raises(ErrataError) as caught:
        errata.parse(text)
    assert said in str(caught.value)


def test_entries_can_be_appended_to_the_file_as_it_is():
    text = errata.file().read_text(encoding="utf-8")
    extra = GOOD | {"id": "lal-appended"}
    assert errata.parse(text + listed(extra))[-1].id == "lal-appended"


def test_the_example_in_the_file_is_a_good_entry():
    lines = errata.file().read_text(encoding="utf-8").split("#\n")[1].splitlines()
    example = [line[2:] for line in lines if line.startswith("# ")]
    (one,) = errata.parse("\n".join(example))
    assert one.id == "lal-8.12"


def test_an_unknown_id_names_near_matches(book):
    with pytest.raises(ValueError, match=r"got 'lal-3\.2'; did you mean 'lal-3\.1'"):
        errata.erratum("lal-3.2")


def test_erratum_shows_html_and_text(book, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    errata.erratum("lal-3.1")
    errata.erratum("lal-3.1")
    assert shown[0] == shown[1]
    page, text = shown[0]["text/html"], shown[0]["text/plain"]
    assert 'id="erratum-lal-3.1"' in page
    assert r'<span class="math">\(n\)</span>' in page
    assert r"\(a&lt;b\)" in page
    assert "&amp; <code>x &lt; y</code>" in page
    assert "<em>mean</em>" in page
    assert r'lal 3.1, eq. (3.2), <span class="math">\(z_i\)</span></span>' in page
    assert "wrong factor" in page
    assert "$" not in page.partition(">")[2], "the label alone is read as it is"
    for words in ("Erratum lal 3.1, eq. (3.2)", "$a<b$", "twice the *mean*"):
        assert words in text


def test_html_in_the_list_is_text(book):
    book(GOOD | {"says": "<script>alert(1)</script>", "where": "<b>"})
    page = errata.page(errata.find("lal-3.1"))
    assert "<script" not in page
    assert "<b>" not in page


def cell(source, *pages):
    outputs = [
        {"output_type": "display_data", "data": {"text/html": page}} for page in pages
    ]
    return {"cell_type": "code", "source": source, "outputs": outputs}


SHOWN = '<aside class="erratum" id="erratum-lal-3.1">'
TEXT = {"cell_type": "markdown", "source": "text"}


@pytest.mark.parametrize(
    "cells",
    [
        [cell('erratum("lal-3.1")\nverify("a", 1, 1)', SHOWN)],
        [cell('erratum("lal-3.1")', SHOWN), TEXT, cell('x = 1\nverify("a", x, 1)')],
        [cell('%matplotlib inline\nerratum("lal-3.1"); verify("a", 1, 1)', SHOWN)],
        [cell('erratum("lal-3.1")\nfor x in "ab":\n    verify(x, 1, 1)', SHOWN)],
    ],
)
def test_a_proof_in_the_same_or_the_next_cell(cells):
    one = Erratum(**GOOD)
    assert list(problems({"cells": cells}, "linear_regression", (one,))) == []


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "is not shown, though its entry names linear_regression"),
        ([cell("# erratum('lal-3.1')\nverify('a', 1, 1)", SHOWN)], "is not shown"),
        ([cell("erratum('lal-3.1')", SHOWN)], "not followed by verify"),
        ([cell("verify('a', 1, 1)\nerratum('lal-3.1')", SHOWN)], "not followed by"),
        (
            [
                cell("erratum('lal-3.1')", SHOWN),
                cell("x = 1"),
                cell("verify('a', 1, 1)"),
            ],
            "not followed by verify",
        ),
        ([cell("erratum('lal-3.1')\nverify('a', 1, 1)")], "not in the stored output"),
        ([cell("erratum('lal-9')\nverify('a', 1, 1)", SHOWN)], "has no entry"),
        ([cell("erratum(name)\nverify('a', 1, 1)", SHOWN)], "in plain text"),
        (
            [cell("erratum('lal-3.1')\nerratum('lal-3.1')\nverify('a', 1, 1)", SHOWN)],
            "not followed by verify",
        ),
    ],
)
def test_what_is_wrong_with_a_notebook(cells, said):
    found = list(problems({"cells": cells}, "linear_regression", (Erratum(**GOOD),)))
    assert any(said in sentence for sentence in found), found


def test_another_chapter_need_not_show_it():
    assert list(problems({"cells": []}, "mlp", (Erratum(**GOOD),))) == []


NOTEBOOKS = sorted(paths.book().rglob("*.ipynb"))
NOTEBOOKS = [path for path in NOTEBOOKS if ".ipynb_checkpoints" not in path.parts]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebooks_show_and_prove_their_errata(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert list(problems(notebook, path.stem, errata.errata())) == []


def test_every_erratum_of_the_book_is_shown_by_the_chapter_it_names():
    missing = [
        one.id for one in errata.errata() if not syllabus.chapter(one.chapter).exists
    ]
    assert missing == [], "these name a chapter that is not written"


AT_HOME = {"cells": [cell('erratum("lal-3.1")\nverify("a", 1, 1)', SHOWN)]}
UNPROVED = {"cells": [cell('erratum("lal-3.1")', SHOWN)]}
TWICE = {"cells": AT_HOME["cells"] * 2}


@pytest.mark.parametrize(
    ("notebooks", "said"),
    [
        ({"linear_regression": AT_HOME}, None),
        ({"linear_regression": AT_HOME, "how_this_book_works": AT_HOME}, None),
        ({"how_this_book_works": AT_HOME}, "does not show and prove it"),
        (
            {"linear_regression": UNPROVED, "how_this_book_works": AT_HOME},
            "does not show and prove it",
        ),
        (
            {"linear_regression": AT_HOME, "mlp": AT_HOME},
            "belongs to linear_regression",
        ),
        ({"linear_regression": TWICE}, "more than once"),
        (
            {"linear_regression": AT_HOME, "how_this_book_works": TWICE},
            "how_this_book_works shows erratum",
        ),
    ],
)
def test_where_an_erratum_may_be_shown(notebooks, said):
    found = list(misplaced(notebooks, (Erratum(**GOOD),)))
    assert (said is None and found == []) or (said and said in " ".join(found)), found


def test_errata_are_shown_once_by_their_chapter_and_as_examples_by_other_pages():
    notebooks = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in NOTEBOOKS
    }
    assert list(misplaced(notebooks, errata.errata())) == []


def test_the_kinds_are_those_of_the_contract():
    contract = (paths.repository() / "CONTRIBUTING.md").read_text(encoding="utf-8")
    line = re.search(r"kind: factor +# (.+)", contract)[1]
    assert line.split(" | ") == list(KINDS)


def test_every_formula_of_the_list_is_closed():
    for one in errata.errata():
        mirrored.require(one.place)
        for text in (one.says, one.correct, one.why):
            assert "$" not in prose.inline(text).replace(r"\$", ""), one.id
