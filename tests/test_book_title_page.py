"""The numbers, claims and tables that pages get at build time are those of the book itself."""

import json
import re

import pytest
import yaml

from lib.course import ledger, paths, syllabus
from lib.course.sphinx import claims, counts, data_page

CHAPTERS = syllabus.chapters()


def entries(count: int, mirrored: int = 0) -> tuple[ledger.Entry, ...]:
    """``count`` claims; the last ``mirrored`` of them mirror a place in the notes."""
    places = [()] * (count - mirrored) + [("lal:3.1",)] * mirrored
    return tuple(ledger.Entry(f"claim {i}", "how", p) for i, p in enumerate(places))


def test_a_sample_spreads_over_the_chapters():
    chosen = claims.sample({chapter: entries(3) for chapter in CHAPTERS})
    numbers = [chapter.number for chapter, _ in chosen]
    assert len(chosen) == claims.AT_MOST
    assert numbers == sorted(set(numbers))
    assert (numbers[0], numbers[-1]) == (1, len(CHAPTERS))


def test_a_sample_of_few_chapters_takes_more_from_each():
    chosen = claims.sample({CHAPTERS[3]: entries(4), CHAPTERS[0]: entries(1)})
    assert [chapter.number for chapter, _ in chosen] == [1, 4, 4, 4, 4]
    assert len({entry for chapter, entry in chosen if chapter.number == 4}) == 4


def test_a_sample_prefers_claims_of_the_notes():
    ((_, entry), *_) = claims.sample({CHAPTERS[0]: entries(5, mirrored=1)})
    assert entry.mirrors


def test_a_sample_of_nothing_is_empty():
    assert claims.sample({}) == []
    assert claims.sample({CHAPTERS[0]: ()}) == []


def test_counts_are_those_of_the_written_chapters():
    told = {what: number for number, what in counts.counts()}
    there = [chapter for chapter in CHAPTERS if chapter.exists]
    lines = [
        {line for line in _printed(chapter) if line.startswith("✓ ")}
        for chapter in there
    ]
    quizzes = [yaml.safe_load(chapter.quiz.read_text("utf-8")) for chapter in there]
    cells = " ".join(chapter.notebook.read_text("utf-8") for chapter in there)
    shown = set(re.findall(r'erratum\(\\"([\w.-]+)\\"\)', cells))
    assert _told(told, "claim") == sum(map(len, lines))
    assert _told(told, "quiz question") == sum(map(len, quizzes))
    assert _told(told, "mistake") == len(shown)
    assert _told(told, "chapter") == len(there)
    assert all(number > 0 for number in told.values())


def _told(told: dict[str, int], word: str) -> int:
    return sum(number for what, number in told.items() if what.startswith(word))


def _printed(chapter):
    for cell in json.loads(chapter.notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            if output.get("name") == "stdout":
                yield from "".join(output["text"]).splitlines()


def test_one_is_told_in_the_singular(monkeypatch):
    monkeypatch.setattr(counts, "errata", lambda: 1)
    monkeypatch.setattr(counts, "exercises", lambda: 2)
    told = dict(map(reversed, counts.counts()))
    assert told["mistake of the notes, disproved"] == 1
    assert told["exercises that mark themselves"] == 2


def test_exercises_are_counted_without_importing_them():
    from lib.course.exercise import registry

    slugs = {chapter.slug for chapter in CHAPTERS if chapter.exists}
    assert counts.exercises() == sum(e.chapter in slugs for e in registry().values())


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (3_640_000, "3.6 MB"),
    ],
)
def test_sizes_are_said_as_people_say_them(size, said):
    assert data_page.readable_size(size) == said


def test_a_negative_size_is_refused():
    with pytest.raises(ValueError, match="number of bytes"):
        data_page.readable_size(-1)


def test_the_notation_page_names_all_five_notes():
    text = (paths.book() / "notation.md").read_text(encoding="utf-8")
    header = next(line for line in text.splitlines() if line.startswith("| here |"))
    names = re.findall(r"`(\w+)`", header)
    assert names == ["explainers", "alice", "lal", "deep", "report"]
