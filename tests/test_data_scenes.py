"""Digit scenes: exact boxes, no leaks between the parts, the overlap that was asked for."""

import itertools

import numpy as np
import pytest

from lib.data import digit_scenes, storage
from lib.data.scenes import INK, _resampling, _stamp


def boxes_of_ink(image):
    """The tight box of all non-zero pixels: x1, y1, x2, y2."""
    rows, columns = np.flatnonzero(image.any(axis=1)), np.flatnonzero(image.any(axis=0))
    return [columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]


def iou(a, b):
    """Intersection over union by counting pixels."""
    grids = np.zeros((2, 200, 200), dtype=bool)
    for grid, (x1, y1, x2, y2) in zip(
        grids, (a.astype(int), b.astype(int)), strict=True
    ):
        grid[y1:y2, x1:x2] = True
    return (grids[0] & grids[1]).sum() / (grids[0] | grids[1]).sum()


@pytest.fixture(scope="module")
def scenes():
    return digit_scenes(300, seed=4)


def test_shapes_and_ranges(scenes):
    assert len(scenes) == 300
    assert scenes.images.shape == (300, 96, 96)
    assert scenes.images.dtype == np.float32
    assert scenes.images.min() == 0
    assert 0.9 < scenes.images.max() <= 1
    counts = [len(labels) for labels in scenes.labels]
    assert set(counts) == {1, 2, 3, 4}
    assert min(np.bincount(counts)[1:]) > 45  # uniform: 75 each
    assert set(np.concatenate(scenes.labels)) == set(range(10))
    for boxes, labels in zip(scenes.boxes, scenes.labels, strict=True):
        assert boxes.shape == (len(labels), 4)
        assert boxes.dtype == np.float32
        assert labels.dtype == np.int64
        assert boxes.min() >= 0
        assert boxes.max() <= 96


def test_longer_side_of_every_box_is_as_asked(scenes):
    boxes = np.concatenate(scenes.boxes)
    longer = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    assert set(longer.astype(int)) == set(range(20, 37))


def test_boxes_are_tight_and_hold_all_ink(scenes):
    for image, boxes in zip(scenes.images, scenes.boxes, strict=True):
        rest = image.copy()
        for x1, y1, x2, y2 in boxes.astype(int):
            inside = image[y1:y2, x1:x2]
            assert boxes_of_ink(inside) == [0, 0, x2 - x1, y2 - y1]
            rest[y1:y2, x1:x2] = 0
        assert not rest.any()


def test_boxes_do_not_overlap_unless_asked(scenes):
    for boxes in scenes.boxes:
        assert all(iou(a, b) == 0 for a, b in itertools.combinations(boxes, 2))
    crowded = digit_scenes(100, seed=1, digits=(4, 6), max_iou=0.3)
    overlaps = [
        iou(a, b)
        for boxes in crowded.boxes
        for a, b in itertools.combinations(boxes, 2)
    ]
    assert 0 < max(overlaps) <= 0.3


@pytest.mark.parametrize("part", ["train", "test"])
def test_digits_come_from_their_own_part_only(part):
    raw = storage.arrays("mnist_12k_10k.npz")
    other = "test" if part == "train" else "train"
    scenes = digit_scenes(40, seed=9, part=part, digits=(1, 1))

    def explained(image, box, label, source):
        x1, y1, x2, y2 = box.astype(int)
        side = max(x2 - x1, y2 - y1)
        found = image[y1:y2, x1:x2]
        candidates = raw[f"x_{source}"][raw[f"y_{source}"] == label]
        stamps = (_stamp(digit, side) for digit in candidates)
        return any(s.shape == found.shape and np.array_equal(s, found) for s in stamps)

    for i in range(5):
        one = (scenes.images[i], scenes.boxes[i][0], scenes.labels[i][0])
        assert explained(*one, part)
        assert not explained(*one, other)


def test_smaller_sets_are_the_beginning_of_larger_ones(scenes):
    few = digit_scenes(20, seed=4)
    np.testing.assert_array_equal(few.images, scenes.images[:20])
    np.testing.assert_array_equal(few.boxes[7], scenes.boxes[7])


def test_noise_stays_in_range_and_moves_no_box():
    noisy = digit_scenes(1, 0.2, seed=2)
    clean = digit_scenes(1, seed=2)
    np.testing.assert_array_equal(noisy.boxes[0], clean.boxes[0])
    assert (noisy.images.min(), noisy.images.max()) == (0, 1)
    assert 0.05 < np.abs(noisy.images - clean.images).mean() < 0.2


@pytest.mark.parametrize(("old", "new"), [(20, 36), (20, 20), (19, 7), (1, 5), (28, 3)])
def test_resampling_keeps_constants_and_sees_the_borders(old, new):
    matrix = _resampling(old, new)
    assert matrix.shape == (new, old)
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-6)
    assert matrix[0, 0] > 0
    assert matrix[-1, -1] > 0
    if old == new:
        np.testing.assert_array_equal(matrix, np.eye(old))


def test_a_stamp_at_its_own_size_is_the_cut_digit():
    digit = storage.arrays("mnist_12k_10k.npz")["x_test"][0]
    ink = digit > INK * 255
    x1, y1, x2, y2 = boxes_of_ink(ink)
    stamp = _stamp(digit, max(x2 - x1, y2 - y1))
    np.testing.assert_allclose(stamp, digit[y1:y2, x1:x2] / 255, atol=1e-7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n: expected a whole number >= 1"),
        ({"part": "validation"}, "part: expected one of train, test"),
        ({"side": (20, 97)}, "side: expected at most the canvas of 96 pixels, got 97"),
        ({"side": (30, 20)}, r"side\[1\]: expected a whole number >= 30"),
        ({"digits": (0, 2)}, r"digits\[0\]"),
        ({"digits": 3}, "digits: expected two whole numbers"),
        ({"digits": (60, 60)}, "digits: expected few enough to fit"),
        ({"noise": -1}, "noise: expected a number >= 0"),
        ({"max_iou": 2}, "max_iou: expected a number in"),
    ],
)
def test_wrong_arguments_are_told(arguments, message):
    with pytest.raises(ValueError, match=message):
        digit_scenes(**{"n": 1, **arguments})
