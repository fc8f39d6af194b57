"""What happened during training, epoch by epoch; it can draw itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from lib.validation import one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALIDATION = "validation "


@dataclass(eq=False, repr=False)
class History:
    """The record of a training run.

    ``history["loss"]`` is an array with one value per epoch; ``names`` lists what there is:
    "loss", each metric, both again with "validation " in front when there were validation data,
    and "learning rate". ``step_losses`` holds the loss of every step. Epochs count from 1.
    """

    monitor: str = "loss"
    best_epoch: int | None = None
    stopped_early: bool = False
    records: dict[str, list[float]] = field(default_factory=dict)
    step_losses: list[float] = field(default_factory=list)

    def append(self, values: Mapping[str, float]) -> None:
        """Add the values of one epoch; every epoch has the same names."""
        if self.records and set(values) != set(self.records):
            raise ValueError(
                f"values: expected {', '.join(self.records)}, got {', '.join(values)}"
            )
        for name, value in values.items():
            self.records.setdefault(name, []).append(float(value))

    @property
    def names(self) -> tuple[str, ...]:
        """What was recorded."""
        return tuple(self.records)

    def __len__(self) -> int:
        """The number of epochs."""
        return len(next(iter(self.records.values()), ()))

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.records:
            raise ValueError(
                f"history: expected one of {', '.join(self.names)}, got {name!r}"
            )
        return np.array(self.records[name])

    def at_best(self, name: str) -> float:
        """Return the value of ``name`` in the best epoch, the one with the best ``monitor``."""
        if self.best_epoch is None:
            raise ValueError("history: expected at least one epoch, got none")
        return float(self[name][self.best_epoch - 1])

    def __repr__(self) -> str:
        epochs = f"{len(self)} epoch{'' if len(self) == 1 else 's'}"
        best = (
            ""
            if self.best_epoch is None
            else f", best {self.monitor} in {self.best_epoch}"
        )
        return (
            f"History({epochs}{best}{', stopped early' if self.stopped_early else ''})"
        )

    def plot(self, *names: str, log: bool = False) -> Figure:
        """Return a figure with one panel for the loss and one for each metric, over the epochs.

        ``names`` chooses panels; ``log`` draws the loss on a logarithmic axis. A panel shows the
        training data and, where there are any, the validation data; a line marks the best epoch.
        """
        import matplotlib.pyplot as plt

        from lib.course.figures import COLORS, STYLE

        if not len(self):
            raise ValueError("history: expected at least one epoch to plot, got none")
        panels = [name for name in self.names if not name.startswith(VALIDATION)]
        shown = names or tuple(name for name in panels if name != "learning rate")
        for name in shown:
            one_of(name, "names", panels)
        with plt.style.context(["default", STYLE]):
            fig, axes = plt.subplots(
                1, len(shown), figsize=(3.5 * max(len(shown), 1.6), 3.2), squeeze=False
            )
            for axis, name in zip(axes[0], shown, strict=True):
                self._draw(axis, name, COLORS, log and name == "loss")
        return fig

    def _draw(self, axis, name: str, colors: Mapping[str, str], log: bool) -> None:
        epochs = np.arange(1, len(self) + 1)
        marker = (
            "o" if len(self) == 1 else None
        )  # a line through one point would not show
        axis.plot(
            epochs, self[name], color=colors["blue"], marker=marker, label="training"
        )
        if VALIDATION + name in self.records:
            axis.plot(
                epochs,
                self[VALIDATION + name],
                color=colors["vermilion"],
                marker=marker,
                label="validation",
            )
            axis.axvline(
                self.best_epoch,
                color=colors["grey"],
                linestyle=":",
                linewidth=1.2,
                zorder=0,
                label="best epoch",
            )
            axis.legend()
        if log:
            axis.set_yscale("log")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set(xlabel="epoch", ylabel=name, title=name.capitalize())
