"""The table of contents is the syllabus as far as it is written, and a few other pages."""

import re

import yaml

from lib.course import notebook_checks, paths, syllabus

TOC = yaml.safe_load((paths.repository() / "_toc.yml").read_text(encoding="utf-8"))
LISTED = {
    part["caption"]: [chapter["file"] for chapter in part["chapters"]]
    for part in TOC["parts"]
}
PARTS = {part.title: part for part in syllabus.parts()}


def test_parts_carry_the_names_of_the_syllabus_in_its_order():
    captions = list(LISTED)
    assert captions[0] == "Start here"
    assert captions[-1] == "Reference"
    between = captions[1:-1]
    assert between == [title for title in PARTS if title in between]
    assert len(captions) == len(TOC["parts"]), "a caption is used twice"


def test_every_written_chapter_is_listed_in_its_part_and_in_order():
    for title, part in PARTS.items():
        written = [chapter.docname for chapter in part.chapters if chapter.exists]
        assert LISTED.get(title, []) == written


def test_a_chapter_has_the_title_of_the_syllabus():
    for chapter in filter(lambda chapter: chapter.exists, syllabus.chapters()):
        first = notebook_checks.load(chapter.notebook).cells[0].source
        assert re.match(r"# (.+)", first)[1].strip() == chapter.title


def test_other_pages_are_no_chapters():
    folders = {part.folder for part in PARTS.values()}
    for name in (*LISTED["Start here"], *LISTED["Reference"], TOC["root"]):
        assert name.split("/")[:-1] == ["book"]
        assert not set(name.split("/")) & folders
