"""What the autodiff engine refuses, and that it says why."""

import numpy as np
import pytest

from lib import autodiff as ad
from lib.autodiff.tensor import Tensor, tensor


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: tensor(["a"]), "numbers"),
        (lambda x: tensor([1.0], dtype=int), "float32 or float64"),
        (lambda x: tensor(1j), "numbers"),
        (lambda x: tensor([1.0, np.nan]), "finite"),
        (lambda x: tensor(1e300, dtype=np.float32), "finite"),
        (lambda x: tensor(x), "detach"),
        (lambda x: x + tensor([1.0], dtype=np.float32), "one type"),
        (lambda x: x + np.ones(2, dtype=np.float32), "one type"),
        (lambda x: ad.concatenate([x, tensor([1.0], dtype=np.float32)]), "one type"),
        (lambda x: x + np.ones(3), r"add: shapes \(2,\) and \(3,\)"),
        (lambda x: x @ tensor(np.ones((3, 2))), "inner sizes"),
        (lambda x: tensor(1.0) @ x, "at least one axis"),
        (lambda x: x.reshape(3), "do not fill"),
        (lambda x: ad.broadcast_to(x, (3, 3)), "cannot be repeated"),
        (lambda x: ad.transpose(x, (0, 0)), "once"),
        (lambda x: ad.concatenate([]), "at least one"),
        (lambda x: ad.concatenate([x, np.ones((2, 2))]), "differ"),
        (lambda x: x[tensor([0.0])], "whole numbers"),
        (lambda x: x.sum(2), "axis"),
        (lambda x: x.sum((0, 0)), "each axis once"),
        (lambda x: x.backward(), "one number"),
        (lambda x: tensor([1.0]).sum().backward(), "requires_grad"),
        (lambda x: (x * 2.0).backward(np.ones(3)), "seed"),
        (lambda x: ad.grad(x.sum(), [tensor(1.0)]), r"inputs\[0\]"),
        (lambda x: ad.grad(x.sum(), [np.ones(2)]), "ndarray"),
        (lambda x: ad.log(x - 5.0), "> 0"),
        (lambda x: ad.sqrt(x - 5.0), ">= 0"),
        (lambda x: x / (x - 1.0), "no zero"),
        (lambda x: (x - 5.0) ** 0.5, "base >= 0"),
        (lambda x: (x - 1.0) ** -1, "other than 0"),
        (lambda x: x ** [2.0], "exponent"),
        (lambda x: x ** float("inf"), "finite number"),
        (lambda x: ad.stack([x, x], axis=2), "axis"),
        (lambda x: ad.exp(x * 1000.0), "exp: expected finite results, got inf"),
        (lambda x: x * 1e308 * 10.0, "multiply: expected finite"),
        (lambda x: ad.grad(ad.sqrt(x * 0.0).sum(), [x]), "sqrt: expected entries > 0"),
        (lambda x: ad.grad(((x * 0.0) ** 0.5).sum(), [x]), "other than 0"),
        (lambda x: ad.where([1.0, 0.0], x, x), "True and False"),
        (lambda x: x.item(), "one entry"),
        (lambda x: np.asarray(x), "history"),
        (lambda x: setattr(x, "data", np.ones(5)), "shape"),
        (lambda x: setattr(x, "data", [np.nan, 1.0]), "finite"),
        (lambda x: setattr(x * 2.0, "data", np.ones(2)), "leaf"),
        (lambda x: x.__setitem__(0, 1.0), "never changed in place"),
        (lambda x: ad.mean(tensor(np.ones((0, 2)))), "at least one entry"),
        (lambda x: tensor(np.ones((0, 2))).max(), "at least one entry"),
        (lambda x: ad.logsumexp(np.ones((2, 0))), "at least one entry"),
        (lambda x: ad.pad(x, [(-1, 0)]), "widths"),
        (lambda x: ad.pad(x, [(1, 0), (1, 0)]), "at most 1"),
        (lambda x: ad.windows(x, (3,)), "does not fit"),
        (lambda x: ad.windows(x, (1,), stride=0), "stride"),
        (lambda x: ad.jvp(ad.exp, x, np.ones(3)), "tangents"),
        (lambda x: ad.jvp(ad.exp, (x, x), (x,)), "one for each input"),
        (lambda x: ad.jvp(lambda a: 3.0, x, x), "return a tensor"),
        (lambda x: ad.gradient(ad.exp)(x), "one number"),
        (lambda x: ad.jacobian(ad.exp, x, by="diagonals"), "by"),
    ],
)  # fmt: skip
def test_bad_use_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(tensor([1.0, 2.0], requires_grad=True))


