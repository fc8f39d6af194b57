"""Early stopping: watch one number, remember the best weights, know when to stop."""

import math

import torch
from torch import nn

from lib.train.history import VALIDATION
from lib.train.measures import HIGHER_IS_BETTER
from lib.validation import nonnegative, one_of, whole


class Watch:
    """Follows one number from epoch to epoch.

    An epoch is better when its number beats the best so far by more than ``min_delta``. With
    ``patience`` p, training stops after p epochs in a row that are not better, and the weights of
    the best epoch are kept for :meth:`restore`.
    """

    def __init__(
        self, monitor: str, best: str | None, patience: int | None, min_delta: float
    ) -> None:
        self.monitor = monitor
        self.higher = _higher_is_better(monitor, best)
        self.patience = (
            None if patience is None else whole(patience, "patience", at_least=1)
        )
        self.min_delta = nonnegative(min_delta, "min_delta")
        self.value = -math.inf if self.higher else math.inf
        self.epoch: int | None = None
        self.weights: dict[str, torch.Tensor] | None = None

    def see(self, epoch: int, value: float, model: nn.Module) -> bool:
        """Take note of an epoch's number; return whether training should stop."""
        gain = value - self.value if self.higher else self.value - value
        if gain > self.min_delta:
            self.value, self.epoch = value, epoch
            if self.patience is not None:
                state = model.state_dict()
                self.weights = {
                    name: part.detach().clone() for name, part in state.items()
                }
        return self.exhausted(epoch)

    def exhausted(self, epoch: int) -> bool:
        """Whether there was no better epoch among the last ``patience``."""
        return self.patience is not None and epoch - (self.epoch or 0) >= self.patience

    def restore(self, model: nn.Module) -> None:
        """Put the weights of the best epoch back, if they were kept."""
        if self.weights is not None:
            model.load_state_dict(self.weights)

    def state_dict(self) -> dict:
        """What a checkpoint has to keep."""
        return {"value": self.value, "epoch": self.epoch, "weights": self.weights}

    def load_state_dict(self, state: dict) -> None:
        """Go on from where a checkpoint was written."""
        self.value, self.epoch, self.weights = (
            state["value"],
            state["epoch"],
            state["weights"],
        )


def _higher_is_better(monitor: str, best: str | None) -> bool:
    if best is not None:
        return one_of(best, "best", ("lowest", "highest")) == "highest"
    known = HIGHER_IS_BETTER.get(monitor.removeprefix(VALIDATION))
    if known is None:
        raise ValueError(
            f"best: expected 'lowest' or 'highest', to say which {monitor!r} is better, got None"
        )
    return known
