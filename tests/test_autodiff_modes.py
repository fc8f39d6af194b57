"""Both modes, derivatives of functions, checkpointing, schedules, the engine of numbers."""

import heapq
import threading

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import autodiff as ad
from lib.autodiff import scalar, schedules
from lib.autodiff.tensor import tensor


def wavy(x):
    """A smooth map R^d → R^3 with every kind of operation, for ours and torch's tensors."""
    m = ad if isinstance(x, ad.Tensor) else torch
    s = (x * x).sum()
    return m.stack([m.sin(s) * x[0], m.exp(x[0] * x[-1]), m.tanh(x).sum() / (1.0 + s)])


def bumpy(x):
    y = wavy(x)
    return (y * y).sum() * x[0] + y[1]


def points(seed, d):
    rng = np.random.default_rng([seed, d])
    return rng.normal(size=d), rng.normal(size=d)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), d=st.integers(1, 6))
def test_jacobians_hessians_and_products_equal_torchs(seed, d):
    x, v = points(seed, d)
    X, V = torch.tensor(x), torch.tensor(v)
    J = torch.func.jacrev(wavy)(X).numpy()
    for by in (None, "rows", "columns"):
        np.testing.assert_allclose(
            ad.jacobian(wavy, x, by=by).data, J, rtol=1e-9, atol=1e-11
        )
    y, pull = ad.vjp(wavy, x)
    seedling = np.arange(1.0, 4.0)
    np.testing.assert_allclose(pull(seedling).data, seedling @ J, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(ad.jvp(wavy, x, v)[1].data, J @ v, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(y.data, wavy(X).numpy(), rtol=1e-12)
    H = torch.func.hessian(bumpy)(X).numpy()
    np.testing.assert_allclose(ad.hessian(bumpy, x).data, H, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ad.hvp(bumpy, x, v).data, H @ v, rtol=1e-8, atol=1e-9)
    third = torch.func.jvp(lambda p: torch.func.hessian(bumpy)(p) @ V, (X,), (V,))[1]
    ours = ad.jvp(lambda p: ad.hvp(bumpy, p, v), x, v)[1]
    np.testing.assert_allclose(ours.data, third.numpy(), rtol=1e-7, atol=1e-7)


def test_all_ways_to_a_second_derivative_agree():
    x, v = points(3, 4)
    H = ad.hessian(bumpy, x).data
    leaf = tensor(x, requires_grad=True)
    (g,) = ad.grad(bumpy(leaf), [leaf], create_graph=True)
    reverse_reverse = ad.grad(g, [leaf], v)[0].data
    along = ad.jvp(bumpy, leaf, v)[1]
    reverse_forward = ad.grad(along, [leaf])[0].data
    forward_forward = ad.jvp(lambda p: ad.jvp(bumpy, p, v)[1], x, v)[1].data
    np.testing.assert_allclose(reverse_reverse, H @ v, rtol=1e-9)
    np.testing.assert_allclose(reverse_forward, H @ v, rtol=1e-9)
    np.testing.assert_allclose(forward_forward, v @ H @ v, rtol=1e-9)
    of_function = ad.grad(ad.gradient(bumpy)(leaf), [leaf], v)[0].data
    np.testing.assert_allclose(of_function, H @ v, rtol=1e-9)
    by_rows = ad.jacobian(ad.gradient(bumpy), x, by="rows").data
    np.testing.assert_allclose(by_rows, H, rtol=1e-9)


def test_shapes_of_jacobians_of_matrices():
    x = np.random.default_rng(0).normal(size=(2, 3))
    J = ad.jacobian(lambda a: (a @ a.T)[0], x).data
    expected = torch.func.jacrev(lambda a: (a @ a.T)[0])(torch.tensor(x))
    np.testing.assert_allclose(J, expected.numpy(), atol=1e-12)
    assert ad.jacobian(lambda a: a.sum(0), np.ones((0, 2))).shape == (2, 0, 2)


def test_nested_forward_mode_does_not_confuse_its_perturbations():
    # d/dx (x · d/dy (x + y)) = 1; an engine with one kind of ε says 2
    def inner(x):
        return x * ad.jvp(lambda y: x + y, 1.0, 1.0)[1]

    assert ad.jvp(inner, 1.0, 1.0)[1].item() == 1.0


def test_a_constant_function_has_zero_derivatives():
    x = np.ones(2)
    for f in (lambda a: tensor(3.0), lambda a: a.detach().sum()):
        np.testing.assert_array_equal(ad.gradient(f)(x).data, np.zeros(2))
        assert ad.jvp(f, x, x)[1].item() == 0.0
    np.testing.assert_array_equal(
        ad.hessian(lambda a: 2.0 * a.sum(), x).data, np.zeros((2, 2))
    )


def test_forward_mode_keeps_no_history():
    y, t = ad.jvp(wavy, np.ones(3), np.ones(3))
    assert y.parents == ()
    assert t.parents == ()


def test_a_value_used_twice_collects_both_gradients():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    (y * y + y).sum().backward()
    np.testing.assert_allclose(x.grad.data, 4 * x.data**3 + 2 * x.data)
    (x * 3.0).sum().backward()
    np.testing.assert_allclose(x.grad.data, 4 * x.data**3 + 2 * x.data + 3)


def test_gradients_of_inner_values_repeated_inputs_and_bystanders():
    x, other = tensor(2.0, requires_grad=True), tensor(5.0, requires_grad=True)
    h = x * x
    y = h * h
    by_h, by_x, again, none = ad.grad(y, [h, x, x, other])
    assert (by_h.item(), by_x.item(), again.item(), none.item()) == (8, 32, 32, 0)
    assert ad.grad(y, [y])[0].item() == 1.0


def test_only_what_leads_to_the_inputs_is_pulled_back():
    x, w = (
        tensor(np.ones(3), requires_grad=True),
        tensor(np.ones(3), requires_grad=True),
    )
    y = (ad.exp(w) * x).sum()
    with ad.tally() as operations:
        ad.grad(y, [x])
    assert "exp" not in dict(operations)
    assert len(operations) <= 3


def test_a_long_history_needs_no_recursion():
    x = tensor(1.0, requires_grad=True)
    y = x
    for _ in range(5000):
        y = y * 1.0001
    y.backward()
    assert x.grad.item() == pytest.approx(1.0001**5000)


def test_no_grad_records_nothing_and_only_in_its_own_thread():
    x, seen = tensor([1.0], requires_grad=True), []
    with ad.no_grad():
        y = x * 2.0
        thread = threading.Thread(target=lambda: seen.append((x * 2.0).requires_grad))
        thread.start()
        thread.join()
    assert not y.requires_grad
    assert y.parents == ()
    assert seen == [True]
    assert (x * 2.0).requires_grad


def test_a_finished_graph_is_freed_without_the_garbage_collector():
    import gc
    import weakref

    gc.disable()
    try:
        x = tensor(np.ones(4), requires_grad=True)
        y = ad.softmax(ad.tanh(ad.exp(x) / 3.0)).sum()
        inner = weakref.ref(y.parents[0])
        ad.grad(y, [x])
        del y
        assert inner() is None
    finally:
        gc.enable()


class Chain:
    """Blocks of a deep network that count how often they are evaluated."""

    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.weights = [
            tensor(0.4 * rng.normal(size=(5, 5)), requires_grad=True) for _ in range(n)
        ]
        self.evaluations = 0

    def block(self, h, w):
        self.evaluations += 1
        return ad.tanh(h @ w.T) + h

    def run(self, x, weights):
        for w in weights:
            x = self.block(x, w)
        return x


@pytest.mark.parametrize("segment", [1, 2, 3, 6])
def test_checkpointing_changes_costs_but_no_gradient(segment):
    chain, x = Chain(6), np.random.default_rng(1).normal(size=(4, 5))
    plain = (chain.run(tensor(x), chain.weights) ** 2).sum()
    expected = ad.grad(plain, chain.weights)
    assert chain.evaluations == 6
    h = tensor(x)
    for i in range(0, 6, segment):
        h = ad.checkpoint(
            lambda a, *w: chain.run(a, w), h, *chain.weights[i : i + segment]
        )
    short = (h**2).sum()
    assert ad.stored(short)[0] < ad.stored(plain)[0]
    for p, q in zip(ad.grad(short, chain.weights), expected, strict=True):
        np.testing.assert_array_equal(p.data, q.data)
    assert chain.evaluations == 6 + 12


def test_checkpoints_can_be_differentiated_twice_and_in_both_modes():
    def plain(a):
        return ad.exp(ad.sin(a) * a)

    x, v = points(0, 4)
    H = ad.hessian(lambda a: plain(a).sum(), x).data
    inside = ad.hessian(lambda a: ad.checkpoint(plain, a).sum(), x).data
    np.testing.assert_allclose(inside, H, rtol=1e-12)
    leaf = tensor(x, requires_grad=True)
    (g,) = ad.grad(ad.checkpoint(plain, leaf).sum(), [leaf], create_graph=True)
    np.testing.assert_allclose(ad.grad(g, [leaf], v)[0].data, H @ v, rtol=1e-10)
    ours = ad.jvp(lambda a: ad.checkpoint(plain, a), x, v)[1].data
    np.testing.assert_array_equal(ours, ad.jvp(plain, x, v)[1].data)


def test_a_checkpoint_can_be_asked_again_with_the_same_seed():
    a, b = tensor(2.0, requires_grad=True), tensor(3.0, requires_grad=True)
    y, seed = ad.checkpoint(lambda a, b: a * a * b, a, b), tensor(1.0)
    for _ in range(2):  # by one of two inputs: the part of the other is left over
        assert ad.grad(y, [a], seed)[0].item() == 12.0
    (by_b,) = ad.grad(y, [b], seed, create_graph=True)
    assert ad.grad(by_b, [a])[0].item() == 4.0


def test_checkpoints_refuse_what_would_give_wrong_gradients():
    x, w = tensor([1.0], requires_grad=True), tensor([2.0], requires_grad=True)
    with pytest.raises(ValueError, match="pass it as an input"):
        ad.checkpoint(lambda a: a * w, x).sum().backward()
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="not deterministic"):
        ad.checkpoint(lambda a: a * rng.normal(), x).sum().backward()


def exhaustive(n, slots):
    """Return the fewest advances by searching all orders of keeping, dropping and advancing."""
    start = (
        n,
        0,
        frozenset(),
    )  # steps left, where we stand (state number), states kept
    queue, seen = [(0, 0, start)], set()
    ticket = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in seen:
            continue
        seen.add(state)
        left, here, kept = state
        if left == 0:
            return cost
        moves = [(0, (left, other, kept)) for other in kept]  # go back to a kept state
        if here == left - 1:  # the input of the last step is at hand: reverse it
            moves.append((0, (left - 1, here, kept)))
        if here < left - 1:
            moves.append((1, (left, here + 1, kept)))
        if len(kept) < slots:
            moves.append((0, (left, here, kept | {here})))
        moves += [(0, (left, here, kept - {other})) for other in kept]
        for price, new in moves:
            ticket += 1
            heapq.heappush(queue, (cost + price, ticket, new))
    raise AssertionError("no schedule found")


@pytest.mark.parametrize("slots", [1, 2, 3])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_the_best_schedule_is_best_among_all(n, slots):
    assert schedules.fewest_advances(n, slots) == exhaustive(n, slots)


def test_closed_form_of_the_best_schedule():
    for slots in range(1, 7):
        for n in range(1, 80):
            ours = schedules.fewest_advances(n, slots)
            assert ours == schedules.closed_form(n, slots)


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 12), slots=st.integers(1, 5))
def test_chain_gradients_cost_what_the_schedule_says(n, slots):
    chain, x = Chain(n), np.random.default_rng(1).normal(size=(2, 5))
    fixed = [w.detach() for w in chain.weights]
    steps = [lambda h, w=w: chain.block(h, w) for w in fixed]
    leaf = tensor(x, requires_grad=True)
    expected = ad.grad(chain.run(leaf, chain.weights), [leaf], np.ones((2, 5)))[0]
    chain.evaluations = 0
    ours = schedules.chain_gradient(steps, x, np.ones((2, 5)), slots=slots)
    np.testing.assert_allclose(ours.data, expected.data, rtol=1e-12)
    assert chain.evaluations == n + schedules.fewest_advances(n, slots)


