"""The map of the notes: complete, in its form, and true of the chapters that exist."""

import hashlib
import json

import pytest
import yaml

from lib.course import (
    contents,
    headings,
    mirrored,
    paths,
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
