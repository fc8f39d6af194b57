"""Generated scenes for object detection: MNIST digits of different sizes on a black canvas."""

from functools import lru_cache
from typing import Literal

import numpy as np

from lib.data import storage
from lib.data.kinds import Scenes
from lib.data.sampling import Seed, generator
from lib.validation import between, nonnegative, one_of, whole

INK = 0.1  # a fainter border of a digit is cut off, so that its box looks tight, too
_TRIES = 50  # places tried for a digit before the whole scene is laid out again
_LAYOUTS = 200


def digit_scenes(
    n: int = 500, noise: float = 0.0, seed: Seed = 0, *,
    part: Literal["train", "test"] = "train", canvas: int = 96, digits: tuple[int, int] = (1, 4),
    side: tuple[int, int] = (20, 36), max_iou: float = 0.0,
) -> Scenes:  # fmt: skip
    """Return n scenes of ``canvas`` × ``canvas`` pixels with digits, their boxes and classes.

    Each scene has k digits, k uniform on ``digits`` (both ends included). Each digit is drawn from
    MNIST's training or test images, as ``part`` says; cut to its ink; scaled so that the longer
    side of its box has s pixels, s uniform on ``side``; and put at a place drawn uniformly among
    those where its box has an intersection over union of at most ``max_iou`` with every box that
    is there already (0: boxes do not overlap). Digits that overlap are merged by the maximum.
    ``noise`` is the standard deviation of Gaussian noise on the pixels, which stay in [0, 1].

    A box is exact: all ink of its digit is inside, and each of its four border lines holds ink.
    The first m scenes of a larger set are the m scenes of the smaller one.
    """
    n, canvas = whole(n, "n", at_least=1), whole(canvas, "canvas", at_least=1)
    noise, max_iou = nonnegative(noise, "noise"), between(max_iou, "max_iou", 0.0, 1.0)
    fewest, most = _range(digits, "digits")
    smallest, largest = _range(side, "side")
    if largest > canvas:
        raise ValueError(
            f"side: expected at most the canvas of {canvas} pixels, got {largest}"
        )
    raw = storage.arrays("mnist_12k_10k.npz")
    one_of(part, "part", ("train", "test"))
    source, classes = raw[f"x_{part}"], raw[f"y_{part}"]
    rng = generator(seed)
    images = np.zeros((n, canvas, canvas), dtype=np.float32)
    boxes, labels = [], []
    for image in images:
        chosen = rng.integers(len(source), size=rng.integers(fewest, most + 1))
        sizes = rng.integers(smallest, largest + 1, size=len(chosen))
        stamps = [_stamp(source[i], int(s)) for i, s in zip(chosen, sizes, strict=True)]
        placed = _lay_out([stamp.shape for stamp in stamps], canvas, max_iou, rng)
        for stamp, (x1, y1, x2, y2) in zip(stamps, placed, strict=True):
            np.maximum(image[y1:y2, x1:x2], stamp, out=image[y1:y2, x1:x2])
        if noise:
            image += noise * rng.standard_normal(image.shape, dtype=np.float32)
            np.clip(image, 0, 1, out=image)
        boxes.append(np.array(placed, dtype=np.float32))
        labels.append(classes[chosen].astype(np.int64))
    return Scenes(
        "digit_scenes", images=images, boxes=tuple(boxes), labels=tuple(labels),
        class_names=tuple("0123456789"),
    )  # fmt: skip


def _range(pair: tuple[int, int], name: str) -> tuple[int, int]:
    try:
        low, high = pair
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected two whole numbers, got {pair!r}") from None
    low = whole(low, f"{name}[0]", at_least=1)
    return low, whole(high, f"{name}[1]", at_least=low)


@lru_cache(maxsize=1024)
def _resampling(old: int, new: int) -> np.ndarray:
    """The matrix (new, old) that resamples a line of pixels linearly; its rows sum to 1.

    The triangle filter is as wide as an old or a new pixel, whichever is wider, so that shrinking
    averages. The outermost new pixels always see the outermost old ones.
    """
    centres = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
    distance = np.abs(centres[:, None] - np.arange(old)) / max(1.0, old / new)
    weights = np.maximum(0.0, 1.0 - distance)
    matrix = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    matrix.setflags(write=False)
    return matrix


def _stamp(digit: np.ndarray, side: int) -> np.ndarray:
    """A digit (28, 28) uint8 cut to its ink and scaled: float32, the longer side of ``side``."""
    ink = digit > INK * 255
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    cut = (
        digit[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
        / 255
    )
    height, width = (
        max(1, round(side * length / max(cut.shape))) for length in cut.shape
    )
    return _resampling(len(cut), height) @ cut @ _resampling(cut.shape[1], width).T


def _overlap(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """The intersection over union of two boxes."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return width * height / (sum(areas) - width * height)


def _lay_out(
    shapes: list[tuple[int, ...]], canvas: int, max_iou: float, rng: np.random.Generator
) -> list[tuple[int, int, int, int]]:
    """Draw a box for each (height, width), uniform, again while it overlaps others too much."""
    for _ in range(_LAYOUTS):
        placed: list[tuple[int, int, int, int]] = []
        for height, width in shapes:
            for _ in range(_TRIES):
                x, y = rng.integers((canvas - width + 1, canvas - height + 1)).tolist()
                box = (x, y, x + width, y + height)
                if all(_overlap(box, other) <= max_iou for other in placed):
                    placed.append(box)
                    break
            else:
                break  # no room: lay this scene out afresh
        if len(placed) == len(shapes):
            return placed
    raise ValueError(
        f"digits: expected few enough to fit on {canvas} × {canvas} pixels with overlaps of at "
        f"most {max_iou:g}, got {len(shapes)}"
    )
