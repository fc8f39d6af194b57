"""The training loop against loops written out by hand: the same weights, bit for bit."""

import copy
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.data import mnist
from lib.train import evaluate, fit, predict


def network(seed=0, dropout=0.0, inputs=5, outputs=3):
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Linear(inputs, 8), nn.Tanh(), nn.Dropout(dropout), nn.Linear(8, outputs)
    )


def problem(n=53, seed=1):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, 5, generator=generator)
    return X, (X[:, 0] > 0).long() + (X[:, 1] > 0.5).long()


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.2, momentum=0.9)


def by_hand(model, loss, tensors, epochs, size, seed, optimiser, after_step=(), after_epoch=(),
            clip=None, drop_last=False):  # fmt: skip
    """The loop as a textbook writes it. Returns the sample-weighted loss of every epoch."""
    torch.manual_seed(seed)
    order = torch.Generator().manual_seed(seed)
    n, losses = len(tensors[0]), []
    model.train()
    for _ in range(epochs):
        total = count = 0
        permutation = torch.randperm(n, generator=order)
        for start in range(0, n, size):
            rows = permutation[start : start + size]
            if drop_last and len(rows) < size:
                continue
            *inputs, target = [tensor[rows] for tensor in tensors]
            optimiser.zero_grad()
            value = loss(model(*inputs), target)
            value.backward()
            if clip:
                nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimiser.step()
            for scheduler in after_step:
                scheduler.step()
            total += value.item() * len(rows)
            count += len(rows)
        for scheduler in after_epoch:
            scheduler.step()
        losses.append(total / count)
    return losses


def assert_same_weights(model, other):
    for (name, ours), theirs in zip(
        model.state_dict().items(), other.state_dict().values(), strict=True
    ):
        assert torch.equal(ours, theirs), name


@pytest.mark.parametrize(
    ("size", "clip", "drop_last", "dropout"),
    [
        (10, None, False, 0.0),
        (7, 0.05, False, 0.3),
        (10, 1.0, True, 0.5),
        (100, None, False, 0.2),
    ],
)
def test_same_weights_as_a_loop_by_hand(size, clip, drop_last, dropout):
    X, y = problem()
    ours, theirs = network(dropout=dropout), network(dropout=dropout)
    history = fit(
        ours, F.cross_entropy, (X, y), epochs=4, batch_size=size, optimiser=sgd, clip=clip,
        drop_last=drop_last, seed=3,
    )  # fmt: skip
    losses = by_hand(
        theirs, F.cross_entropy, (X, y), 4, size, 3, sgd(theirs.parameters()), clip=clip,
        drop_last=drop_last,
    )  # fmt: skip
    assert_same_weights(ours, theirs)
    assert history["loss"].tolist() == losses
    assert len(history) == 4
    steps = 53 // size if drop_last else -(-53 // size)
    assert len(history.step_losses) == 4 * steps


def test_clipping_changes_what_is_learned():
    X, y = problem()
    free, clipped = network(), network()
    fit(free, F.cross_entropy, (X, y), epochs=1, optimiser=sgd)
    fit(clipped, F.cross_entropy, (X, y), epochs=1, optimiser=sgd, clip=1e-3)
    start = network()
    moved = [
        sum(
            (p - q).norm() ** 2
            for p, q in zip(m.parameters(), start.parameters(), strict=True)
        )
        for m in (free, clipped)
    ]
    assert moved[1] ** 0.5 <= 0.2 * 1e-3 * 1.001  # one step: lr · clip
    assert moved[0] > 100 * moved[1]


@pytest.mark.parametrize("by", ["epoch", "step"])
def test_schedulers_step_when_asked(by):
    X, y = problem()
    ours, theirs = network(), network()
    history = fit(
        ours, F.cross_entropy, (X, y), epochs=3, batch_size=20, optimiser=sgd, schedule_by=by,
        scheduler=lambda optimiser: torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.5),
    )  # fmt: skip
    optimiser = sgd(theirs.parameters())
    schedule = [torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.5)]
    by_hand(theirs, F.cross_entropy, (X, y), 3, 20, 0, optimiser,
            **{f"after_{by}": schedule})  # fmt: skip
    assert_same_weights(ours, theirs)
    halvings = 1 if by == "epoch" else 3
    np.testing.assert_allclose(
        history["learning rate"], 0.2 * 0.5 ** (halvings * np.arange(3))
    )


