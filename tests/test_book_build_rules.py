"""What the book's Sphinx extensions promise, on small books of one or two pages."""

import base64
import io
import json
import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from PIL import Image
from sphinx.testing.util import SphinxTestApp

from lib.course.sphinx import alt_text, offline

CONF = """
extensions = ["myst_nb", "sphinx_proof", "sphinx_book_theme", "lib.course.sphinx"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
nb_execution_mode = "off"
html_theme = "sphinx_book_theme"
html_secnumber_suffix = " "
numfig = True
numfig_secnum_depth = 1
math_numfig = True
master_doc = "index"
"""


@pytest.fixture
def build(tmp_path):
    """Build pages given as ``name=text`` (``__`` for ``/``); return the app."""
    apps = []

    def built(**pages: str) -> SphinxTestApp:
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        (source / "conf.py").write_text(CONF, encoding="utf-8")
        names = [name.replace("__", "/") for name in pages]
        index = "# Book\n\n```{toctree}\n" + "\n".join(names) + "\n```\n"
        (source / "index.md").write_text(index, encoding="utf-8")
        for name, text in zip(names, pages.values(), strict=True):
            ending = "ipynb" if text.startswith("{") else "md"
            path = source / f"{name}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        apps.append(SphinxTestApp("html", srcdir=source, builddir=tmp_path / "out"))
        apps[-1].build()
        return apps[-1]

    yield built
    for app in apps:
        app.cleanup()


def soup(app: SphinxTestApp, name: str) -> BeautifulSoup:
    text = (Path(app.outdir) / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def warnings(app: SphinxTestApp) -> str:
    return app.warning.getvalue()


def picture(shade: int) -> str:
    saved = io.BytesIO()
    Image.new("RGB", (3, 2), (shade, shade, shade)).save(saved, "PNG")
    return base64.b64encode(saved.getvalue()).decode()


def notebook(*outputs: dict, executed: int | None = 1) -> str:
    cell = nbformat.v4.new_code_cell(
        "1", execution_count=executed, outputs=list(outputs)
    )
    title = nbformat.v4.new_markdown_cell("# Title")
    made = nbformat.v4.new_notebook(cells=[title, cell])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    made.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return json.dumps(made)


def shown(shade: int, alt: str | None) -> dict:
    metadata = {"image/png": {"alt": alt}} if alt is not None else {}
    data = {"image/png": picture(shade), "text/plain": "figure"}
    return nbformat.v4.new_output("display_data", data=data, metadata=metadata)


def as_html(text: str) -> dict:
    return nbformat.v4.new_output("display_data", data={"text/html": text})


CHAPTER = """# {title}

## First

```{{prf:theorem}}
:label: thm-{title}
True.
```

```{{prf:proof}}
By *inspection*.
```

```{{prf:proof}}
Again.
```

$$ x = 1 $$ (eq-{title})

## Second

### Deeper

$$ x = 2 $$ (eq-two-{title})
"""


def test_chapters_have_the_numbers_of_the_syllabus(build):
    app = build(
        book__linear__linear_regression=CHAPTER.format(title="four"),
        book__linear__logistic_regression=CHAPTER.format(title="seven"),
        other="# Other\n\n## Plain\n",
    )
    for slug, number in (("linear_regression", 4), ("logistic_regression", 7)):
        page = soup(app, f"book/linear/{slug}")
        text = page.select_one("article").get_text(" ")
        numbers = [n.get_text().strip() for n in page.select("article .section-number")]
        assert numbers == [f"{number}", f"{number}.1", f"{number}.2"]
        assert f"Theorem {number}.1" in " ".join(text.split())
        assert f"({number}.1)" in text
        assert f"({number}.2)" in text
    sidebar = soup(app, "index").select_one("nav.bd-links").get_text()
    assert "4 four" in sidebar
    assert "7 seven" in sidebar
    assert not soup(app, "other").select("article .section-number")
    assert warnings(app) == ""


def test_numbers_survive_a_second_build(build):
    pages = {"book__linear__linear_regression": CHAPTER.format(title="four")}
    build(**pages, other="# Other\n")
    app = build(**pages, other="# Other, changed\n")
    assert "4 four" in soup(app, "other").select_one("nav.bd-links").get_text()
    page = soup(app, "book/linear/linear_regression")
    assert "(4.1)" in page.select_one("article").get_text()


def test_proofs_are_marked_and_anchors_are_unique(build):
    app = build(page=CHAPTER.format(title="p"))
    page = soup(app, "page")
    assert [p.get_text() for p in page.select(".argument .proof-lead")] == [
        "Proof."
    ] * 2
    ids = [tag["id"] for tag in page.select("article [id]")]
    assert len(ids) == len(set(ids))


def test_alternative_text_of_a_figure_reaches_the_page(build):
    words = 'A rising line, "steep" & straight.'
    app = build(
        page=notebook(shown(10, words), shown(20, "A falling line, also straight."))
    )
    found = [image["alt"] for image in soup(app, "page").select(".cell_output img")]
    assert found == [words, "A falling line, also straight."]
    assert warnings(app) == ""


@pytest.mark.parametrize("alt", [None, "", "  "])
def test_a_figure_without_words_is_a_warning(build, alt):
    app = build(page=notebook(shown(10, "A rising line."), shown(20, alt)))
    assert warnings(app).count("no alternative text") == 1


def test_a_picture_in_markdown_needs_words(build, tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.png").write_bytes(base64.b64decode(picture(5)))
    app = build(page="# P\n\n![](a.png)\n", other="# O\n\n![A grey square](a.png)\n")
    assert warnings(app).count("no alternative text") == 1


def test_an_img_in_an_output_needs_alt(build):
    src = f"data:image/png;base64,{picture(3)}"
    wordless = as_html(f'<p><img src="{src}"></p>')
    decorative = as_html(f'<p><img alt="" src="{src}"></p>')
    app = build(page=notebook(wordless), other=notebook(decorative))
    assert warnings(app).count("has no alt") == 1


def test_images_without_alt_reads_html_as_a_browser_does():
    text = "<IMG SRC=a><img alt src=b><!-- <img src=c> --><img src='d' alt='>'>"
    assert alt_text.images_without_alt(text) == ["a"]


@pytest.mark.parametrize(
    "outputs",
    [
        {"executed": None},
        {"executed": 5},
    ],
)
def test_a_notebook_that_was_not_run_in_order_is_a_warning(build, outputs):
    assert "code cell 1" in warnings(build(page=notebook(**outputs)))


def test_a_notebook_that_ends_in_an_error_is_a_warning(build):
    error = nbformat.v4.new_output(
        "error", ename="ValueError", evalue="no", traceback=[]
    )
    assert "ends in an error" in warnings(build(page=notebook(error)))


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        "<script async src='//cdn.example.org/a.js'></script>",
        '<link href="https://cdn.example.org/a.css" rel="stylesheet">',
        '<img alt="x" src="http://example.org/a.png">',
        "<style>@import url(https://example.org/a.css);</style>",
        "<style>p { background: url('//example.org/a.png') }</style>",
        '<iframe title="x" src="https://example.org/"></iframe>',
    ],
)
def test_what_comes_from_elsewhere_is_a_warning(build, text):
    assert offline.remote_resources(text)
    assert "example.org" in warnings(build(page=notebook(as_html(text))))


