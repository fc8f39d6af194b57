"""``quiz()``: the chapter's quiz, on jupyterquiz, at home in the static page and in Jupyter.

jupyterquiz draws the questions and marks the answers. Around it, this module

* puts every text (question, answer, feedback) into the page as HTML, where the page's own MathJax
  or JupyterLab sets the formulas, and lets ``quiz_in_page.js`` move each to its place: jupyterquiz
  alone would ask a remote server for MathJax, and shows raw TeX in JupyterLab;
* replaces its random ids by ones made from the chapter's slug, so that saved outputs repeat;
* leaves out its style sheet: the colours are those of the course (``static/quiz.css``).
"""

import json
import random
import re
import zlib
from importlib.resources import files
from pathlib import Path

from lib.course import chapter, paths, syllabus
from lib.course.panel import Panel
from lib.course.prose import inline
from lib.course.quiz_questions import Question, QuizError, read_quiz

_SCRIPTS = ("helpers.js", "multiple_choice.js", "numeric.js", "show_questions.js")
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
# Enough to read and answer where the style sheet is missing, as in a notebook not yet run;
# ``:where`` weighs nothing, so the style sheet wins.
_BARE = """<style>
:where(.course-quiz .Quiz) { margin: 1em 0; position: relative; }
:where(.course-quiz .Answer) { display: grid; gap: 0.3em; margin: 0.3em 0; }
:where(.course-quiz .MCButton) { border: 1px solid #8888; padding: 0.3em 0.6em; }
:where(.course-quiz .correctButton) { border-color: #2b7a3d; }
:where(.course-quiz .incorrectButton) { border-color: #b42318; }
:where(.course-quiz .sr-only) { position: absolute; opacity: 0; }
</style>"""


def quiz(slug: str | None = None) -> None:
    """Show the quiz of the chapter that `begin` named, or of the chapter ``slug``."""
    slug = slug or chapter.current()
    if slug is None:
        raise ValueError('quiz() does not know the chapter: call begin("slug") first')
    quiz_panel(slug, read_quiz(quiz_file(slug))).show()


def quiz_file(slug: str) -> Path:
    """Where the quiz of a chapter or of a reference page is."""
    for one in syllabus.chapters():
        if one.slug == slug:
            return one.quiz
    page = paths.book() / f"{slug}.quiz.yml"
    if not page.is_file():
        raise QuizError(f"there is no chapter or page {slug!r} with a quiz {page.name}")
    return page


def quiz_panel(slug: str, questions: tuple[Question, ...]) -> Panel:
    """The quiz as self-contained HTML: container, texts and script."""
    name = "quiz_" + re.sub(r"\W", "_", slug)
    texts: dict[str, str] = {}
    told = [_translate(one, i, slug, texts) for i, one in enumerate(questions)]
    stored = "\n".join(
        f'<span data-part="{key}">{html}</span>' for key, html in texts.items()
    )
    data = (
        'data-shufflequestions="False" data-shuffleanswers="False" '
        f'data-preserveresponses="false" data-numquestions="{len(told)}" data-maxwidth="9999"'
    )
    html = (
        f'<div class="course-quiz tex2jax_process" role="group" aria-label="Quiz">\n'
        f'{_BARE}\n<div id="{name}" class="course-quiz-root" {data}></div>\n'
        f'<div class="course-quiz-texts" aria-hidden="true" style="{_HIDDEN}">\n'
        f"{stored}\n</div>\n"
        f"<noscript><p>This quiz needs JavaScript.</p></noscript>\n"
        f"<script>\n{_script(name, told)}\n</script>\n</div>"
    )
    return Panel(html, f"Quiz: {len(questions)} questions.")