def test_a_plateau_scheduler_sees_the_monitored_number():
    """With a vanishing learning rate no epoch after the first is better: it halves each time."""
    X, y = problem()
    history = fit(
        network(), F.cross_entropy, (X, y), epochs=5, batch_size=None, validation=(X, y),
        optimiser=lambda parameters: torch.optim.SGD(parameters, lr=1e-20),
        scheduler=lambda optimiser: torch.optim.lr_scheduler.ReduceLROnPlateau(
            optimiser, factor=0.5, patience=0, eps=0.0
        ),
    )  # fmt: skip
    assert history["learning rate"].tolist() == [1e-20, 1e-20, 5e-21, 2.5e-21, 1.25e-21]


def test_objects_and_functions_are_welcome_as_optimiser():
    X, y = problem()
    made, given = network(), network()
    fit(made, F.cross_entropy, (X, y), epochs=2, optimiser=sgd)
    fit(given, F.cross_entropy, (X, y), epochs=2, optimiser=sgd(given.parameters()))
    assert_same_weights(made, given)


def test_frozen_parameters_stay_and_do_not_count_in_the_clipped_norm():
    X, y = problem()
    model = network()
    model[0].requires_grad_(False)
    before = copy.deepcopy(model[0].state_dict())
    fit(model, F.cross_entropy, (X, y), epochs=2, optimiser=sgd)
    assert torch.equal(model[0].weight, before["weight"])
    head, hand = network(), network()
    fit(head, F.cross_entropy, (X, y), epochs=1, batch_size=None, clip=1e-3,
        optimiser=sgd(head[3].parameters()))  # fmt: skip
    loss = F.cross_entropy(hand(X), y)
    gradient = torch.autograd.grad(loss, list(hand[3].parameters()))
    norm = torch.cat([g.flatten() for g in gradient]).norm()
    moved = (head[3].bias - hand[3].bias).detach()
    torch.testing.assert_close(
        moved, -0.2 * 1e-3 * gradient[1] / norm, rtol=1e-2, atol=1e-7
    )


def test_a_model_left_in_evaluation_mode_is_trained_in_training_mode():
    X, y = problem()
    ours, theirs = network(dropout=0.4).eval(), network(dropout=0.4)
    fit(ours, F.cross_entropy, (X, y), epochs=1, optimiser=sgd)
    fit(theirs, F.cross_entropy, (X, y), epochs=1, optimiser=sgd)
    assert_same_weights(ours, theirs)


class TwoInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 3), nn.Linear(2, 3)

    def forward(self, a, b):
        return self.first(a) + self.second(b)


def test_several_inputs():
    X, y = problem()
    extra = torch.randn(53, 2, generator=torch.Generator().manual_seed(0))
    torch.manual_seed(0)
    ours = TwoInputs()
    theirs = copy.deepcopy(ours)
    fit(ours, F.cross_entropy, (X, extra, y), epochs=2, batch_size=16, optimiser=sgd)
    by_hand(theirs, F.cross_entropy, (X, extra, y), 2, 16, 0, sgd(theirs.parameters()))
    assert_same_weights(ours, theirs)
    assert predict(ours, X, extra).shape == (53, 3)


def test_one_array_is_input_and_target():
    X, _ = problem()
    ours, theirs = network(outputs=5), network(outputs=5)
    fit(ours, F.mse_loss, X, epochs=2, optimiser=sgd)
    fit(theirs, F.mse_loss, (X, X), epochs=2, optimiser=sgd)
    assert_same_weights(ours, theirs)


def test_arrays_of_numpy_are_tensors_too_and_stay_unchanged():
    X, y = problem()
    ours, theirs = network(), network()
    arrays = X.numpy().copy(), y.numpy().copy()
    for array in arrays:
        array.setflags(write=False)
    fit(ours, F.cross_entropy, arrays, epochs=2, optimiser=sgd)
    fit(theirs, F.cross_entropy, (X, y), epochs=2, optimiser=sgd)
    assert_same_weights(ours, theirs)
    np.testing.assert_array_equal(arrays[0], X.numpy())


def test_the_seed_decides_and_the_callers_generator_is_left_alone():
    X, y = problem()
    models = [network(dropout=0.4) for _ in range(3)]
    torch.manual_seed(99)
    before = torch.get_rng_state()
    for model, seed in zip(models, (5, 5, 6), strict=True):
        fit(
            model,
            F.cross_entropy,
            (X, y),
            epochs=2,
            batch_size=8,
            optimiser=sgd,
            seed=seed,
        )
        assert torch.equal(torch.get_rng_state(), before)
        torch.rand(7)  # what the caller draws in between does not matter
        before = torch.get_rng_state()
    assert_same_weights(models[0], models[1])
    assert not torch.equal(models[0][0].weight, models[2][0].weight)


