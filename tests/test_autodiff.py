"""The autodiff engine, operation by operation, against torch.

Values, gradients, gradients of gradients (reverse over reverse) and tangents (forward mode).
"""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import autodiff as ad
from lib.autodiff import elementwise
from lib.autodiff.tensor import tensor

BINARY = {  # name: ours, torch's; both take tensors of shapes that broadcast
    "add": (elementwise.add, torch.add),
    "subtract": (elementwise.subtract, torch.subtract),
    "multiply": (elementwise.multiply, torch.multiply),
    "divide": (lambda a, b: a / (b * b + 1.0), lambda a, b: a / (b * b + 1.0)),
    "power": (
        lambda a, b: (a * a + 1.0) ** 1.7 + b,
        lambda a, b: (a * a + 1.0) ** 1.7 + b,
    ),
    "square": (lambda a, b: a**2 * b, lambda a, b: a**2 * b),
    "cube": (lambda a, b: a**3 * b, lambda a, b: a**3 * b),
    "negative power": (
        lambda a, b: (a * a + 0.5) ** -2 * b,
        lambda a, b: (a * a + 0.5) ** -2 * b,
    ),
    "variable power": (
        lambda a, b: (a * a + 0.5) ** b,
        lambda a, b: (a * a + 0.5) ** b,
    ),
    "base": (lambda a, b: 2.0**a * b, lambda a, b: 2.0**a * b),
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
    "where": (
        lambda a, b: ad.where((a * b) > 0.1, a * a, b * a),
        lambda a, b: torch.where(a * b > 0.1, a * a, b * a),
    ),
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
    "mean of all": (lambda a: a.mean(), lambda a: a.mean()),
    "max": (lambda a: a.max(1), lambda a: a.amax(1)),
    "max axes": (lambda a: a.max((0, 2), True), lambda a: a.amax((0, 2), True)),
    "reshape": (lambda a: a.reshape(4, 6), lambda a: a.reshape(4, 6)),
    "transpose": (lambda a: ad.transpose(a, (2, 0, 1)), lambda a: a.permute(2, 0, 1)),
    "T": (lambda a: a.T, lambda a: a.permute(2, 1, 0)),
    "slice": (lambda a: a[:, 1:, ::2], lambda a: a[:, 1:, ::2]),
    "new axis": (lambda a: a[0, None, ..., 1], lambda a: a[0, None, ..., 1]),
    "fancy": (
        lambda a: a[np.array([0, 1, 0]), np.array([2, 2, 2])],
        lambda a: a[torch.tensor([0, 1, 0]), torch.tensor([2, 2, 2])],
    ),
    "list": (lambda a: a[:, [1, 1, 0]], lambda a: a[:, [1, 1, 0]]),
    "rows": (lambda a: ad.stack(list(a), 1), lambda a: torch.stack(list(a), 1)),
    "concatenate": (
        lambda a: ad.concatenate([a, a * 2.0], axis=-1),
        lambda a: torch.cat([a, a * 2.0], dim=-1),
    ),
    "stack": (
        lambda a: ad.stack([a, a * a], axis=-1),
        lambda a: torch.stack([a, a * a], dim=-1),
    ),
    "broadcast": (
        lambda a: ad.broadcast_to(a[:, :1], (5, 2, 3, 4)),
        lambda a: a[:, :1].expand(5, 2, 3, 4),
    ),
    "pad": (
        lambda a: ad.pad(a, [(1, 2), (0, 3)]),
        lambda a: torch.nn.functional.pad(a, (0, 3, 1, 2)),
    ),
    "softmax": (lambda a: ad.softmax(a, 1), lambda a: torch.softmax(a, 1)),
    "log_softmax": (lambda a: ad.log_softmax(a), lambda a: torch.log_softmax(a, -1)),
    "logsumexp": (
        lambda a: ad.logsumexp(a * 50.0, 0),
        lambda a: torch.logsumexp(a * 50.0, 0),
    ),
    "logsumexp kept": (
        lambda a: ad.logsumexp(a, 2, keepdims=True),
        lambda a: torch.logsumexp(a, 2, keepdim=True),
    ),
}
SHAPES = st.sampled_from(
    [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 1), (1, 4)),
        ((), (2, 2)),
        ((4, 1, 2), (3, 1)),
        ((1,), ()),
        ((0, 3), (3,)),
    ]
)


def compare(ours, theirs, arrays, seed=0):
    """Values, tangents, gradients and gradients of the squared gradient agree."""
    rng = np.random.default_rng([seed, 9])
    a = [tensor(x, requires_grad=True) for x in arrays]
    b = [torch.tensor(x, requires_grad=True) for x in arrays]
    y, z = ours(*a), theirs(*b)
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=1e-10, atol=1e-12)
    assert y.shape == tuple(z.shape)

    directions = [rng.normal(size=x.shape) for x in arrays]
    value, tangent = ad.jvp(ours, tuple(arrays), tuple(directions))
    _, tangent_torch = torch.func.jvp(
        theirs,
        tuple(torch.tensor(x) for x in arrays),
        tuple(torch.tensor(t) for t in directions),
    )
    np.testing.assert_array_equal(value.data, y.data)
    np.testing.assert_allclose(
        tangent.data, tangent_torch.numpy(), rtol=1e-8, atol=1e-10
    )

    w = rng.normal(size=y.shape)
    first = ad.grad((y * y * w).sum(), a, create_graph=True)
    first_torch = torch.autograd.grad(
        (z * z * torch.tensor(w)).sum(), b, create_graph=True
    )
    for p, q in zip(first, first_torch, strict=True):
        np.testing.assert_allclose(p.data, q.detach().numpy(), rtol=1e-8, atol=1e-10)
    total = sum(((g * g).sum() for g in first), start=tensor(0.0))
    total_torch = sum((g * g).sum() for g in first_torch)
    if total_torch.requires_grad:
        second = ad.grad(total, a)
        second_torch = torch.autograd.grad(total_torch, b, allow_unused=True)
        for p, q in zip(second, second_torch, strict=True):
            expected = np.zeros(p.shape) if q is None else q.numpy()
            np.testing.assert_allclose(p.data, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=12, deadline=None)
