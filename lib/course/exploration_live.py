"""An exploration in a live notebook: ipywidgets sliders, drawn as they move."""

from __future__ import annotations

import base64
import io
from html import escape

import ipywidgets
from PIL import Image

from lib.course.exploration import Exploration
from lib.course.figures import CSS_DPI
from lib.course.sliders import Slider

PLAY_MILLISECONDS = 300


def live_widget(exploration: Exploration) -> ipywidgets.VBox:
    """A picture above one row of controls per slider; it follows them at once."""
    picture = ipywidgets.HTML()
    seen: dict[
        tuple[int, ...], str
    ] = {}  # what was drawn once comes back without drawing
    named = zip(exploration.labels, exploration.sliders.values(), strict=True)
    choices = [_choice(label, made) for label, made in named]

    def follow(change: dict | None = None) -> None:
        position = tuple(choice.value for choice in choices)
        if position not in seen:
            try:
                seen[position] = _image(exploration, position)
            except (TypeError, ValueError) as error:
                if change is None:
                    raise
                # An exception in a callback would end up in a log that nobody reads.
                picture.value = f'<pre role="alert">{escape(str(error))}</pre>'
                return
        picture.value = seen[position]

    follow()
    for choice in choices:
        choice.observe(follow, names="value")
    title = (
        [ipywidgets.HTML(f"<b>{escape(exploration.title)}</b>")]
        if exploration.title
        else []
    )
    rows = [ipywidgets.HBox([_play(choice), choice]) for choice in choices]
    return ipywidgets.VBox([*title, picture, *rows])


def _choice(label: str, made: Slider) -> ipywidgets.SelectionSlider:
    """A slider over the positions 0, 1, …, which read as the values do."""
    return ipywidgets.SelectionSlider(
        options=list(zip(made.readings, range(len(made.values)), strict=True)),
        value=made.start,
        description=label,
        style={"description_width": "initial"},
        layout=ipywidgets.Layout(width="32rem", max_width="100%"),
    )


def _play(choice: ipywidgets.SelectionSlider) -> ipywidgets.Play:
    """Buttons that move the slider by themselves; the link lives in the browser."""
    play = ipywidgets.Play(
        value=choice.value,
        min=0,
        max=len(choice.options) - 1,
        interval=PLAY_MILLISECONDS,
        show_repeat=False,
    )
    ipywidgets.jslink((play, "value"), (choice, "index"))
    return play


def _image(exploration: Exploration, position: tuple[int, ...]) -> str:
    """The frame as an image element: decoded at once and of known size, so nothing flickers."""
    frame = exploration.frame(position)
    width, height = (round(side * CSS_DPI) for side in frame.inches)
    buffer = io.BytesIO()
    Image.fromarray(frame.rgba).save(buffer, format="PNG", compress_level=1)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return (
        f'<img alt="{escape(exploration.described(position))}" width="{width}" height="{height}"'
        f' decoding="sync" style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'
    )
