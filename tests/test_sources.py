"""The map of the notes: complete, in its form, and true of the chapters that exist."""

import hashlib
import json
import multiprocessing
import random

import pytest
import yaml

from lib.course import (
    contents,
    headings,
    mirrored,
    paths,
    source_edits,
    sources,
    syllabus,
)
from lib.course.sources import SourcesError

# How many entries each note's inventory has, and a checksum of their ids, in order.
INVENTORIES = {
    "explainers": (133, "2fcf5b5d632b"),
    "alice": (59, "155646195c17"),
    "lal": (100, "be1559142107"),
    "deep": (299, "ae4d364f5de6"),
    "report": (220, "3f8e01d1859a"),
}
NOTES_FOLDER = paths.repository().parent / "shared" / "notes"
WRITTEN = [c for c in syllabus.chapters() if c.notebook in contents.notebooks()]


# The committed map


@pytest.mark.parametrize("note", INVENTORIES)
def test_every_entry_of_the_inventory_is_mapped(note):
    ids = [entry.id for entry in sources.entries(note=note)]
    checksum = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:12]
    assert (len(ids), checksum) == INVENTORIES[note]


@pytest.mark.skipif(
    not NOTES_FOLDER.is_dir(), reason="the notes are not part of the course"
)
@pytest.mark.parametrize("number", range(5))
def test_ids_titles_and_kinds_are_those_of_the_inventory(number):
    inventory = yaml.safe_load(
        (NOTES_FOLDER / f"sections_{number:03}.yml").read_text("utf-8")
    )
    mapped = sources.entries(note=list(INVENTORIES)[number])
    listed = [(str(e["id"]), str(e["title"]), e["kind"]) for e in inventory]
    assert [(e.id, e.title, e.kind) for e in mapped] == listed


def test_the_file_is_plain_yaml_one_canonical_line_an_entry():
    text = sources.file().read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("  - ")]
    assert lines == [entry.line() for entry in sources.entries()]
    whole = yaml.safe_load(text)
    assert {note: len(listed) for note, listed in whole.items()} == {
        note: count for note, (count, _) in INVENTORIES.items()
    }


def test_every_chapter_covers_something_and_front_matter_is_little():
    for chapter in syllabus.chapters():
        assert sources.mirrors(chapter.slug), (
            f"no entry of the notes maps to {chapter.slug}"
        )
    front = [e for e in sources.entries() if e.chapter in sources.PAGES]
    assert all(entry.kind in ("discussion", "stub") for entry in front)
    assert len(front) < 12


def test_review_questions_are_taught_in_a_chapter_and_answered_in_the_bank():
    questions = [e for e in sources.entries(note="report") if e.id.startswith("D.")]
    assert len(questions) > 80
    for entry in questions:
        assert "review_questions" in entry.chapters
        assert entry.chapter != "review_questions" or entry.kind == "discussion"


def test_chapters_that_are_not_written_have_no_headings():
    for chapter in syllabus.chapters():
        if chapter.notebook.is_file():
            continue
        named = [
            e.place for e in sources.entries(chapter.slug) if e.heading_in(chapter.slug)
        ]
        assert not named, (
            f"{chapter.slug} is not written, but these have a heading: {named}"
        )


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda chapter: chapter.slug)
def test_a_written_chapter_has_the_heading_of_every_entry(chapter):
    reachable = {
        h.text for h in headings.unique(headings.of_notebook(chapter.notebook))
    }
    for entry in sources.entries(chapter.slug):
        heading = entry.heading_in(chapter.slug)
        assert heading is not None, f"{entry.place} has no heading in {chapter.slug}"
        assert heading in reachable, (
            f"{chapter.slug} has no heading {heading!r}: {entry.place}"
        )


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda chapter: chapter.slug)
def test_the_metadata_of_a_written_chapter_agrees(chapter):
    metadata = json.loads(chapter.notebook.read_text(encoding="utf-8"))["metadata"]
    assert metadata["course"]["mirrors"] == sources.mirrors(chapter.slug)


# Reading


def a_map(*lines, notes=tuple(mirrored.NOTES)):
    """Return the text of a small map whose first note holds the given lines."""
    return "\n".join(
        ["# a map", f"{notes[0]}:", *lines, *(f"{note}:" for note in notes[1:]), ""]
    )


