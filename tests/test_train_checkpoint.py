"""Checkpoints: a run that was interrupted ends with the same bits as one that was not."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.train import CheckpointError, fit


def problem():
    X = torch.randn(60, 4, generator=torch.Generator().manual_seed(0))
    return X, (X[:, 0] * X[:, 1] > 0).long()


def network(width=8):
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Linear(4, width),
        nn.BatchNorm1d(width),
        nn.ReLU(),
        nn.Dropout(0.3),
        nn.Linear(width, 2),
    )


def adam(parameters):
    return torch.optim.AdamW(parameters, lr=0.02)


def cosine(optimiser):
    return torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 12)


def train(model, epochs, path=None, loss=F.cross_entropy, **arguments):
    X, y = problem()
    settings = {
        "optimiser": adam, "scheduler": cosine, "batch_size": 16, "validation": (X[:20], y[:20]),
        "metrics": "accuracy", "patience": 5, "seed": 11,
    }  # fmt: skip
    return fit(
        model, loss, (X, y), epochs=epochs, checkpoint=path, **{**settings, **arguments}
    )


def assert_same(model, other, history, expected):
    for (name, ours), theirs in zip(
        model.state_dict().items(), other.state_dict().values(), strict=True
    ):
        assert torch.equal(ours, theirs), name
    assert vars(history) == vars(expected)


class Interrupted(Exception):
    pass


def failing_after(calls):
    """Cross-entropy that breaks off at a call, in the middle of an epoch."""
    left = iter(range(calls))

    def loss(output, target):
        if torch.is_grad_enabled() and next(left, None) is None:
            raise Interrupted
        return F.cross_entropy(output, target)

    return loss


@pytest.mark.parametrize("patience", [None, 2, 30])
@pytest.mark.parametrize("schedule_by", ["epoch", "step"])
def test_resumed_is_bit_equal_to_uninterrupted(tmp_path, patience, schedule_by):
    whole, parts = network(), network()
    options = {"patience": patience, "schedule_by": schedule_by}
    expected = train(whole, 10, **options)
    path = tmp_path / "run.pt"
    for epochs in (1, 4, 10):
        torch.manual_seed(epochs)  # the caller's generator plays no part
        torch.rand(epochs)
        parts = network()
        history = train(parts, epochs, path, **options)
    assert_same(parts, whole, history, expected)


@pytest.mark.parametrize("steps", [1, 4, 5, 18])
def test_a_run_that_broke_in_the_middle_of_an_epoch_goes_on_exactly(tmp_path, steps):
    whole, broken = network(), network()
    expected = train(whole, 6, patience=30)
    path = tmp_path / "folder" / "run.pt"
    with pytest.raises(Interrupted):
        train(broken, 6, path, failing_after(steps), patience=30)
    fresh = network(8)
    assert_same(fresh, whole, train(fresh, 6, path, patience=30), expected)


def test_a_finished_run_is_loaded_without_training(tmp_path):
    path = tmp_path / "run.pt"
    first = network()
    expected = train(first, 4, path)
    again = network()
    history = train(again, 4, path, failing_after(0))
    assert_same(again, first, history, expected)


def test_a_run_that_stopped_early_stays_stopped(tmp_path):
    path = tmp_path / "run.pt"
    first = network()
    expected = train(first, 60, path, patience=2)
    assert expected.stopped_early
    again = network()
    history = train(again, 90, path, failing_after(0), patience=2)
    assert_same(again, first, history, expected)


def test_plain_sgd_without_scheduler_or_validation(tmp_path):
    path = tmp_path / "run.pt"
    plain = {
        "optimiser": lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
        "scheduler": None, "validation": None, "patience": None,
    }  # fmt: skip
    whole, parts = network(), network()
    expected = train(whole, 5, **plain)
    train(parts, 2, path, **plain)
    parts = network()
    assert_same(parts, whole, train(parts, 5, path, **plain), expected)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"batch_size": 8}, "the batch size was 16, now it is 8"),
        ({"seed": 12}, "the seed was 11, now it is 12"),
        (
            {"optimiser": lambda p: torch.optim.AdamW(p, lr=0.5)},
            "lr of parameter group 0 was 0.02, now it is 0.5",
        ),
        (
            {"optimiser": lambda p: torch.optim.SGD(p, lr=0.02)},
            "the optimiser was AdamW, now it is SGD",
        ),
        (
            {"scheduler": None},
            "the scheduler was CosineAnnealingLR, now it is NoneType",
        ),
        ({"validation": None}, "the monitor was validation loss, now it is loss"),
        ({"clip": 1.0}, "clip was None, now it is 1.0"),
        ({"patience": 6}, "patience was 5, now it is 6"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path, changed, message):
    path = tmp_path / "run.pt"
    train(network(), 2, path)
    with pytest.raises(CheckpointError, match=message):
        train(network(), 3, path, **changed)


def test_a_checkpoint_of_another_model_is_refused(tmp_path):
    path = tmp_path / "run.pt"
    train(network(), 2, path)
    with pytest.raises(CheckpointError, match="belongs to another model"):
        train(network(width=9), 3, path)


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", None])
def test_a_damaged_checkpoint_is_told(tmp_path, content):
    path = tmp_path / "run.pt"
    train(network(), 2, path)
    path.write_bytes(path.read_bytes()[:-200] if content is None else content)
    with pytest.raises(CheckpointError, match=r"run\.pt cannot be read.*Delete it"):
        train(network(), 3, path)


def test_a_file_of_something_else_is_told(tmp_path):
    path = tmp_path / "weights.pt"
    torch.save(network().state_dict(), path)
    with pytest.raises(CheckpointError, match="not a checkpoint of"):
        train(network(), 3, path)


def test_only_the_checkpoint_is_left_behind(tmp_path):
    train(network(), 3, str(tmp_path / "run.pt"))
    assert [path.name for path in tmp_path.iterdir()] == ["run.pt"]
