"""Notebooks are stored in one form, whatever editor or computer they come from."""

import base64
import io
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from lib.course import notebook_form


def png(**words):
    """Return a small PNG with text chunks and a physical size."""
    info = PngInfo()
    for key, value in words.items():
        info.add_text(key, value)
    info.add_itxt("Title", "ä")
    data = io.BytesIO()
    Image.new("RGB", (5, 3), (10, 200, 30)).save(
        data, "PNG", pnginfo=info, dpi=(200, 200)
    )
    return data.getvalue()


def encoded(data):
    return base64.b64encode(data).decode()


def messy(when, count, identity):
    """Return the same work as two editors store it."""
    stream = [new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n")]
    picture = new_output(
        "display_data",
        data={
            "image/png": encoded(png(Software=when)),
            "text/html": f'<img src="data:image/png;base64,{encoded(png(Date=when))}">',
            "application/vnd.jupyter.widget-view+json": {"model_id": when},
            "text/plain": "a picture",
        },
        metadata={"image/png": {"alt": "green"}},
    )
    result = new_output(
        "execute_result", data={"text/plain": "3"}, execution_count=count
    )
    cells = [
        new_markdown_cell("# Title", id=f"{identity}1"),
        new_code_cell(
            "print()",
            id=f"{identity}2",
            execution_count=count,
            metadata={
                "execution": {"iopub.execute_input": when},
                "collapsed": True,
                "tags": ["hide-input"],
                "mystnb": {"figure": {"align": "left"}},
            },
            outputs=[
                *stream,
                picture,
                result,
                new_output("stream", name="stderr", text="c"),
            ],
        ),
        new_code_cell("print()", id=f"{identity}3", execution_count=count + 7),
    ]
    return new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"name": when, "display_name": when},
            "language_info": {"name": "python", "version": when},
            "widgets": {"state": when},
            "jupytext": {"text_representation": when},
            "course": {"slug": "x"},
        },
    )


def test_two_editors_one_form():
    one = notebook_form.text(notebook_form.normalise(messy("2020", 3, "a")))
    two = notebook_form.text(notebook_form.normalise(messy("2021", 40, "b")))
    assert one == two
    assert "2020" not in one


def test_the_form():
    made = notebook_form.normalise(messy("2020", 3, "a"))
    nbformat.validate(made)
    assert [cell.execution_count for cell in made.cells[1:]] == [1, 2]
    stream, picture, result, errors = made.cells[1].outputs
    assert stream.text == "a\nb\n"
    assert result.execution_count == 1
    assert errors.name == "stderr"
    assert set(picture.data) == {"image/png", "text/html", "text/plain"}
    assert picture.metadata == {"image/png": {"alt": "green"}}
    assert made.cells[1].metadata == {
        "tags": ["hide-input"],
        "mystnb": {"figure": {"align": "left"}},
    }
    assert made.metadata == {
        "kernelspec": notebook_form.KERNELSPEC,
        "language_info": notebook_form.LANGUAGE,
        "course": {"slug": "x"},
    }


def test_normalising_twice_changes_nothing():
    once = notebook_form.text(notebook_form.normalise(messy("2020", 3, "a")))
    again = notebook_form.normalise(nbformat.reads(once, as_version=4))
    assert notebook_form.text(again) == once


def test_the_file_is_sorted_json_with_one_newline_at_its_end():
    text = notebook_form.text(notebook_form.normalise(messy("2020", 3, "a")))
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")
    assert (
        text
        == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False)
        + "\n"
    )


def test_ids_follow_the_content_not_the_place():
    def ids(*sources):
        made = new_notebook(cells=[new_code_cell(source) for source in sources])
        return [cell.id for cell in notebook_form.normalise(made).cells]

    first, second = ids("a", "b")
    assert ids("new", "a", "b")[1:] == [first, second]
    assert ids("b", "a") == [second, first]
    assert len(set(ids("a", "a", "a"))) == 3


def test_an_unexecuted_cell_stays_unexecuted():
    made = notebook_form.normalise(
        new_notebook(cells=[new_code_cell("1"), new_code_cell("2")])
    )
    assert [cell.execution_count for cell in made.cells] == [None, None]


def test_png_metadata_goes_and_the_picture_stays():
    dirty = png(Software="Matplotlib version 3", Comment="x")
    clean = notebook_form.without_png_metadata(dirty)
    assert b"Matplotlib" in dirty
    for chunk in (b"tEXt", b"iTXt", b"zTXt", b"tIME", b"eXIf"):
        assert chunk not in clean
    before, after = Image.open(io.BytesIO(dirty)), Image.open(io.BytesIO(clean))
    assert before.tobytes() == after.tobytes()
    assert after.info["dpi"] == before.info["dpi"]
    assert notebook_form.without_png_metadata(clean) == clean


@pytest.mark.parametrize("data", [b"", b"GIF89a", png()[:-5]])
def test_what_is_not_a_whole_png_is_refused(data):
    with pytest.raises(ValueError, match="expected a"):
        notebook_form.without_png_metadata(data)
