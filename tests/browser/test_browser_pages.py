"""Every page of the book as a browser meets it: nothing missing, remote or broken."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from visiting import DESKTOP, PHONE, Troubles, settle

from lib.course import contents, paths

MOST_BYTES = 3_000_000
PAGES = [
    page.relative_to(paths.repository()).with_suffix("").as_posix()
    for page in contents.documents()
]

LOOK = """() => {
  const text = document.createElement("div");
  text.append(document.querySelector("article").cloneNode(true));
  const skipped = "pre, code, script, style, mjx-container";
  text.querySelectorAll(skipped).forEach((e) => e.remove());
  const math = [...document.querySelectorAll("article .math")];
  const errors = [...document.querySelectorAll("mjx-merror, [data-mjx-error]")];
  const images = [...document.images];
  const loaded = performance.getEntriesByType("resource").map((e) => e.name);
  return {
    unset: math.filter((m) => !m.querySelector("mjx-container")).map((m) => m.textContent),
    wrong: errors.map((m) => m.textContent),
    text: text.textContent,
    wordless: images.filter((i) => !i.hasAttribute("alt")).map((i) => i.src),
    broken: images.filter((i) => !i.naturalWidth).map((i) => i.src.slice(0, 200)),
    loaded: [location.href, ...loaded],
  };
}"""

# What is wider than the window must lie in something that a finger can scroll.
WIDE = """() => {
  const seen = (e) => e.checkVisibility() && !e.closest("mjx-assistive-mml");
  const scrolls = (e) =>
    e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...document.querySelectorAll("article *, header *, footer *")].filter(
    (e) => seen(e) && e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e));
  return {
    width: document.documentElement.scrollWidth,
    window: innerWidth,
    wide: wide.slice(0, 5).map((e) => e.outerHTML.slice(0, 120)),
  };
}"""

TWO_FRAMES = (
    "() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))"
)


@dataclass
class Visit:
    """What one visit to a page has shown."""

    troubles: Troubles
    desktop: dict
    phone: dict


@pytest.fixture(scope="module")
def visit(browser, base: str):
    """Visit a page once, however many tests ask; files that pages share come from the cache."""
    context = browser.new_context(viewport=DESKTOP)
    window = context.new_page()
    window.set_default_timeout(20_000)
    seen: dict[str, Visit] = {}

    def visited(page: str) -> Visit:
        if page not in seen:
            tab = context.new_page()
            troubles = Troubles()
            troubles.watch(tab, base)
            tab.goto(f"{base}{page}.html", wait_until="load")
            settle(tab)
            desktop = tab.evaluate(LOOK)
            tab.set_viewport_size(PHONE)
            tab.evaluate(TWO_FRAMES)  # the page adapts its wide formulas
            phone = tab.evaluate(WIDE)
            tab.close()
            seen[page] = Visit(troubles, desktop, phone)
        return seen[page]

    yield visited
    context.close()


def weight(loaded: list[str], base: str, html: Path) -> dict[str, int]:
    """The size of each file of the book that a page has loaded."""
    files = {
        unquote(urlsplit(url).path).lstrip("/")
        for url in loaded
        if url.startswith(base)
    }
    return {name: (html / name).stat().st_size for name in files}


@pytest.mark.parametrize("page", PAGES)
def test_everything_a_page_asks_for_is_in_the_book(page, visit):
    assert visit(page).troubles.requests == []


@pytest.mark.parametrize("page", PAGES)
def test_the_console_stays_silent(page, visit):
    assert visit(page).troubles.console == []


@pytest.mark.parametrize("page", PAGES)
def test_formulas_are_set(page, visit):
    seen = visit(page).desktop
    assert seen["unset"] == []
    assert seen["wrong"] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_raw_tex_is_left(page, visit):
    raw = re.findall(
        r"\\[([].{0,60}|\$[^$\n]{1,60}\$|\\(?:frac|mathbb|mathcal|sum|text|begin|top)\b.{0,40}",
        visit(page).desktop["text"],
    )
    assert raw == []


@pytest.mark.parametrize("page", PAGES)
def test_pictures_have_words_and_show(page, visit):
    seen = visit(page).desktop
    assert seen["wordless"] == []
    assert seen["broken"] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_shows_it_without_scrolling_sideways(page, visit):
    phone = visit(page).phone
    assert phone["wide"] == []
    assert phone["width"] <= phone["window"]


@pytest.mark.parametrize("page", PAGES)
def test_page_weighs_at_most_3_megabytes(page, visit, base, html):
    sizes = weight(visit(page).desktop["loaded"], base, html)
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert f"{page}.html" in sizes
    assert sum(sizes.values()) <= MOST_BYTES, heaviest
