"""Edits of the map of the notes: all or nothing, one line each, safe in company."""

import json
import multiprocessing
import random
import shutil

import pytest

from lib.course import mirrored, paths, source_edits, sources

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
    shutil.copy(paths.book() / "syllabus.yml", folder)
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
