"""Quizzes: every quiz of the book is in order, a faulty one is refused by name, bytes repeat."""

import json
import re

import pytest
import yaml

from lib.course import paths, quiz, quizzes, syllabus
from lib.course.quiz_questions import QuizError, read_quiz

FILES = sorted(paths.book().rglob("*.quiz.yml"))
each = pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])


@each
def test_quizzes_of_the_book_are_in_order(file):
    questions = read_quiz(
        file
    )  # refuses a question without a right answer, or without feedback
    assert len(questions) >= 4
    assert len({question.text for question in questions}) == len(questions)
    for question in questions:
        if question.kind == "number":
            assert question.tolerance > 0
        else:
            assert any(answer.correct for answer in question.answers)


@each
def test_quizzes_of_the_book_belong_to_a_page(file):
    slug = file.name.removesuffix(".quiz.yml")
    assert quizzes.quiz_file(slug) == file
    chapters = {chapter.slug for chapter in syllabus.chapters()}
    assert slug in chapters or list(paths.book().glob(f"{slug}.*"))


@each
def test_quizzes_of_the_book_have_sound_formulas(file):
    html = quizzes.quiz_panel("some_page", read_quiz(file)).html
    texts = html[html.index('class="course-quiz-texts"') : html.index("<noscript>")]
    prose = re.sub(
        r'<span class="math">.*?</span>|<code>.*?</code>', "", texts, flags=re.DOTALL
    )
    assert "$" not in prose, "a dollar sign without its partner"
    assert not re.search(r"\\[a-zA-Z]+", prose), "a TeX command outside $…$"
    for formula in re.findall(r"\\\((.*?)\\\)</span>", texts, flags=re.DOTALL):
        assert formula.count("{") - formula.count("\\{") == formula.count(
            "}"
        ) - formula.count("\\}")
        assert len(re.findall(r"\\left\b", formula)) == len(
            re.findall(r"\\right\b", formula)
        )


def test_every_chapter_shows_its_quiz():
    for chapter in syllabus.chapters():
        if not chapter.exists:
            continue
        cells = json.loads(chapter.notebook.read_text(encoding="utf-8"))["cells"]
        code = "\n".join(
            "".join(c["source"]) for c in cells if c["cell_type"] == "code"
        )
        if chapter.quiz.is_file() or re.search(r"^quiz\(", code, re.MULTILINE):
            assert chapter.quiz.is_file(), (
                f"{chapter.slug} shows a quiz that does not exist"
            )
            assert re.search(r"^quiz\(\)", code, re.MULTILINE), (
                f"{chapter.slug} lacks quiz()"
            )


# ---------------------------------------------------------------- faults


def choice(**changes):
    """A faultless question of one right answer, with changes; None takes a field out."""
    whole = {
        "question": "Which?",
        "type": "choice",
        "answers": [
            {"answer": "this", "correct": True, "feedback": "Yes."},
            {"answer": "that", "correct": False, "feedback": "No."},
        ],
    }
    return {k: v for k, v in {**whole, **changes}.items() if v is not None}


def number(**changes):
    """A faultless question for a number, with changes; None takes a field out."""
    whole = {"question": "How many?", "type": "number", "value": 2, "tolerance": 0.1,
             "correct": "Yes.", "wrong": "No."}  # fmt: skip
    return {k: v for k, v in {**whole, **changes}.items() if v is not None}


def answer(**changes):
    """A choice whose first answer has changes; None takes a field out."""
    first = {"answer": "this", "correct": True, "feedback": "Yes.", **changes}
    first = {k: v for k, v in first.items() if v is not None}
    return choice(
        answers=[first, {"answer": "that", "correct": False, "feedback": "No."}]
    )


