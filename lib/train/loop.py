"""The training loop."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from lib.train import checkpoint as checkpoints
from lib.train.batches import Data, ShuffledBatches, as_tensors
from lib.train.history import VALIDATION, History
from lib.train.measures import Loss, Metric, as_metrics, no_silent_broadcast
from lib.train.progress import bar
from lib.train.run import Run, make_optimiser, make_scheduler
from lib.train.stopping import Watch
from lib.validation import one_of, positive, whole


def fit(
    model: nn.Module, loss: Loss, data: Data, *, epochs: int,
    optimiser: Optimizer | Callable[[Iterable], Optimizer],
    batch_size: int | None = 64, validation: Data | None = None,
    metrics: str | Iterable[str] | Mapping[str, Metric] = (),
    patience: int | None = None, min_delta: float = 0.0, monitor: str | None = None,
    best: Literal["lowest", "highest"] | None = None,
    scheduler: LRScheduler | Callable[[Optimizer], LRScheduler] | None = None,
    schedule_by: Literal["epoch", "step"] = "epoch", clip: float | None = None,
    drop_last: bool = False, seed: int = 0, checkpoint: str | os.PathLike | None = None,
    after_epoch: Callable[[int, nn.Module], None] | None = None,
    progress: bool | None = None,
) -> History:  # fmt: skip
    """Train ``model`` in place to make ``loss(model(*inputs), target)`` small on ``data``.

    - ``data`` is (inputs, target), with several inputs (a, b, …, target), or one array that is
      both; ``validation`` the same. Arrays have the samples in their first dimension.
    - ``optimiser`` and ``scheduler`` are torch's objects, or functions that make them, such as
      ``lambda parameters: torch.optim.Adam(parameters, lr=1e-3)``.
    - ``metrics``: names ("accuracy", …) or {name: function(output, target)}.
    - ``patience``: stop after so many epochs without a better ``monitor`` (the validation loss;
      without validation data the loss) and, whenever training ends, put the best epoch's weights
      back. Better means by more than ``min_delta``; ``best`` says which end is good.
    - ``clip``: the largest norm of the gradient. ``batch_size=None``: all samples in one batch.
    - ``seed`` fixes the batches and all that the model draws from torch's generator, which is
      left as it was. The weights that the model comes with are the caller's affair.
    - ``checkpoint``: a file to write after every epoch. When it exists, training goes on from it,
      exactly as if it had never stopped.
    - ``after_epoch(epoch, model)`` is called after each epoch, counted from 1.

    The model is left in evaluation mode. A loss that is not finite raises ``Diverged``.
    """
    tensors, epochs = as_tensors(data, "data"), whole(epochs, "epochs", at_least=1)
    held_out = None if validation is None else as_tensors(validation, "validation")
    monitor = monitor or ("loss" if held_out is None else VALIDATION + "loss")
    chosen, made = as_metrics(metrics), make_optimiser(optimiser, model)
    measured = ["loss", *chosen]
    if held_out is not None:
        measured += [VALIDATION + name for name in measured]
    watch = Watch(one_of(monitor, "monitor", measured), best, patience, min_delta)
    run = Run(
        model, loss, tensors, held_out, chosen, made,
        scheduler=make_scheduler(scheduler, made, schedule_by),
        step_schedule=schedule_by == "step",
        clip=None if clip is None else positive(clip, "clip"),
        batches=ShuffledBatches(len(tensors[0]), batch_size, drop_last, seed),
        watch=watch, history=History(monitor), seed=whole(seed, "seed"),
    )  # fmt: skip
    path = None if checkpoint is None else Path(checkpoint)
    return _train(run, epochs, path, after_epoch, progress)


def _train(
    run: Run,
    epochs: int,
    path: Path | None,
    after_epoch: Callable[[int, nn.Module], None] | None,
    progress: bool | None,
) -> History:
    """Run epochs until there are enough or patience ends, with a checkpoint after each."""
    settings = run.settings()
    with torch.random.fork_rng(devices=[]), no_silent_broadcast():
        torch.manual_seed(run.seed)
        if path is not None and path.exists():
            _resume(run, path, settings)
        missing = epochs - len(run.history)
        with bar(max(missing, 0) * len(run.batches), progress) as shown:
            while len(run.history) < epochs and not run.history.stopped_early:
                run.train_epoch(shown.update)
                shown.set_postfix_str(_note(run))
                if path is not None:
                    checkpoints.save(path, {"settings": settings, **run.state_dict()})
                if after_epoch is not None:
                    with torch.random.fork_rng(devices=[]):
                        after_epoch(len(run.history), run.model)
    run.watch.restore(run.model)
    run.model.eval()
    return run.history


def _note(run: Run) -> str:
    """What the progress bar says beside itself."""
    return f"{run.watch.monitor} {run.history.records[run.watch.monitor][-1]:.4g}"


def _resume(run: Run, path: Path, settings: dict[str, object]) -> None:
    state = checkpoints.load(path)
    checkpoints.require_same(path, state["settings"], settings)
    try:
        run.load_state_dict(state)
    except RuntimeError as problem:  # torch: the names or shapes of the weights differ
        raise checkpoints.CheckpointError(
            f"The checkpoint {path.name} belongs to another model. {problem}"
        ) from None
