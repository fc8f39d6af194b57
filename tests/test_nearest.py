"""Nearest neighbours against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from lib.nearest import nearest_class, nearest_indices, nearest_mean

QUICK = settings(deadline=None, max_examples=30)


@QUICK
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 30),
    d=st.integers(1, 5),
    shift=st.sampled_from([0.0, 1e6]),
    data=st.data(),
)
def test_answers_are_those_of_scikit_learn(seed, n, d, shift, data):
    rng = np.random.default_rng(seed)
    k = data.draw(st.integers(1, n))
    X, query = shift + rng.normal(size=(n, d)), shift + rng.normal(size=(7, d))
    labels, y = rng.integers(0, 3, size=n), rng.normal(size=n)
    # Its "brute" expands ‖x − q‖², which far from the origin loses the order of the neighbours.
    np.testing.assert_array_equal(
        nearest_class(k)(X, labels)(query),
        KNeighborsClassifier(k, algorithm="kd_tree").fit(X, labels).predict(query),
    )
    np.testing.assert_allclose(
        nearest_mean(k)(X, y)(query),
        KNeighborsRegressor(k, algorithm="kd_tree").fit(X, y).predict(query),
    )


def test_one_neighbour_memorises():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 4, size=40)
    np.testing.assert_array_equal(nearest_class(1)(X, y)(X), y)


def test_of_equally_near_rows_the_first_wins():
    X = np.array([[0.0], [2.0], [2.0]])
    assert nearest_indices(X, np.array([[1.0]]), 3).tolist() == [[0, 1, 2]]
    assert nearest_indices(X, np.array([[2.0]])).tolist() == [[1]]


def test_bad_input_is_named():
    X = np.zeros((3, 2))
    with pytest.raises(ValueError, match="from 1 to 3"):
        nearest_indices(X, X, 4)
    with pytest.raises(ValueError, match="2 columns"):
        nearest_indices(X, np.zeros((1, 3)))
    with pytest.raises(ValueError, match="3 entries"):
        nearest_mean(1)(X, np.zeros(2))
