"""The parts of marking: what comes back from an answer, how it is compared, what is said of it."""

import os
import pickle

import numpy as np
import pytest

from lib.course.marking.agreement import as_numbers, same
from lib.course.marking.attempt import _read
from lib.course.marking.briefly import brief
from lib.course.marking.diagnosis import (
    common_relation,
    common_size_factor,
    fault_of_form,
)
from lib.course.marking.isolation import Run
from lib.course.marking.portable import Foreign, TooLarge, pack, plain_load, unpack
from lib.course.marking.printed import MOST_PRINTED, Printed
from lib.course.marking.readers_error import describe_error, tidy

X = np.array([1.0, -2.0, 3.5])
M = np.array([[1.0, 2.0], [3.0, 5.0]])


# ---------------------------------------------------------------- portable


@pytest.mark.parametrize(
    "value",
    [None, True, -3, 10**60, 2.5, 1 + 2j, "é", b"\0", [], [1, [2.0, "x"]], (1,), {1, 2},
     {"a": [1]}],
)  # fmt: skip
def test_plain_data_comes_back_as_it_was(value):
    assert unpack(pack(value)) == value
    assert type(unpack(pack(value))) is type(value)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16", "U5", ">f8"])
def test_arrays_come_back_as_they_were(dtype):
    rng = np.random.default_rng(5)
    for shape in [(), (0,), (3,), (2, 0, 3), (4, 5)]:
        array = rng.normal(size=shape).astype(dtype)
        for view in (array, array.T, array[..., None][..., 0]):
            back = unpack(pack(view))
            assert back.dtype == array.dtype
            assert back.shape == view.shape
            np.testing.assert_array_equal(back, view)


def test_what_is_no_data_becomes_its_kind():
    assert unpack(pack(len)) == Foreign("function")
    assert unpack(pack([object(), dict])) == [Foreign("object"), Foreign("class")]
    assert unpack(pack(x for x in "ab")) == Foreign("generator")
    assert unpack(pack(...)) == Foreign("...")
    assert unpack(pack(ValueError("x"))) == Foreign("exception")
    assert unpack(pack(np.array([1, "a", None], dtype=object))) == [1, "a", None]


def test_tables_tensors_and_sparse_matrices_become_arrays():
    sparse = pytest.importorskip("scipy.sparse")
    np.testing.assert_array_equal(unpack(pack(sparse.csr_array(M))), M)
    torch = pytest.importorskip("torch")
    for tensor in (torch.tensor(M, requires_grad=True), torch.tensor(M).conj()):
        np.testing.assert_array_equal(unpack(pack(tensor)), M)
    assert unpack(pack(torch.tensor([1.5], dtype=torch.bfloat16))).tolist() == [1.5]


def test_too_much_is_refused():
    for value in (np.zeros(10**8), "x" * 10**8, [0] * 10**7, 1 << 10**9):
        with pytest.raises(TooLarge):
            pack(value)


class Dangerous:
    """What pickle would run when it is read."""

    def __reduce__(self):
        return os.system, ("echo harm",)


def test_nothing_runs_when_a_message_is_read():
    with pytest.raises(pickle.UnpicklingError, match="only plain data"):
        plain_load(pickle.dumps(Dangerous()))


def test_messages_of_a_process_that_split_are_read_once():
    outcome = (pack(1.0), ("", "", ""), ())
    messages = [("begin",)]
    for index in (0, 1, 1, 0, 2, 2):
        messages.append(("outcome", index, "value", *outcome))
    found = _read(Run(messages=messages, ending="finished"))
    assert len(found) == 1
    assert len(found[0].outcomes) == 3


@pytest.mark.parametrize(
    "message", [("outcome",), (), 3, ("outcome", 0, "value", b"x", (), ())]
)
def test_messages_that_make_no_sense_are_no_harm(message):
    assert (
        _read(Run(messages=[("begin",), message], ending="finished"))[0].ending
        == "crash"
    )


