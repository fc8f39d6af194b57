"""A saved quiz in a real browser, on a page that has nothing else and with the network cut."""

import re

import pytest

from lib.course import paths, quizzes
from lib.course.quiz_questions import read_quiz

DEMO = paths.book() / "how_this_book_works.quiz.yml"


@pytest.fixture
def open_quiz(browser, tmp_path):
    """Open quizzes in a fresh window; nothing may be asked for, nothing may fail."""
    contexts, troubles = [], []

    def open_quiz(*slugs, theme="light", width=900, styled=True):
        slugs = slugs or ("how_this_book_works",)
        body = "".join(quizzes.quiz_panel(slug, read_quiz(DEMO)).html for slug in slugs)
        sheets = sorted((paths.repository() / "lib/course/static").glob("*.css"))
        css = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets if styled)
        file = tmp_path / "page.html"
        file.write_text(
            f'<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8">'
            f"<title>Quiz</title><style>{css}</style><body>{body}</body></html>",
            encoding="utf-8",
        )
        context = browser.new_context(
            viewport={"width": width, "height": 900}, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: r.url == file.as_uri() or troubles.append(r.url))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        page.goto(file.as_uri())
        return page

    yield open_quiz
    for context in contexts:
        context.close()
    assert not troubles


def question(page, start: str):
    """The question that begins with these words, and its feedback."""
    found = page.locator(".Quiz", has_text=re.compile(f"^{start}"))
    return found, found.locator(".Feedback")


def test_a_choice_is_answered_with_feedback(open_quiz):
    page = open_quiz()
    asked, feedback = question(page, "When does verify")
    assert feedback.inner_text() == ""
    asked.get_by_text("Whenever the cell runs").click()
    assert "a cell can run and still print a wrong number" in feedback.inner_text()
    assert "incorrect" in feedback.get_attribute("class")
    asked.get_by_text("When our value and the reference agree").click()
    assert feedback.inner_text().startswith("Yes.")
    assert "incorrect" not in feedback.get_attribute("class")
    assert asked.locator(".incorrectButton").count() == 0
    assert asked.locator(".correctButton").count() == 1


def test_several_right_answers_are_counted(open_quiz):
    page = open_quiz()
    asked, feedback = question(page, "In the rendered book")
    asked.get_by_text("This quiz").click()
    assert "(1 of 2 found)" in feedback.inner_text()
    asked.get_by_text("This quiz").click()
    assert "(1 of 2 found)" in feedback.inner_text()
    asked.get_by_text("Sliders").click()
    assert "(2 of 2 found)" in feedback.inner_text()
    asked.get_by_text("check").click()
    assert "needs Python" in feedback.inner_text()
    assert "(0 of 2 found)" in feedback.inner_text()


@pytest.mark.parametrize(
    ("typed", "told", "right"),
    [
        ("0.375", "Yes:", True),
        ("3/8", "Yes:", True),
        ("0,375", "Yes:", True),
        ("3.75e-1", "Yes:", True),
        ("0.376", "Yes:", True),
        ("0.374", "Yes:", True),
        ("0.3761", "Count the outcomes", False),
        ("1/8", "one order of the three", False),
        (".5", "three heads as well", False),
        ("−0.375", "Count the outcomes", False),
        ("0", "Count the outcomes", False),
        ("", "Type a number", False),
        ("abc", "Type a number", False),
        ("1/0", "Type a number", False),
        ("1/2/3", "Type a number", False),
        ("Infinity", "Type a number", False),
    ],
)
def test_a_number_is_marked(open_quiz, typed, told, right):
    page = open_quiz()
    asked, feedback = question(page, "A fair coin")
    field = asked.get_by_label("Your answer")
    field.fill(typed)
    field.press("Enter")
    assert told in feedback.inner_text()
    assert ("incorrect" in feedback.get_attribute("class")) != right


