"""Saved explorations in a real browser, on a page that has nothing else."""

import base64
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lib.course.exploration import Exploration, slider
from lib.course.exploration_page import Page
from lib.course.figures import use_style

PICTURE = "canvas => canvas.toDataURL()"


def bars(height, shift=0):
    figure, axes = plt.subplots(figsize=(5, 3))
    axes.bar(np.arange(3) + shift, [1, height, 2])
    axes.set(xlim=(-1, 6), ylim=(0, 8), title="Bars")
    return figure


@pytest.fixture(scope="module")
def html() -> str:
    """Two equal explorations with one slider, and a third with two."""
    with plt.rc_context():
        use_style()
        heights = slider([1, 3, 5, 7], label="h", unit="m")
        one = Page(
            Exploration(bars, "Bars, one of which grows", None, {"height": heights})
        )
        two = {
            "height": heights,
            "shift": slider([0, 1, 2], label="a long name of a shift", start=1),
        }
        both = Page(Exploration(bars, "Bars that grow and move", "Growing bars", two))
    return one.html * 2 + both.html


@pytest.fixture
def open_page(browser, html, tmp_path):
    """Open the explorations in a fresh window; nothing may fail or be asked for."""
    contexts, troubles = [], []

    def open_page(width=900, css="", **options):
        style = f"body {{ margin: 0; {css} }}"
        (tmp_path / "page.html").write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Explorations</title>'
            '<meta name="viewport" content="width=device-width">'
            f"<style>{style}</style><body>{html}</body></html>",
            encoding="utf-8",
        )
        contexts.append(
            browser.new_context(viewport={"width": width, "height": 900}, **options)
        )
        contexts[-1].add_init_script("window.known = ['known', ...Object.keys(window)]")
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        page.on(
            "request",
            lambda r: r.url.startswith(("file:", "data:")) or troubles.append(r.url),
        )
        page.goto((tmp_path / "page.html").as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_function(
                "document.querySelectorAll('canvas[data-frame]').length === 3"
            )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles


def at(page, number: int):
    """The picture, ranges, buttons and read-outs of one exploration."""
    root = page.locator(".course-explore").nth(number)
    return (root.locator(part) for part in ("canvas", "input", "button", "output"))


def test_the_keyboard_moves_slider_picture_and_words(open_page):
    page = open_page()
    canvas, ranges, _, outputs = at(page, 0)
    before = canvas.evaluate(PICTURE)
    page.get_by_role("slider", name="h").first.focus()
    page.keyboard.press("ArrowRight")
    assert canvas.get_attribute("data-frame") == "1"
    assert canvas.evaluate(PICTURE) != before
    assert outputs.inner_text() == "3\u202fm"
    assert ranges.get_attribute("aria-valuetext") == "3\u202fm"
    assert (
        canvas.get_attribute("aria-label") == "Bars, one of which grows (h = 3\u202fm)"
    )
    page.keyboard.press("End")
    assert outputs.inner_text() == "7\u202fm"
    page.keyboard.press("Home")
    assert canvas.evaluate(PICTURE) == before


def test_explorations_on_one_page_are_independent(open_page):
    page = open_page()
    at_first = [canvas.evaluate(PICTURE) for canvas in page.locator("canvas").all()]
    _, ranges, _, _ = at(page, 1)
    ranges.focus()
    page.keyboard.press("ArrowRight")
    now = [canvas.evaluate(PICTURE) for canvas in page.locator("canvas").all()]
    assert [a == b for a, b in zip(at_first, now, strict=True)] == [True, False, True]
    assert (
        page.evaluate("Object.keys(window).filter(name => !known.includes(name))") == []
    )


def test_two_sliders_choose_one_frame(open_page):
    page = open_page()
    canvas, ranges, _, outputs = at(page, 2)
    assert canvas.get_attribute("data-frame") == "1"
    ranges.nth(0).focus()
    page.keyboard.press("End")
    ranges.nth(1).focus()
    page.keyboard.press("ArrowRight")
    assert canvas.get_attribute("data-frame") == "11"
    assert outputs.all_inner_texts() == ["7\u202fm", "2"]
    assert canvas.get_attribute("aria-label").endswith(
        "(h = 7\u202fm, a long name of a shift = 2)"
    )


def test_the_canvas_shows_the_figure_that_was_drawn(open_page):
    page = open_page()
    canvas, ranges, _, _ = at(page, 0)
    ranges.focus()
    page.keyboard.press("End")
    shown = Image.open(
        io.BytesIO(base64.b64decode(canvas.evaluate(PICTURE).split(",")[1]))
    )
    with plt.rc_context():
        use_style()
        figure = bars(7)
        figure.savefig(buffer := io.BytesIO(), dpi=144)
        plt.close(figure)
    for ground in ("black", "white"):  # a canvas rounds the colours of faint pixels
        one, two = (
            Image.alpha_composite(
                Image.new("RGBA", shown.size, ground), layer.convert("RGBA")
            )
            for layer in (shown, Image.open(buffer))
        )
        assert np.abs(np.array(one, int) - np.array(two, int)).max() <= 2


def test_play_runs_to_the_end_and_can_be_paused(open_page):
    page = open_page()
    canvas, ranges, button, _ = at(page, 0)
    status = page.locator(".explore-status").first
    assert button.get_attribute("aria-label") == "Play h"
    button.click()
    assert button.get_attribute("aria-label") == "Pause h"
    assert canvas.get_attribute("data-frame") == "1"
    page.wait_for_selector("canvas[data-frame='3']")
    assert button.get_attribute("aria-label") == "Play h"
    assert status.inner_text() == "h = 7\u202fm"
    button.click()  # from the end it begins again
    assert canvas.get_attribute("data-frame") == "0"
    button.click()
    assert button.get_attribute("aria-label") == "Play h"
    assert status.inner_text() == "h = 1\u202fm"
    button.click()
    ranges.press("ArrowRight")  # whoever takes the slider takes over
    assert button.get_attribute("aria-label") == "Play h"
    stopped = canvas.get_attribute("data-frame")
    page.wait_for_timeout(1300)  # twice the pace
    assert canvas.get_attribute("data-frame") == stopped


def test_where_motion_is_unwelcome_the_button_takes_one_step(open_page):
    page = open_page(reduced_motion="reduce")
    canvas, _, button, _ = at(page, 0)
    assert button.get_attribute("aria-label") == "Next h"
    button.click()
    page.wait_for_timeout(1300)
    assert canvas.get_attribute("data-frame") == "1"
    assert page.locator(".explore-status").first.inner_text() == "h = 3\u202fm"


def test_without_scripts_there_is_a_picture_and_no_dead_control(open_page):
    page = open_page(java_script_enabled=False)
    picture = page.get_by_role("img", name="Bars, one of which grows (h = 1").first
    assert picture.bounding_box()["width"] == 480
    assert not page.get_by_role("slider").first.is_visible()


def test_a_phone_shows_all_of_it_with_room_for_fingers(open_page):
    page = open_page(width=375, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    for canvas in page.locator("canvas").all():
        box = canvas.bounding_box()
        assert box["width"] == 375
        assert box["height"] == pytest.approx(375 * 3 / 5, abs=1)
    for part in page.locator("button, input").all():
        box = part.bounding_box()
        assert min(box["width"], box["height"]) >= 40
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
    page.locator("button").first.tap()
    page.wait_for_selector("canvas[data-frame='1']")


def test_the_page_shows_through_in_light_and_dark(open_page):
    for ground, text in (("rgb(255, 255, 255)", "black"), ("rgb(18, 20, 24)", "white")):
        page = open_page(css=f"background: {ground}; color: {text}")
        shot = np.array(
            Image.open(io.BytesIO(page.locator("canvas").first.screenshot()))
        )
        red, green, blue = map(int, ground[4:-1].split(","))
        assert (shot[3, 3, :3] == (red, green, blue)).all()
        contrast = np.abs(shot[..., :3].astype(int) - shot[3, 3, :3].astype(int)).max()
        assert contrast > 100
        assert page.locator("output").first.evaluate(
            "o => getComputedStyle(o).color"
        ) in (
            "rgb(0, 0, 0)",
            "rgb(255, 255, 255)",
        )
