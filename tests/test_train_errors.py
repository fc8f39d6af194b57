"""What a reader may do wrong, and what the loop answers."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.train import Diverged, evaluate, fit, predict
from lib.train.measures import accuracy

X = torch.randn(30, 2, generator=torch.Generator().manual_seed(0))
Y = X.sum(dim=1, keepdim=True)
LABELS = (X[:, 0] > 0).long()


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def line():
    torch.manual_seed(0)
    return nn.Linear(2, 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((X, Y[:-1]), r"data: expected arrays of equal length, got lengths \[30, 29\]"),
        ((X[:0], Y[:0]), "data: expected at least one sample, got none"),
        ((X,), "data: expected inputs and a target"),
        ((), "data: expected inputs and a target"),
        (([1.0, 2.0], Y), r"data\[0\]: expected a tensor or an array, got list"),
        ((X, torch.tensor(1.0)), r"data\[1\]: expected at least one dimension"),
        ((X, Y * math.nan), r"data\[1\]: expected numbers, got 30 NaN"),
        ((np.full((30, 2), np.nan), Y), r"data\[0\]: expected numbers, got 60 NaN"),
        ("data.csv", r"data\[0\]: expected a tensor or an array, got str"),
    ],
)
def test_data_that_cannot_be_trained_on(data, message):
    with pytest.raises(ValueError, match=message):
        fit(line(), F.mse_loss, data, epochs=1, optimiser=sgd)


def test_validation_data_are_checked_by_name():
    with pytest.raises(ValueError, match="validation: expected arrays of equal length"):
        fit(line(), F.mse_loss, (X, Y), epochs=1, optimiser=sgd, validation=(X, Y[:3]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epochs": 0}, "epochs: expected a whole number >= 1"),
        ({"batch_size": 0}, "batch_size: expected a whole number >= 1"),
        ({"batch_size": 31, "drop_last": True}, "batch_size: expected at most 30"),
        ({"clip": 0}, "clip: expected a number > 0"),
        ({"seed": -1}, "seed: expected a whole number >= 0"),
        (
            {"metrics": "accurracy"},
            "metrics: expected some of accuracy, .*got 'accurracy'",
        ),
        ({"metrics": {"mine": 3}}, "metrics: expected a function for 'mine', got 3"),
        ({"metrics": {"loss": accuracy}}, "metrics: the name 'loss' is taken"),
        ({"metrics": {"validation x": accuracy}}, "the name 'validation x' is taken"),
        ({"optimiser": "adam"}, "optimiser: expected a torch optimiser or a function"),
        (
            {"optimiser": lambda p: 3},
            "optimiser: expected a torch optimiser or a function",
        ),
        (
            {"optimiser": sgd(line().parameters())},
            "optimiser: expected one for this model",
        ),
        (
            {"scheduler": "cosine"},
            "scheduler: expected a torch scheduler or a function",
        ),
        ({"schedule_by": "batch"}, "schedule_by: expected one of epoch, step"),
    ],
)
def test_arguments_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit(line(), F.mse_loss, (X, Y), **{"epochs": 1, "optimiser": sgd, **arguments})


def test_schedulers_of_others_and_plateaus_by_step():
    schedulers = torch.optim.lr_scheduler
    other = schedulers.ExponentialLR(sgd(line().parameters()), 0.9)
    with pytest.raises(
        ValueError, match="scheduler: expected one for this run's optimiser"
    ):
        fit(line(), F.mse_loss, (X, Y), epochs=1, optimiser=sgd, scheduler=other)
    with pytest.raises(
        ValueError, match="schedule_by: expected epoch for ReduceLROnPlateau"
    ):
        fit(
            line(), F.mse_loss, (X, Y), epochs=1, optimiser=sgd, schedule_by="step",
            scheduler=schedulers.ReduceLROnPlateau,
        )  # fmt: skip


def test_a_loss_that_diverges_is_told_with_epoch_and_step():
    with pytest.raises(
        Diverged, match=r"loss became (inf|nan) in epoch \d+, step \d of 3"
    ) as caught:
        fit(
            line(), F.mse_loss, (X, Y), epochs=500, batch_size=10,
            optimiser=lambda parameters: torch.optim.SGD(parameters, lr=30.0),
        )  # fmt: skip
    history = caught.value.history
    assert len(history) < 500
    assert not math.isfinite(history.step_losses[-1])
    assert all(math.isfinite(loss) for loss in history.step_losses[:-1])
    epoch, step = divmod(len(history.step_losses) - 1, 3)
    assert f"epoch {epoch + 1}, step {step + 1} of 3, with learning rate 30" in str(
        caught.value
    )
    assert isinstance(caught.value, ValueError)


def test_a_validation_loss_that_is_not_a_number_is_told():
    def loss(output, target):
        return F.mse_loss(output, target) * (
            1.0 if torch.is_grad_enabled() else math.nan
        )

    with pytest.raises(Diverged, match="validation loss became nan in epoch 1"):
        fit(line(), loss, (X, Y), epochs=2, optimiser=sgd, validation=(X, Y))


@pytest.mark.parametrize("with_validation", [False, True])
def test_a_loss_does_not_broadcast_in_silence(with_validation):
    flat = (X, Y[:, 0])
    data, validation = ((X, Y), flat) if with_validation else (flat, None)
    with pytest.raises(
        ValueError, match="loss: expected output and target of the same shape"
    ):
        fit(line(), F.mse_loss, data, epochs=1, optimiser=sgd, validation=validation)
    with pytest.raises(
        ValueError, match="loss: expected output and target of the same shape"
    ):
        evaluate(line(), F.mse_loss, flat)


def test_losses_of_the_wrong_kind():
    none = lambda output, target: F.mse_loss(output, target, reduction="none")  # noqa: E731
    with pytest.raises(
        ValueError, match=r"loss: expected one number for a batch.*\(30, 1\)"
    ):
        fit(line(), none, (X, Y), epochs=1, optimiser=sgd)
    with pytest.raises(
        ValueError, match=r"loss: expected one number for a batch.*float"
    ):
        fit(line(), lambda output, target: 1.0, (X, Y), epochs=1, optimiser=sgd)
    with pytest.raises(ValueError, match="depends on the model's parameters"):
        fit(
            line(),
            lambda output, target: target.mean(),
            (X, Y),
            epochs=1,
            optimiser=sgd,
        )


def test_predict_and_evaluate_check_their_arguments():
    with pytest.raises(ValueError, match="inputs: expected at least one array"):
        predict(line())
    with pytest.raises(ValueError, match="batch_size: expected a whole number >= 1"):
        predict(line(), X, batch_size=0)
    with pytest.raises(ValueError, match="metrics: expected some of"):
        evaluate(line(), F.mse_loss, (X, Y), metrics=["f1"])


def test_accuracy_for_scores_logits_and_sequences():
    scores = torch.tensor([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]])
    assert accuracy(scores, torch.tensor([1, 1, 1])).item() == pytest.approx(2 / 3)
    logits = torch.tensor([-1.0, 2.0, 0.5, -3.0])
    assert accuracy(logits, torch.tensor([0.0, 1.0, 0.0, 0.0])).item() == 0.75
    sequence = torch.randn(4, 6, 5, generator=torch.Generator().manual_seed(0))
    assert accuracy(sequence, sequence.argmax(dim=-1)).item() == 1
    with pytest.raises(
        ValueError, match=r"accuracy: expected scores of shape \(3, 'K'\)"
    ):
        accuracy(torch.zeros(3, 1, 1), torch.zeros(3))


def test_named_metrics_are_what_they_say():
    model = line()
    values = evaluate(
        model, F.mse_loss, (X, Y), metrics=("mean squared error", "mean absolute error")
    )
    residual = (model(X) - Y).detach()
    assert values["mean squared error"] == pytest.approx(
        (residual**2).mean().item(), rel=1e-6
    )
    assert values["mean absolute error"] == pytest.approx(
        residual.abs().mean().item(), rel=1e-6
    )
    assert values["loss"] == values["mean squared error"]
