"""Images: shapes, ranges, class counts, samples that keep the shares, known facts."""

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

from lib.data import digits_8x8, fashion_mnist, mnist, photograph, quickdraw, storage
from lib.data.sampling import generator, shares, stratified

MNIST_TEST_COUNTS = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]


def test_mnist_is_the_official_test_set_and_12000_training_digits():
    digits = mnist()
    assert digits.train_images.shape == (12_000, 28, 28)
    assert digits.test_images.shape == (10_000, 28, 28)
    assert digits.train_images.dtype == digits.test_images.dtype == np.float32
    assert digits.train_labels.dtype == digits.test_labels.dtype == np.int64
    assert (digits.train_images.min(), digits.train_images.max()) == (0, 1)
    assert np.bincount(digits.test_labels).tolist() == MNIST_TEST_COUNTS
    assert digits.test_labels[:10].tolist() == [7, 2, 1, 0, 4, 1, 4, 9, 5, 9]
    index = storage.arrays("mnist_12k_10k.npz")["train_index"]
    assert len(np.unique(index)) == 12_000
    assert index.max() < 60_000


def test_mnist_pixels_are_bytes_over_255_flat_or_not():
    raw = storage.arrays("mnist_12k_10k.npz")["x_test"][:100]
    images, rows = mnist(), mnist(flat=True)
    np.testing.assert_array_equal(np.rint(images.test_images[:100] * 255), raw)
    assert rows.train_images.shape == (12_000, 784)
    np.testing.assert_array_equal(
        rows.test_images.reshape(-1, 28, 28), images.test_images
    )


def test_three_nearest_neighbours_find_the_second_half_of_the_test_digits_easier():
    """3-NN on all 12,000 scores 93.1 and 97.3 %; here on 4,000, with 1,000 of each half."""
    digits = mnist(train=4_000, flat=True)
    model = KNeighborsClassifier(3, algorithm="brute")
    model.fit(digits.train_images, digits.train_labels)
    rows = np.concatenate([np.arange(0, 5_000, 5), np.arange(5_000, 10_000, 5)])
    right = model.predict(digits.test_images[rows]) == digits.test_labels[rows]
    first, second = right[:1_000].mean(), right[1_000:].mean()
    assert 0.87 < first < 0.94
    assert 0.93 < second < 0.98
    assert second > first + 0.02


def test_a_sample_keeps_the_shares_of_classes_and_halves():
    digits = mnist(train=600, test=1_000)
    counts = np.bincount(digits.train_labels)
    whole = np.bincount(mnist().train_labels)
    assert counts.sum() == 600
    assert np.abs(counts - 600 * whole / 12_000).max() < 1
    everything = mnist()
    for half in (slice(5_000), slice(5_000, None)):
        images = {image.tobytes() for image in everything.test_images[half]}
        inside = sum(image.tobytes() in images for image in digits.test_images)
        assert abs(inside - 500) <= 5


def test_samples_are_repeatable_and_independent_of_each_other():
    first, again = mnist(train=300, test=200), mnist(train=300, test=200)
    np.testing.assert_array_equal(first.train_images, again.train_images)
    np.testing.assert_array_equal(
        first.test_images, mnist(train=17, test=200).test_images
    )
    assert not np.array_equal(first.test_images, mnist(test=200, seed=1).test_images)


def test_the_whole_sample_is_the_whole_set():
    np.testing.assert_array_equal(mnist(test=10_000).test_images, mnist().test_images)


def test_fashion_mnist():
    clothes = fashion_mnist()
    assert clothes.train_images.shape == (5_000, 28, 28)
    assert clothes.test_images.shape == (1_000, 28, 28)
    assert len(clothes.class_names) == 10
    assert np.bincount(clothes.train_labels).min() > 400
    # The mean pair of trousers is taller than it is wide.
    trousers = clothes.train_images[clothes.train_labels == 1].mean(axis=0)
    assert trousers[:, 13].sum() > trousers[13].sum()
    assert fashion_mnist(train=100, test=50, flat=True).test_images.shape == (50, 784)


def test_quickdraw():
    sketches = quickdraw()
    assert sketches.images.shape == (1_000, 28, 28)
    assert np.bincount(sketches.labels).tolist() == [100] * 10
    assert sketches.class_names[2] == "cat"
    assert quickdraw(flat=True).images.shape == (1_000, 784)


def test_digits_of_scikit_learn():
    digits, bunch = digits_8x8(), load_digits()
    np.testing.assert_array_equal(digits.images * 16, bunch.images)
    np.testing.assert_array_equal(digits.labels, bunch.target)
    np.testing.assert_array_equal(digits_8x8(flat=True).images * 16, bunch.data)


@pytest.mark.parametrize(
    ("which", "shape"),
    [
        ("astronaut", (256, 256, 3)),
        ("brick", (512, 512)),
        ("camera", (512, 512)),
        ("chelsea", (300, 451, 3)),
        ("coins", (303, 384)),
        ("hubble", (436, 500, 3)),
    ],
)
def test_photographs(which, shape):
    picture = photograph(which)
    assert picture.pixels.shape == shape
    assert picture.pixels.dtype == np.float32
    assert picture.pixels.min() >= 0
    assert 0.8 < picture.pixels.max() <= 1
    assert picture.grey().shape == shape[:2]
    assert not np.shares_memory(picture.grey(), picture.pixels)


def test_grey_agrees_with_pillow():
    with Image.open(storage.FOLDER / "images/chelsea.png") as picture:
        expected = np.asarray(picture.convert("L")) / 255
    assert np.abs(photograph("chelsea").grey() - expected).max() < 1 / 255


def test_wrong_arguments_are_told():
    with pytest.raises(ValueError, match="which: expected one of astronaut"):
        photograph("lena")
    with pytest.raises(
        ValueError, match="sample size: expected a whole number from 1 to 12000"
    ):
        mnist(train=12_001)
    with pytest.raises(ValueError, match="sample size"):
        mnist(test=0)
    with pytest.raises(ValueError, match="seed: expected a whole number >= 0"):
        mnist(train=10, seed=-1)


@pytest.mark.parametrize("seed", range(5))
def test_stratified_shares_on_random_groups(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 6, size=int(rng.integers(20, 200))) ** 2
    n = len(groups)
    size = int(rng.integers(1, n + 1))
    chosen = stratified(groups, size, rng)
    assert len(np.unique(chosen)) == len(chosen) == size
    for value in np.unique(groups):
        exact = size * (groups == value).sum() / n
        assert abs((groups[chosen] == value).sum() - exact) < 1


def test_the_places_left_go_to_the_largest_remainders():
    groups = np.repeat([0, 1, 2], [16, 4, 20])  # of 8: 3.2, 0.8 and 4
    chosen = stratified(groups, 8, np.random.default_rng(0))
    assert np.bincount(groups[chosen]).tolist() == [3, 1, 4]


def test_shares_and_generators():
    assert shares(11, 3).tolist() == [4, 4, 3]
    assert shares(2, 4).tolist() == [1, 1, 0, 0]
    rng = np.random.default_rng(3)
    assert generator(rng) is rng
    assert generator(3).random() == np.random.default_rng(3).random()
