"""VJPs, gradient checks, mistakes, counts, training and the worked example of lib.backprop."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.integrate import quad

from lib.backprop import (
    backward,
    binary_cross_entropy,
    cross_entropy,
    directional_check,
    gradient_check,
    half_squared,
    loss_and_gradients,
    start_network,
    train,
    vjp,
)
from lib.backprop import mistakes as wrong
from lib.backprop.counting import counted_network, predicted_products
from lib.backprop.integrability import asymmetry, work_around_circle
from lib.backprop.training import accuracy
from lib.backprop.worked_example import (
    AS_PRINTED,
    HIDDEN,
    INPUTS,
    LINEAR,
    OUTPUT,
    PRINTED,
    SIGMOID,
    TARGETS,
    network_of,
    tables,
    unannounced_loss,
)
from lib.differences import gradient, jacobian, relative_error

RULES = [
    wrong.no_hidden_slope,
    wrong.transposed_weight,
    wrong.flipped_hidden_biases,
    wrong.own_activations,
    wrong.flipped_first_layer,
]


def small_problem(seed: int = 0, output: str = "identity"):
    rng = np.random.default_rng(seed)
    net = start_network((3, 4, 4, 2), rng, hidden="tanh", output=output)
    net = net.at(net.vector() + 0.3 * rng.normal(size=net.vector().shape))
    return net, rng.normal(size=(6, 3)), rng.normal(size=(6, 2))


# --- vector-Jacobian products --------------------------------------------------------------


def pairs(rng):
    """Yield a name, an operation of our module, the same in torch, and its arguments."""
    n = rng.normal
    yield "add", vjp.add, torch.add, [n(size=(3, 4)), n(size=(4,))]
    yield "add column", vjp.add, torch.add, [n(size=(3, 1)), n(size=(2, 3, 4))]
    yield "add scalar", vjp.add, torch.add, [n(size=(2, 2)), n(size=())]
    yield "multiply", vjp.multiply, torch.mul, [n(size=(3, 4)), n(size=(3, 1))]
    yield "matmul", vjp.matmul, torch.matmul, [n(size=(3, 4)), n(size=(4, 2))]
    yield "transpose", vjp.transpose, lambda a: a.T, [n(size=(3, 4))]
    yield "exp", vjp.exp, torch.exp, [n(size=(5,))]
    yield "log", vjp.log, torch.log, [np.exp(n(size=(2, 3)))]
    yield "total", vjp.total, torch.sum, [n(size=(2, 3))]
    yield "softmax", vjp.softmax, lambda z: z.softmax(-1), [n(size=(3, 5))]
    yield "log_softmax", vjp.log_softmax, lambda z: z.log_softmax(-1), [n(size=(3, 5))]
    yield "tanh", lambda z: vjp.elementwise("tanh", z), torch.tanh, [n(size=(3, 2))]
    labels = rng.integers(0, 4, size=3)
    yield (
        "pick",
        lambda x: vjp.pick(x, labels),
        lambda x: x[torch.arange(3), torch.tensor(labels)],
        [n(size=(3, 4))],
    )


@pytest.mark.parametrize("seed", range(3))
def test_pullbacks_equal_torch(seed):
    rng = np.random.default_rng(seed)
    for name, ours, theirs, arguments in pairs(rng):
        value, pull = ours(*arguments)
        inputs = [torch.tensor(a, requires_grad=True) for a in arguments]
        result = theirs(*inputs)
        np.testing.assert_allclose(value, result.detach(), rtol=1e-12, err_msg=name)
        v = rng.normal(size=np.shape(value))
        expected = torch.autograd.grad(result, inputs, torch.tensor(v))
        for g, t, a in zip(pull(v), expected, arguments, strict=True):
            assert np.shape(g) == np.shape(a), name
            np.testing.assert_allclose(g, t, rtol=1e-10, atol=1e-12, err_msg=name)


def test_pullback_is_vector_times_jacobian():
    rng = np.random.default_rng(1)
    z, v = rng.normal(size=5), rng.normal(size=5)
    J = jacobian(lambda x: vjp.softmax(x)[0], z)
    np.testing.assert_allclose(vjp.softmax(z)[1](v)[0], v @ J, atol=1e-8)


def test_operations_refuse_what_does_not_fit():
    with pytest.raises(ValueError, match="B: expected 3 rows, got 2"):
        vjp.matmul(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="positive"):
        vjp.log(np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="labels"):
        vjp.pick(np.ones((2, 3)), np.array([0, 3]))


# --- gradient checks -----------------------------------------------------------------------


def test_gradient_check_passes_the_right_and_catches_the_wrong():
    net, X, y = small_problem()
    right = gradient_check(net, X, y, half_squared)
    assert set(right) == {"W1", "b1", "W2", "b2", "W3", "b3"}
    assert max(right.values()) < 1e-7
    for rule in RULES:
        assert max(gradient_check(net, X, y, half_squared, rule=rule).values()) > 0.05
        assert directional_check(net, X, y, half_squared, rule=rule) > 0.01
    assert directional_check(net, X, y, half_squared) < 1e-8


def test_gradient_check_names_the_place():
    net, X, y = small_problem(1)
    report = gradient_check(net, X, y, half_squared, rule=wrong.flipped_hidden_biases)
    bad = {name for name, error in report.items() if error > 1e-3}
    assert bad == {"b1", "b2"}
    report = gradient_check(net, X, y, half_squared, rule=wrong.own_activations)
    assert {name for name, error in report.items() if error > 1e-3} == {"W2"}
    report = gradient_check(net, X, y, half_squared, rule=wrong.transposed_weight)
    assert {name for name, error in report.items() if error > 1e-3} == {"W1", "b1"}


def test_gradient_check_wants_double_precision():
    net = start_network((2, 2), np.random.default_rng(0), dtype=np.float32)
    with pytest.raises(ValueError, match="double precision"):
        gradient_check(net, np.ones((1, 2)), np.ones((1, 2)), half_squared)


def test_mistakes_need_square_weights():
    net = start_network((3, 4, 2), np.random.default_rng(0))
    for rule in (wrong.transposed_weight, wrong.own_activations):
        with pytest.raises(ValueError, match="square"):
            rule(net, np.ones((2, 3)), np.ones((2, 2)), half_squared)


def test_mistakes_report_the_true_loss():
    net, X, y = small_problem(2)
    value, _ = loss_and_gradients(net, X, y, half_squared)
    for rule in (*RULES, wrong.no_output_slope):
        assert rule(net, X, y, half_squared)[0] == pytest.approx(value)


# --- is it a gradient of anything? -----------------------------------------------------------


def field_of(net, X, y, rule, loss=half_squared):
    return lambda theta: rule(net.at(theta), X, y, loss)[1].vector()


def test_true_gradients_have_symmetric_jacobians():
    net, X, y = small_problem(3)
    assert asymmetry(field_of(net, X, y, loss_and_gradients), net.vector()) < 1e-7
    for rule in RULES:
        assert asymmetry(field_of(net, X, y, rule), net.vector()) > 0.01


def test_output_slope_is_the_exception():
    # Without φ′ at the output the rule is still a gradient, of another loss.
    net, X, y = small_problem(4, output="sigmoid")
    field = field_of(net, X, y, wrong.no_output_slope)
    assert asymmetry(field, net.vector()) < 1e-7
    labels = (y > 0).astype(float)
    scores = replace(net, activations=(*net.activations[:-1], "identity"))
    _, right = loss_and_gradients(scores, X, labels, binary_cross_entropy)
    _, odd = wrong.no_output_slope(net, X, labels, half_squared)
    np.testing.assert_allclose(odd.vector(), right.vector(), rtol=1e-10, atol=1e-14)


def test_work_around_a_circle():
    # F = (−y, x)/2 turns: its work is the area. A gradient does none.
    turning = lambda p: np.array([-p[1], p[0]]) / 2  # noqa: E731
    e1, e2 = np.eye(2)
    angles, work = work_around_circle(turning, np.zeros(2), e1, e1 + e2, radius=2.0)
    assert work[-1] == pytest.approx(4 * np.pi, rel=1e-12)
    assert angles.shape == work.shape
    _, work = work_around_circle(lambda p: np.cos(p), np.ones(2), e1, e2)
    assert abs(work[-1]) < 1e-12
    with pytest.raises(ValueError, match="differs"):
        work_around_circle(turning, np.zeros(2), e1, -e1)
    assert asymmetry(turning, np.ones(2)) > 1e6


# --- counts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("widths", [(5, 3), (4, 7, 2), (6, 5, 4, 3, 2)])
def test_counted_products_are_the_predicted_ones(widths):
    rng = np.random.default_rng(0)
    net, tally = counted_network(start_network(widths, rng, hidden="tanh"))
    X, y = rng.normal(size=(8, widths[0])), rng.normal(size=(8, widths[-1]))
    trace = net.forward(X)
    forward, both = predicted_products(widths, 8)
    assert tally.matrix == forward
    backward(net, trace, np.asarray(trace.output) - y)
    assert tally.matrix - forward == both
    assert both / forward < 2


def test_counting_changes_no_number():
    rng = np.random.default_rng(1)
    plain = start_network((4, 6, 3), rng, hidden="sigmoid")
    X, y = rng.normal(size=(5, 4)), rng.normal(size=(5, 3))
    net, _ = counted_network(plain)
    a = loss_and_gradients(plain, X, y, half_squared)[1].vector()
    b = loss_and_gradients(net, X, y, half_squared)[1].vector()
    np.testing.assert_array_equal(np.asarray(b), a)


# --- training --------------------------------------------------------------------------------


def test_one_full_batch_step_is_the_gradient_step():
    net, X, y = small_problem(5)
    _, g = loss_and_gradients(net, X, y, half_squared)
    rng = np.random.default_rng(0)
    moved, history = train(
        net, X, y, half_squared, epochs=1, rng=rng, batch=len(X), eta=0.1, momentum=0.0
    )
    np.testing.assert_allclose(moved.vector(), net.vector() - 0.1 * g.vector())
    assert len(history.losses) == 1
    assert not history.measures


def test_momentum_equals_torch():
    net, X, y = small_problem(6)
    parameters = [torch.tensor(p, requires_grad=True) for p in net.parameters()]
    optimiser = torch.optim.SGD(parameters, lr=0.05, momentum=0.8)
    for _ in range(4):
        A = torch.tensor(X)
        for i in range(3):
            A = torch.nn.functional.linear(A, parameters[2 * i], parameters[2 * i + 1])
            A = torch.tanh(A) if i < 2 else A
        optimiser.zero_grad()
        (0.5 * ((A - torch.tensor(y)) ** 2).sum(dim=1).mean()).backward()
        optimiser.step()
    rng = np.random.default_rng(0)
    ours, _ = train(
        net, X, y, half_squared, epochs=4, rng=rng, batch=6, eta=0.05, momentum=0.8
    )
    for p, t in zip(ours.parameters(), parameters, strict=True):
        np.testing.assert_allclose(p, t.detach(), rtol=1e-10, atol=1e-12)


def test_training_learns_and_leaves_the_start_alone():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 2))
    labels = (X[:, 0] * X[:, 1] > 0).astype(int)  # XOR: no line separates it
    net = start_network((2, 16, 2), rng)
    before = net.vector()
    trained, history = train(
        net,
        X,
        labels,
        cross_entropy,
        epochs=40,
        rng=rng,
        batch=20,
        measure=lambda n: accuracy(n, X, labels),
    )
    assert history.measures[-1] > 0.95
    assert history.losses[-1] < history.losses[0] / 2
    np.testing.assert_array_equal(net.vector(), before)
    assert accuracy(trained, X, labels) == history.measures[-1]


def test_training_refuses_bad_input():
    net, X, y = small_problem(8)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="y: expected 6 targets"):
        train(net, X, y[:4], half_squared, epochs=1, rng=rng)
    with pytest.raises(ValueError, match="epochs"):
        train(net, X, y, half_squared, epochs=0, rng=rng)
    with pytest.raises(ValueError, match="eta"):
        train(net, X, y, half_squared, epochs=1, rng=rng, eta=-1.0)


def test_training_says_when_it_explodes():
    rng = np.random.default_rng(0)
    net = start_network((2, 2), rng)
    X, y = 1e3 * rng.normal(size=(8, 2)), rng.normal(size=(8, 2))
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="finite"):
        train(net, X, y, half_squared, epochs=400, rng=rng, eta=10.0)


# --- the worked example ----------------------------------------------------------------------


def by_hand(theta: np.ndarray, output, loss) -> float:
    """The example's mean loss with everything spelled out, without lib's network."""
    hidden, out = theta[:6].reshape(2, 3), theta[6:]
    total = 0.0
    for x, t in zip(INPUTS, TARGETS[:, 0], strict=True):
        xi = hidden @ np.array([1.0, *x])
        x1 = np.array([1.0, *(1 / (1 + np.exp(-xi)))])
        total += loss(output(out @ x1), t)
    return total / 3


def sigma(t: float) -> float:
    return 1 / (1 + np.exp(-t))


@pytest.mark.parametrize(
    ("reading", "output", "loss"),
    [
        (LINEAR, lambda z: z, lambda a, t: 0.5 * (a - t) ** 2),
        (SIGMOID, sigma, lambda a, t: 0.5 * (a - t) ** 2),
        (
            AS_PRINTED,
            lambda z: z,
            lambda z, t: quad(lambda u: (u - t) * sigma(u) * (1 - sigma(u)), t, z)[0],
        ),
    ],
)
def test_the_steps_are_gradients_of_the_losses_named(reading, output, loss):
    theta = np.concatenate([HIDDEN.ravel(), OUTPUT.ravel()])
    numeric = gradient(lambda t: by_hand(t, output, loss), theta)
    got = tables(reading)
    step = np.concatenate([got["tab-15"].ravel(), got["tab-14"].ravel()])
    assert relative_error(-step, numeric) < 1e-7


def test_printed_tables_are_reproduced_but_for_one_digit():
    got = tables(AS_PRINTED)
    for name, printed in PRINTED.items():
        assert printed.shape == got[name].shape
        off = np.abs(np.round(got[name], 3) - printed) > 1e-9
        expected = [(0, 1)] if name == "tab-8" else []
        assert [tuple(i) for i in np.argwhere(off)] == expected, name


def test_updates_are_start_plus_step():
    got = tables(SIGMOID, eta=0.5)
    np.testing.assert_allclose(got["tab-17"] - HIDDEN, got["tab-15"])
    np.testing.assert_allclose(got["tab-14"] * 2, tables(SIGMOID)["tab-14"])


def test_unannounced_loss_is_bounded_and_zero_at_the_target():
    y = np.array([[-2.0], [0.0], [3.0]])
    value, slope = unannounced_loss(y, y.copy())
    np.testing.assert_allclose(value, 0, atol=1e-15)
    np.testing.assert_allclose(slope, 0)
    far, _ = unannounced_loss(y, y + 800.0)
    np.testing.assert_allclose(far, np.log1p(np.exp(-y[:, 0])), rtol=1e-10)
    low, _ = unannounced_loss(y, y - 800.0)
    np.testing.assert_allclose(low, np.log1p(np.exp(y[:, 0])), rtol=1e-10)


def test_network_of_the_example_computes_table_10():
    out = network_of(LINEAR)(INPUTS)[:, 0]
    np.testing.assert_allclose(np.round(out, 3), PRINTED["tab-10"][0])
