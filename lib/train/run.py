"""A training run: its parts, one step, one epoch, and the state that a checkpoint keeps."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

from lib.train.batches import ShuffledBatches
from lib.train.evaluation import evaluate
from lib.train.history import VALIDATION, History
from lib.train.measures import Loss, Means, Metric, loss_of
from lib.train.stopping import Watch
from lib.validation import one_of


class Diverged(FloatingPointError, ValueError):
    """The loss became NaN or infinite; ``history`` holds what happened until then."""

    def __init__(self, message: str, history: History) -> None:
        super().__init__(message)
        self.history = history


def make_optimiser(
    given: Optimizer | Callable[[Iterable], Optimizer], model: nn.Module
) -> Optimizer:
    """Return the optimiser, made for the model's parameters when a function is given."""
    optimiser = given
    if callable(given) and not isinstance(given, Optimizer):
        optimiser = given([p for p in model.parameters() if p.requires_grad])
    if not isinstance(optimiser, Optimizer):
        raise ValueError(
            "optimiser: expected a torch optimiser or a function from parameters to one, "
            f"got {type(optimiser).__name__}"
        )
    own = {id(parameter) for parameter in model.parameters()}
    if not any(
        id(p) in own for group in optimiser.param_groups for p in group["params"]
    ):
        raise ValueError(
            "optimiser: expected one for this model, got none of its parameters"
        )
    return optimiser


def make_scheduler(
    given: LRScheduler | Callable[[Optimizer], LRScheduler] | None,
    optimiser: Optimizer,
    schedule_by: str,
) -> LRScheduler | None:
    """Return the scheduler, made for the optimiser when a function is given."""
    one_of(schedule_by, "schedule_by", ("epoch", "step"))
    if given is None:
        return None
    scheduler = given
    if callable(given) and not isinstance(given, LRScheduler):
        scheduler = given(optimiser)
    if not isinstance(scheduler, LRScheduler):
        raise ValueError(
            "scheduler: expected a torch scheduler or a function from the optimiser to one, "
            f"got {type(scheduler).__name__}"
        )
    if scheduler.optimizer is not optimiser:
        raise ValueError(
            "scheduler: expected one for this run's optimiser, got another's"
        )
    if isinstance(scheduler, ReduceLROnPlateau) and schedule_by == "step":
        raise ValueError("schedule_by: expected epoch for ReduceLROnPlateau, got step")
    return scheduler


@dataclass
class Run:
    """The parts of a training run. ``data`` and ``validation`` hold inputs, then the target."""

    model: nn.Module
    loss: Loss
    data: tuple[torch.Tensor, ...]
    validation: tuple[torch.Tensor, ...] | None
    metrics: dict[str, Metric]
    optimiser: Optimizer
    scheduler: LRScheduler | None
    step_schedule: bool
    clip: float | None
    batches: ShuffledBatches
    watch: Watch
    history: History
    seed: int

    def train_epoch(self, after_step: Callable[[], object]) -> None:
        """Go once through the data in a new order, then through the validation data."""
        self.model.train()
        means = Means()
        rate = self.optimiser.param_groups[0]["lr"]
        for indices in self.batches.epoch():
            *inputs, target = (tensor[indices] for tensor in self.data)
            means.add(self.step(inputs, target), len(indices))
            after_step()
        values = means.result()
        if self.validation is not None:
            held_out = evaluate(
                self.model,
                self.loss,
                self.validation,
                metrics=self.metrics,
                seed=self.seed,
            )
            values |= {VALIDATION + name: value for name, value in held_out.items()}
        self.history.append({**values, "learning rate": float(rate)})
        self._close_epoch(values)

    def step(
        self, inputs: list[torch.Tensor], target: torch.Tensor
    ) -> dict[str, float]:
        """Take one step downhill; return the loss and the metrics of the batch before it."""
        self.optimiser.zero_grad()
        output = self.model(*inputs)
        loss = loss_of(self.loss, output, target)
        value = loss.item()
        self.history.step_losses.append(value)
        if not math.isfinite(value):
            self._stop_diverged(value)
        if not loss.requires_grad:
            raise ValueError(
                "loss: expected one that depends on the model's parameters"
            )
        loss.backward()
        if self.clip is not None:
            groups = self.optimiser.param_groups
            parameters = [p for group in groups for p in group["params"]]
            nn.utils.clip_grad_norm_(parameters, self.clip)
        self.optimiser.step()
        if self.scheduler is not None and self.step_schedule:
            self.scheduler.step()
        with torch.no_grad():
            measured = {
                name: float(f(output, target)) for name, f in self.metrics.items()
            }
        return {"loss": value, **measured}

    def _close_epoch(self, values: dict[str, float]) -> None:
        watched = values[self.watch.monitor]
        if not math.isfinite(watched):
            raise Diverged(
                f"The {self.watch.monitor} became {watched} in epoch {len(self.history)}.",
                self.history,
            )
        if isinstance(self.scheduler, ReduceLROnPlateau):
            self.scheduler.step(watched)
        elif self.scheduler is not None and not self.step_schedule:
            self.scheduler.step()
        self.history.stopped_early = self.watch.see(
            len(self.history), watched, self.model
        )
        self.history.best_epoch = self.watch.epoch

    def _stop_diverged(self, value: float) -> None:
        epoch, step = divmod(len(self.history.step_losses) - 1, len(self.batches))
        rate = self.optimiser.param_groups[0]["lr"]
        raise Diverged(
            f"The loss became {value} in epoch {epoch + 1}, step {step + 1} of "
            f"{len(self.batches)}, with learning rate {rate:g}. Try a smaller one, or clip.",
            self.history,
        )

    def settings(self) -> dict[str, object]:
        """What two runs must share for one to go on with the other's checkpoint."""
        settings = {
            "the seed": self.seed,
            "the batch size": self.batches.size,
            "drop_last": self.batches.drop_last,
            "the shape of the data": [list(tensor.shape) for tensor in self.data],
            "clip": self.clip,
            "the metrics": sorted(self.metrics),
            "the monitor": self.watch.monitor,
            "patience": self.watch.patience,
            "min_delta": self.watch.min_delta,
            "the optimiser": type(self.optimiser).__name__,
            "the scheduler": type(self.scheduler).__name__,
        }
        for i, group in enumerate(self.optimiser.param_groups):
            settings |= {
                f"{key} of parameter group {i}": str(value)
                for key, value in group.items()
                if key != "params"
            }
        return settings

    def state_dict(self) -> dict:
        """Everything that changes during training."""
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "scheduler": None
            if self.scheduler is None
            else self.scheduler.state_dict(),
            "watch": self.watch.state_dict(),
            "history": vars(self.history),
            "order": self.batches.generator.get_state(),
            "random": torch.get_rng_state(),
        }

    def load_state_dict(self, state: dict) -> None:
        """Go on from a state that :meth:`state_dict` returned."""
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        if self.scheduler is not None:
            self.scheduler.load_state_dict(state["scheduler"])
        self.watch.load_state_dict(state["watch"])
        vars(self.history).update(state["history"])
        self.batches.generator.set_state(state["order"])
        torch.set_rng_state(state["random"])
