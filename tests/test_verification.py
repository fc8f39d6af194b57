"""verify: what holds passes with one stable line, what does not hold raises and says where."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lib.course import comparison, ledger, verification
from lib.course.verification import (
    VerificationError,
    at_least,
    at_most,
    converges_to,
    verify,
    within,
)

BIG = 2**80
HOLDS = {
    "python number and 0-d array": (1.0, np.array(1.0)),
    "integer and float": (3, 3.0),
    "integers of different width": (np.int8([1, 2]), np.uint64([1, 2])),
    "list and array": ([1.0, 2.0], np.array([1.0, 2.0])),
    "tuple of lists and matrix": (([1, 2], [3, 4]), np.array([[1.0, 2.0], [3.0, 4.0]])),
    "range": (range(3), np.arange(3)),
    "infinity": (np.array([math.inf, 1.0]), np.array([math.inf, 1.0])),
    "complex": (np.exp(1j * math.pi), -1 + 0j),
    "truth values": (np.array([1, 2]) > 1, [False, True]),
    "one truth value": (np.bool_(True), True),
    "words": ("argmin", "argmin"),
    "array of words": (np.array(["a", "b"]), ["a", "b"]),
    "table of words and numbers": ([["a", 1.0], ["b", 2.0]], [["a", 1], ["b", 2]]),
    "ragged": ([[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]]),
    "dict": ({"w": [1.0, 2.0], "b": 0.5}, {"b": 0.5, "w": np.array([1.0, 2.0])}),
    "set": ({1, 2}, frozenset([2, 1])),
    "fractions": (Fraction(1, 3) + Fraction(1, 6), Fraction(1, 2)),
    "fraction and float": ([Fraction(1, 3)], np.array([1 / 3])),
    "integers beyond 64 bits": ([BIG, 1], [BIG, 1]),
    "noise beside the largest entry": ([1.0, 1e-12], [1.0, 0.0]),
}
FAILS = {
    "column and vector": (np.ones((3, 1)), np.ones(3), "shape (3, 1) against (3,)"),
    "number and array": (1.0, np.ones(3), "shape () against (3,)"),
    "one entry and number": (np.ones(1), 1.0, "shape (1,) against ()"),
    "nan and nan": (math.nan, math.nan, "ours is NaN"),
    "nan in an array": ([1.0, math.nan], [1.0, math.nan], "at [1]"),
    "nan reference": ([1.0, 1.0], [1.0, math.nan], "the reference is NaN"),
    "infinities of two signs": (math.inf, -math.inf, "largest difference inf"),
    "infinity and number": ([math.inf, 1.0], [5.0, 1.0], "at [0]"),
    "number and infinity": ([5.0, 1.0], [math.inf, 1.0], "at [0]"),
    "empty": ([], [], "proves nothing"),
    "empty dicts": ({}, {}, "proves nothing"),
    "empty sets": (set(), frozenset(), "proves nothing"),
    "empty words": ("", "", "proves nothing"),
    "empty inside": ({"a": [[], []]}, {"a": np.empty((2, 0))}, "proves nothing"),
    "truth value and number": (True, 1, "a truth value against a number"),
    "truth values and numbers": (np.array([True]), np.array([1]), "truth values"),
    "truth value and float": (True, 1.0, "truth values against numbers"),
    "words": ("max", "min", "the words differ"),
    "word and number": ("1", 1, "a word against a number"),
    "keys": ({"a": 1, "b": 1}, {"a": 1, "c": 1}, "missing ['c'], unexpected ['b']"),
    "nested": ({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]}, "at ['a'][1]"),
    "lengths": ([["a"], ["b"]], [["a"]], "2 entries against 1"),
    "row of a table": ([["a", 1.0], ["b", 2.0]], [["a", 1.0], ["b", 2.1]], "at [1][1]"),
    "sets": ({1, 2}, {1, 3}, "missing ['3'], unexpected ['2']"),
    "fractions": (Fraction(1, 3), Fraction(1, 2), "largest difference 0.166667"),
    "integers beyond floats": (2**60 + 1, 2**60, "largest difference 1"),
    "same in an array": (np.array([2**60 + 1]), np.array([2**60]), "difference 1, at"),
    "unsigned wrap-around": (np.uint8([1]), np.uint8([2]), "largest difference 1"),
    "worst entry": (np.diag([1.0, 2.0]), np.array([[1.1, 0], [0.2, 2]]), "at [1, 0]"),
    "small numbers on their scale": (2e-12, 1e-12, "largest difference 1e-12"),
    "ragged against regular": ([[1.0], [1.0, 2.0]], np.ones((2, 2)), "at [0]"),
}


@pytest.fixture(autouse=True)
def empty_ledger(monkeypatch):
    monkeypatch.setattr(ledger, "_entries", {})


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_passes(name, capsys):
    ours, reference = HOLDS[name]
    verify(name, ours, reference)
    verify(name, reference, ours)
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert first in (f"✓ {name} · equal", f"✓ {name} · agrees to 1e-09")


@pytest.mark.parametrize("name", FAILS)
def test_what_does_not_hold_raises_and_says_where(name, capsys):
    ours, reference, said = FAILS[name]
    with pytest.raises(VerificationError) as caught:
        verify(f"the claim of {name}", ours, reference)
    message = str(caught.value)
    assert said in message
    assert message.startswith(f"the claim of {name}: ")
    assert "\n  ours " in message
    assert "\n  reference " in message
    assert capsys.readouterr().out == ""
    assert ledger.entries(None) == ()


def test_a_false_claim_is_an_assertion_error():
    assert issubclass(VerificationError, AssertionError)


@pytest.mark.parametrize(("ours", "said"), [(1 / 3, "agrees to 1e-09"), (3, "equal")])
def test_the_line_shows_no_measured_digit(ours, said, capsys):
    verify("a claim", ours, ours + 0, mirrors=["lal:B.3", "explainers:2.1"])
    assert capsys.readouterr().out == f"✓ a claim · {said} · lal B.3, explainers 2.1\n"


numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
arrays = hnp.arrays(float, hnp.array_shapes(max_dims=3, max_side=4), elements=numbers)


@settings(max_examples=60, deadline=None)
@given(reference=arrays, tol=st.sampled_from([1e-12, 1e-6, 1e-2]), data=st.data())
def test_the_tolerance_is_measured_by_the_largest_entry(reference, tol, data):
    scale = np.abs(reference).max() or 1.0
    where = data.draw(st.integers(0, reference.size - 1))
    shift = np.zeros(reference.shape)
    shift.flat[where] = tol * scale
    assert comparison.difference(reference + 0.9 * shift, reference, tol) is None
    found = comparison.difference(reference + 1.2 * shift, reference, tol)
    assert found is not None
    assert found.where == str([int(i) for i in np.unravel_index(where, shift.shape)])


@settings(max_examples=60, deadline=None)
@given(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3))
def test_nothing_passes_by_broadcasting(shapes):
    ours, reference = map(np.ones, shapes.input_shapes)
    found = comparison.difference(ours, reference, 1e-9)
    assert (found is None) == (ours.shape == reference.shape)


def test_the_reference_sets_the_scale():
    verify("noise against zero", 1e-12, 0.0)
    with pytest.raises(VerificationError, match="allowed 1e-21"):
        verify("zero against a small number", 0.0, 1e-12)


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    weights = torch.arange(3.0, requires_grad=True)
    verify("a tensor", weights, np.arange(3.0))
    verify("a mean", weights.mean(), 1.0)
    verify("half precision", torch.ones(2, dtype=torch.bfloat16), np.ones(2))
    with pytest.raises(VerificationError, match=r"shape \(3,\) against \(3, 1\)"):
        verify("a column", weights, torch.arange(3.0)[:, None])
    with pytest.raises(ValueError, match="proves nothing"):
        verify("itself", weights, weights.detach())


@pytest.mark.parametrize("tol", [-1e-9, 1.5, math.nan, math.inf, True, "small", None])
def test_a_tolerance_that_makes_no_sense(tol):
    with pytest.raises(ValueError, match="tolerance between 0 and 1"):
        verify("a claim", 1.0, 1.0, tol=tol)


def test_no_tolerance_means_equal(capsys):
    verify("a claim", 0.5, 1 / 2, tol=0)
    assert capsys.readouterr().out == "✓ a claim · equal\n"
    with pytest.raises(VerificationError):
        verify("a claim", 0.1 + 0.2, 0.3, tol=0)


@pytest.mark.parametrize(
    "claim", ["", "  ", " padded", "two\nlines", "a · dot", 3, None]
)
def test_a_claim_that_cannot_stand_on_a_line(claim):
    with pytest.raises(ValueError, match="expected"):
        verify(claim, 1, 1)


def test_a_reference_is_required():
    with pytest.raises(TypeError):
        verify("a claim", True)
    with pytest.raises(ValueError, match="reference"):
        verify("a claim", True, None)


@pytest.mark.parametrize("value", [None, object(), np.mean, [None], {"a": object()}])
def test_what_cannot_be_compared(value):
    with pytest.raises(TypeError, match="to compare; got"):
        verify("a claim", value, 1)


def same_values():
    array = np.arange(6.0).reshape(2, 3)
    yield array, array
    yield array, array[:]
    yield [array], (array,)
    yield {"a": array}, {"a": array}
    table = [["a", 1]]
    yield table, table
    scalar = np.array(1.0)
    yield scalar, scalar


@pytest.mark.parametrize(("ours", "reference"), list(same_values()))
def test_a_value_is_not_compared_with_itself(ours, reference):
    with pytest.raises(ValueError, match="proves nothing"):
        verify("a claim", ours, reference)


def test_other_views_and_shared_numbers_are_compared():
    array = np.ones((2, 2))
    verify("symmetric", array, array.T)  # one memory, read in two orders
    verify("rows", array[0], array[1])
    number = 0.25
    verify("a number", number, number)


@pytest.mark.parametrize(
    ("ours", "reference", "said"),
    [
        (0.5, within(0, 1), "within [0, 1]"),
        (np.array([0, 1]), within(0, 1), "within [0, 1]"),
        ([1e-4, -3.0], at_most(1e-3), "at most 0.001"),
        (np.inf, at_least(1e6), "at least 1e+06"),
        (Fraction(1, 3), at_most(0.34), "at most 0.34"),
    ],
)
def test_bounds(ours, reference, said, capsys):
    verify("a claim", ours, reference)
    assert capsys.readouterr().out == f"✓ a claim · {said}\n"


@pytest.mark.parametrize(
    ("ours", "reference", "said"),
    [
        (1.5, within(0, 1), "outside by 0.5"),
        (-0.25, within(0, 1), "outside by 0.25"),
        ([0.0, 2.0, 3.0], at_most(1), "outside by 2, at [2]"),
        (math.nan, within(0, 1), "ours is NaN"),
        ([1.0, math.nan], at_least(0), "ours is NaN, at [1]"),
        (-math.inf, at_least(0), "outside by inf"),
        (np.nextafter(1.0, 2.0), at_most(1), "outside by"),
    ],
)
def test_broken_bounds(ours, reference, said):
    with pytest.raises(VerificationError) as caught:
        verify("a claim", ours, reference)
    assert said in str(caught.value)


@pytest.mark.parametrize("ours", [[], True, "a", {"a": 1}, 1j, [[1], [1, 2]]])
def test_a_bound_needs_numbers(ours):
    with pytest.raises(ValueError, match="expected"):
        verify("a claim", ours, at_most(1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: within(1, 0),
        lambda: within(math.nan, 1),
        lambda: at_most("1"),
        lambda: at_least(True),
        lambda: at_most(math.inf),
        lambda: at_least(-math.inf),
    ],
)
def test_bounds_that_make_no_sense(make):
    with pytest.raises(ValueError, match="expected"):
        make()


def test_a_bound_is_exact():
    with pytest.raises(ValueError, match="widen the bound"):
        verify("a claim", 1.0, at_most(1), tol=1e-3)


def test_convergence(capsys):
    steps = np.arange(1, 41)
    verify("Newton", (1 + 1 / steps**9), converges_to(1), tol=1e-6)
    verify("constant", np.full(8, 2.0), converges_to(2.0))
    paths = np.stack([0.5**steps, 1 + 0.5**steps], axis=1)
    verify("a vector", paths, converges_to([0.0, 1.0]))
    assert capsys.readouterr().out.splitlines() == [
        "✓ Newton · converges to 1, to 1e-06",
        "✓ constant · converges to 2, to 1e-09",
        "✓ a vector · converges to the reference, to 1e-09",
    ]


@pytest.mark.parametrize(
    ("ours", "limit", "said"),
    [
        (0.5 ** np.arange(10), 0, "the last term"),
        ([1, -1, 1, -1, 1e-12], 0, "no nearer"),
        ([1e-12, 1, 1, 1, 1e-12], 0, "no nearer"),
        ([1, 0, 0], 0, "at least 4 terms"),
        ([1, math.nan, 0, 0], 0, "not finite, at [1]"),
        (1.0, 1, "against a limit of shape ()"),
        (np.zeros((4, 2)), 0, "against a limit of shape ()"),
        (np.zeros((4, 2)), np.zeros(1), "against a limit of shape (1,)"),
        (np.zeros(4), math.nan, "NaN"),
    ],
)
def test_what_does_not_converge(ours, limit, said):
    with pytest.raises(VerificationError) as caught:
        verify("a claim", ours, converges_to(limit))
    assert said in str(caught.value)


def test_long_values_are_shortened():
    with pytest.raises(VerificationError) as caught:
        verify("a claim", np.zeros((1000, 1000)), np.ones((1000, 1000)))
    message = str(caught.value)
    assert len(message) < 700
    assert "1000000 of 1000000 entries differ" in message
    assert "shape (1000, 1000)" in message
    with pytest.raises(VerificationError) as caught:
        verify("a claim", "a" * 1000, "b" * 1000)
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("mirrors", "said"),
    [
        ("lal", "such as 'lal:B.3'"),
        ("lal B.3", "such as 'lal:B.3'"),
        (["lal:B.3", 3], "such as 'lal:B.3'"),
        ("bishop:1", "expected one of the notes"),
        ("lal:B.33", "near matches: B.3"),
    ],
)
def test_places_that_no_note_has(mirrors, said):
    with pytest.raises(ValueError, match="expected") as caught:
        verify("a claim", 1, 1, mirrors=mirrors)
    assert said in str(caught.value)


def test_the_course_exports_what_chapters_use():
    import lib.course

    for name in ("verify", "within", "at_most", "at_least", "converges_to"):
        assert getattr(lib.course, name) is getattr(verification, name)