def test_a_link_that_a_reader_may_follow_is_none():
    text = '<a href="https://example.org/">x</a><link rel="canonical" href="https://e.org/">'
    assert offline.remote_resources(text) == []


def test_mathjax_is_local_and_only_what_pages_use(build):
    app = build(page="# P\n\n$x$\n", plain="# Q\n")
    static = Path(app.outdir) / "_static"
    scripts = [s["src"] for s in soup(app, "page").select("script[src]")]
    assert any("mathjax/startup.js" in script for script in scripts)
    assert not any(
        "mathjax" in s["src"] for s in soup(app, "plain").select("script[src]")
    )
    weight = sum(
        f.stat().st_size for f in (static / "mathjax").rglob("*") if f.is_file()
    )
    assert weight < 2_000_000
    assert not list(static.rglob("*.map"))
    assert not list(static.rglob("fontawesome"))


def test_a_formula_in_an_output_brings_mathjax(build):
    app = build(page=notebook(as_html(r'<span class="math">\(x\)</span>')))
    assert "mathjax/startup.js" in str(soup(app, "page").head)


def test_every_icon_on_a_page_is_in_the_sheet(build):
    app = build(page="# P\n\n```{note}\nN\n```\n")
    sheet = (Path(app.outdir) / "_static" / "icons.css").read_text(encoding="utf-8")
    used = {
        name
        for tag in soup(app, "page").select("i[class*=fa-], span[class*=fa-]")
        for name in tag["class"]
        if re.fullmatch(r"fa-(?!solid|regular|brands|lg|fw|\d)[\w-]+", name)
    }
    assert used
    assert all(f".{name}:before" in sheet for name in used)
    assert ".fa-dragon:before" not in sheet
    assert len(sheet) < 60_000
    font = re.search(r"url\(data:font/woff;base64,([^)]+)\)", sheet)[1]
    assert base64.b64decode(font)[:4] == b"wOFF"