# ---------------------------------------------------------------- agreement


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (3, 3), (3.0, 3), (np.float32(3), 3), (np.array(3), 3.0), ([1.0, -2.0, 3.5], X),
        (X + 1e-9, X), (tuple(X), X), (list(X), tuple(X)), (X, tuple(X)), ([], []), ({}, {}),
        (np.empty(0), []), (None, None), ("a", "a"), ({1, 2}, {2, 1}), (True, np.bool_(True)),
        ({"a": X}, {"a": list(X)}), ([np.eye(2), "x"], (np.eye(2), "x")), (np.inf, np.inf),
        (np.array(["a", "b"]), ["a", "b"]), (1 + 0j, 1 + 0j),
    ],
)  # fmt: skip
def test_the_same(result, expected):
    assert same(result, expected, 1e-6)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (3.1, 3), (X[:, None], X), (X[None], X), (X[:2], X), (np.append(X, 0), X), (3.0, X),
        (X, 3.0), ([3], 3), (np.nan, np.nan), (np.full(3, np.nan), X), (None, 0), (0, None),
        ("3", 3), (3, "3"), (True, 1), (1, True), (X + 0j, X), (X + 1e-3, X), (-np.inf, np.inf),
        ([1, 2], {1, 2}),
        ({"a": 1}, {"b": 1}), ({"a": 1, "b": 2}, {"a": 1}), ([1, "x"], [1]), (Foreign("x"), 1),
        (Foreign("x"), Foreign("x")), (b"a", "a"), (10**400, 1.0), ([[1], [2, 3]], [[1], [2, 4]]),
        ((1e6, 1e-3), (1e6, 2e-3)),
    ],
)  # fmt: skip
def test_not_the_same(result, expected):
    assert not same(result, expected, 1e-6)


def test_numbers_of_a_value():
    assert as_numbers([1, 2.5]).dtype.kind == "f"
    assert as_numbers([True, False]).dtype.kind == "b"
    assert as_numbers([True, 1]) is None
    assert as_numbers("12") is None
    assert as_numbers([[1], [2, 3]]) is None
    assert as_numbers({1: 2}) is None


# ---------------------------------------------------------------- diagnosis


@pytest.mark.parametrize(
    ("result", "expected", "told"),
    [
        (None, X, "returned None here"),
        (Foreign("generator"), X, "`yield`"),
        (Foreign("Tree"), X, "object of type Tree"),
        ("a", X, "You returned text where an array of shape (3,) was expected."),
        (3, "a", "You returned a number where text was expected."),
        (X > 0, X, "Numbers were expected, you returned True or False."),
        (X, X > 0, "True or False was expected"),
        (1, True, "True or False was expected"),
        ({"a": 1}, {"b": 1}, "lacks the key 'b'"),
        ({"a": 1, "b": 1}, {"b": 1}, "has a key 'a'"),
        (3, {"b": 1}, "A dict was expected, you returned a number."),
        ([1], {1}, "A set was expected, you returned a list of length 1."),
        (X, (X, 1.0), "2 results were expected, you returned 3."),
        (1.0, (X, 1.0), "2 results were expected, you returned a number."),
        (
            (X[:, None], 1.0),
            (X, 1.0),
            "Look at result 1. The right values, but shape (3, 1)",
        ),
        ({"a": None}, {"a": X}, "Look at entry 'a'. Your function returned None"),
        (X[:, None], X, "The right values, but shape (3, 1) where (3,) was expected."),
        (np.ones((3, 1)), X, "You returned shape (3, 1) where (3,) was expected."),
        (M[:, :1].T, M[:, :1], "Transposed: your result has shape (1, 2)"),
        (X, 1.0, "an array of shape (3,) where one number was expected"),
        (1.0, X, "one number where an array of shape (3,) was expected"),
        ([1, "x"], X, "a list of length 2 where an array"),
        (X + 0j, X, "complex"),
        (X * np.nan, X, "NaN"),
        (X * np.inf, X, "infinite"),
    ],
)
def test_a_fault_of_form_is_named(result, expected, told):
    assert told in fault_of_form(result, expected, 1e-6)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda e: -e, "exactly minus ours"),
        (lambda e: e * np.array([1, -1, 1]), "some signs differ"),
        (lambda e: 2 * e, "exactly twice ours"),
        (lambda e: -2 * e, "exactly minus twice ours"),
        (lambda e: e / 2, "exactly half of ours"),
        (lambda e: e / 7, "exactly 1/7 of ours"),
        (lambda e: 12 * e, "exactly 12 times ours"),
        (lambda e: e[::-1], "reverse order"),
        (lambda e: e[[1, 2, 0]], "another order"),
        (lambda e: np.round(e), "rounded to integers"),
        (lambda e: np.floor(e).astype(int), "rounded to integers"),
        (np.square, "squares of ours"),
        (lambda e: 1 / e, "one over ours"),
        (np.exp, "exponentials of ours"),
        (lambda e: e + 0.25, "off by the same amount, +0.25"),
    ],
)
def test_a_relation_is_named(change, told):
    rng = np.random.default_rng(8)
    ours = [rng.normal(size=3) * 3 for _ in range(3)]
    assert told in common_relation([(change(e), e, 1e-6) for e in ours])


