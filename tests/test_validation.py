"""Input checks say what was expected and what came, and let the right things through."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lib import validation as v


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: v.as_matrix([1.0, 2.0]), r"X: expected a matrix .* \(2,\).*reshape"),
        (lambda: v.as_matrix(np.zeros((0, 3))), r"at least one row"),
        (lambda: v.as_matrix(np.zeros((3, 0))), r"at least one row and column"),
        (lambda: v.as_matrix(np.zeros((2, 2, 2))), r"\(n, d\), got shape \(2, 2, 2\)"),
        (lambda: v.as_matrix([[1, 2], [3]]), "array of numbers"),
        (lambda: v.as_matrix([["a", "b"]]), "expected numbers"),
        (
            lambda: v.as_matrix([[1.0, np.nan]], "A"),
            r"A: .*1 NaN or infinite \(first at \(0, 1\)",
        ),
        (lambda: v.as_matrix([[np.inf]]), "finite"),
        (lambda: v.as_matrix([[1 + 2j]]), "real numbers"),
        (lambda: v.as_matrix([[object()]]), "expected numbers"),
        (lambda: v.as_matrix(np.ma.masked_equal([[1.0, 2.0]], 2.0)), "masked"),
        (lambda: v.as_matrix(np.ones((2, 3)), columns=4), "expected 4 columns, got 3"),
        (lambda: v.as_matrix(np.ones((2, 3)), rows=1), "expected 1 row, got 2"),
        (lambda: v.as_matrix(np.ones((2, 3)), min_rows=3), "at least 3 rows, got 2"),
        (lambda: v.as_vector([[1.0], [2.0]]), r"y: expected a vector .*ravel"),
        (lambda: v.as_vector([]), "at least one entry"),
        (lambda: v.as_vector([1.0, 2.0], length=3), "expected 3 entries, got 2"),
        (lambda: v.as_vector(3.0), r"got shape \(\)"),
        (lambda: v.as_design(np.ones((3, 1)), [1.0]), "y: expected 3 entries"),
        (lambda: v.as_square(np.ones((2, 3)), "A"), "square"),
        (lambda: v.as_symmetric([[1.0, 2.0], [0.0, 1.0]], "A"), "symmetric"),
        (lambda: v.as_array(np.ones(3), "T", ndim=2), "2 dimensions"),
        (lambda: v.positive(0, "eta"), r"eta: expected a number > 0, got 0"),
        (lambda: v.positive(float("nan"), "eta"), "got nan"),
        (lambda: v.positive(True, "eta"), "got True"),
        (lambda: v.positive("1", "eta"), "got '1'"),
        (lambda: v.positive(10**400, "eta"), "too large"),
        (lambda: v.nonnegative(-1e-300, "lam"), ">= 0"),
        (lambda: v.between(1.0, "level", 0, 1, inclusive=False), r"\(0, 1\)"),
        (lambda: v.probability(1.1, "p"), r"\[0, 1\]"),
        (lambda: v.whole(2.5, "k"), "whole number"),
        (lambda: v.whole(0, "k", at_least=1), ">= 1, got 0"),
        (lambda: v.whole(9, "k", at_least=1, at_most=5), "from 1 to 5, got 9"),
        (lambda: v.one_of("mad", "norm", ["l1", "l2"]), "one of l1, l2, got 'mad'"),
        (lambda: v.as_labels([0, 1, 3], classes=3), "labels from 0 to 2, got 3"),
        (lambda: v.as_labels([0, -1]), "got -1"),
        (lambda: v.as_labels([0.5]), "whole-number"),
        (lambda: v.as_signs([1, 0]), "-1 or"),
        (lambda: v.as_binary([0, 2]), "0 or 1, got 2"),
        (lambda: v.as_distribution([0.5, 0.6]), "sum of 1.1"),
        (lambda: v.as_distribution([1.5, -0.5]), ">= 0, got -0.5"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_right_input_passes():
    assert v.as_matrix([[1, 2]]).dtype == np.float64
    assert v.as_matrix([[True, False]]).tolist() == [[1.0, 0.0]]
    assert v.as_vector([Fraction(1, 2), 2]).tolist() == [0.5, 2.0]
    assert v.as_vector([1e308, 1e308, -1e308]).shape == (
        3,
    )  # the sum overflows, no entry does
    assert v.as_labels([0.0, 2.0]).dtype == np.int64
    assert v.whole(3.0, "k") == 3
    assert v.whole(2**60 + 1, "k") == 2**60 + 1
    assert v.positive(np.array(2.0), "eta") == 2.0
    assert v.as_signs([1, -1]).tolist() == [1.0, -1.0]
    assert v.as_distribution([0.25, 0.75]).sum() == 1.0


def test_no_copy_of_a_float_array():
    X = np.ones((3, 2))
    assert v.as_matrix(X) is X


@given(
    hnp.arrays(
        np.float64, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
        elements=st.floats(allow_nan=True, allow_infinity=True),
    )
)  # fmt: skip
def test_a_matrix_is_finite_two_dimensional_and_not_empty(array):
    good = array.ndim == 2 and array.size > 0 and bool(np.isfinite(array).all())
    if good:
        np.testing.assert_array_equal(v.as_matrix(array), array)
    else:
        with pytest.raises(ValueError, match="X: expected"):
            v.as_matrix(array)