def test_the_engine_of_single_numbers_agrees():
    tape = scalar.Tape()
    rng = np.random.default_rng(2)
    xs = [tape.write(float(v)) for v in rng.normal(size=3)]
    a, b, c = xs
    y = scalar.tanh(a * b - 2.0) / (1.0 + scalar.exp(c)) + scalar.sin(a) * scalar.cos(b)
    y = y + scalar.log(1.0 + c * c) - 3.0 / (2.0 - a * a * 0.1) + scalar.relu(b)
    y = y + scalar.dot([a, b], [c, 2.0])
    X = torch.tensor([v.value for v in xs], dtype=torch.float64, requires_grad=True)
    p, q, r = X
    z = torch.tanh(p * q - 2.0) / (1.0 + torch.exp(r)) + torch.sin(p) * torch.cos(q)
    z = z + torch.log(1.0 + r * r) - 3.0 / (2.0 - p * p * 0.1) + torch.relu(q)
    z = z + p * r + 2.0 * q
    assert y.value == pytest.approx(z.item(), rel=1e-12)
    z.backward()
    ours = [tape.gradients(y)[v.place] for v in xs]
    np.testing.assert_allclose(ours, X.grad.numpy(), rtol=1e-12)
    with pytest.raises(ValueError, match="two"):
        a * scalar.Tape().write(1.0)
    with pytest.raises(ValueError, match="denominator"):
        a / 0.0
    with pytest.raises(ValueError, match="this tape"):
        scalar.Tape().gradients(a)