GOOD = '  - {id: "2.1", title: "T", kind: stub, chapter: trees}'


def test_parse_reads_what_a_line_says():
    line = (
        '  - {id: "2.1", title: "A: b, {c}", kind: stub, chapter: trees, heading: "H",'
        ' also: {mlp: null, review_questions: "Q"}}'
    )
    (entry,) = sources.parse(a_map(line))
    assert entry.place == "explainers:2.1"
    assert entry.title == "A: b, {c}"
    assert entry.chapters == ("trees", "mlp", "review_questions")
    assert [entry.heading_in(slug) for slug in entry.chapters] == ["H", None, "Q"]
    assert entry.line() == line


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (GOOD.replace("trees", "treez"), "did you mean 'trees'"),
        (GOOD.replace("stub", "stubb"), "expected a kind"),
        (GOOD.replace('"2.1"', "2.1"), "expected id to be a text"),
        (GOOD.replace('title: "T", ', ""), "expected title to be a text"),
        (
            GOOD.replace("chapter: trees", "chapter: trees, colour: red"),
            "got ['colour']",
        ),
        (
            GOOD.replace("chapter: trees", 'chapter: trees, heading: " "'),
            "expected heading",
        ),
        (
            GOOD.replace("chapter: trees", "chapter: trees, also: [mlp]"),
            "expected also",
        ),
        (
            GOOD.replace("chapter: trees", "chapter: trees, also: {mlpp: null}"),
            "'mlpp'",
        ),
        (
            GOOD.replace("chapter: trees", "chapter: trees, also: {trees: null}"),
            "again",
        ),
        (GOOD.removesuffix("}"), "on one line"),
        (GOOD.replace(': "T"', ': "T'), "one YAML mapping"),
        ('    id: "2.1"', "on one line"),
        ("notes:", "expected a note"),
        ("explainers:", "expected a note"),
        (GOOD.replace("2.1", "9"), "every id once"),
    ],
)
def test_a_bad_line_is_named(line, complaint):
    first = GOOD.replace("2.1", "9")
    with pytest.raises(SourcesError, match="line 4") as caught:
        sources.parse(a_map(first, line))
    assert complaint in str(caught.value)


def test_a_missing_note_and_an_entry_before_any_note_are_errors():
    with pytest.raises(SourcesError, match="expected explainers, alice"):
        sources.parse(a_map(GOOD, notes=("explainers", "alice")))
    with pytest.raises(SourcesError, match="line 1: expected the name of a note"):
        sources.parse(GOOD)


def test_entries_refuses_unknown_names():
    with pytest.raises(ValueError, match="did you mean 'trees'"):
        sources.entries(chapter="treez")
    with pytest.raises(ValueError, match="expected one of the notes"):
        sources.entries(note="lall")


# Editing

NOTEBOOK = [
    "# Trees\n\n## Impurity $G$\n\ntext",
    "## Committees\n\n### Twin\n\n### Twin",
]