def test_numpy_functions_do_not_swallow_a_tensor():
    with pytest.raises(TypeError, match="ufunc"):
        np.exp(tensor([1.0]))


def test_numpy_arrays_on_the_left_make_tensors():
    x = tensor([1.0, 2.0], requires_grad=True)
    for y in (np.ones(2) + x, np.ones(2) * x, np.ones(2) - x, np.ones(2) / x,
              np.ones((2, 2)) @ x, np.float64(2.0) * x):  # fmt: skip
        assert isinstance(y, Tensor)
        assert y.requires_grad


def test_numbers_and_whole_numbers_take_the_type_of_their_partner():
    x = tensor(np.ones(2, dtype=np.float32))
    for y in (x + 1, x * 0.5, np.arange(2) * x, x * np.float64(2.0), x * True):
        assert y.dtype == np.float32


def test_arrays_cannot_be_changed_behind_the_tape():
    own = np.array([1.0, 2.0])
    x = tensor(own, requires_grad=True)
    other = x * own
    own[:] = 99.0  # the caller's array is the caller's
    np.testing.assert_array_equal(ad.grad(other.sum(), [x])[0].data, [1.0, 2.0])
    np.testing.assert_array_equal(x.data, [1.0, 2.0])
    for locked in (x.data, (x * 2.0).data, x.reshape(2, 1).data, x[:1].data):
        with pytest.raises(ValueError, match="read-only"):
            locked[0] = 5.0


def test_new_values_are_copied_and_old_results_noticed():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    new = np.array([3.0, 4.0])
    x.data = new
    new[:] = 0.0
    np.testing.assert_array_equal(x.data, [3.0, 4.0])
    with pytest.raises(ValueError, match="new values after multiply used it"):
        y.backward()
    (x * x).sum().backward()
    np.testing.assert_array_equal(x.grad.data, [6.0, 8.0])


def test_an_index_or_mask_changed_later_does_not_matter():
    x = tensor([1.0, 2.0, 3.0], requires_grad=True)
    index, mask = np.array([0, 0]), np.array([True, False, True])
    y = x[index].sum() + ad.where(mask, x, 0.0).sum()
    index[:], mask[:] = 2, False
    np.testing.assert_array_equal(ad.grad(y, [x])[0].data, [3.0, 0.0, 1.0])


def test_negative_bases_zero_bases_and_zero_exponents():
    x = tensor([-2.0, 0.0, 3.0], requires_grad=True)
    for p, slope in (
        (3, 3 * x.data**2),
        (2.0, 2 * x.data),
        (1, np.ones(3)),
        (0, np.zeros(3)),
    ):
        np.testing.assert_allclose(ad.grad((x**p).sum(), [x])[0].data, slope)
    positive = tensor([0.0, 4.0], requires_grad=True)
    np.testing.assert_allclose(
        ad.grad((positive**1.5).sum(), [positive])[0].data, [0.0, 3.0]
    )


def test_augmented_assignment_makes_a_new_tensor():
    x = tensor([1.0], requires_grad=True)
    y = x
    y += 1.0
    assert y is not x
    assert x.data[0] == 1.0


def test_comparisons_give_truth_values_and_printing_shows_the_kind():
    x = tensor([1.0, 2.0], requires_grad=True)
    np.testing.assert_array_equal(x > 1.5, [False, True])
    np.testing.assert_array_equal(x <= tensor([1.0, 1.0]), [True, False])
    np.testing.assert_array_equal(x == 2.0, [False, True])
    np.testing.assert_array_equal(x != tensor([1.0, 1.0]), [False, True])
    np.testing.assert_array_equal(ad.where(x == 2.0, 5.0, x).data, [1.0, 5.0])
    assert {x: "a tensor can be a key"}[x]
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert bool(x[0] > 0)
    assert [t.item() for t in x] == [1.0, 2.0]
    with pytest.raises(TypeError, match="length"):
        len(tensor(1.0))
    np.testing.assert_array_equal(np.asarray(tensor([1.0])), [1.0])
