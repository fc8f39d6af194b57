"""An exploration in a live notebook: ipywidgets sliders, drawn as they move."""

from __future__ import annotations

import base64
import io
from html import escape

import ipywidgets
from PIL import Image

from lib.course.exploration import Exploration

LIVE_DPI = 120
CSS_PIXELS_PER_INCH = 100


def live_widget(exploration: Exploration) -> ipywidgets.VBox:
    """Sliders with play buttons above a picture that follows them."""
    picture = ipywidgets.HTML()
    drawn: dict[tuple[int, ...], str] = {}  # a frame seen once comes back at once
    controls, rows = [], []
    for label, made in zip(exploration.labels, exploration.sliders.values(), strict=True):
        choice = ipywidgets.SelectionSlider(
            options=list(zip(made.readings, range(len(made.values)), strict=True)),
            value=made.start,
            description=label,
            continuous_update=True,
            layout=ipywidgets.Layout(flex="1 1 auto"),
        )
        play = ipywidgets.Play(
            min=0, max=len(made.values) - 1, value=made.start, interval=300, show_repeat=False
        )
        ipywidgets.jslink((play, "value"), (choice, "index"))
        controls.append(choice)
        rows.append(ipywidgets.HBox([play, choice]))

    def redraw(_change=None) -> None:
        position = tuple(control.value for control in controls)
        if position not in drawn:
            try:
                drawn[position] = _image_tag(exploration, position)
            except (RuntimeError, TypeError) as error:
                if _change is None:
                    raise
                picture.value = f"<pre>{escape(str(error))}</pre>"
                return
        picture.value = drawn[position]

    redraw()
    for control in controls:
        control.observe(redraw, names="value")
    heading = [ipywidgets.HTML(f"<b>{escape(exploration.title)}</b>")] if exploration.title else []
    return ipywidgets.VBox([*heading, *rows, picture])


def _image_tag(exploration: Exploration, position: tuple[int, ...]) -> str:
    """An image element; decoded at once and of fixed size, so nothing flickers."""
    rgba = exploration.frame(position, LIVE_DPI)
    height, width = (round(side * CSS_PIXELS_PER_INCH / LIVE_DPI) for side in rgba.shape[:2])
    buffer = io.BytesIO()
    Image.fromarray(rgba).save(buffer, format="PNG", compress_level=1)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return (
        f'<img alt="{escape(exploration.described(position))}" width="{width}" height="{height}" '
        f'decoding="sync" style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'
    )
