"""The pages of the book are those of the table of contents."""

import pytest

from lib.course import contents

TOC = """\
format: jb-book
root: book/intro
parts:
  - caption: One
    chapters:
      - file: book/one/a
        sections:
          - file: book/one/a_more.ipynb
      - file: book/one/b.v2
  - caption: Elsewhere
    chapters:
      - url: https://example.org
        title: Elsewhere
      - file: book/two
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "_toc.yml").write_text(TOC)
    (tmp_path / "book" / "one").mkdir(parents=True)
    for name in (
        "intro.md",
        "one/a.ipynb",
        "one/a_more.ipynb",
        "one/b.v2.ipynb",
        "two.md",
    ):
        (tmp_path / "book" / name).write_text("")
    (tmp_path / "book" / "one" / "unlisted.ipynb").write_text("")
    return tmp_path


def names(files):
    return [path.name for path in files]


def test_pages_in_reading_order(book):
    listed = names(contents.documents(book))
    assert listed == ["intro.md", "a.ipynb", "a_more.ipynb", "b.v2.ipynb", "two.md"]
    assert names(contents.notebooks(book)) == ["a.ipynb", "a_more.ipynb", "b.v2.ipynb"]


def test_a_page_that_is_missing_is_named(book):
    (book / "book" / "two.md").unlink()
    with pytest.raises(ValueError, match=r"_toc.yml lists 'book/two'"):
        contents.documents(book)
