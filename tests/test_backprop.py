"""Backpropagation against torch, against finite differences, and against itself in other forms."""

import itertools

import numpy as np
import pytest
import torch

from lib.autodiff import grad, tensor
from lib.autodiff import sigmoid as engine_sigmoid
from lib.backprop import (
    ACTIVATIONS,
    Activation,
    Network,
    activation,
    backward,
    binary_cross_entropy,
    cross_entropy,
    errors,
    half_squared,
    loss_and_gradients,
    mean_over_samples,
    one_sample,
    one_sample_by_index,
    start_network,
)
from lib.backprop.losses import Loss
from lib.differences import gradient, relative_error

TORCH_PHI = {
    "identity": lambda z: z,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "softplus": torch.nn.functional.softplus,
}


def random_network(seed: int, dtype: type = np.float64) -> tuple[Network, np.ndarray]:
    """Return a network of random depth, widths and activations, and inputs for it."""
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, 7, size=rng.integers(2, 7))
    names = rng.choice(list(ACTIVATIONS), size=len(widths) - 1)
    weights = [rng.normal(size=(o, i)) for i, o in itertools.pairwise(widths)]
    biases = [rng.normal(size=o) for o in widths[1:]]
    net = Network(
        tuple(W.astype(dtype) for W in weights),
        tuple(b.astype(dtype) for b in biases),
        tuple(names),
    )
    return net, rng.normal(size=(rng.integers(1, 9), widths[0])).astype(dtype)


