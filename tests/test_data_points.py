"""Generated points and curves: the formulas they claim, counts, noise, repeatability."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons

from lib.data import (
    blobs,
    circles,
    galton_heights,
    noisy_cubic,
    noisy_sine,
    spirals,
    two_moons,
    xor,
)

PLANAR = [two_moons, spirals, circles, blobs, xor]


def sorted_rows(points):
    return points[np.lexsort(np.round(points, 9).T)]


@pytest.mark.parametrize("n", [2, 7, 100])
def test_moons_and_circles_without_noise_are_scikit_learns(n):
    for ours, (X, y) in (
        (two_moons(n, 0.0), make_moons((n - n // 2, n // 2), noise=None)),
        (circles(n, 0.0), make_circles((n - n // 2, n // 2), noise=None, factor=0.5)),
    ):
        for k in (0, 1):
            np.testing.assert_allclose(
                sorted_rows(ours.X[ours.y == k]), sorted_rows(X[y == k]), atol=1e-12
            )


@pytest.mark.parametrize(("n", "arms"), [(300, 2), (100, 3), (7, 7), (11, 1)])
def test_spirals_lie_on_their_arms(n, arms):
    points = spirals(n, 0.0, arms=arms, turns=1.25)
    counts = np.bincount(points.y, minlength=arms)
    assert counts.sum() == n
    assert counts.max() - counts.min() <= 1
    radius = np.hypot(*points.X.T)
    angle = np.arctan2(points.X[:, 1], points.X[:, 0])
    turned = angle / (2 * np.pi) - 1.25 * radius - points.y / arms
    np.testing.assert_allclose(turned, np.rint(turned), atol=1e-9)
    for k in range(arms):
        expected = np.arange(1, counts[k] + 1) / counts[k]
        np.testing.assert_allclose(np.sort(radius[points.y == k]), expected, atol=1e-12)


def test_blobs_have_the_given_means_and_covariance():
    centres = np.array([[0.0, 0.0], [10.0, -3.0]])
    points = blobs(8_000, 0.5, centres=centres)
    for k in (0, 1):
        cloud = points.X[points.y == k]
        assert len(cloud) == 4_000
        np.testing.assert_allclose(
            cloud.mean(axis=0), centres[k], atol=5 * 0.5 / 4_000**0.5
        )
        np.testing.assert_allclose(np.cov(cloud.T), 0.25 * np.eye(2), atol=0.03)
    ring = blobs(4, 0.0, centres=4)
    np.testing.assert_allclose(np.hypot(*ring.X.T), 5, atol=1e-12)


def test_xor_classes():
    points = xor(400, 0.0)
    np.testing.assert_array_equal(points.y == 1, points.X[:, 0] * points.X[:, 1] < 0)
    _, counts = np.unique(points.X, axis=0, return_counts=True)
    assert counts.tolist() == [100] * 4


@pytest.mark.parametrize("make", PLANAR)
def test_planar_sets_are_noisy_shuffled_balanced_and_repeatable(make):
    n, clean, noisy = 1_001, make(1_001, 0.0, 5), make(1_001, 0.3, 5)
    assert noisy.X.shape == (n, 2)
    assert noisy.y.dtype == np.int64
    counts = np.bincount(noisy.y)
    assert len(counts) == len(noisy.target_names)
    assert counts.max() - counts.min() <= 1
    np.testing.assert_array_equal(
        clean.y, noisy.y
    )  # the same order, whatever the noise
    assert 0.27 < (noisy.X - clean.X).std() < 0.33
    assert np.abs(np.diff(noisy.y)).sum() > 100
    np.testing.assert_array_equal(noisy.X, make(n, 0.3, 5).X)
    np.testing.assert_array_equal(noisy.X, make(n, 0.3, np.random.default_rng(5)).X)
    assert not np.array_equal(noisy.X, make(n, 0.3, 6).X)


@pytest.mark.parametrize(
    ("make", "truth"),
    [(noisy_sine, lambda x: np.sin(2 * np.pi * x)), (noisy_cubic, lambda x: x**3 - x)],
)
def test_curves_follow_their_formula(make, truth):
    data = make(4_000, 0.25, 3, low=-1.0, high=2.0)
    x = data.X[:, 0]
    assert np.all(np.diff(x) >= 0)
    assert -1 <= x[0] < -0.99
    assert 1.99 < x[-1] <= 2
    np.testing.assert_allclose(data.columns["signal"], truth(x), atol=1e-12)
    noise = data.y - truth(x)
    assert 0.235 < noise.std() < 0.265
    assert abs(noise.mean()) < 0.02
    np.testing.assert_array_equal(make(20, 0.0).y, make(20, 0.0).columns["signal"])


def test_galtons_figures_come_out_of_a_large_synthetic_sample():
    families = galton_heights(400_000, seed=1)
    parents, children = families.X[:, 0], families.y
    slope, intercept = np.polyfit(parents, children, 1)
    assert slope == pytest.approx(2 / 3, abs=0.01)
    residual = children - slope * parents - intercept
    probable = lambda values: np.median(np.abs(values - np.median(values)))  # noqa: E731
    assert probable(parents) == pytest.approx(1.2, abs=0.01)
    assert probable(residual) == pytest.approx(1.5, abs=0.01)
    assert probable(children) == pytest.approx(1.7, abs=0.01)
    assert children.mean() == pytest.approx(68.25, abs=0.02)
    assert galton_heights().X.shape == (928, 1)
    assert "synthetic" in families.about.title


def test_another_process_draws_the_same_numbers():
    code = (
        "import hashlib\n"
        "from lib.data import *\n"
        "arrays = [spirals(50).X, noisy_sine().y, lorenz(50, 0.1).values, mackey_glass(50).values,"
        " digit_scenes(5, 0.1).images, mnist(train=20, test=20).test_images]\n"
        "texts = '|'.join(dates_in_words(50).sources + numbers_in_words(50).targets)\n"
        "print(hashlib.sha256(b''.join(a.tobytes() for a in arrays) + texts.encode()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (1, 2)
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert len(runs[0].strip()) == 64


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: two_moons(1), "n: expected a whole number >= 2"),
        (lambda: two_moons(10, -1), "noise: expected a number >= 0"),
        (lambda: two_moons(10, 0.1, "lucky"), "seed: expected a whole number >= 0"),
        (lambda: spirals(3, arms=4), "n: expected a whole number >= 4"),
        (lambda: spirals(30, turns=0), "turns: expected a number > 0"),
        (lambda: circles(10, ratio=1.0), "ratio: expected a number in"),
        (lambda: blobs(10, centres=np.zeros((2, 3))), "centres: expected 2 columns"),
        (lambda: blobs(2, centres=3), "n: expected a whole number >= 3"),
        (lambda: xor(3), "n: expected a whole number >= 4"),
        (lambda: noisy_sine(10, low=1, high=1), "low: expected a number below high"),
        (lambda: noisy_cubic(2.5), "n: expected a whole number"),
        (lambda: galton_heights(0), "n: expected a whole number >= 1"),
    ],
)
def test_wrong_arguments_are_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