RIGHT = {"answer": "so", "correct": True, "feedback": "Yes."}


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("text", "question 1: expected question, type and answers"),
        (choice(question=None), "question 1, question: expected a text, got None"),
        (choice(question="  "), "question 1, question: expected a text"),
        (choice(type="essay"), "type: expected one of choice, many, number, got 'essay'"),
        (choice(type=None), "type: expected one of"),
        (choice(hint="x"), "hint: unknown field for choice"),
        (choice(tolerance=1), "tolerance: unknown field for choice"),
        (choice(answers=None), "answers: expected at least two"),
        (choice(answers=[RIGHT]), "answers: expected at least two"),
        (choice(answers=[RIGHT, "that"]), "answer 2: expected answer, correct and feedback"),
        (choice(answers=[RIGHT, RIGHT | {"answer": "b"}]), "exactly one correct answer, got 2"),
        (choice(answers=[RIGHT, RIGHT | {"correct": False}]), "the same answer is given twice"),
        (answer(correct=False), "exactly one correct answer, got 0"),
        (answer(correct="yes"), "answer 1, correct: expected true or false, got 'yes'"),
        (answer(correct=None), "answer 1, correct: expected true or false, got None"),
        (answer(feedback=None), "answer 1, feedback: expected a text, got None"),
        (answer(answer=""), "answer 1, answer: expected a text"),
        (answer(why="x"), "answer 1, why: unknown field"),
        (choice(type="many"), "many expects at least two correct ones, got 1"),
        (choice(keep_order="yes"), "keep_order: expected true or false"),
        (number(value=None), "value: expected a finite number, got None"),
        (number(value="1e-3"), "write 1.0e-3"),
        (number(value=True), "value: expected a finite number, got True"),
        (number(value=float("nan")), "value: expected a finite number"),
        (number(tolerance=None), "tolerance: expected a finite number, got None"),
        (number(tolerance=0), "tolerance: expected a positive number"),
        (number(tolerance=-1), "tolerance: expected a positive number"),
        (number(correct=None), "correct: expected a text"),
        (number(wrong=None), "wrong: expected a text"),
        (number(mistakes=3), "mistakes: expected a list"),
        (number(mistakes=[{"value": 3}]), "mistake 1: expected value and feedback"),
        (number(mistakes=[{"value": 2.1, "feedback": "x"}]), "too close to the right value"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_question_and_field(tmp_path, question, fault):
    file = tmp_path / "page.quiz.yml"
    file.write_text(yaml.safe_dump([question]), encoding="utf-8")
    with pytest.raises(QuizError) as caught:
        read_quiz(file)
    assert str(caught.value).startswith("page.quiz.yml, question 1")
    assert fault in str(caught.value)


@pytest.mark.parametrize("content", ["", "a: 1", "[]", "- {", "\x00", "3"])
def test_a_file_that_is_no_list_of_questions(tmp_path, content):
    file = tmp_path / "page.quiz.yml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(QuizError, match=r"page\.quiz\.yml"):
        read_quiz(file)


def test_a_quiz_that_does_not_exist(tmp_path):
    with pytest.raises(QuizError, match="there is no quiz"):
        read_quiz(tmp_path / "page.quiz.yml")
    with pytest.raises(QuizError, match="no chapter or page 'no_such_page'"):
        quiz("no_such_page")


def test_without_begin_the_chapter_is_unknown(monkeypatch):
    monkeypatch.setattr("lib.course.chapter.current", lambda: None)
    with pytest.raises(ValueError, match="call begin"):
        quiz()


def test_the_chapter_comes_from_begin(monkeypatch, capsys):
    monkeypatch.setattr("lib.course.chapter.current", lambda: "how_this_book_works")
    quiz()
    assert capsys.readouterr().out == "Quiz: 4 questions.\n"


# ---------------------------------------------------------------- the page


@pytest.fixture
def panel():
    """The demonstration quiz."""
    return quizzes.quiz_panel("how_this_book_works", read_quiz(FILES[_demo()]))


def _demo() -> int:
    return [file.name for file in FILES].index("how_this_book_works.quiz.yml")


def test_the_page_is_the_same_every_time_and_knows_no_network(panel):
    again = quizzes.quiz_panel("how_this_book_works", read_quiz(FILES[_demo()]))
    assert panel == again
    for remote in ("http", "//cdn", "src=", "import(", "fetch(", "url(", "Math.random"):
        assert remote not in panel.html, remote


def test_answers_are_mixed_unless_their_order_matters(tmp_path):
    answers = [
        {"answer": f"answer {i}", "correct": i == 0, "feedback": "So."}
        for i in range(6)
    ]
    mixed = [choice(question=f"Which {i}?", answers=answers) for i in range(6)]
    kept = [choice(question="In order?", answers=answers, keep_order=True)]
    file = tmp_path / "page.quiz.yml"
    file.write_text(yaml.safe_dump(mixed + kept), encoding="utf-8")
    html = quizzes.quiz_panel("page", read_quiz(file)).html
    told = json.loads(re.search(r'startQuiz\("quiz_page", (.*)\);', html)[1])
    places = [
        [a["correct"] for a in question["answers"]].index(True) for question in told
    ]
    assert places[-1] == 0
    assert len(set(places[:-1])) > 1


def test_a_text_cannot_break_out_of_the_page(tmp_path):
    evil = "</script><script>alert(1)</script> <b>x</b> & $a < b$ \\$5 [x](y)"
    file = tmp_path / "page.quiz.yml"
    file.write_text(yaml.safe_dump([choice(question=evil)]), encoding="utf-8")
    html = quizzes.quiz_panel("page", read_quiz(file)).html
    assert html.count("<script>") == html.count("</script>") == 1
    assert "&lt;script&gt;" in html
    assert "\\(a &lt; b\\)" in html


def test_a_newer_jupyterquiz_is_noticed(monkeypatch):
    mends = (*quizzes._MENDS, ("numeric.js", "a line that is not there", ""))
    monkeypatch.setattr(quizzes, "_MENDS", mends)
    with pytest.raises(QuizError, match="jupyterquiz has changed"):
        quizzes.mended("numeric.js")
