"""The history and its figure; the progress bar that knows when to keep quiet."""

import matplotlib
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lib.course.figures import COLORS
from lib.train import History, fit
from lib.train import progress as progress_module

matplotlib.use("Agg")


def filled(validation=True, epochs=4):
    history = History("validation loss" if validation else "loss", best_epoch=2)
    for epoch in range(epochs):
        values = {
            "loss": 1 / (epoch + 1),
            "accuracy": 0.5 + 0.1 * epoch,
            "learning rate": 0.1,
        }
        if validation:
            values |= {
                "validation loss": 2.0 + (epoch - 1) ** 2,
                "validation accuracy": 0.4,
            }
        history.append(values)
    return history


def test_values_by_name():
    history = filled()
    np.testing.assert_allclose(history["loss"], [1, 1 / 2, 1 / 3, 1 / 4])
    assert len(history) == 4
    assert history.at_best("validation loss") == 2.0
    history["loss"][:] = 0  # a copy
    assert history["loss"][0] == 1
    with pytest.raises(
        ValueError, match=r"expected one of loss, accuracy, .*got 'lost'"
    ):
        history["lost"]
    with pytest.raises(ValueError, match=r"expected loss, accuracy, .*got loss"):
        history.append({"loss": 1.0})


def test_repr_is_short_and_has_no_measured_digits():
    history = filled()
    assert repr(history) == "History(4 epochs, best validation loss in 2)"
    history.stopped_early = True
    assert (
        repr(history) == "History(4 epochs, best validation loss in 2, stopped early)"
    )
    assert repr(History()) == "History(0 epochs)"
    assert repr(filled(epochs=1)).startswith("History(1 epoch,")


def lines_of(axis):
    return {line.get_label(): line for line in axis.get_lines()}


def test_plot_draws_what_was_recorded():
    history = filled()
    figure = history.plot()
    assert [axis.get_ylabel() for axis in figure.axes] == ["loss", "accuracy"]
    for axis, name in zip(figure.axes, ("loss", "accuracy"), strict=True):
        assert axis.get_xlabel() == "epoch"
        assert axis.get_title() == name.capitalize()
        lines = lines_of(axis)
        np.testing.assert_array_equal(lines["training"].get_xdata(), [1, 2, 3, 4])
        np.testing.assert_array_equal(lines["training"].get_ydata(), history[name])
        np.testing.assert_array_equal(
            lines["validation"].get_ydata(), history["validation " + name]
        )
        assert lines["best epoch"].get_xdata()[0] == 2
        assert lines["training"].get_color() == COLORS["blue"]
        assert axis.get_legend() is not None


def test_plot_of_chosen_panels_and_without_validation():
    figure = filled(validation=False).plot("loss", "learning rate", log=True)
    loss, rate = figure.axes
    assert (loss.get_yscale(), rate.get_yscale()) == ("log", "linear")
    assert set(lines_of(loss)) == {"training"}
    assert loss.get_legend() is None
    single = filled(epochs=1).plot("accuracy")
    assert lines_of(single.axes[0])["training"].get_marker() == "o"
    with pytest.raises(
        ValueError, match="names: expected one of loss, accuracy, learning rate"
    ):
        filled().plot("validation loss")
    with pytest.raises(ValueError, match="at least one epoch"):
        History().plot()
    with pytest.raises(ValueError, match="at least one epoch"):
        History().at_best("loss")


def test_plot_leaves_the_readers_style_alone():
    before = matplotlib.rcParams.copy()
    filled().plot()
    assert before == matplotlib.rcParams


def train(**arguments):
    X = torch.randn(20, 2, generator=torch.Generator().manual_seed(0))
    return fit(
        nn.Linear(2, 2), F.mse_loss, X, epochs=3, batch_size=5,
        optimiser=lambda parameters: torch.optim.SGD(parameters, lr=0.1), **arguments,
    )  # fmt: skip


def test_quiet_under_test_and_shown_on_demand(capfd):
    train()
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")
    train(progress=True)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "12" in captured.err  # 3 epochs of 4 steps


@pytest.mark.parametrize(("static", "tty", "shown"), [
    ("1", True, False), ("0", True, True), ("", False, False), (None, True, True),
])  # fmt: skip
def test_who_watches(monkeypatch, static, tty, shown):
    if static is None:
        monkeypatch.delenv("COURSE_STATIC", raising=False)
    else:
        monkeypatch.setenv("COURSE_STATIC", static)
    monkeypatch.setattr(
        progress_module.sys, "stderr", type("S", (), {"isatty": lambda _: tty})()
    )
    assert progress_module.someone_watches() is shown


def test_a_live_notebook_watches_unless_the_book_is_being_saved(monkeypatch):
    import IPython

    kernel = type("Shell", (), {"kernel": object()})()
    monkeypatch.setattr(IPython, "get_ipython", lambda: kernel)
    monkeypatch.delenv("COURSE_STATIC", raising=False)
    assert progress_module.someone_watches()
    monkeypatch.setenv("COURSE_STATIC", "1")
    assert not progress_module.someone_watches()
