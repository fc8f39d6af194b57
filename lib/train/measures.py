"""Loss and metrics: what is measured on a batch, and its mean over an epoch."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

Loss = Callable[[Any, torch.Tensor], torch.Tensor]
Metric = Callable[[Any, torch.Tensor], torch.Tensor | float]


def accuracy(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the share of right answers.

    ``output`` holds scores with the classes in its last dimension, (…, K) for class numbers
    ``target`` (…), or logits of the same shape as a target of zeros and ones.
    """
    if output.shape[:-1] == target.shape:
        right = output.argmax(dim=-1) == target
    elif output.shape == target.shape:
        right = (output > 0) == (target > 0.5)
    else:
        raise ValueError(
            f"accuracy: expected scores of shape {(*target.shape, 'K')} or logits of shape "
            f"{tuple(target.shape)}, got {tuple(output.shape)}"
        )
    return right.float().mean()


def mean_squared_error(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean of (output − target)²; the shapes must be the same."""
    return torch.nn.functional.mse_loss(output, target)


def mean_absolute_error(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean of |output − target|; the shapes must be the same."""
    return torch.nn.functional.l1_loss(output, target)


METRICS: Mapping[str, Metric] = {
    "accuracy": accuracy,
    "mean squared error": mean_squared_error,
    "mean absolute error": mean_absolute_error,
}
HIGHER_IS_BETTER = {"loss": False, "accuracy": True} | dict.fromkeys(
    list(METRICS)[1:], False
)


def as_metrics(
    metrics: str | Iterable[str] | Mapping[str, Metric],
) -> dict[str, Metric]:
    """Return the metrics by name; those given as functions keep the names that they came with."""
    if isinstance(metrics, Mapping):
        chosen = dict(metrics)
    else:
        names = [metrics] if isinstance(metrics, str) else list(metrics)
        unknown = [name for name in names if name not in METRICS]
        if unknown:
            raise ValueError(
                f"metrics: expected some of {', '.join(METRICS)}, or a mapping from a name to a "
                f"function of (output, target); got {unknown[0]!r}"
            )
        chosen = {name: METRICS[name] for name in names}
    for name, metric in chosen.items():
        if not callable(metric):
            raise ValueError(
                f"metrics: expected a function for {name!r}, got {metric!r}"
            )
        if name in ("loss", "learning rate") or name.startswith("validation "):
            raise ValueError(f"metrics: the name {name!r} is taken, choose another")
    return chosen


def loss_of(loss: Loss, output: Any, target: torch.Tensor) -> torch.Tensor:
    """Return the loss of a batch after checking that it is one number."""
    value = loss(output, target)
    if not isinstance(value, torch.Tensor) or value.numel() != 1:
        came = (
            tuple(value.shape)
            if isinstance(value, torch.Tensor)
            else type(value).__name__
        )
        raise ValueError(
            f"loss: expected one number for a batch (its mean), got {came}"
        )
    return value.reshape(())


class Means:
    """Running means over samples: a batch counts as often as it has samples."""

    def __init__(self) -> None:
        self.totals: dict[str, float] = {}
        self.samples = 0

    def add(self, values: Mapping[str, float], samples: int) -> None:
        """Add the means of a batch."""
        for name, value in values.items():
            self.totals[name] = self.totals.get(name, 0.0) + float(value) * samples
        self.samples += samples

    def result(self) -> dict[str, float]:
        """Return the mean of everything that was added."""
        return {name: total / self.samples for name, total in self.totals.items()}


@contextmanager
def no_silent_broadcast() -> Iterator[None]:
    """Turn torch's warning that a loss broadcasts (n, 1) against (n,) into a ``ValueError``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Using a target size")
        try:
            yield
        except UserWarning as warning:
            if not str(warning).startswith("Using a target size"):
                raise
            raise ValueError(
                f"loss: expected output and target of the same shape. {warning}"
            ) from None
