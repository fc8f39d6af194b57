"""Early stopping: when it stops, what it puts back."""

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.train import fit


def problem(n=20):
    X = torch.randn(n, 3, generator=torch.Generator().manual_seed(0))
    return X, X.sum(dim=1, keepdim=True)


def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))


def scripted(values):
    """A metric that takes the given values on the validation data, one an epoch."""
    remaining = iter(values)

    def metric(output, target):
        return 0.0 if torch.is_grad_enabled() or len(target) == 20 else next(remaining)

    return metric


def run(values, patience, **arguments):
    """Train with a scripted validation metric; return model, history and each epoch's weights."""
    X, y = problem()
    trained, snapshots = model(), []

    def keep(epoch, current):
        snapshots.append(copy.deepcopy(current.state_dict()))

    history = fit(
        trained, F.mse_loss, (X, y), validation=(X[:7], y[:7]), epochs=len(values),
        optimiser=lambda parameters: torch.optim.SGD(parameters, lr=0.05), batch_size=20,
        metrics={"script": scripted(values)}, monitor="validation script", patience=patience,
        after_epoch=keep, **{"best": "lowest", **arguments},
    )  # fmt: skip
    return trained, history, snapshots


def assert_weights(trained, expected):
    for name, value in trained.state_dict().items():
        assert torch.equal(value, expected[name]), name


@pytest.mark.parametrize(
    ("values", "patience", "epochs", "best"),
    [
        ([5, 4, 3, 4, 5, 6, 7, 8], 2, 5, 3),
        ([5, 4, 3, 4, 5, 6, 7, 8], 1, 4, 3),
        ([5, 4, 3, 4, 2, 6, 7, 8], 2, 7, 5),  # a better epoch starts the count afresh
        ([5, 5, 5, 5, 5, 5, 5, 5], 3, 4, 1),  # equal is not better
        ([1, 2, 3, 4, 5, 6, 7, 8], 7, 8, 1),  # patience ends with the last epoch
        ([1, 2, 3, 4, 5, 6, 7, 8], 8, 8, 1),  # patience does not end
        ([8, 7, 6, 5, 4, 3, 2, 1], 1, 8, 8),
    ],
)
def test_stops_when_patience_ends_and_puts_the_best_weights_back(
    values, patience, epochs, best
):
    trained, history, snapshots = run(values, patience)
    assert len(history) == len(snapshots) == epochs
    assert history.best_epoch == best
    assert history.stopped_early == (epochs - best >= patience)
    assert history["validation script"].tolist() == values[:epochs]
    assert history.at_best("validation script") == min(values[:epochs])
    assert_weights(
        trained, snapshots[best - 1]
    )  # batch norm's running statistics included
    if best != epochs:
        assert not torch.equal(trained[0].weight, snapshots[-1]["0.weight"])


def test_the_highest_can_be_the_best():
    trained, history, snapshots = run([1, 3, 2, 1, 0], 2, best="highest")
    assert (history.best_epoch, len(history)) == (2, 4)
    assert_weights(trained, snapshots[1])


def test_better_means_by_more_than_min_delta():
    values = [10.0, 9.5, 9.25, 9.0, 8.9]
    # 0.5 below the best is not better, 0.75 below it is.
    _, history, _ = run(values, 2, min_delta=0.5)
    assert (history.best_epoch, len(history)) == (3, 5)
    _, history, _ = run(values, 1, min_delta=0.5)
    assert (history.best_epoch, len(history)) == (1, 2)
    _, history, _ = run(values, 2, min_delta=0.4)
    assert (history.best_epoch, len(history)) == (4, 5)


def test_without_patience_the_last_weights_stay_but_the_best_epoch_is_known():
    trained, history, snapshots = run([1, 2, 3, 4], None)
    assert (history.best_epoch, len(history), history.stopped_early) == (1, 4, False)
    assert_weights(trained, snapshots[-1])


def test_the_default_is_the_validation_loss_and_else_the_loss():
    X, y = problem()
    common = {
        "epochs": 3,
        "optimiser": lambda parameters: torch.optim.SGD(parameters, lr=1.0),
        "patience": 3,
    }
    watched = fit(model(), F.mse_loss, (X, y), validation=(X, y), **common)
    assert watched.monitor == "validation loss"
    assert watched.best_epoch == int(watched["validation loss"].argmin()) + 1
    assert fit(model(), F.mse_loss, (X, y), **common).monitor == "loss"


def test_accuracy_is_known_to_be_better_when_higher():
    X, _ = problem()
    labels = (X[:, 0] > 0).long()
    torch.manual_seed(0)
    history = fit(
        nn.Linear(3, 2), F.cross_entropy, (X, labels), validation=(X, labels), epochs=15,
        optimiser=lambda parameters: torch.optim.SGD(parameters, lr=1.0), metrics="accuracy",
        monitor="validation accuracy", patience=15,
    )  # fmt: skip
    assert history.best_epoch == int(history["validation accuracy"].argmax()) + 1
    assert history.at_best("validation accuracy") > 0.9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"monitor": "validation accuracy"},
            "monitor: expected one of loss, script, validation",
        ),
        ({"best": None}, "best: expected 'lowest' or 'highest'"),
        ({"best": "largest"}, "best: expected one of lowest, highest"),
        ({"patience": 0}, "patience: expected a whole number >= 1"),
        ({"min_delta": -1}, "min_delta: expected a number >= 0"),
    ],
)
def test_wrong_arguments_are_told_before_training(arguments, message):
    X, y = problem()
    trained = model()
    before = copy.deepcopy(trained.state_dict())
    common = {"monitor": "validation script", "best": "lowest", "patience": 2}
    with pytest.raises(ValueError, match=message):
        fit(
            trained, F.mse_loss, (X, y), validation=(X, y), epochs=3,
            metrics={"script": scripted([])},
            optimiser=lambda parameters: torch.optim.SGD(parameters, lr=0.1),
            **{**common, **arguments},
        )  # fmt: skip
    assert_weights(trained, before)
