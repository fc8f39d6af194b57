"""Images: handwritten digits, clothes, drawings and a few photographs."""

import io
from functools import cache

import numpy as np

from lib.data import storage
from lib.data.kinds import ImageCollection, Images, Photograph
from lib.data.sampling import generator, stratified
from lib.validation import one_of

_DIGITS = tuple("0123456789")
_CLOTHES = (
    "T-shirt", "trouser", "pullover", "dress", "coat",
    "sandal", "shirt", "sneaker", "bag", "ankle boot",
)  # fmt: skip
_PHOTOGRAPHS = {
    "astronaut": "astronaut_256.jpg",
    "brick": "brick.png",
    "camera": "camera.png",
    "chelsea": "chelsea.png",
    "coins": "coins.png",
    "hubble": "hubble_500.jpg",
}


_HALF_OF_MNIST_TEST = 5_000


def _unit_interval(images: np.ndarray, flat: bool) -> np.ndarray:
    """uint8 (n, h, w) → float32 in [0, 1], (n, h, w) or (n, h·w); always a new array."""
    scaled = images.astype(np.float32)
    scaled /= 255
    return scaled.reshape(len(scaled), -1) if flat else scaled


def _official_split(
    name: str, file: str, classes: tuple[str, ...], test_groups: np.ndarray | None,
    train: int | None, test: int | None, flat: bool, seed: int,
) -> Images:  # fmt: skip
    raw = storage.arrays(file)
    # Two independent streams: the test sample must not depend on how many training images we take.
    train_rng, test_rng = generator(seed).spawn(2)
    chosen_train = stratified(raw["y_train"], train, train_rng)
    groups = raw["y_test"] if test_groups is None else raw["y_test"] + 10 * test_groups
    chosen_test = stratified(groups, test, test_rng)
    return Images(
        name,
        train_images=_unit_interval(raw["x_train"][chosen_train], flat),
        train_labels=raw["y_train"][chosen_train].astype(np.int64),
        test_images=_unit_interval(raw["x_test"][chosen_test], flat),
        test_labels=raw["y_test"][chosen_test].astype(np.int64),
        class_names=classes,
    )


def mnist(
    *,
    train: int | None = None,
    test: int | None = None,
    flat: bool = False,
    seed: int = 0,
) -> Images:
    """Return MNIST: 12,000 of the official training digits and all 10,000 test digits.

    ``train`` and ``test`` ask for a smaller sample, in which every class has the share that it
    has in the whole (to within one image). The halves of the test set were written by different
    people and the second is easier (3 nearest neighbours: 93 % against 97 %), so a sample of the
    test digits takes its share of both. ``flat`` gives rows of 784 pixels instead of 28 × 28.
    """
    second_half = np.arange(2 * _HALF_OF_MNIST_TEST) // _HALF_OF_MNIST_TEST
    return _official_split(
        "mnist", "mnist_12k_10k.npz", _DIGITS, second_half, train, test, flat, seed
    )


def fashion_mnist(
    *,
    train: int | None = None,
    test: int | None = None,
    flat: bool = False,
    seed: int = 0,
) -> Images:
    """Return Fashion-MNIST: 5,000 training and 1,000 test images of ten kinds of clothes.

    The arguments are those of :func:`mnist`.
    """
    return _official_split(
        "fashion_mnist",
        "fashion_mnist_subset.npz",
        _CLOTHES,
        None,
        train,
        test,
        flat,
        seed,
    )


def quickdraw(*, flat: bool = False) -> ImageCollection:
    """Return Quick, Draw!: 100 sketches of each of ten things, 28 × 28."""
    raw = storage.arrays("quickdraw_10x100.npz")
    return ImageCollection(
        "quickdraw",
        images=_unit_interval(raw["x"], flat),
        labels=raw["y"].astype(np.int64),
        class_names=tuple(str(name) for name in raw["classes"]),
    )


def digits_8x8(*, flat: bool = False) -> ImageCollection:
    """Return scikit-learn's 1,797 digits of 8 × 8 pixels; the 17 grey levels become [0, 1]."""
    from sklearn.datasets import load_digits

    bunch = load_digits()
    images = (bunch.images / 16).astype(np.float32)
    return ImageCollection(
        "digits_8x8",
        images=images.reshape(len(images), -1) if flat else images,
        labels=bunch.target.astype(np.int64),
        class_names=_DIGITS,
    )


@cache
def _pixels(file: str) -> np.ndarray:
    from PIL import Image

    with Image.open(io.BytesIO(storage.read(f"images/{file}"))) as picture:
        pixels = np.asarray(picture)
    pixels.setflags(write=False)
    return pixels


def photograph(which: str) -> Photograph:
    """Return one picture: astronaut, brick, camera, chelsea (a cat), coins or hubble."""
    one_of(which, "which", _PHOTOGRAPHS)
    pixels = _pixels(_PHOTOGRAPHS[which]).astype(np.float32) / 255
    return Photograph("photograph", pixels=pixels)
