"""A trained model at work: its mean loss and metrics, its outputs."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import nn

from lib.train.batches import Arrays, Data, as_tensors
from lib.train.measures import (
    Loss,
    Means,
    Metric,
    as_metrics,
    loss_of,
    no_silent_broadcast,
)
from lib.validation import whole


def evaluate(
    model: nn.Module,
    loss: Loss,
    data: Data,
    *,
    metrics: str | Iterable[str] | Mapping[str, Metric] = (),
    batch_size: int = 1024,
    seed: int = 0,
) -> dict[str, float]:
    """Return the mean "loss" over ``data``, and the mean of each metric by its name.

    The arguments are those of :func:`lib.train.fit`. The model works in evaluation mode, without
    gradients, on random numbers fixed by ``seed``; its mode and torch's generator stay as they
    were.
    """
    tensors, chosen = as_tensors(data, "data"), as_metrics(metrics)
    means = Means()
    with _evaluating(model), torch.random.fork_rng(devices=[]), no_silent_broadcast():
        torch.manual_seed(whole(seed, "seed"))
        for batch in _in_order(tensors, batch_size):
            *inputs, target = batch
            output = model(*inputs)
            values = {"loss": loss_of(loss, output, target)}
            values |= {name: metric(output, target) for name, metric in chosen.items()}
            means.add(values, len(target))
    return means.result()


def predict(model: nn.Module, *inputs: Arrays, batch_size: int = 1024) -> torch.Tensor:
    """Return model(*inputs) for all samples, worked out in batches in evaluation mode."""
    if not inputs:
        raise ValueError("inputs: expected at least one array, got none")
    tensors = as_tensors((*inputs, inputs[0]), "inputs")[:-1]
    with _evaluating(model):
        return torch.cat([model(*batch) for batch in _in_order(tensors, batch_size)])


def _in_order(tensors: tuple[torch.Tensor, ...], batch_size: int):
    size = whole(batch_size, "batch_size", at_least=1)
    return zip(*(tensor.split(size) for tensor in tensors), strict=True)


@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Evaluation mode without gradients; afterwards every part is in the mode it was in."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, training in modes:
            module.training = training