def test_relations_of_positive_and_square_results():
    rng = np.random.default_rng(8)
    positive = [rng.uniform(2, 5, size=4) for _ in range(3)]
    for change, told in (
        (np.sqrt, "square roots of ours"),
        (np.log, "logarithms of ours"),
    ):
        assert told in common_relation([(change(e), e, 1e-6) for e in positive])
    square = [rng.normal(size=(3, 3)) for _ in range(2)]
    assert "Transposed" in common_relation([(e.T, e, 1e-6) for e in square])


def test_chance_is_no_relation():
    pairs = [(2.0, 1.0, 1e-6), (3.0, 1.0, 1e-6)]
    assert common_relation(pairs) is None
    assert common_relation([(np.array([1.7, 2.9]), np.array([1.1, 0.2]), 1e-6)]) is None
    assert (
        common_relation([(np.zeros(2), np.ones(2), 1e-6)]) is not None
    )  # all off by −1


def test_a_factor_that_is_a_size_is_named():
    rng = np.random.default_rng(3)
    ours = [rng.normal(size=4) for _ in range(3)]
    sizes = [{"length of x": n} for n in (5, 7, 11)]
    times = [(e * s["length of x"], e, 1e-6) for e, s in zip(ours, sizes, strict=True)]
    over = [(e / s["length of x"], e, 1e-6) for e, s in zip(ours, sizes, strict=True)]
    assert "n being the length of x: is a division" in common_size_factor(times, sizes)
    assert "divided by n, n being the length of x" in common_size_factor(over, sizes)
    assert common_size_factor([(2 * e, e, 1e-6) for e in ours], sizes) is None


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"), (1e9 + 1, "1000000001"), (1 / 3, "0.333333"), (1e-20, "1e-20"),
        (np.nan, "nan"), (np.int64(3), "3"), (True, "True"), (10**100, "an integer of 333 bits"),
        (2 + 1j, "2+1j"),
        ("a" * 300, repr("a" * 200) + "…"), ([1, 2], "[1, 2]"), ((1,), "(1,)"), ({2, 1}, "{1, 2}"),
        ({"a": X}, "{'a': [1, -2, 3.5]}"), (list(range(20)), "[0, 1, 2, 3, 4, 5, 6, 7, …]"),
        (M, "[[1, 2],\n [3, 5]]  shape (2, 2)"), (np.empty(0), "[]  shape (0,)"),
        (np.arange(100.0), "[0, 1, 2, ..., 97, 98, 99]  shape (100,)"),
        (np.cos, "an object of type ufunc"), (describe_error, "the function describe_error"),
        (np.random.default_rng(0), "a random generator"),
        (Foreign("Tree"), "an object of type Tree"),
    ],
)  # fmt: skip
def test_values_are_shown_briefly(value, text):
    assert brief(value) == text


def test_nothing_shown_is_long():
    for value in (
        np.ones((50, 50, 50)),
        [X] * 1000,
        dict.fromkeys(range(1000), X),
        "x" * 10**6,
    ):
        assert len(brief(value)) <= 400


def test_errors_are_tidied():
    message = tidy(
        "<object at 0x7f12ab34cd56> in /home/someone/x/y.py\n\x1b[31mred\x00"
    )
    assert message == "<object at 0x…> in …/y.py [31mred"
    assert len(tidy("x" * 10_000)) == 300


def test_a_flood_of_prints_is_cut():
    printed = Printed()
    for _ in range(1000):
        print("x" * 100, file=printed)
    assert len(printed.text()) == MOST_PRINTED
