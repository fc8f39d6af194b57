"""Every link inside the built book leads to a page that exists, and to a place on it."""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from lib.course import contents, paths

PAGES = [
    page.relative_to(paths.repository()).with_suffix(".html").as_posix()
    for page in contents.documents()
]
MADE_BY_SCRIPT = {"", "top"}


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path: Path) -> set[str]:
    return {tag["id"] for tag in parsed(path).select("[id]")}


@pytest.mark.parametrize("page", PAGES)
def test_links_within_the_book_lead_somewhere(page, html):
    here = html / page
    lost = []
    for link in parsed(here).select("a[href]"):
        address = urlsplit(link["href"])
        if address.scheme or address.netloc:
            continue
        target = (
            (here.parent / unquote(address.path)).resolve() if address.path else here
        )
        place = unquote(address.fragment)
        known = (
            anchors(target) if target.is_file() and target.suffix == ".html" else None
        )
        if not target.is_file() or (known and place not in MADE_BY_SCRIPT | known):
            lost.append(link["href"])
    assert lost == []


@pytest.mark.parametrize("page", PAGES)
def test_anchors_are_unique_in_the_article(page, html):
    ids = [tag["id"] for tag in parsed(html / page).select("article [id]")]
    assert sorted(ids) == sorted(set(ids))


def test_the_front_door_leads_to_the_title_page(html):
    door = (html / "index.html").read_text(encoding="utf-8")
    assert "book/intro.html" in door
