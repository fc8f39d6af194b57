"""`make portability` sees every text that depends on the computer, and nothing else."""

import pytest
from house_notebooks import written
from nbformat.v4 import new_code_cell, new_output

from lib.course import execution, kernel_pins, portability, text_outputs

SENSITIVE = (
    "import numpy as np\n"
    "A = np.random.default_rng(0).normal(size=(400, 400))\n"
    "total = float((A @ A.T @ A).sum())"
)


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    sources = [SENSITIVE, "print(total)", "print(f'{total:.3f}')"]
    path = written(tmp_path_factory.mktemp("portability") / "chapter.ipynb", *sources)
    assert execution.execute(path).error == ""
    return path


def test_last_digits_are_reported_and_rounded_ones_are_not(chapter):
    others = kernel_pins.other_kernels()
    if "SSE kernels" not in others or not kernel_pins.kernel_pins():
        pytest.skip("this processor has no other kernels to choose")
    found, _ = portability.compare(chapter, others["SSE kernels"])
    assert len(found) == 1
    assert found[0].startswith("  code cell 2\n")
    assert "-stdout: " in found[0]
    assert "+stdout: " in found[0]


def test_the_pinned_kernels_change_nothing(chapter):
    assert portability.compare(chapter, kernel_pins.pinned({}))[0] == []


def test_a_chapter_that_fails_is_a_change(tmp_path):
    source = "import os\nassert os.environ['OMP_NUM_THREADS'] == '1'"
    path = written(tmp_path / "chapter.ipynb", source)
    assert execution.execute(path).error == ""
    found, _ = portability.compare(path, {"OMP_NUM_THREADS": "2"})
    assert len(found) == 1
    assert "AssertionError" in found[0]


def test_the_command_says_what_changed_and_leaves_the_file(tmp_path, capsys):
    path = written(
        tmp_path / "chapter.ipynb", "import os\nprint(os.environ['OMP_NUM_THREADS'])"
    )
    assert execution.execute(path).error == ""
    before = path.read_bytes()
    assert portability.main([str(path)]) == 1
    told = capsys.readouterr().out
    assert "no pin, one thread: same text" in told
    assert "no pin, two threads: CHANGED" in told
    assert path.read_bytes() == before


def test_the_command_is_content_with_a_portable_chapter(tmp_path, capsys):
    path = written(tmp_path / "chapter.ipynb", "print(1)")
    assert execution.execute(path).error == ""
    assert portability.main([str(path), "--jobs", "2"]) == 0
    assert portability.main([str(tmp_path / "none.ipynb")]) == 2


def test_a_long_line_is_cut_to_where_it_differs():
    same = "a" * 500
    old, new = f"stdout: {same}1{same}", f"stdout: {same}2{same}"
    shown = portability._changed_lines(["stdout: x", old], ["stdout: x", new])
    assert [line[:33] for line in shown] == [f"-…{'a' * 30}1", f"+…{'a' * 30}2"]
    assert max(map(len, shown)) < 130
    assert portability._changed_lines([], ["stdout: new"]) == ["+stdout: new"]
    assert portability._changed_lines(["stdout: 1.25"], ["stdout: 1.5"]) == [
        "-stdout: 1.25",
        "+stdout: 1.5",
    ]


def cell(*outputs, **metadata):
    return new_code_cell("x", outputs=list(outputs), metadata=metadata)


def test_texts_are_streams_and_everything_but_pictures():
    shown = cell(
        new_output("stream", name="stdout", text="a"),
        new_output(
            "display_data", data={"image/png": "AAAA", "text/plain": "[figure]"}
        ),
        new_output(
            "display_data",
            data={"text/html": '<img src="data:image/webp;base64,AA+/=">'},
        ),
    )
    assert text_outputs.texts(shown) == [
        ("stdout", "a"),
        ("text/plain", "[figure]"),
        ("text/html", '<img src="PICTURE">'),
    ]


def test_the_rules_are_nbvals():
    from nbval.plugin import get_sanitize_patterns

    from lib.course import paths

    text = (paths.repository() / "tests" / "nbval_sanitize.cfg").read_text(
        encoding="utf-8"
    )
    assert [
        (p.pattern, new) for p, new in text_outputs.rules()
    ] == get_sanitize_patterns(text)
    assert len(text_outputs.rules()) >= 1


def test_a_tag_leaves_a_cell_out():
    assert text_outputs.compared(cell())
    assert not text_outputs.compared(cell(tags=["nbval-ignore-output"]))