def test_validation_and_callbacks_that_draw_do_not_change_what_is_learned():
    X, y = problem()
    plain, watched = network(dropout=0.4), network(dropout=0.4)
    fit(plain, F.cross_entropy, (X, y), epochs=3, optimiser=sgd)
    fit(
        watched, lambda output, target: F.cross_entropy(output, target) + 0 * torch.rand(()),
        (X, y), epochs=3, optimiser=sgd, validation=(X, y), metrics="accuracy",
        after_epoch=lambda epoch, model: torch.rand(epoch),
    )  # fmt: skip
    # The loss itself draws here, so compare with a loop that draws in the same places.
    drawing = network(dropout=0.4)
    fit(
        drawing, lambda output, target: F.cross_entropy(output, target) + 0 * torch.rand(()),
        (X, y), epochs=3, optimiser=sgd,
    )  # fmt: skip
    assert_same_weights(watched, drawing)
    assert not torch.equal(plain[0].weight, watched[0].weight)


def test_loss_of_an_epoch_is_the_mean_over_samples_also_with_a_small_last_batch():
    X, y = problem()
    model = network()
    whole = F.cross_entropy(model(X), y).item()
    history = fit(
        model, F.cross_entropy, (X, y), epochs=1, batch_size=50, metrics=["accuracy"],
        optimiser=lambda parameters: torch.optim.SGD(parameters, lr=0.0),
        validation=(X[:20], y[:20]),
    )  # fmt: skip
    assert history["loss"][0] == pytest.approx(whole, rel=1e-6)
    right = (model(X).argmax(dim=1) == y).float()
    assert history["accuracy"][0] == pytest.approx(right.mean().item(), rel=1e-6)
    assert history["validation accuracy"][0] == pytest.approx(
        right[:20].mean().item(), rel=1e-6
    )
    assert history.names == (
        "loss", "accuracy", "validation loss", "validation accuracy", "learning rate",
    )  # fmt: skip


@pytest.mark.parametrize("batch_size", [1, 16, 53, 1000])
def test_evaluate_and_predict_in_batches(batch_size):
    X, y = problem()
    model = nn.Sequential(
        nn.Linear(5, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 3)
    )
    model.train()
    model[2].eval()  # a part in another mode, which must stay so
    state = copy.deepcopy(model.state_dict())
    values = evaluate(
        model, F.cross_entropy, (X, y), metrics=("accuracy",), batch_size=batch_size
    )
    outputs = predict(model, X, batch_size=batch_size)
    assert [module.training for module in model] == [True, True, False, True]
    for name, value in model.state_dict().items():
        assert torch.equal(value, state[name])
    model.eval()
    expected = model(X)
    torch.testing.assert_close(outputs, expected)
    assert not outputs.requires_grad
    assert values["loss"] == pytest.approx(
        F.cross_entropy(expected, y).item(), rel=1e-5
    )
    right = (expected.argmax(dim=1) == y).float().mean().item()
    assert values["accuracy"] == pytest.approx(right, rel=1e-6)


def test_after_epoch_sees_every_epoch_and_the_model_ends_in_evaluation_mode():
    X, y = problem()
    seen = []
    model = network(dropout=0.5)
    fit(
        model, F.cross_entropy, (X, y), epochs=3, optimiser=sgd,
        after_epoch=lambda epoch, trained: seen.append((epoch, trained is model)),
    )  # fmt: skip
    assert seen == [(1, True), (2, True), (3, True)]
    assert not model.training


def test_a_small_network_learns_to_read():
    digits = mnist(train=2_000, test=1_000, flat=True)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
    history = fit(
        model, F.cross_entropy, (digits.train_images, digits.train_labels), epochs=8,
        optimiser=lambda parameters: torch.optim.Adam(parameters, lr=2e-3),
        validation=(digits.test_images, digits.test_labels), metrics="accuracy",
    )  # fmt: skip
    assert history["validation accuracy"][-1] > 0.88
    assert history["accuracy"][-1] > 0.95


def test_only_the_training_package_imports_torch():
    code = (
        "import sys, lib, lib.data, lib.validation; print('torch' in sys.modules);"
        "import lib.train; print('torch' in sys.modules, 'matplotlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True", "False"]
