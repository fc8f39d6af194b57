"""What a reader does on the pages: search, answer, slide, unfold, switch to dark, download.

Each test looks for the first page that has what it needs, and fails when the book has none.
"""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from visiting import PHONE, settle

from lib.course import contents, paths
from lib.course.sphinx.repository import find_repository


def first_page(html: Path, *marks: str) -> str:
    """The first page in reading order whose HTML holds all the ``marks``."""
    for document in contents.documents():
        name = document.relative_to(paths.repository()).with_suffix(".html").as_posix()
        text = (html / name).read_text(encoding="utf-8")
        if all(mark in text for mark in marks):
            return name
    raise AssertionError(f"no page of the book has {' and '.join(marks)}")


def notebooks() -> list[str]:
    """The pages that are made from notebooks."""
    return [
        page.relative_to(paths.repository()).with_suffix("").as_posix()
        for page in contents.notebooks()
    ]


def test_search_finds_a_word_and_leads_to_it(open_page):
    page = open_page("book/intro.html")
    page.keyboard.press("Control+k")
    field = page.locator(".search-button__search-container input[type=search]")
    field.fill("Frobenius")
    field.press("Enter")
    page.wait_for_url("**/search.html?q=Frobenius*")
    link = page.locator("#search-results li a", has_text="Notation").first
    link.click()
    page.wait_for_url("**/book/notation.html*")
    assert "Frobenius" in page.locator("article").inner_text()


def test_search_says_when_nothing_is_found(open_page):
    page = open_page("search.html?q=xyzzyplugh")
    page.get_by_text("did not match any documents").wait_for()
    assert page.locator("#search-results li a").count() == 0


def test_a_quiz_answer_gets_feedback(html, open_page):
    page = open_page(first_page(html, "course-quiz", "MCButton"))
    question = (
        page.locator(".course-quiz .Quiz").filter(has=page.locator(".MCButton")).first
    )
    feedback = question.locator(".Feedback")
    assert feedback.inner_text().strip() == ""
    for answer in range(question.locator(".MCButton").count()):
        before = feedback.inner_text()
        question.locator(".MCButton").nth(answer).click()
        settle(page)
        assert len(feedback.inner_text().strip()) > 5
        assert feedback.inner_text() != before
        assert not re.search(r"\\[(\[]|\$", feedback.inner_text())


def test_an_exploration_slider_changes_the_figure(html, open_page):
    page = open_page(first_page(html, "course-explore"))
    explore = page.locator(".course-explore").first
    explore.scroll_into_view_if_needed()
    picture = explore.locator("canvas, img").first
    slider = explore.locator("input[type=range]").first
    shown, reading = picture.screenshot(), explore.locator("output").first.inner_text()
    at_start = slider.input_value() == slider.get_attribute("min")
    slider.focus()
    slider.press("End" if at_start else "Home")
    page.wait_for_timeout(200)
    assert explore.locator("output").first.inner_text() != reading
    assert explore.locator("canvas, img").first.screenshot() != shown


def test_a_solution_on_paper_opens(html, open_page):
    page = open_page(first_page(html, "solution dropdown admonition"))
    solution = page.locator(".admonition.solution.dropdown").first
    body = solution.locator("p:not(.admonition-title)").first
    assert not body.is_visible()
    solution.locator("button.toggle-button").click()
    body.wait_for(state="visible")


def test_a_solution_in_code_opens(html, open_page):
    page = open_page(first_page(html, "course-solution"))
    solution = page.locator("details.course-solution").first
    code = solution.locator("pre").first
    assert not code.is_visible()
    solution.locator("summary").first.click()
    code.wait_for(state="visible")
    assert (
        "def " in code.inner_text()
        or "class " in code.inner_text()
        or code.inner_text()
    )