def write_notebook(path, cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = [
        {"cell_type": "markdown", "metadata": {}, "source": [text]} for text in cells
    ]
    notebook = {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A copy of the map without headings, and a notebook for the chapter on trees."""
    folder = tmp_path / "book"
    folder.mkdir()
    blank = [
        sources.Entry(
            e.note, e.id, e.title, e.kind, e.chapter, None, dict.fromkeys(e.also)
        )
        for e in sources.entries()
    ]
    lines = ["# A comment that stays."]
    for note in mirrored.NOTES:
        lines += [f"{note}:", *(entry.line() for entry in blank if entry.note == note)]
    (folder / "sources.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_notebook(folder / "linear" / "trees.ipynb", NOTEBOOK)
    monkeypatch.setattr(paths, "book", lambda: folder)
    return folder


def changed_lines(before, after):
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return [new for old, new in pairs if old != new]


def test_set_writes_the_heading_as_the_notebook_has_it(book):
    before = (book / "sources.yml").read_text("utf-8")
    status = source_edits.main(["set", "trees", "explainers:2.4=Impurity $G$"])
    assert status == 0
    (line,) = changed_lines(before, (book / "sources.yml").read_text("utf-8"))
    assert line.endswith('chapter: trees, heading: "Impurity G"}')
    assert list(book.glob(".sources*")) == []


def test_set_fills_a_further_chapter(book):
    source_edits.add_chapter("trees", ["lal:9"])
    source_edits.set_headings("trees", {"lal:9": "Committees"})
    (entry,) = (e for e in sources.entries("trees") if e.place == "lal:9")
    assert (entry.chapter, entry.heading, dict(entry.also)) == (
        "key_ideas",
        None,
        {"trees": "Committees"},
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["trees", "explainers:2.4=Purity"], "no heading 'Purity'; it has\n    Trees"),
        (["trees", "explainers:2.4=Twin"], "no anchor of its own"),
        (["trees", "lal:9=Committees"], "move trees lal:9"),
        (["trees", "explainers:2.44=Committees"], "near matches: 2.4"),
        (["trees", "lall:9=Committees"], "expected one of the notes"),
        (["trees", "explainers:2.4"], 'expected note:id="heading"'),
        (["trees", "explainers:2.4="], 'expected note:id="heading"'),
        (["mlp", "explainers:4.1=Committees"], "write it, then set headings"),
        (["treez", "explainers:2.4=Committees"], "did you mean 'trees'"),
    ],
)
def test_set_refuses_and_writes_nothing(book, capsys, arguments, complaint):
    before = (book / "sources.yml").read_bytes()
    assert source_edits.main(["set", *arguments, "report:D.3-q09=Committees"]) == 1
    assert complaint in capsys.readouterr().err
    assert (book / "sources.yml").read_bytes() == before


def test_all_that_is_wrong_is_said_at_once(book, capsys):
    source_edits.main(["set", "trees", "explainers:2.4=Purity", "lal:9=Committees"])
    said = capsys.readouterr().err
    assert "Purity" in said
    assert "move trees lal:9" in said


def test_move_drops_the_old_heading_and_keeps_a_known_one(book):
    source_edits.set_headings("trees", {"explainers:2.4": "Committees"})
    source_edits.main(["move", "mlp", "explainers:2.4"])
    (entry,) = (e for e in sources.entries("mlp") if e.place == "explainers:2.4")
    assert (entry.chapter, entry.heading) == ("mlp", None)

    source_edits.add_chapter("trees", ["explainers:2.4"])
    source_edits.set_headings("trees", {"explainers:2.4": "Committees"})
    source_edits.move("trees", ["explainers:2.4"])
    (entry,) = (e for e in sources.entries("trees") if e.place == "explainers:2.4")
    assert (entry.heading, dict(entry.also)) == ("Committees", {})


def test_also_and_drop_undo_each_other(book):
    before = (book / "sources.yml").read_bytes()
    assert source_edits.main(["also", "mlp", "explainers:2.4"]) == 0
    assert "explainers:2.4" in sources.mirrors("mlp")
    assert source_edits.main(["also", "mlp", "explainers:2.4"]) == 1
    assert source_edits.main(["drop", "mlp", "explainers:2.4"]) == 0
    assert source_edits.main(["drop", "mlp", "explainers:2.4"]) == 1
    assert source_edits.main(["move", "trees", "explainers:2.4"]) == 1
    assert (book / "sources.yml").read_bytes() == before


def test_show_and_missing(book, capsys):
    source_edits.set_headings("trees", {"explainers:2.4": "Committees"})
    source_edits.main(["show", "trees"])
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == sources.mirrors("trees")
    assert shown[0].endswith("-> Committees")
    source_edits.main(["missing", "trees"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "report:D.3-q09"
    ]


def edit_alone(folder, places):
    """Move places one by one, as one author among several (runs in its own process)."""
    paths.book = lambda: folder
    for place in places:
        source_edits.move("mlp", [place])


def test_concurrent_edits_all_survive(book):
    places = [e.place for e in sources.entries() if e.chapter != "mlp"][:24]
    random.shuffle(places)
    before = (book / "sources.yml").read_text("utf-8")
    spawn = multiprocessing.get_context("spawn")
    workers = [
        spawn.Process(target=edit_alone, args=(book, places[i::3])) for i in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert set(places) <= set(sources.mirrors("mlp"))
    assert len(changed_lines(before, (book / "sources.yml").read_text("utf-8"))) == len(
        places
    )
