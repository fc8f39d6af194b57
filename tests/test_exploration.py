"""`explore` with right and wrong calls, and the page it saves."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from lib.course.exploration import Exploration, explore, slider
from lib.course.exploration_page import Page

ALT = "A wave that becomes faster as the frequency grows"
X = np.linspace(0, 1, 200)
PICTURES = re.compile(r"data:image/[a-z+.-]+;base64,[A-Za-z0-9+/=]*")


def wave(lam=1.0, phase=0.0):
    figure, axes = plt.subplots(figsize=(4, 2.5))
    axes.plot(X, np.sin(6 * lam * X + phase))
    axes.set(ylim=(-1.5, 1.5), xlabel="x")
    return figure


def page(draw=wave, alt=ALT, title=None, **sliders) -> Page:
    return Page(Exploration(draw, alt, title, sliders))


class Elements(HTMLParser):
    """Every element of a piece of HTML with its attributes and its own text."""

    VOID = ("img", "input", "br")

    def __init__(self, html: str):
        super().__init__()
        self.all, self._open = [], []
        self.feed(html)
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        self.all.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_endtag(self, tag):
        assert self._open.pop()["tag"] == tag

    def handle_data(self, data):
        if self._open:
            self._open[-1]["text"] += data

    def __call__(self, tag: str) -> list[dict]:
        return [element for element in self.all if element["tag"] == tag]


def stored(html: str) -> dict:
    return json.loads(Elements(html)("script")[0]["text"])


def test_the_page_has_a_labelled_slider_per_parameter():
    made = page(
        title="Waves <fast>",
        lam=slider([0.5, 1, 2], label="λ", unit="Hz", start=1),
        phase=[-1e-5, 0.0, 1.5],
    )
    elements = Elements(made.html)
    assert [i["type"] for i in elements("input")] == ["range", "range"]
    assert [(i["min"], i["max"], i["step"], i["value"]) for i in elements("input")] == [
        ("0", "2", "1", "1"),
        ("0", "2", "1", "0"),
    ]
    assert [i["aria-valuetext"] for i in elements("input")] == ["1\u202fHz", "−1·10⁻⁵"]
    assert [o["text"] for o in elements("output")] == ["1\u202fHz", "−1·10⁻⁵"]
    assert [b["aria-label"] for b in elements("button")] == ["Play λ", "Play phase"]
    for part in elements("input") + elements(
        "button"
    ):  # else JupyterLab takes the keys
        assert part["data-lm-suppress-shortcuts"] == "true"
    # The label holds its range, so that no id is needed which a second copy would share.
    assert re.search(r"<label[^>]*><span[^>]*>λ</span><input[^>]*></label>", made.html)
    assert not any("id" in element for element in elements.all)
    (picture,) = elements("img")
    assert picture["alt"] == f"{ALT} (λ = 1\u202fHz, phase = −1·10⁻⁵)"
    assert "Waves &lt;fast&gt;" in made.html
    assert "<fast>" not in made.html


def test_the_page_holds_every_frame_and_asks_for_nothing_else():
    made = page(lam=[1, 2, 3], phase=[0, 1])
    data = stored(made.html)
    assert len(data["layers"]) == 6
    assert data["values"] == [["1", "2", "3"], ["0", "1"]]
    assert data["start"] == [0, 0]
    assert not re.search(r"https?:|//\w|@import|url\(", PICTURES.sub("", made.html))
    assert len(made.html) < 600_000


def test_text_cannot_break_out_of_the_page():
    hostile = 'a "figure" with </script><script>alert(1)</script> & <b>more</b>'
    words = slider(["</script>", "<img>"], label='"λ"<')
    made = page(lambda word: wave(len(word)), hostile, hostile, word=words)
    elements = Elements(made.html)
    assert len(elements("script")) == 2
    assert stored(made.html)["alt"] == hostile
    assert stored(made.html)["values"] == [["</script>", "<img>"]]
    assert len(elements("img")) == 1


def test_only_the_pictures_depend_on_what_is_drawn():
    def other(lam):
        figure = wave(lam)
        figure.axes[0].set(ylim=(-9, 9), facecolor=(lam / 9, 0.3, 0.1))
        return figure

    one, two = (page(draw, lam=[1, 2, 3]).html for draw in (wave, other))
    assert one != two
    assert PICTURES.sub("PICTURE", one) == PICTURES.sub("PICTURE", two)


def test_the_text_form_is_one_stable_sentence(capsys):
    made = page(lam=slider([0.5, 1, 2], label="λ", unit="%"), phase=slider([0, 1]))
    assert page(alt=ALT + ". ", lam=[1, 2]).exploration.alt == ALT
    sentence = f"[interactive figure: {ALT}; λ from 0.5% to 2% (3 values) and phase from 0 to 1 "
    assert made._repr_mimebundle_()["text/plain"] == sentence + "(2 values)]"
    assert repr(page(title="T", lam=slider([1, 2]))) == (
        "[interactive figure: T; lam from 1 to 2 (2 values)]"
    )
    assert slider(["relu", "tanh"]).span == "of relu, tanh"
    assert slider([False, True]).readings == ("no", "yes")
    assert (
        explore(wave, alt=ALT, lam=[1, 2]) is None
    )  # no kernel: the text is what one sees
    assert capsys.readouterr().out.strip() == (
        f"[interactive figure: {ALT}; lam from 1 to 2 (2 values)]"
    )


def test_ipython_is_handed_the_page_when_chapters_are_saved(monkeypatch):
    shown = []
    monkeypatch.setattr("lib.course.exploration.display", shown.append)
    monkeypatch.setattr("lib.course.exploration.get_ipython", lambda: object())
    monkeypatch.setenv("COURSE_STATIC", "1")
    explore(wave, alt=ALT, lam=[1, 2])
    assert isinstance(shown[0], Page)
    assert set(shown[0]._repr_mimebundle_()) == {"text/html", "text/plain"}


def test_figures_are_closed_and_others_left_alone():
    mine = plt.figure()

    def careless(lam):
        plt.figure()  # left open by the author
        return wave(lam)

    page(careless, lam=[1, 2])
    assert plt.get_fignums() == [mine.number]
    with pytest.raises(ValueError, match="failed"):
        page(lambda lam: wave(lam) and 1 / 0, lam=[1, 2])
    assert plt.get_fignums() == [mine.number]
    plt.close(mine)


def test_a_figure_may_be_made_without_pyplot_and_parameters_may_have_defaults():
    def bare(lam, *, colour="red", **rest):
        figure = Figure(figsize=(2, 2))
        figure.add_subplot().plot([0, lam], color=colour)
        return figure

    assert len(page(bare, lam=[1, 2, 3]).film.layers) == 3


def test_values_reach_the_function_as_plain_python():
    seen = []

    def look(lam, phase):
        seen.append((type(lam), type(phase)))
        return wave(lam)

    page(look, lam=np.array([1.0, 2.0]), phase=np.arange(2))
    assert set(seen) == {(float, int)}


PROGRAM = """
import hashlib, sys
sys.path.insert(0, "tests")
from lib.course.figures import use_style
from test_exploration import page, slider
use_style()
print(hashlib.sha256(page(lam=slider([0.5, 1, 2], label="λ")).html.encode()).hexdigest())
"""


def test_two_processes_give_the_same_bytes():
    run = [sys.executable, "-c", PROGRAM]
    one, two = (
        subprocess.run(run, capture_output=True, text=True, check=True) for _ in "ab"
    )
    assert re.fullmatch(r"[0-9a-f]{64}", one.stdout.strip())
    assert one.stdout == two.stdout


@pytest.mark.parametrize(
    ("sliders", "error", "words"),
    [
        ({}, ValueError, "one or two sliders, got 0"),
        (
            {"lam": [1, 2], "phase": [1, 2], "c": [1, 2]},
            ValueError,
            "one or two sliders, got 3",
        ),
        (
            {"gamma": [1, 2]},
            ValueError,
            r"no parameter for the slider 'gamma'.*'lam', 'phase'",
        ),
        ({"lam": []}, ValueError, "at least two values, got \\[\\]"),
        ({"lam": [1]}, ValueError, "at least two values"),
        ({"lam": 3}, TypeError, "sequence of slider values, got 3"),
        ({"lam": "abc"}, TypeError, "sequence of slider values, got 'abc'"),
        ({"lam": [1, float("nan")]}, ValueError, "finite, got nan"),
        ({"lam": [1, np.inf]}, ValueError, "finite, got inf"),
        ({"lam": [1, None]}, TypeError, "numbers or words, got None"),
        ({"lam": np.eye(2)}, TypeError, "numbers or words, got array"),
        ({"lam": range(61)}, ValueError, "61 slider values make 61 frames; at most 60"),
        (
            {"lam": range(9), "phase": range(8)},
            ValueError,
            "9 × 8 slider values make 72 frames",
        ),
    ],
)
def test_wrong_sliders_are_explained(sliders, error, words):
    with pytest.raises(error, match=words):
        page(**sliders)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (
            {"values": [1.0001, 1.0002], "format": "{:.2f}"},
            ValueError,
            "several read 1.00",
        ),
        ({"values": [1, 2, 1]}, ValueError, "several read 1:"),
        ({"values": [1, 2], "start": 3}, ValueError, "start=3 is not among"),
        (
            {"values": [1, 2], "format": "{:d} {}"},
            ValueError,
            "does not fit the value 1",
        ),
        (
            {"values": [1.5, 2.5], "format": "{:d}"},
            ValueError,
            "does not fit the value 1.5",
        ),
        ({"values": [1, 2], "label": 5}, TypeError, "expected label as text, got 5"),
        (
            {"values": [1, 2], "unit": None},
            TypeError,
            "expected unit as text, got None",
        ),
    ],
)
def test_wrong_slider_options_are_explained(arguments, error, words):
    with pytest.raises(error, match=words):
        slider(**arguments)


def test_labels_must_differ():
    with pytest.raises(ValueError, match="both are called 'λ'"):
        page(lam=slider([1, 2], label="λ"), phase=slider([1, 2], label="λ"))
    with pytest.raises(ValueError, match="both are called 'phase'"):
        page(lam=slider([1, 2], label="phase"), phase=[1, 2])


@pytest.mark.parametrize(
    ("draw", "error", "words"),
    [
        (3, TypeError, "needs a function that draws, got 3"),
        (
            lambda lam: None,
            TypeError,
            r"<lambda>\(lam=1\) must return a matplotlib figure, got N",
        ),
        (lambda lam: plt.subplots(), TypeError, "must return a matplotlib figure, got"),
        (lambda lam: 1 / (lam - 2), TypeError, r"\(lam=1\) must return"),
        (
            lambda lam: wave(1 / (lam - 2)),
            ValueError,
            r"\(lam=2\) failed: ZeroDivisionError",
        ),
        (lambda lam: wave("a" + lam), ValueError, r"\(lam=1\) failed: TypeError"),
        (lambda lam, b: wave(lam), ValueError, r"needs a slider for each of \['b'\]"),
        (lambda lam, /: wave(lam), ValueError, "no parameter for the slider 'lam'"),
        (
            lambda lam: plt.figure(figsize=(lam, 2)),
            ValueError,
            r"keep its size: 1 × 2 .* 2 × 2",
        ),
        (
            lambda lam: wave(np.random.default_rng().random()),
            ValueError,
            "came out different",
        ),
    ],
)
def test_wrong_functions_are_explained(draw, error, words):
    with pytest.raises(error, match=words):
        page(draw, lam=[1, 2, 3])
    assert not plt.get_fignums()


@pytest.mark.parametrize("alt", ["", "too short", None, 5])
def test_the_figure_must_be_described(alt):
    with pytest.raises(ValueError, match="alt"):
        page(alt=alt, lam=[1, 2])
    with pytest.raises(TypeError, match="alt"):
        explore(wave, lam=[1, 2])


@pytest.mark.parametrize("title", ["", "  ", 3])
def test_a_title_is_words_or_nothing(title):
    with pytest.raises(ValueError, match="title"):
        page(title=title, lam=[1, 2])