def luminance(colour: str) -> float:
    """Relative luminance of a CSS colour ``rgb(r, g, b)``, from 0 to 1."""
    channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    ]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(page, selector: str) -> float:
    """The contrast of the text of the first ``selector`` with the page's ground."""
    text, ground = page.evaluate(
        """(s) => [getComputedStyle(document.querySelector(s)).color,
                   getComputedStyle(document.body).backgroundColor]""",
        selector,
    )
    light, dark = sorted((luminance(text), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(open_page, scheme):
    page = open_page("book/intro.html", color_scheme=scheme)
    assert page.locator("html").get_attribute("data-theme") == scheme
    for selector in ("article p", "article h2", "article a", ".bd-links a"):
        assert contrast(page, selector) >= 4.5, selector


def test_dark_mode_switches_and_is_remembered(open_page):
    page = open_page("book/notation.html", color_scheme="light")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert luminance(page.evaluate(ground)) > 0.8
    switch = page.locator(".theme-switch-button:visible").first
    for _ in range(3):  # auto, light, dark
        if page.locator("html").get_attribute("data-theme") == "dark":
            break
        switch.click()
    assert luminance(page.evaluate(ground)) < 0.05
    page.reload()
    settle(page)
    assert luminance(page.evaluate(ground)) < 0.05


def test_figures_keep_their_transparent_ground_in_the_dark(html, open_page):
    page = open_page(first_page(html, "image-reference"), color_scheme="dark")
    looks = page.locator("article .cell_output img").evaluate_all(
        "all => all.map((i) => [getComputedStyle(i).backgroundColor, getComputedStyle(i).filter])"
    )
    assert looks
    assert all(look == ["rgba(0, 0, 0, 0)", "none"] for look in looks)


def test_printing_from_the_dark_is_dark_on_white(open_page):
    page = open_page("book/data.html", color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert (
        luminance(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        > 0.9
    )
    for selector in ("article p", "article h1", "article .highlight .kn"):
        assert contrast(page, selector) >= 4.5, selector
    assert not page.locator(".bd-sidebar-primary").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_the_contents_open_on_a_phone(open_page):
    page = open_page("book/notation.html", viewport=PHONE)
    link = page.locator(".bd-sidebar-primary .bd-links a", has_text="Source map")
    assert not link.is_visible()
    page.locator("button.primary-toggle:visible").first.click()
    link.wait_for(state="visible")
    link.click()
    page.wait_for_url("**/source_map.html")


def test_code_can_be_copied(html, open_page):
    page = open_page(first_page(html, "cell_input"))
    cell = page.locator("div.cell_input").first
    cell.hover()
    assert cell.locator("button.copybtn").is_visible()


@pytest.mark.parametrize("name", notebooks())
def test_a_notebook_page_offers_its_notebook(name, html, base):
    text = (html / f"{name}.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+\.ipynb)"', text)
    targets = {
        unquote(urlsplit(urljoin(f"{base}{name}.html", link)).path) for link in links
    }
    assert f"/_sources/{name}.ipynb" in targets
    stored = json.loads((html / f"_sources/{name}.ipynb").read_text(encoding="utf-8"))
    assert stored == json.loads(
        (paths.repository() / f"{name}.ipynb").read_text("utf-8")
    )


@pytest.mark.parametrize("name", notebooks())
def test_binder_is_offered_where_the_repository_is_public(name, html):
    text = (html / f"{name}.html").read_text(encoding="utf-8")
    repository = find_repository(paths.repository())
    if repository is None:
        assert "mybinder.org" not in text
    else:
        assert repository.binder(f"{name}.ipynb").replace("&", "&amp;") in text


def test_formulas_are_set_when_the_page_is_opened_from_disk(html, browser):
    context = browser.new_context()
    page = context.new_page()
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.goto((html / "book" / "notation.html").as_uri(), wait_until="load")
    settle(page)
    assert page.locator("article mjx-container").count() > 50
    assert page.evaluate(
        "() => [...document.fonts].some((f) => f.family.startsWith('MJX') "
        "&& f.status === 'loaded')"
    )
    assert failed == []
    context.close()
