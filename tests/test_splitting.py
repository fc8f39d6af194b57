"""Splits and folds against scikit-learn and against what they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

from lib.splitting import (
    group_folds,
    k_folds,
    leave_one_out,
    part_sizes,
    split,
    stratified_folds,
    stratified_split,
    time_folds,
)

QUICK = settings(deadline=None, max_examples=30)
seeds = st.integers(0, 2**32 - 1)


def assert_partition(folds, n):
    """Held-out parts cover 0, …, n−1 once; each training part is the complement."""
    held = np.sort(np.concatenate([test for _, test in folds]))
    np.testing.assert_array_equal(held, np.arange(n))
    for train, test in folds:
        np.testing.assert_array_equal(np.union1d(train, test), np.arange(n))
        assert len(train) + len(test) == n
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()


@QUICK
@given(n=st.integers(2, 60), data=st.data())
def test_consecutive_folds_are_those_of_scikit_learn(n, data):
    k = data.draw(st.integers(2, n))
    ours = k_folds(n, k)
    reference = KFold(k).split(np.zeros(n))
    for (train, test), (a, b) in zip(ours, reference, strict=True):
        np.testing.assert_array_equal(train, a)
        np.testing.assert_array_equal(test, b)


@QUICK
@given(n=st.integers(2, 60), seed=seeds, data=st.data())
def test_shuffled_folds_partition_evenly(n, seed, data):
    k = data.draw(st.integers(2, n))
    folds = k_folds(n, k, np.random.default_rng(seed))
    assert_partition(folds, n)
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1


def test_shuffling_is_uniform_over_folds():
    rng = np.random.default_rng(0)
    together = np.mean(
        [
            any({0, 1} <= set(test) for _, test in k_folds(10, 5, rng))
            for _ in range(4000)
        ]
    )
    assert together == pytest.approx(1 / 9, abs=0.02)  # one partner among nine others


def test_leave_one_out():
    folds = leave_one_out(5)
    assert_partition(folds, 5)
    assert all(len(test) == 1 for _, test in folds)


@QUICK
@given(seed=seeds, k=st.integers(2, 5), classes=st.integers(1, 4))
def test_stratified_folds_spread_each_class(seed, k, classes):
    rng = np.random.default_rng(seed)
    labels = np.concatenate(
        [np.arange(classes).repeat(k), rng.integers(0, classes, size=23)]
    )
    rng.shuffle(labels)
    for folds in (stratified_folds(labels, k), stratified_folds(labels, k, rng)):
        assert_partition(folds, len(labels))
        counts = np.array(
            [np.bincount(labels[test], minlength=classes) for _, test in folds]
        )
        assert np.ptp(counts, axis=0).max() <= 1
        assert np.ptp(counts.sum(axis=1)) <= 1
        if classes > 1:  # scikit-learn's folds are no more even than ours
            reference = [
                np.bincount(labels[test], minlength=classes)
                for _, test in StratifiedKFold(k).split(labels, labels)
            ]
            np.testing.assert_array_equal(
                np.sort(counts, axis=0), np.sort(reference, axis=0)
            )


@QUICK
@given(seed=seeds, k=st.integers(2, 5), number=st.integers(5, 12))
def test_groups_stay_together_and_folds_are_as_even_as_scikit_learns(seed, k, number):
    rng = np.random.default_rng(seed)
    groups = np.concatenate([np.arange(number), rng.integers(0, number, size=40)])
    rng.shuffle(groups)
    folds = group_folds(groups, k)
    assert_partition(folds, len(groups))
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])
    reference = [len(t) for _, t in GroupKFold(k).split(groups, groups, groups)]
    assert sorted(len(test) for _, test in folds) == sorted(reference)


@QUICK
@given(k=st.integers(2, 6), extra=st.integers(0, 40), gap=st.integers(0, 3))
def test_time_folds_are_those_of_scikit_learn(k, extra, gap):
    n = 5 * (k + 1) + extra
    ours = time_folds(n, k, gap)
    reference = TimeSeriesSplit(k, gap=gap).split(np.zeros(n))
    for (train, test), (a, b) in zip(ours, reference, strict=True):
        np.testing.assert_array_equal(train, a)
        np.testing.assert_array_equal(test, b)
        assert train.max() + gap < test.min()


@QUICK
@given(n=st.integers(30, 200), seed=seeds)
def test_split_into_three_parts(n, seed):
    parts = split(n, (0.6, 0.2, 0.2), np.random.default_rng(seed))
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(n))
    for part, share in zip(parts, (0.6, 0.2, 0.2), strict=True):
        assert abs(len(part) - share * n) < 1
    ordered = split(n, (0.6, 0.2, 0.2))
    np.testing.assert_array_equal(np.concatenate(ordered), np.arange(n))


def test_part_sizes_of_exact_shares_need_no_rounding():
    assert part_sizes(10, (0.7, 0.2, 0.1)).tolist() == [7, 2, 1]
    assert part_sizes(3, (0.5, 0.5)).tolist() == [2, 1]


@QUICK
@given(seed=seeds)
def test_stratified_split_keeps_every_class(seed):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(["a", "b"], [40, 10]))
    train, test = stratified_split(labels, (0.8, 0.2), rng)
    assert np.sum(labels[test] == "a") == 8
    assert np.sum(labels[test] == "b") == 2
    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(50))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: k_folds(3, 4), "from 2 to 3"),
        (lambda: k_folds(3, 1), "from 2 to 3"),
        (lambda: k_folds(1, 2), "n: expected"),
        (lambda: stratified_folds([0, 0, 0, 1], 2), "rarest class, 1"),
        (lambda: stratified_folds([0.0, np.nan], 2), "finite"),
        (lambda: stratified_folds([[0, 1]], 2), "vector"),
        (lambda: group_folds([1, 1, 1], 2), "number of groups, 1"),
        (lambda: group_folds([], 2), "vector"),
        (lambda: time_folds(3, 3), "n: expected"),
        (lambda: time_folds(8, 3, gap=2), "gap"),
        (lambda: split(10, (0.5, 0.4)), "sum to 1"),
        (lambda: split(10, (1.0,)), "at least two"),
        (lambda: split(3, (0.98, 0.01, 0.01)), "every part"),
        (lambda: split(10, (1.5, -0.5)), "> 0"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
