"""The record of a reader's progress: never lost, never damaged, never in the way."""

import json
import multiprocessing
import os
import stat

import pytest

from lib.course import progress, progress_view, record
from lib.course.exercise import registry


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """The record's own place in this test."""
    path = tmp_path / "folder" / "progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    monkeypatch.delenv("COURSE_STATIC", raising=False)
    return path


def test_the_place_of_the_record(monkeypatch, file):
    assert record.path() == file
    monkeypatch.setenv("COURSE_PROGRESS", "~/x.json")
    assert record.path() == record.Path.home() / "x.json"
    monkeypatch.setenv("COURSE_PROGRESS", " ")
    assert record.path().name == ".progress.json"


def test_remembers(file):
    assert record.read() == {}
    assert record.remember("a", passed=False)
    assert record.remember("b", passed=True)
    assert record.read() == {"a": "tried", "b": "passed"}
    assert record.remember("a", passed=True)
    assert record.remember("b", passed=False)
    assert record.read() == {"a": "passed", "b": "passed"}
    assert json.loads(file.read_text())["version"] == 1


def test_leaves_nothing_else_behind(file):
    for i in range(5):
        record.remember(f"e{i}", passed=True)
    assert sorted(os.listdir(file.parent)) == ["progress.json", "progress.json.lock"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"3", b'{"exercises": 3}', b'{"exercises": [1]}', b"\xff\xfe\x00",
     b'{"exercises": {"a": "pas', b"[" * 100_000],
)  # fmt: skip
def test_a_damaged_record_is_set_aside(file, content, capsys):
    file.parent.mkdir()
    file.write_bytes(content)
    progress()
    assert "kept as progress.json.damaged" in capsys.readouterr().out
    assert file.with_name("progress.json.damaged").read_bytes() == content
    assert record.remember("a", passed=True)
    assert record.read() == {"a": "passed"}


def test_unknown_states_are_left_out(file):
    file.parent.mkdir()
    file.write_text('{"exercises": {"a": "passed", "b": "cheated", "c": 3, "d": []}}')
    assert record.read() == {"a": "passed"}


def _write_many(path: str, worker: int, count: int) -> None:
    os.environ["COURSE_PROGRESS"] = path
    for i in range(count):
        assert record.remember(f"w{worker}-{i}", passed=i % 2 == 0)


def test_many_writers_lose_nothing(file):
    context = multiprocessing.get_context("fork")
    workers = [
        context.Process(target=_write_many, args=(str(file), w, 15)) for w in range(6)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 6
    known = record.read()
    assert len(known) == 6 * 15
    assert all(
        (state == "passed") == (int(id.split("-")[1]) % 2 == 0)
        for id, state in known.items()
    )


def test_a_writer_that_never_lets_go_does_not_block(file, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(record, "_PATIENCE", 0.05)
    file.parent.mkdir()
    with open(f"{file}.lock", "a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not record.remember("a", passed=True)
    assert record.remember("a", passed=True)


@pytest.mark.parametrize("place", ["/proc/nowhere/p.json", "/dev/null/p.json", "/"])
def test_a_place_that_cannot_be_written(place, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", place)
    assert not record.remember("a", passed=True)
    assert record.read() == {}
    progress()
    assert "passed" in capsys.readouterr().out


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_read_only_folder(file):
    file.parent.mkdir()
    file.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert not record.remember("a", passed=True)


def test_a_disk_that_fills_up_keeps_the_old_record(file, monkeypatch):
    record.remember("a", passed=True)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert not record.remember("b", passed=True)
    assert record.read() == {"a": "passed"}
    assert sorted(os.listdir(file.parent)) == ["progress.json", "progress.json.lock"]


# ---------------------------------------------------------------- progress()


def test_progress_counts_by_chapter(capsys):
    ids = [
        one.id for one in registry().values() if one.chapter == "how_this_book_works"
    ]
    record.remember(ids[0], passed=True)
    record.remember(ids[1], passed=False)
    record.remember("an-exercise-of-old", passed=True)
    progress()
    out = capsys.readouterr().out
    assert f"1 of {len(ids)} passed, 1 tried  How this book works" in out
    total = len(registry())
    assert f"1 of {total} passed, 1 tried  All exercises" in out or len(ids) == total


def test_progress_as_html_has_a_bar_and_words_for_every_chapter():
    panel = progress_view.panel({}, note="a < b")
    chapters = {one.chapter for one in registry().values()}
    assert panel.html.count('<th scope="row">') == len(chapters) + (len(chapters) > 1)
    assert "a &lt; b" in panel.html


def test_the_saved_book_shows_its_own_chapter_all_open(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_STATIC", "1")
    monkeypatch.setattr("lib.course.chapter.current", lambda: "how_this_book_works")
    record.remember("running-mean", passed=True)
    progress()
    out = capsys.readouterr().out
    assert out.count("passed") == 1
    assert out.startswith("····")
    assert "0 of" in out


def test_progress_never_raises(monkeypatch, capsys):
    monkeypatch.setattr("lib.course.progress_view.registry", lambda **_: 1 / 0)
    progress()
    assert "cannot be shown" in capsys.readouterr().out
