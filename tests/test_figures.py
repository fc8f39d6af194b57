"""Figures: readable in light and dark, for every eye, in words; small, and always the same."""

import io
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lib.course import figures
from lib.course.figures import COLORS, png, show, shrink, use_style

WHITE, DARK = "#ffffff", "#14181e"
ALT = "Two lines that cross in the middle"

# Machado, Oliveira and Fernandes (2009), full severity; they act on linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


@pytest.fixture(autouse=True)
def style():
    """The style of the book, for the test alone."""
    with mpl.rc_context():
        use_style()
        yield
    plt.close("all")


@pytest.fixture
def shown(monkeypatch):
    """What was displayed: pairs of a MIME bundle and its metadata."""
    found = []
    monkeypatch.setattr(
        "IPython.display.display",
        lambda data, raw, metadata=None: found.append((data, metadata)),
    )
    return found


def linear(colour):
    channels = np.array(mpl.colors.to_rgb(colour))
    low = channels <= 0.04045
    return np.where(low, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    low, high = sorted(TO_XYZ[1] @ linear(colour) for colour in (a, b))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    ratio = TO_XYZ @ np.clip(rgb, 0, 1) / TO_XYZ.sum(axis=1)
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def lines():
    fig, ax = plt.subplots()
    x = np.linspace(0, 1, 50)
    for k in range(1, 6):
        ax.plot(x, x**k, label=f"$x^{k}$")
    ax.set(title="Powers", xlabel="x", ylabel="power")
    ax.legend()
    return fig


def test_the_measures_are_those_of_the_standards():
    assert contrast("black", "white") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.01)
    assert lab(linear("white")) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab(linear("red")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


@pytest.mark.parametrize("page", [WHITE, DARK])
def test_text_and_axes_read_on_both_pages(page):
    for name in (
        "text.color",
        "axes.labelcolor",
        "axes.titlecolor",
        "axes.edgecolor",
        "xtick.color",
        "ytick.color",
    ):
        assert mpl.rcParams[name].lstrip("#") == COLORS["grey"].lstrip("#")
    assert contrast(COLORS["grey"], page) >= 4


@pytest.mark.parametrize("page", [WHITE, DARK])
def test_lines_show_on_both_pages(page):
    for name, colour in COLORS.items():
        least = 2 if name in ("sky", "yellow") else 3
        assert contrast(colour, page) >= least, name


@pytest.mark.parametrize("vision", VISION)
def test_any_two_colours_are_apart_for_every_eye(vision):
    seen = {
        name: lab(VISION[vision] @ linear(colour)) for name, colour in COLORS.items()
    }
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > 20, (one, other)


def test_the_palette_is_the_cycle_and_cannot_be_changed():
    assert set(COLORS) == {
        *("blue", "orange", "green", "vermilion"),
        *("purple", "sky", "yellow", "grey"),
    }
    cycle = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
    assert cycle == list(COLORS.values())
    with pytest.raises(TypeError):
        COLORS["blue"] = "red"


def test_the_style_does_not_depend_on_what_was_set_before():
    wanted = dict(mpl.rcParams)
    plt.rcParams["lines.linewidth"] = 17
    plt.rcParams["axes.xmargin"] = 0.4  # the style itself does not name it
    use_style()
    assert dict(mpl.rcParams) == wanted


def test_show_gives_the_picture_its_words_and_size(shown):
    fig, _ = plt.subplots(figsize=(5, 3))
    show(fig, alt="  Two lines\n that cross in the middle ")
    ((data, metadata),) = shown
    assert metadata == {"image/png": {"alt": ALT, "width": 480}}
    assert data["text/plain"] == f"[figure: {ALT}]"
    image = Image.open(io.BytesIO(data["image/png"]))
    assert image.size == (720, 432)
    assert image.info.keys() <= {"transparency", "dpi"}


def test_a_figure_is_shown_once(shown):
    fig = lines()
    show(fig, alt=ALT)
    assert plt.get_fignums() == []


def test_a_caption_is_text(shown):
    show(lines(), alt=ALT, caption="a < b")
    assert shown[1][0] == {
        "text/html": '<p class="figure-caption">a &lt; b</p>',
        "text/plain": "a < b",
    }


@pytest.mark.parametrize(
    "alt", ["", "too short", " " * 40, "a   \n           b", None, 3]
)
def test_a_figure_needs_words(alt, shown):
    with pytest.raises(ValueError, match="at least 15 characters"):
        show(lines(), alt=alt)
    assert shown == []


def test_alt_cannot_be_left_out():
    with pytest.raises(TypeError):
        show(lines())


@pytest.mark.parametrize("what", [None, 3, "figure", plt])
def test_only_figures(what):
    with pytest.raises(ValueError, match="expected a matplotlib figure, got"):
        show(what, alt=ALT)


def test_axes_are_no_figure():
    with pytest.raises(ValueError, match="got Axes"):
        show(lines().axes[0], alt=ALT)


def test_the_same_figure_gives_the_same_bytes():
    first, second = png(lines()), png(lines())
    assert first == second
    assert b"tEXt" not in first
    assert b"tIME" not in first


def test_no_metadata_where_nothing_is_merged():
    def noise():
        fig, ax = plt.subplots(figsize=(2, 2))
        ax.imshow(np.random.default_rng(0).random((150, 150, 3)))
        return fig

    assert png(noise()) == raw_png(noise())
    assert b"tEXt" not in png(noise())


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def raw_png(fig):
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def test_the_background_is_transparent():
    picture = pixels(png(lines()))
    assert (picture[:5, :5, 3] == 0).all()
    assert (picture[..., 3] == 0).mean() > 0.5


def test_a_line_figure_gets_small_and_keeps_its_colours():
    raw = raw_png(lines())
    small = shrink(raw)
    assert len(small) < 0.6 * len(raw)
    assert len(small) < 60_000
    before, after = pixels(raw), pixels(small)
    for colour in list(COLORS.values())[:5]:
        rgba = [*(int(colour[i : i + 2], 16) for i in (1, 3, 5)), 255]
        exact = (before == rgba).all(axis=-1)
        assert exact.sum() > 100
        assert (after[exact] == rgba).all()


def test_few_colours_stay_exact():
    rng = np.random.default_rng(0)
    some = rng.integers(0, 256, (200, 4), dtype=np.uint8)
    picture = some[rng.integers(0, 200, (60, 80))]
    buffer = io.BytesIO()
    Image.fromarray(picture, "RGBA").save(buffer, "PNG")
    assert (pixels(shrink(buffer.getvalue())) == picture).all()


def test_a_picture_of_many_colours_is_left_alone():
    noise = np.random.default_rng(0).integers(0, 256, (80, 90, 4), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise, "RGBA").save(buffer, "PNG")
    assert shrink(buffer.getvalue()) == buffer.getvalue()


def test_what_is_merged_cannot_be_seen():
    fig, ax = plt.subplots()
    x = np.linspace(-3, 3, 150)
    ax.imshow(np.sin(x[:, None]) * np.cos(x))
    raw = raw_png(fig)
    before, after = pixels(raw).astype(float), pixels(shrink(raw)).astype(float)
    for page in (0.0, 255.0):
        shades = [
            p[..., :3] * p[..., 3:] / 255 + page * (1 - p[..., 3:] / 255)
            for p in (before, after)
        ]
        assert np.sqrt(np.mean((shades[0] - shades[1]) ** 2)) <= figures.UNSEEN