def test_verified_lines_stand_out_and_read_the_same(build):
    first, last = "✓ a claim · agrees to 1e-09 · lal 3.1", "✓ claim · at most claim"
    text = f"{first}\n\n  n   mean\n  10   0.5\n✓ no line of the ledger\n{last}\n"
    stream = nbformat.v4.new_output("stream", text=text)
    plain = nbformat.v4.new_output("stream", text="✓ not a line of the ledger\n")
    app = build(page=notebook(stream), other=notebook(plain))
    page = soup(app, "page")
    blocks = [block.get_text().strip("\n") for block in page.select(".cell_output pre")]
    assert blocks == [first, "  n   mean\n  10   0.5\n✓ no line of the ledger", last]
    claims = [claim.get_text() for claim in page.select("pre.verified .claim")]
    assert claims == ["a claim", "claim"]
    assert soup(app, "other").select_one("pre.verified") is None
    assert warnings(app) == ""


def test_the_chapter_role_links_what_is_written(build):
    text = (
        "# P\n\n{chapter}`linear_regression`, {chapter}`nets <mlp>`, {chapter}`mlp`.\n"
    )
    app = build(page=text, book__linear__linear_regression="# LR\n")
    paragraph = soup(app, "page").select_one("article p")
    assert paragraph.get_text() == "chapter 4, nets, chapter 17."
    (link,) = paragraph.select("a")
    assert link["href"] == "book/linear/linear_regression.html"
    assert warnings(app) == ""


def test_the_chapter_role_names_near_slugs(build):
    assert "did you mean 'mlp'" in warnings(build(page="# P\n\n{chapter}`mpl`\n"))


def test_every_style_sheet_of_the_course_is_on_the_page(build):
    sheets = [
        link["href"] for link in soup(build(page="# P\n"), "page").select("link[href]")
    ]
    for name in (
        "palette.css",
        "explore.css",
        "1-page.css",
        "2-boxes.css",
        "4-print.css",
    ):
        assert any(f"_static/{name}" in sheet for sheet in sheets)


def test_a_new_remote_reaches_every_page(build, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    source = tmp_path / "source"
    source.mkdir()
    pages = {"page": notebook(), "other": "# Other\n"}
    subprocess.run(["git", "init", "-q", str(source)], check=True)
    before = build(**pages)
    assert "Binder" not in str(soup(before, "page"))
    remote = ["remote", "add", "origin", "git@github.com:ada/course.git"]
    subprocess.run(["git", "-C", str(source), *remote], check=True)
    after = build(**pages)
    (button,) = soup(after, "page").select("a.btn-binder-button")
    assert button["href"].startswith("https://mybinder.org/v2/gh/ada/course/HEAD?")
    assert button["href"].endswith("lab%2Ftree%2Fpage.ipynb")
    assert not soup(after, "other").select("a.btn-binder-button")
    for page in ("page", "other"):
        (button,) = soup(after, page).select("a.btn-repository-button")
        assert button["href"] == "https://github.com/ada/course"


def test_pictures_in_outputs_become_files_and_stay_the_same(build):
    drawn = Image.effect_noise((64, 64), 50)
    saved = io.BytesIO()
    drawn.save(saved, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(saved.getvalue()).decode()
    text = f'<img alt="Noise" src="{uri}"><script type="application/json">["{uri}"]</script>'
    app = build(part__page=notebook(as_html(text)))
    page = soup(app, "part/page")
    (image,) = page.select(".cell_output img")
    there = (Path(app.outdir) / "part" / image["src"]).resolve()
    assert there.read_bytes() == saved.getvalue()
    stored = page.select_one('.cell_output script[type="application/json"]').string
    assert json.loads(stored) == [image["src"]]


def test_highlighted_code_reads_the_same_with_fewer_tags(build):
    code = "def f(x):\n    return {'a': x[0] + 1}  # one"
    app = build(page=f"# P\n\n```python\n{code}\n```\n")
    block = soup(app, "page").select_one("div.highlight pre")
    assert block.get_text().strip() == code
    classes = {name for tag in block.select("span[class]") for name in tag["class"]}
    assert {"k", "nf", "s1", "mi", "c1"} <= classes
    assert not {"n", "p", "w"} & classes
