"""source: the page shows the code that runs, and nothing else."""

import ast
import functools
import inspect
import re
import textwrap
from html import unescape

import numpy as np
import pytest

from lib.course import chapter, comparison, errata, ledger, listing, syllabus
from lib.course.listing import excerpt, source, without_docstrings


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, a list of MIME bundles."""
    bundles = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, raw: bundles.append(data)
    )
    monkeypatch.setattr(chapter, "_current", "linear_regression")
    return bundles


def text_of(page):
    """The code as a reader copies it from the page."""
    block = re.search(r"<pre>(.*)</pre>", page, re.DOTALL)[1]
    return unescape(re.sub(r"<[^>]+>", "", block))


def decorated(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


OBJECTS = {
    "function": (errata.parse, errata.parse, "parse", "errata.py"),
    "class": (ledger.Entry, ledger.Entry, "Entry", "ledger.py"),
    "method": (ledger.Entry.line, ledger.Entry.line, "Entry.line", "ledger.py"),
    "bound method": (
        ledger.Entry("a", "b").line,
        ledger.Entry.line,
        "Entry.line",
        "ledger.py",
    ),
    "class method": (
        ledger.Entry.read,
        ledger.Entry.read.__func__,
        "Entry.read",
        "ledger.py",
    ),
    "property": (
        syllabus.Chapter.notebook,
        syllabus.Chapter.notebook.fget,
        "Chapter.notebook",
        "syllabus.py",
    ),
    "cached": (syllabus.parts, syllabus.parts.__wrapped__, "parts", "syllabus.py"),
    "wrapped": (decorated(errata.find), errata.find, "find", "errata.py"),
    "partial": (functools.partial(errata.find, "a"), errata.find, "find", "errata.py"),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_the_page_is_the_code_that_runs(kind, shown):
    obj, target, name, file = OBJECTS[kind]
    source(obj)
    (bundle,) = shown
    code = textwrap.dedent(inspect.getsource(target))
    assert text_of(bundle["text/html"]) == code
    assert bundle["text/plain"] == f"# {name} · lib/course/{file}\n{code}"
    assert f'data-file="lib/course/{file}"' in bundle["text/html"]
    assert f'href="../../lib/course/{file}"' in bundle["text/html"]
    assert f">{name}</code>" in bundle["text/html"]


def test_colours_are_classes_and_bytes_are_stable(shown):
    source(errata.parse)
    source(errata.parse)
    assert shown[0] == shown[1]
    assert "style=" not in shown[0]["text/html"]
    assert '<div class="highlight">' in shown[0]["text/html"]
    assert '<span class="k">def</span>' in shown[0]["text/html"]


@pytest.mark.parametrize("slug", [None, "how_this_book_works"])
def test_the_link_from_a_reference_page(slug, shown, monkeypatch):
    monkeypatch.setattr(chapter, "_current", slug)
    source(errata.parse)
    assert 'href="../lib/course/errata.py"' in shown[0]["text/html"]


def test_without_docstring(shown):
    source(ledger.Entry, docstring=False)
    code = text_of(shown[0]["text/html"])
    assert '"""' not in code
    ours = ast.parse(code).body[0]
    theirs = ast.parse(textwrap.dedent(inspect.getsource(ledger.Entry))).body[0]
    for node in ast.walk(theirs):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            node.body = node.body[1:]  # every one of them has a docstring
    assert ast.dump(ours) == ast.dump(theirs)


CODE = '''\
def outer(x):
    """What it does.

    More of it.
    """

    def inner(y):
        """Only this."""

    # why
    for _ in range(3):
        x = x + 1
        if x > 2:
            break
    return x
'''


def test_a_docstring_that_is_all_of_a_body_stays():
    assert without_docstrings(CODE).splitlines()[:3] == [
        "def outer(x):",
        "    def inner(y):",
        '        """Only this."""',
    ]
    ast.parse(without_docstrings(CODE))
    assert without_docstrings("def f():\n    return 1\n") == "def f():\n    return 1\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((1, 1), "def outer(x):\n"),
        ((10, 12), "# why\nfor _ in range(3):\n    x = x + 1\n"),
        (
            "for .* range",
            "for _ in range(3):\n    x = x + 1\n    if x > 2:\n        break\n",
        ),
        ("if x", "if x > 2:\n    break\n"),
        ("return", "return x\n"),
        (("# why", "x = x"), "# why\nfor _ in range(3):\n    x = x + 1\n"),
        (("return", "return"), "return x\n"),
    ],
)
def test_a_part(lines, expected):
    assert excerpt(CODE, lines) == expected


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((0, 3), "between 1 and 15"),
        ((3, 2), "between 1 and 15"),
        ((1, 16), "between 1 and 15"),
        ("while", "to match 'while'; none does"),
        ("# why", "to match '# why'; none does"),
        (("return", "def"), "to match 'def'; none does"),
        ("(", "expected a regular expression"),
        (3, "expected lines=(a, b)"),
        ((1, "a"), "expected lines=(a, b)"),
        ((True, True), "expected lines=(a, b)"),
    ],
)
def test_a_part_that_is_not_there(lines, said):
    with pytest.raises(ValueError, match="expected") as caught:
        excerpt(CODE, lines)
    assert said in str(caught.value)


def test_a_part_is_named_as_one(shown):
    source(errata.find, docstring=False, lines="if id in known")
    assert shown[0]["text/plain"] == (
        "# find (part) · lib/course/errata.py\nif id in known:\n    return known[id]\n"
    )


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        (len, "got 'len'"),
        (3, "type int"),
        (errata, "type module"),
        ("errata.find", "type str"),
        (np.mean, "defined in lib, got 'mean' from numpy"),
        (dict, "defined in lib, got 'dict' from builtins"),
        (decorated, "defined in lib, got 'decorated'"),
        (np.add, "got 'add'"),
    ],
)
def test_what_has_no_source_in_lib(obj, said):
    with pytest.raises(ValueError, match="expected") as caught:
        source(obj)
    assert said in str(caught.value)


def test_a_function_made_at_run_time():
    spoken = {}
    exec("def made():\n    return 1", spoken)
    with pytest.raises(ValueError, match="defined in lib"):
        source(spoken["made"])


def test_a_file_that_changed_after_import(monkeypatch):
    lines = inspect.getsource(errata.page)
    monkeypatch.setattr(listing.inspect, "getsource", lambda target: lines)
    with pytest.raises(ValueError, match="restart the kernel"):
        source(errata.find)
    monkeypatch.setattr(listing.inspect, "getsource", lambda target: "    )\n")
    with pytest.raises(ValueError, match="cannot read the source"):
        source(errata.find)


def test_every_public_name_of_the_course_can_be_listed(shown):
    for obj in (comparison.difference, comparison.Difference, listing.source):
        source(obj)
    assert len(shown) == 3
