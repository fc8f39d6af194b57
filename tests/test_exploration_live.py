"""`explore` in a live notebook, seen through the widgets it makes."""

import base64
import io
import re

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lib.course.exploration import Exploration, explore, slider
from lib.course.exploration_live import live_widget

ALT = "A line that becomes steeper with its slope"


def line(slope, shift=0.0):
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([shift, 1], [0, slope])
    axes.set(xlim=(0, 1), ylim=(0, 3))
    return figure


def parts(box: ipywidgets.VBox):
    """The sliders, the play buttons and the picture of a live exploration."""
    rows = [child for child in box.children if isinstance(child, ipywidgets.HBox)]
    plays, choices = zip(*(row.children for row in rows), strict=True)
    pictures = [
        c for c in box.children if isinstance(c, ipywidgets.HTML) and "<img" in c.value
    ]
    return choices, plays, pictures[0]


def decoded(picture: ipywidgets.HTML) -> np.ndarray:
    data = re.search(r'src="data:image/png;base64,([^"]+)"', picture.value)[1]
    return np.array(Image.open(io.BytesIO(base64.b64decode(data))))


def test_moving_a_slider_draws_the_figure_of_its_value():
    exploration = Exploration(
        line, ALT, "Slope", {"slope": slider([1, 2, 3], label="m", start=2)}
    )
    box = live_widget(exploration)
    (choice,), (play,), picture = parts(box)
    assert isinstance(choice, ipywidgets.SelectionSlider)
    assert (choice.description, choice.label, choice.value) == ("m", "2", 1)
    assert (play.min, play.max, play.value) == (0, 2, 1)
    assert "Slope" in box.children[0].value
    for position in (1, 2, 0):
        choice.value = position
        assert (decoded(picture) == exploration.frame((position,)).rgba).all()
        assert f'alt="{ALT} (m = {position + 1})"' in picture.value
    assert 'width="288" height="192"' in picture.value
    assert not plt.get_fignums()


def test_two_sliders_move_one_figure():
    exploration = Exploration(line, ALT, None, {"slope": [1, 2], "shift": [0.0, 0.5]})
    choices, _, picture = parts(live_widget(exploration))
    choices[0].value = 1
    choices[1].value = 1
    assert (decoded(picture) == exploration.frame((1, 1)).rgba).all()


def test_a_frame_seen_before_is_not_drawn_again():
    drawn = []

    def remember(slope):
        drawn.append(slope)
        return line(slope)

    (choice,), _, _ = parts(
        live_widget(Exploration(remember, ALT, None, {"slope": [1, 2]}))
    )
    for position in (1, 0, 1, 0):
        choice.value = position
    assert drawn == [1, 2]


def test_a_failing_value_is_shown_in_place_and_the_others_still_work():
    def fragile(slope):
        return line(1 / (slope - 2))

    box = live_widget(Exploration(fragile, ALT, None, {"slope": [1, 2, 3]}))
    (choice,), _, picture = parts(box)
    choice.value = 1
    assert "fragile(slope=2) failed: ZeroDivisionError" in picture.value
    choice.value = 2
    assert "<img" in picture.value
    with pytest.raises(ValueError, match="failed"):
        live_widget(Exploration(fragile, ALT, None, {"slope": slider([1, 2], start=2)}))


@pytest.mark.parametrize("static", [None, "0", ""])
def test_a_live_kernel_gets_widgets(monkeypatch, static):
    shown = []
    monkeypatch.setattr("lib.course.exploration.display", shown.append)
    monkeypatch.setattr("lib.course.exploration.get_ipython", lambda: object())
    monkeypatch.delenv("COURSE_STATIC", raising=False)
    if static is not None:
        monkeypatch.setenv("COURSE_STATIC", static)
    explore(line, alt=ALT, slope=[1, 2])
    assert isinstance(shown[0], ipywidgets.VBox)
