"""Frames come back from the page as they were drawn, and the page stays within its budget."""

import base64
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lib.course.exploration import Exploration, slider
from lib.course.exploration_page import Page
from lib.course.figures import use_style
from lib.course.frames import LADDER, Film, data_uri, pixels, press
from lib.course.palette import with_colours


@pytest.fixture(autouse=True)
def style():
    with plt.rc_context():
        use_style()
        yield


def decode(uri: str) -> np.ndarray:
    head, data = uri.split(",")
    assert head == "data:image/webp;base64"
    return np.array(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"))


def restored(film: Film) -> np.ndarray:
    """What the canvas of the page shows, frame by frame."""
    background = Image.fromarray(decode(film.background))
    frames = [
        Image.alpha_composite(background, Image.fromarray(decode(x)))
        for x in film.layers
    ]
    return np.stack([np.array(frame) for frame in frames])


def furthest(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """The largest difference of each pixel, seen on black and on white, of 255."""

    def seen(rgba):
        alpha = rgba[..., 3:] / 255
        return np.concatenate(
            [rgba[..., :3] * alpha, rgba[..., :3] * alpha + 255 * (1 - alpha)], -1
        )

    return np.abs(seen(one) - seen(two)).max(-1)


def curve(lam):
    figure, (left, right) = plt.subplots(1, 2)
    x = np.linspace(0, 1, 100)
    left.scatter(x, x**2, s=9, alpha=0.4)
    left.plot(x, x**lam)
    right.bar(range(4), np.arange(1, 5) ** -lam)
    right.set(ylim=(0, 1))
    return figure


def drawn(draw, values) -> np.ndarray:
    frames = []
    for value in values:
        figure = draw(value)
        figure.savefig(buffer := io.BytesIO(), dpi=LADDER[0].dpi)
        plt.close(figure)
        frames.append(np.array(Image.open(buffer).convert("RGBA")))
    return np.stack(frames)


def test_frames_come_back_exactly_as_matplotlib_draws_them():
    values = [0.5, 1.0, 2.0, 3.0]
    powers = {"lam": slider(values, start=2.0)}
    film = Page(Exploration(curve, "A power and its bars", None, powers)).film
    assert film.step == LADDER[0]
    expected = drawn(curve, values)
    visible = expected[..., 3] > 0
    shown = restored(film)
    assert (shown[visible] == expected[visible]).all()
    assert (shown[~visible] == 0).all()
    assert (furthest(decode(film.poster), expected[2]) == 0).all()


def test_what_frames_share_is_stored_once():
    film = Page(
        Exploration(curve, "A power and its bars", None, {"lam": [1.0, 2.0, 3.0]})
    ).film
    background, layers = (
        decode(film.background),
        [decode(layer) for layer in film.layers],
    )
    for layer in layers:
        assert not (background[..., 3] * layer[..., 3].astype(int)).any()
    whole = [data_uri(frame) for frame in restored(film)]
    assert sum(map(len, film.layers)) < 0.7 * sum(map(len, whole))


def heavy(rng: np.random.Generator, count: int, size: int = 200) -> list[np.ndarray]:
    """Frames of noise in many colours over a plain, partly transparent ground."""
    frames = []
    for _ in range(count):
        frame = np.full((size, size, 4), (10, 120, 200, 255), np.uint8)
        frame[: size // 4] = 0
        frame[size // 2 :] = rng.integers(0, 256, (size // 2, size, 4))
        frame[frame[..., 3] == 0] = 0
        frames.append(frame)
    return frames


def test_the_ladder_is_descended_no_further_than_needed():
    frames = heavy(np.random.default_rng(0), 8)
    exact = press(lambda dpi: frames, budget=10**9)
    assert exact.step == LADDER[0]
    lighter = press(lambda dpi: frames, budget=exact.weight - 1)
    assert lighter.weight < exact.weight
    assert lighter.step == LADDER[1]
    assert press(lambda dpi: frames, budget=exact.weight).step == LADDER[0]


def test_coarser_frames_are_drawn_again():
    asked = []

    def frames_at(dpi):
        asked.append(dpi)
        return heavy(np.random.default_rng(1), 6, size=dpi)

    with pytest.raises(
        ValueError, match=r"weighs about \d+ KB in 6 frames.*at most 5 KB"
    ):
        press(frames_at, budget=5_000)
    assert asked == list(dict.fromkeys(step.dpi for step in LADDER))


def test_a_smooth_image_is_stored_as_a_photograph():
    x, y = np.meshgrid(np.linspace(0, 3, 300), np.linspace(0, 3, 300))
    hills = [
        (np.sin(2 * x + s + 3 * y * s) * np.cos(y) + 1) / 2
        for s in np.linspace(0, 2, 12)
    ]
    frames = [
        (255 * plt.get_cmap("viridis")(hill)).round().astype(np.uint8) for hill in hills
    ]
    film = press(lambda dpi: frames, budget=100_000)
    assert film.step.photograph
    assert film.weight <= 100_000
    difference = furthest(restored(film), np.stack(frames))
    assert difference.mean() < 4
    assert np.quantile(difference, 0.99) < 16


@pytest.mark.parametrize("most", [256, 64, 16])
def test_a_palette_keeps_flat_colours_and_stays_close(most):
    frames = drawn(curve, [0.5, 1.5, 3.0])
    frames[frames[..., 3] == 0] = 0
    reduced = np.stack(with_colours(list(frames), most))
    assert len(np.unique(reduced.view(np.uint32))) <= most
    assert ((reduced[..., 3] == 0) == (frames[..., 3] == 0)).all()
    difference = furthest(reduced, frames)
    codes, counts = np.unique(frames.view(np.uint32), return_counts=True)
    for colour in codes[np.argsort(-counts)[:4]]:  # transparent, bars, lines, ink
        assert not difference[frames.view(np.uint32)[..., 0] == colour].any()
    octree = Image.fromarray(np.concatenate(list(frames))).quantize(most, method=2)
    theirs = furthest(np.array(octree.convert("RGBA")).reshape(frames.shape), frames)
    visible = frames[..., 3] > 0
    assert difference[visible].mean() < theirs[visible].mean() / 4
    assert difference.max() < theirs.max()


def test_faint_colours_give_way_to_what_can_be_seen():
    rng = np.random.default_rng(4)
    frame = np.full((40, 40, 4), 255, np.uint8)
    frame[:20, :, 0] = 100 + 12 * (np.arange(40) // 4)
    frame[20:] = rng.integers(0, 256, (20, 40, 4))
    frame[20:, :, 3] = 1
    (reduced,) = with_colours([frame], 14)
    assert (reduced[:20] == frame[:20]).all()
    assert furthest(reduced, frame).max() <= 2


def test_few_colours_need_no_palette():
    frames = heavy(np.random.default_rng(2), 2, size=8)
    for one, two in zip(frames, with_colours(frames, 256), strict=True):
        assert (one == two).all()


def test_a_tight_box_cannot_change_the_size():
    with plt.rc_context({"savefig.bbox": "tight"}):
        figure = plt.figure(figsize=(3, 2))
        seen = pixels(figure, dpi=100)
        assert seen.shape == (200, 300, 4)
        assert not seen.any()  # what is transparent has no colour either
        plt.close(figure)