@given(shapes=SHAPES, seed=st.integers(0, 999))
def test_operations_entry_by_entry(name, shapes, seed):
    rng = np.random.default_rng(seed)
    compare(*BINARY[name], [rng.normal(size=s) for s in shapes], seed)


@pytest.mark.parametrize("name", SHAPED)
def test_operations_on_shapes(name):
    compare(*SHAPED[name], [np.random.default_rng(1).normal(size=(2, 3, 4))])


@pytest.mark.parametrize(
    "sizes",
    [((3, 4), (4, 2)), ((4,), (4, 2)), ((3, 4), (4,)), ((4,), (4,)), ((5, 3, 4), (5, 4, 2)),
     ((5, 3, 4), (4, 2)), ((2, 1, 3, 4), (5, 4, 2)), ((3, 0), (0, 2)), ((0, 4), (4, 2))],
)  # fmt: skip
def test_matrix_products(sizes):
    rng = np.random.default_rng(2)
    compare(lambda a, b: a @ b, lambda a, b: a @ b, [rng.normal(size=s) for s in sizes])


@settings(max_examples=15, deadline=None)
@given(
    kernel=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    stride=st.integers(1, 3),
    dilation=st.integers(1, 2),
    seed=st.integers(0, 99),
)
def test_windows_and_a_matrix_product_make_a_convolution(
    kernel, stride, dilation, seed
):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(2, 3, 6, 7)), rng.normal(size=(4, 3, *kernel))

    def ours(x, w):
        cut = ad.windows(
            ad.pad(x, [(1, 1), (1, 1)]), kernel, stride=stride, dilation=dilation
        )
        n, c, h, v, k, m = cut.shape
        rows = ad.transpose(cut, (0, 2, 3, 1, 4, 5)).reshape(n * h * v, c * k * m)
        out = rows @ w.reshape(4, c * k * m).T
        return ad.transpose(out.reshape(n, h, v, 4), (0, 3, 1, 2))

    def theirs(x, w):
        return torch.nn.functional.conv2d(
            x, w, stride=stride, padding=1, dilation=dilation
        )

    compare(ours, theirs, [X, W], seed)


def test_windows_along_one_axis():
    def theirs(a):
        return a.unfold(-1, 3, 2)

    x = np.random.default_rng(0).normal(size=(2, 9))
    compare(lambda a: ad.windows(a, (3,), stride=2), theirs, [x])


def test_ties_share_the_slope_as_in_torch():
    x, two = np.array([2.0, 2.0, 1.0]), torch.tensor(2.0, dtype=torch.float64)
    for ours, theirs in (
        (lambda a: a.max(), lambda a: a.amax()),
        (lambda a: ad.maximum(a, 2.0).sum(), lambda a: torch.maximum(a, two).sum()),
        (lambda a: ad.minimum(2.0, a).sum(), lambda a: torch.minimum(two, a).sum()),
        (lambda a: ad.relu(a - 2.0).sum(), lambda a: torch.relu(a - 2.0).sum()),
        (lambda a: ad.absolute(a - 2.0).sum(), lambda a: torch.abs(a - 2.0).sum()),
    ):
        a, b = tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
        ours(a).backward()
        theirs(b).backward()
        np.testing.assert_allclose(a.grad.data, b.grad.numpy())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_training_step_of_a_network_equals_torch(dtype):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(16, 20)).astype(dtype), rng.integers(0, 5, 16)
    start = [
        (0.3 * rng.normal(size=s)).astype(dtype) for s in ((8, 20), (8,), (5, 8), (5,))
    ]
    ours = [tensor(p, requires_grad=True) for p in start]
    theirs = [torch.tensor(p, requires_grad=True) for p in start]
    scores = ad.relu(X @ ours[0].T + ours[1]) @ ours[2].T + ours[3]
    loss = -ad.log_softmax(scores)[np.arange(16), y].mean()
    hidden = torch.relu(torch.tensor(X) @ theirs[0].T + theirs[1])
    loss_torch = torch.nn.functional.cross_entropy(
        hidden @ theirs[2].T + theirs[3], torch.tensor(y)
    )
    assert loss.item() == pytest.approx(loss_torch.item(), rel=1e-5)
    tol = 1e-5 if dtype == np.float32 else 1e-12
    for p, q in zip(
        ad.grad(loss, ours), torch.autograd.grad(loss_torch, theirs), strict=True
    ):
        assert p.dtype == dtype
        np.testing.assert_allclose(p.data, q.numpy(), rtol=tol, atol=tol)


def test_a_precise_sigmoid_at_both_ends():
    x = np.array([-800.0, -40.0, 0.0, 40.0, 800.0])
    y = ad.sigmoid(tensor(x)).data
    np.testing.assert_allclose(y[1], np.exp(-40.0), rtol=1e-12)
    np.testing.assert_array_equal(y[[0, 2, 4]], [0.0, 0.5, 1.0])
