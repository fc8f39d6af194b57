"""The autodiff engine, operation by operation, against torch: values, slopes, second slopes."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import autodiff as ad
from lib.autodiff import elementwise, shapes
from lib.autodiff.reverse import grad
from lib.autodiff.tensor import Tensor, no_grad, tensor

SMOOTH = {  # name: ours, torch's; both take tensors of shapes that broadcast
    "add": (elementwise.add, torch.add),
    "subtract": (elementwise.subtract, torch.subtract),
    "multiply": (elementwise.multiply, torch.multiply),
    "divide": (lambda a, b: a / (b * b + 1.0), lambda a, b: a / (b * b + 1.0)),
    "power": (
        lambda a, b: (a * a + 1.0) ** 1.7 + b,
        lambda a, b: (a * a + 1.0) ** 1.7 + b,
    ),
    "cube": (lambda a, b: a**3 * b, lambda a, b: a**3 * b),
    "exp": (lambda a, b: ad.exp(a) * b, lambda a, b: torch.exp(a) * b),
    "log": (
        lambda a, b: ad.log(a * a + 0.5) * b,
        lambda a, b: torch.log(a * a + 0.5) * b,
    ),
    "sqrt": (
        lambda a, b: ad.sqrt(a * a + 0.5) * b,
        lambda a, b: torch.sqrt(a * a + 0.5) * b,
    ),
    "sin": (
        lambda a, b: ad.sin(a) * ad.cos(b),
        lambda a, b: torch.sin(a) * torch.cos(b),
    ),
    "tanh": (lambda a, b: ad.tanh(a * b), lambda a, b: torch.tanh(a * b)),
    "sigmoid": (lambda a, b: ad.sigmoid(a * b), lambda a, b: torch.sigmoid(a * b)),
    "maximum": (
        lambda a, b: ad.maximum(a, b) * a,
        lambda a, b: torch.maximum(a, b) * a,
    ),
    "minimum": (
        lambda a, b: ad.minimum(a, b) * a,
        lambda a, b: torch.minimum(a, b) * a,
    ),
    "relu": (lambda a, b: ad.relu(a) * b, lambda a, b: torch.relu(a) * b),
    "absolute": (lambda a, b: ad.absolute(a) * b, lambda a, b: torch.abs(a) * b),
    "reflected": (
        lambda a, b: 2.0 / (a * a + 1.0) - b,
        lambda a, b: 2.0 / (a * a + 1.0) - b,
    ),
}
SHAPED = {  # operations on one tensor of shape (2, 3, 4)
    "sum": (lambda a: a.sum(), lambda a: a.sum()),
    "sum axis": (lambda a: a.sum(1), lambda a: a.sum(1)),
    "sum axes": (lambda a: a.sum((0, 2), True), lambda a: a.sum((0, 2), True)),
    "mean": (lambda a: a.mean(-1), lambda a: a.mean(-1)),
    "max": (lambda a: a.max(1), lambda a: a.amax(1)),
    "reshape": (lambda a: a.reshape(4, 6), lambda a: a.reshape(4, 6)),
    "transpose": (lambda a: ad.transpose(a, (2, 0, 1)), lambda a: a.permute(2, 0, 1)),
    "slice": (lambda a: a[:, 1:, ::2], lambda a: a[:, 1:, ::2]),
    "fancy": (
        lambda a: a[np.array([0, 1, 0]), np.array([2, 2, 2])],
        lambda a: a[torch.tensor([0, 1, 0]), torch.tensor([2, 2, 2])],
    ),
    "concatenate": (
        lambda a: ad.concatenate([a, a * 2.0], axis=1),
        lambda a: torch.cat([a, a * 2.0], dim=1),
    ),
    "broadcast": (
        lambda a: ad.broadcast_to(a[:, :1], (5, 2, 3, 4)),
        lambda a: a[:, :1].expand(5, 2, 3, 4),
    ),
    "softmax": (lambda a: ad.softmax(a, 1), lambda a: torch.softmax(a, 1)),
    "log_softmax": (lambda a: ad.log_softmax(a), lambda a: torch.log_softmax(a, -1)),
    "logsumexp": (
        lambda a: ad.logsumexp(a * 50.0, 0),
        lambda a: torch.logsumexp(a * 50.0, 0),
    ),
}


def compare(ours, theirs, arrays, seed=0):
    """Values, gradients and gradients of the squared gradient agree."""
    weight = np.random.default_rng([seed, 9])
    a = [tensor(x, requires_grad=True) for x in arrays]
    b = [torch.tensor(x, requires_grad=True) for x in arrays]
    y, z = ours(*a), theirs(*b)
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=1e-10, atol=1e-12)
    w = weight.normal(size=y.shape)
    first = grad((y * y * w).sum(), a, create_graph=True)
    first_torch = torch.autograd.grad(
        (z * z * torch.tensor(w)).sum(), b, create_graph=True
    )
    for p, q in zip(first, first_torch, strict=True):
        np.testing.assert_allclose(p.data, q.detach().numpy(), rtol=1e-8, atol=1e-10)
    total = sum(((g * g).sum() for g in first), start=tensor(0.0))
    total_torch = sum((g * g).sum() for g in first_torch)
    if total_torch.requires_grad:
        second = grad(total, a)
        second_torch = torch.autograd.grad(total_torch, b, allow_unused=True)
        for p, q in zip(second, second_torch, strict=True):
            expected = np.zeros(p.shape) if q is None else q.numpy()
            np.testing.assert_allclose(p.data, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", SMOOTH)
@settings(max_examples=10, deadline=None)
@given(
    shapes=st.sampled_from(
        [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((2, 1), (1, 4)),
            ((), (2, 2)),
            ((4, 1, 2), (3, 1)),
        ]
    ),
    seed=st.integers(0, 999),
)
def test_binary_operations(name, shapes, seed):
    rng = np.random.default_rng(seed)
    compare(*SMOOTH[name], [rng.normal(size=s) for s in shapes], seed)


@pytest.mark.parametrize("name", SHAPED)
def test_operations_on_shapes(name):
    compare(*SHAPED[name], [np.random.default_rng(1).normal(size=(2, 3, 4))])


@pytest.mark.parametrize(
    "sizes",
    [((3, 4), (4, 2)), ((4,), (4, 2)), ((3, 4), (4,)), ((4,), (4,)), ((5, 3, 4), (5, 4, 2)),
     ((5, 3, 4), (4, 2)), ((2, 1, 3, 4), (5, 4, 2))],
)  # fmt: skip
def test_matrix_products(sizes):
    rng = np.random.default_rng(2)
    compare(lambda a, b: a @ b, lambda a, b: a @ b, [rng.normal(size=s) for s in sizes])


def test_a_value_used_twice_collects_both_gradients():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    (y * y + y).sum().backward()
    np.testing.assert_allclose(x.grad.data, 4 * x.data**3 + 2 * x.data)
    (x * 3.0).sum().backward()
    np.testing.assert_allclose(x.grad.data, 4 * x.data**3 + 2 * x.data + 3)


def test_a_long_history_needs_no_recursion():
    x = tensor(1.0, requires_grad=True)
    y = x
    for _ in range(5000):
        y = y * 1.0001
    y.backward()
    assert x.grad.item() == pytest.approx(1.0001**5000)


def test_no_grad_records_nothing():
    x = tensor([1.0], requires_grad=True)
    with no_grad():
        y = x * 2.0
    assert not y.requires_grad
    assert y.parents == ()
    assert (x * 2.0).requires_grad


def test_arrays_cannot_be_changed_behind_the_tape():
    x = tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ValueError, match="read-only"):
        x.data[0] = 5.0
    y = (x * x).sum()
    x.data = np.array([3.0, 4.0])
    with pytest.raises(ValueError, match="new values after it was used"):
        y.backward()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: tensor(["a"]), "numbers"),
        (lambda x: tensor([1.0], dtype=int), "float32 or float64"),
        (lambda x: tensor(x), "detach"),
        (lambda x: x + tensor([1.0], dtype=np.float32), "one type"),
        (lambda x: x @ tensor(np.ones((3, 2))), "inner sizes"),
        (lambda x: shapes.matmul(tensor(1.0), x), "at least one axis"),
        (lambda x: x.backward(), "one number"),
        (lambda x: tensor([1.0]).sum().backward(), "requires_grad"),
        (lambda x: (x * 2.0).backward(np.ones(3)), "seed"),
        (lambda x: x.sum(2), "axis"),
        (lambda x: ad.log(x - 5.0), "> 0"),
        (lambda x: x ** tensor([2.0]), "exponent"),
        (lambda x: x.item(), "one entry"),
        (lambda x: setattr(x, "data", np.ones(5)), "shape"),
        (lambda x: setattr(x * 2.0, "data", np.ones(2)), "leaf"),
        (
            lambda x: ad.mean(tensor(np.ones((0, 2)), requires_grad=True)),
            "at least one entry",
        ),
    ],
)
def test_bad_use_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(tensor([1.0, 2.0], requires_grad=True))


def test_numpy_arrays_on_the_left_make_tensors():
    x = tensor([1.0, 2.0], requires_grad=True)
    for y in (np.ones(2) + x, np.ones(2) * x, np.ones(2) - x, np.ones((2, 2)) @ x):
        assert isinstance(y, Tensor)
        assert y.requires_grad