def _translate(
    question: Question, number: int, slug: str, texts: dict[str, str]
) -> dict:
    """The question as jupyterquiz knows it, its texts put aside in ``texts`` by key."""

    def put(key: str, text: str) -> str:
        texts[key] = inline(text)
        return f'<span data-part="{key}"></span>'

    q = f"q{number}"
    told = {"question": put(q, question.text)}
    if question.kind == "number":
        answers = [(question.value, True, question.correct)]
        answers += [(one.value, False, one.feedback) for one in question.mistakes]
        told["type"] = "numeric"
        told["answers"] = [
            {
                "range": _range(value, question.tolerance),
                "correct": correct,
                "feedback": put(f"{q}f{i}", text),
            }
            for i, (value, correct, text) in enumerate(answers)
        ]
        told["answers"].append(
            {"type": "default", "feedback": put(f"{q}fw", question.wrong)}
        )
        return told
    told["type"] = "many_choice" if question.kind == "many" else "multiple_choice"
    order = list(range(len(question.answers)))
    if not question.keep_order:
        # Fixed by the text, and the right answer is not always the first.
        random.Random(zlib.crc32(f"{slug} {question.text}".encode())).shuffle(order)
    told["answers"] = [
        {
            "answer": put(f"{q}a{i}", question.answers[i].text),
            "correct": question.answers[i].correct,
            "feedback": put(f"{q}f{i}", question.answers[i].feedback),
        }
        for i in order
    ]
    return told


def _range(value: float, tolerance: float) -> list[float]:
    """Where a number counts as this value: a little wider, for jupyterquiz omits the upper end."""
    slack = 1e-9 * max(abs(value), tolerance)
    return [value - tolerance - slack, value + tolerance + slack]


def _script(name: str, told: list[dict]) -> str:
    """jupyterquiz's own code, mended, and ours, in one scope of their own."""
    data = json.dumps(told)  # numbers and places; no text of the quiz is in it
    ours = (Path(__file__).parent / "quiz_in_page.js").read_text(encoding="utf-8")
    body = "\n".join(mended(one) for one in _SCRIPTS)
    return f"(function () {{\n{body}\n{ours}\nstartQuiz({json.dumps(name)}, {data});\n}})();"


_ASK_FOR_MATHJAX = (
    r"if \(typeof MathJax != 'undefined'\) \{.*?MathJax not detected'\);\s*\}"
)
_FOUND = """' (' + {} + ' of ' + numcorrect + ' found)'"""
# (file, what jupyterquiz 2.9.6.4 has there, what replaces it); each is found exactly once.
_MENDS = (
    # Random ids would differ at every rendering.
    ("show_questions.js", r"makeid\(8\)", "container.dataset.prefix + 'q' + index"),
    # It asks a remote server for MathJax; our texts are typeset where they stand.
    (
        "show_questions.js",
        r"// Trigger MathJax typesetting.*?(?=// Prevent link clicks)",
        "",
    ),
    ("multiple_choice.js", _ASK_FOR_MATHJAX, "placeTexts(fb);"),
    ("numeric.js", _ASK_FOR_MATHJAX, "placeTexts(fb);"),
    ("helpers.js", r"typeset\(container\) \{.*?\n    \}\n", ""),
    # Texts come as HTML; jaxify would take brackets in a formula for a link.
    (
        "helpers.js",
        r"function jaxify\(string\) \{.*?\n\}\n",
        "const jaxify = (html) => html;\n",
    ),
    # Never called: nothing is shuffled in the page, no responses are collected.
    ("helpers.js", r"function makeid\(length\) \{.*?\n\}\n", ""),
    ("helpers.js", r"function getRandomSubarray\(.*?\n\}\n", ""),
    ("helpers.js", r"function printResponses\(.*?\n\}\n", ""),
    # How many of several right answers have been found, in words.
    (
        "multiple_choice.js",
        r'" \[" \+ answeredcorrect .*?"\]"',
        _FOUND.format("answeredcorrect"),
    ),
    ("multiple_choice.js", r'" \[" \+ 0 .*?"\]"', _FOUND.format(0)),
    # The field emptied itself at every focus, and refused pasting.
    (
        "numeric.js",
        r"inp\.onpaste = .*?inp\.addEventListener\(\"focus\".*?\n    \);",
        "",
    ),
    # A jump to the next question keeps screen readers from the feedback.
    ("numeric.js", r"nextInput\.focus\(\);", ""),
)


def mended(script: str) -> str:
    """One file of jupyterquiz with our mends, without comments and messages to the console."""
    text = files("jupyterquiz").joinpath("js", script).read_text(encoding="utf-8")
    for where, pattern, replacement in _MENDS:
        if where == script:
            text, count = re.subn(
                pattern, lambda _, r=replacement: r, text, flags=re.DOTALL
            )
            if count != 1:
                raise QuizError(
                    f"jupyterquiz has changed: {pattern!r} found {count} times in {script}"
                )
    text = re.sub(r"^\s*console\.log\(.*\);?\s*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n\s*\n+", "\n", text).strip()