def random_targets(net: Network, n: int, kind: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng([seed, 7])
    if kind == "squared":
        return rng.normal(size=(n, net.widths[-1]))
    if kind == "binary":
        return rng.integers(0, 2, size=(n, net.widths[-1])).astype(float)
    return rng.integers(0, net.widths[-1], size=n)


LOSSES: dict[str, Loss] = {
    "squared": half_squared,
    "binary": binary_cross_entropy,
    "classes": cross_entropy,
}


def torch_gradients(net: Network, X: np.ndarray, y: np.ndarray, kind: str):
    parameters = [torch.tensor(p, requires_grad=True) for p in net.parameters()]
    A = torch.tensor(X)
    for W, b, phi in zip(
        parameters[::2], parameters[1::2], net.activations, strict=True
    ):
        A = TORCH_PHI[phi.name](torch.nn.functional.linear(A, W, b))
    functional = torch.nn.functional
    if kind == "squared":
        value = 0.5 * ((A - torch.tensor(y)) ** 2).sum(dim=1).mean()
    elif kind == "binary":
        target = torch.tensor(y, dtype=A.dtype)
        value = functional.binary_cross_entropy_with_logits(A, target, reduction="sum")
        value = value / len(X)
    else:
        value = functional.cross_entropy(A, torch.tensor(y))
    return value.item(), [g.numpy() for g in torch.autograd.grad(value, parameters)]


@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize("seed", range(12))
def test_batch_form_equals_torch(seed, kind):
    net, X = random_network(seed)
    y = random_targets(net, len(X), kind, seed)
    value, ours = loss_and_gradients(net, X, y, LOSSES[kind])
    reference, theirs = torch_gradients(net, X, y, kind)
    assert value == pytest.approx(reference, rel=1e-12, abs=1e-13)
    for g, t in zip(ours.parameters(), theirs, strict=True):
        np.testing.assert_allclose(g, t, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_single_precision_stays_single_and_close_to_torch(seed):
    net, X = random_network(seed, np.float32)
    y = random_targets(net, len(X), "squared", seed).astype(np.float32)
    _, ours = loss_and_gradients(net, X, y, half_squared)
    _, theirs = torch_gradients(net, X, y, "squared")
    for g, t in zip(ours.parameters(), theirs, strict=True):
        assert g.dtype == np.float32
        np.testing.assert_allclose(g, t, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("by_index", [False, True])
def test_sample_by_sample_equals_batch(seed, by_index):
    net, X = random_network(seed)
    for kind, loss in LOSSES.items():
        y = random_targets(net, len(X), kind, seed)
        value, batch = loss_and_gradients(net, X, y, loss)
        looped, loop = mean_over_samples(net, X, y, loss, by_index=by_index)
        assert looped == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(
            loop.vector(), batch.vector(), rtol=1e-10, atol=1e-12
        )


@pytest.mark.parametrize("seed", range(5))
def test_errors_are_derivatives_by_the_pre_activations(seed):
    # Shift z of one layer by s and run the rest of the network: ∂𝓛/∂s at s = 0 is Δ.
    net, X = random_network(seed + 20)
    y = random_targets(net, len(X), "squared", seed)
    trace = net.forward(X)
    deltas = errors(net, trace, half_squared(y, trace.output)[1])
    for layer in range(net.depth):

        def shifted(s, layer=layer):
            A = net.activations[layer].value(trace.pre_activations[layer] + s)
            for W, b, phi in zip(
                net.weights[layer + 1 :],
                net.biases[layer + 1 :],
                net.activations[layer + 1 :],
                strict=True,
            ):
                A = phi.value(A @ W.T + b)
            return float(half_squared(y, A)[0].sum())

        numeric = gradient(shifted, np.zeros_like(deltas[layer]))
        assert relative_error(deltas[layer], numeric) < 1e-6


def test_agrees_with_our_own_engine():
    net, X = random_network(3)
    net = Network(net.weights, net.biases, ("sigmoid",) * net.depth)
    y = random_targets(net, len(X), "squared", 3)
    parameters = [tensor(p, requires_grad=True) for p in net.parameters()]
    A = tensor(X)
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        A = engine_sigmoid(A @ W.T + b)
    value = ((A - tensor(y)) * (A - tensor(y))).sum() * (0.5 / len(X))
    _, ours = loss_and_gradients(net, X, y, half_squared)
    for g, t in zip(ours.parameters(), grad(value, parameters), strict=True):
        np.testing.assert_allclose(g, t.data, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slopes_of_activations(name):
    phi = activation(name)
    z = np.linspace(-4, 4, 30)  # not 0: relu has a kink there
    numeric = (phi.value(z + 1e-6) - phi.value(z - 1e-6)) / 2e-6
    np.testing.assert_allclose(phi.slope(z, phi.value(z)), numeric, atol=1e-8)
    for extreme in (-1000.0, 1000.0):
        with np.errstate(over="raise", invalid="raise"):
            a = phi.value(np.array([extreme]))
            assert np.isfinite(phi.slope(np.array([extreme]), a)).all()


def test_relu_at_its_kink_has_torchs_slope():
    z = np.array([0.0])
    t = torch.tensor(z, requires_grad=True)
    torch.relu(t).sum().backward()
    assert activation("relu").slope(z, z)[0] == float(t.grad[0])


def test_vector_and_back():
    net, X = random_network(8)
    again = net.at(net.vector())
    np.testing.assert_array_equal(again(X), net(X))
    moved = net.at(net.vector() + 0.1)
    assert not np.allclose(moved(X), net(X))
    _, g = loss_and_gradients(
        net, X, random_targets(net, len(X), "squared", 0), half_squared
    )
    assert [p.shape for p in g.parameters()] == [p.shape for p in net.parameters()]
    assert g.vector().shape == net.vector().shape


def test_inputs_are_left_alone():
    net, X = random_network(2)
    before, copy = net.vector(), X.copy()
    loss_and_gradients(net, X, random_targets(net, len(X), "squared", 2), half_squared)
    np.testing.assert_array_equal(net.vector(), before)
    np.testing.assert_array_equal(X, copy)


def test_start_keeps_the_size_of_signals():
    net = start_network((400, 400, 400, 400), np.random.default_rng(0))
    X = np.random.default_rng(1).normal(size=(200, 400))
    for Z in net.forward(X).pre_activations[:-1]:
        assert 1.6 < np.mean(Z**2) < 2.4  # variance 2: half of it survives ReLU
    assert all(not b.any() for b in net.biases)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": (np.ones((2, 3)), np.ones((1, 3)))}, r"weights\[1\]: expected 2"),
        ({"biases": (np.ones(3), np.ones(1))}, r"biases\[0\]: expected shape \(2,\)"),
        ({"biases": (np.ones(2),)}, "as many weights, biases and activations"),
        ({"activations": ("tanh", "swish")}, "activation: expected one of"),
        ({"weights": (np.full((2, 3), np.nan), np.ones((1, 2)))}, "finite"),
        ({"weights": (np.ones(3), np.ones((1, 2)))}, r"expected shape \(out, in\)"),
        ({"biases": (np.ones(2, np.float32), np.ones(1))}, "one precision"),
        ({"weights": (np.array([["a"]]), np.ones((1, 2)))}, "real numbers"),
    ],
)
def test_networks_that_do_not_fit(change, message):
    parts = {
        "weights": (np.ones((2, 3)), np.ones((1, 2))),
        "biases": (np.ones(2), np.ones(1)),
        "activations": ("tanh", "identity"),
    } | change
    with pytest.raises(ValueError, match=message):
        Network(**parts)


def test_bad_input_is_refused():
    net = start_network((3, 2, 1), np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"X: expected shape \(n, 3\), got \(4, 2\)"):
        net(np.ones((4, 2)))
    with pytest.raises(ValueError, match=r"X: expected shape \(n, 3\), got \(3,\)"):
        net(np.ones(3))
    with pytest.raises(ValueError, match="X: expected finite"):
        net(np.array([[1.0, np.inf, 0.0]]))
    with pytest.raises(ValueError, match="output_slope"):
        backward(net, net.forward(np.ones((4, 3))), np.ones(4))
    with pytest.raises(ValueError, match="theta: expected shape"):
        net.at(np.zeros(3))
    with pytest.raises(ValueError, match="widths"):
        start_network((3,), np.random.default_rng(0))
    with pytest.raises(ValueError, match="y: expected 1 column, got 2"):
        loss_and_gradients(net, np.ones((4, 3)), np.ones((4, 2)), half_squared)
    with pytest.raises(ValueError, match="one target for each"):
        mean_over_samples(net, np.ones((4, 3)), np.ones((3, 1)), half_squared)


def test_one_sample_forms_take_one_sample():
    net, X = random_network(5)
    y = random_targets(net, len(X), "squared", 5)
    _, a = one_sample(net, X[0], y[0], half_squared)
    _, b = one_sample_by_index(net, X[0], y[0], half_squared)
    _, c = loss_and_gradients(net, X[:1], y[:1], half_squared)
    np.testing.assert_allclose(a.vector(), c.vector(), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(b.vector(), c.vector(), rtol=1e-12, atol=1e-13)


def test_an_activation_of_ones_own():
    cube = Activation("cube", lambda z: z**3, lambda z, a: 3 * z**2)
    rng = np.random.default_rng(4)
    net = start_network((2, 3, 1), rng, hidden=cube)
    X, y = rng.normal(size=(5, 2)), rng.normal(size=(5, 1))
    _, g = loss_and_gradients(net, X, y, half_squared)
    numeric = gradient(
        lambda t: float(half_squared(y, net.at(t)(X))[0].mean()), net.vector()
    )
    assert relative_error(g.vector(), numeric) < 1e-8
