"""The ledger: what verify prints is what the book counts."""

import nbformat
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lib.course import chapter, ledger, syllabus
from lib.course.ledger import Entry
from lib.course.verification import at_most, converges_to, verify, within


@pytest.fixture(autouse=True)
def empty_ledger(monkeypatch):
    monkeypatch.setattr(ledger, "_entries", {})
    monkeypatch.setattr(chapter, "_current", "linear_regression")


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, a list of MIME bundles."""
    bundles = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, raw: bundles.append(data)
    )
    return bundles


text = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
places = st.lists(
    st.from_regex(r"(lal|deep|report):[\w.-]{1,12}", fullmatch=True), max_size=4
)


@settings(max_examples=200, deadline=None)
@given(claim=text, tol=st.floats(0, 1), mirrors=places)
def test_every_line_reads_back(claim, tol, mirrors):
    try:
        ledger.require_claim(claim)
    except ValueError:
        return
    entry = Entry(claim, f"agrees to {tol:g}", tuple(mirrors))
    assert Entry.read(entry.line()) == entry
    assert entry.line().splitlines() == [entry.line()]


def test_what_verify_prints_reads_back_as_what_it_records(capsys):
    verify("a", 1.0, 1, mirrors="lal:B.3")
    verify("b, with a comma: and more", 1, 1)
    verify("c", 0.5, within(0, 1), mirrors=["lal:B.3", "deep:1.1"])
    verify("d", 0.5, at_most(1))
    verify("e", np.zeros(5), converges_to(0), mirrors="report:1.1")
    printed = capsys.readouterr().out.splitlines()
    recorded = ledger.entries("linear_regression")
    assert len(recorded) == 5
    assert tuple(map(Entry.read, printed)) == recorded


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a claim · equal",
        "✓ alone",
        "✓a · equal",
        "x ✓ a · equal",
        "✓ a · b · c · d",
    ],
)
def test_other_lines_are_not_entries(line):
    assert Entry.read(line) is None


def test_a_cell_run_twice_counts_once():
    for _ in range(2):
        verify("a", 1, 1)
    verify("a", 1.0, 1)
    assert len(ledger.entries("linear_regression")) == 2


def test_chapters_are_kept_apart(monkeypatch):
    verify("a", 1, 1)
    monkeypatch.setattr(chapter, "_current", "mlp")
    verify("b", 1, 1)
    assert [entry.claim for entry in ledger.entries("mlp")] == ["b"]
    ledger.start("mlp")
    assert ledger.entries("mlp") == ()
    assert [entry.claim for entry in ledger.entries("linear_regression")] == ["a"]


def test_verified_shows_the_chapter(shown):
    verify("a < b", 1, 1, mirrors="lal:B.3")
    ledger.verified()
    (bundle,) = shown
    assert "1 claim verified in this chapter" in bundle["text/plain"]
    assert "✓ a < b · equal · lal B.3" in bundle["text/plain"]
    assert "<td>a &lt; b</td><td>equal</td><td>lal B.3</td>" in bundle["text/html"]


def notebook(tmp_path, *cells):
    path = tmp_path / "linear_regression.ipynb"
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


def printing(*lines, name="stdout"):
    text = "".join(f"{line}\n" for line in lines)
    return new_code_cell("…", outputs=[new_output("stream", name=name, text=text)])


def test_a_notebook_is_read_from_its_outputs(tmp_path):
    path = notebook(
        tmp_path,
        new_markdown_cell("# Title\n\n✓ prose · equal"),
        printing("✓ one · equal", "a remark", "✓ two · at most 1 · lal B.3, deep 1.1"),
        printing("✓ one · equal"),
        printing("✓ warning · equal", name="stderr"),
        new_code_cell(
            "print('✓ source · equal')",
            outputs=[new_output("display_data", {"text/plain": "✓ shown · equal"})],
        ),
    )
    assert ledger.of_notebook(path) == (
        Entry("one", "equal"),
        Entry("two", "at most 1", ("lal:B.3", "deep:1.1")),
    )
    notebook(tmp_path, printing("✓ three · equal"))
    assert ledger.of_notebook(path) == (Entry("three", "equal"),)


@pytest.fixture
def one_chapter(tmp_path, monkeypatch):
    """A book of one written chapter with three claims."""
    path = notebook(
        tmp_path,
        printing("✓ zero · equal"),
        new_markdown_cell(
            "# Linear regression\n\nText\n\n## The normal $X^2$ equations"
        ),
        printing("✓ one · equal · lal B.3"),
        new_markdown_cell("## Twice"),
        new_markdown_cell("## Twice"),
        printing("✓ two · equal · lal B.3, deep 1.1"),
    )
    monkeypatch.setattr(
        syllabus.Chapter,
        "notebook",
        property(lambda c: path if c.number == 4 else tmp_path / "none.ipynb"),
    )
    return syllabus.chapter("linear_regression")


def test_the_ledger_of_the_book(one_chapter):
    (proofs,) = ledger.by_chapter().values()
    assert list(ledger.by_chapter()) == [one_chapter]
    assert [proof.claim for proof in proofs] == ["zero", "one", "two"]
    assert ledger.count() == 3
    places = ledger.by_place()
    assert {place: len(found) for place, found in places.items()} == {
        "lal:B.3": 2,
        "deep:1.1": 1,
    }
    assert all(proof.chapter == one_chapter for proof in places["lal:B.3"])


def test_a_proof_knows_the_nearest_heading_that_a_link_can_reach(one_chapter):
    zero, one, two = ledger.by_chapter()[one_chapter]
    assert zero.heading is None
    assert one.heading.text == two.heading.text == "The normal X^2 equations"


def test_counts_by_name(one_chapter):
    from lib.course.sphinx.ledger_page import count

    assert [count(name) for name in ("book", "linear_regression", "mlp")] == [3, 3, 0]
    assert [count(note) for note in ("lal", "deep", "alice")] == [2, 1, 0]
    with pytest.raises(ValueError, match="expected the slug"):
        count("nonsense")


def test_the_places_in_the_committed_book_exist():
    from lib.course import mirrored

    for place in ledger.by_place():
        mirrored.require(place)