def test_the_keyboard_alone_is_enough(open_quiz):
    page = open_quiz()
    asked, feedback = question(page, "When does verify")
    page.keyboard.press("Tab")
    focused = "document.activeElement.closest('label')?.innerText ?? ''"
    first = page.evaluate(focused)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) != first
    assert feedback.inner_text() == "", "moving must not answer"
    for key in ("Enter", "Space"):
        page.keyboard.press("ArrowDown")
        chosen = page.evaluate(focused)
        page.keyboard.press(key)
        assert feedback.inner_text() != ""
        marked = asked.locator(".correctButton, .incorrectButton")
        assert marked.inner_text() == chosen
    outline = "getComputedStyle(document.activeElement.closest('label')).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_several_answers_by_keyboard(open_quiz):
    page = open_quiz()
    asked, feedback = question(page, "In the rendered book")
    asked.get_by_label("This quiz").focus()
    page.keyboard.press("Space")
    assert "(1 of 2 found)" in feedback.inner_text()
    page.keyboard.press("Space")
    assert "(1 of 2 found)" in feedback.inner_text()
    assert asked.get_by_label("This quiz").is_checked()


def test_screen_readers_are_told(open_quiz):
    page = open_quiz()
    for asked in page.locator(".Quiz").all():
        feedback = asked.locator(".Feedback")
        assert feedback.get_attribute("role") == "status"
        assert feedback.get_attribute("aria-live") == "polite"
        for field in asked.locator("input").all():
            assert field.evaluate("field => field.labels.length") == 1
            assert field.evaluate("field => field.labels[0].innerText.trim()") != ""
    assert (
        page.get_by_role("radiogroup", name="When does verify let a cell pass?").count()
        == 1
    )
    assert page.get_by_role("group", name="In the rendered book").count() == 1
    assert page.get_by_role("radio").count() == 3
    assert page.get_by_role("button", name="Check").count() == 1


def test_ids_are_unique_with_two_quizzes_and_the_same_twice(open_quiz):
    page = open_quiz("one_page", "one_page", "other_page")
    ids = page.evaluate(
        "Array.from(document.querySelectorAll('.Quiz [id]'), e => e.id)"
    )
    assert len(ids) == len(set(ids)) > 50
    for copy in range(3):
        quiz = page.locator(".course-quiz").nth(copy)
        assert quiz.locator(".Quiz").count() == 4
        quiz.get_by_text("Whenever the cell runs").click()
        assert page.locator(".Feedback:not(:empty)").count() == copy + 1


def test_ids_repeat_from_page_to_page(open_quiz):
    ids = "Array.from(document.querySelectorAll('.course-quiz [id]'), e => e.id)"
    assert open_quiz().evaluate(ids) == open_quiz().evaluate(ids)


def test_formulas_are_in_place_for_whichever_mathjax_the_page_has(open_quiz):
    page = open_quiz()
    asked, feedback = question(page, "Which of these")
    assert asked.locator("label .math").count() == 4
    asked.get_by_text("x x^").click()
    assert feedback.locator(".math").inner_text() == "\\(x\\)"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 900])
def test_it_fits_and_can_be_read(open_quiz, theme, width):
    page = open_quiz(theme=theme, width=width)
    background, text = (
        ("rgb(20, 24, 30)", "#ced6dd") if theme == "dark" else ("#fff", "#222")
    )
    page.add_style_tag(
        content=f":root {{ --pst-color-background: {background}; --pst-color-text-base: {text};"
        f"background: {background} }}"
    )
    page.locator(".MCButton").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (
        ".MCButton",
        ".Feedback.correct, .Feedback.incorrect",
        ".course-quiz-check",
    ):
        assert page.locator(part).first.evaluate(CONTRAST) >= 4.5, part


def test_it_can_be_answered_without_the_style_sheet(open_quiz):
    page = open_quiz(styled=False)
    asked, feedback = question(page, "When does verify")
    boxes = [answer.bounding_box() for answer in asked.locator(".MCButton").all()]
    assert all(box["width"] > 300 for box in boxes)
    assert len({box["y"] for box in boxes}) == 3, "one below the other"
    asked.get_by_text("Whenever the cell runs").click()
    assert feedback.inner_text().startswith("No:")


# WCAG contrast of an element's text with the first painted background behind it.
CONTRAST = """element => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (colour) => {
    const [r, g, b] = Array.from(rgba(colour)).slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let behind = element;
  while (rgba(getComputedStyle(behind).backgroundColor)[3] < 250) behind = behind.parentElement;
  const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
  const [dark, light] = pair.map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}"""
