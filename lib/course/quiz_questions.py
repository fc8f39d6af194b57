"""The questions of a quiz: read from YAML, checked field by field.

The format is in CONTRIBUTING.md. Every fault is reported with the number of the question and the
name of the field.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

KINDS = ("choice", "many", "number")
_FIELDS = {
    "choice": {"question", "type", "answers", "keep_order"},
    "many": {"question", "type", "answers", "keep_order"},
    "number": {
        "question",
        "type",
        "value",
        "tolerance",
        "correct",
        "wrong",
        "mistakes",
    },
}


class QuizError(ValueError):
    """A quiz that cannot be shown; the message names the file, the question and the field."""


@dataclass(frozen=True)
class Answer:
    """One answer to choose, whether it is right, and what the reader is told."""

    text: str
    correct: bool
    feedback: str


@dataclass(frozen=True)
class Mistake:
    """A number that shows a typical mistake, and what the reader is told."""

    value: float
    feedback: str


@dataclass(frozen=True)
class Question:
    """A question: answers to choose from (choice, many), or a number with its tolerance."""

    text: str
    kind: str
    answers: tuple[Answer, ...] = ()
    keep_order: bool = False
    value: float = 0.0
    tolerance: float = 0.0
    correct: str = ""
    wrong: str = ""
    mistakes: tuple[Mistake, ...] = ()


def read_quiz(path: Path) -> tuple[Question, ...]:
    """The questions in a quiz file; QuizError says what is wrong with it, and where."""
    if not path.is_file():
        raise QuizError(f"there is no quiz {path.name}: expected it beside the chapter")
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise QuizError(f"{path.name} is not valid YAML: {error}") from error
    if not isinstance(raw, list) or not raw:
        raise QuizError(
            f"{path.name}: expected a list of questions, got {type(raw).__name__}"
        )
    return tuple(
        _question(one, f"{path.name}, question {i}") for i, one in enumerate(raw, 1)
    )


def _question(raw: Any, where: str) -> Question:
    if not isinstance(raw, dict):
        raise QuizError(f"{where}: expected question, type and answers, got {raw!r}")
    kind = raw.get("type")
    if kind not in KINDS:
        raise QuizError(
            f"{where}, type: expected one of {', '.join(KINDS)}, got {kind!r}"
        )
    for name in raw:
        if name not in _FIELDS[kind]:
            known = ", ".join(sorted(_FIELDS[kind]))
            raise QuizError(
                f"{where}, {name}: unknown field for {kind}; known are {known}"
            )
    text = _text(raw, "question", where)
    return (
        _number(raw, text, where)
        if kind == "number"
        else _choice(raw, kind, text, where)
    )


def _choice(raw: dict, kind: str, text: str, where: str) -> Question:
    given = raw.get("answers")
    if not isinstance(given, list) or len(given) < 2:
        raise QuizError(f"{where}, answers: expected at least two, got {given!r}")
    answers = tuple(
        _answer(one, f"{where}, answer {i}") for i, one in enumerate(given, 1)
    )
    right = sum(answer.correct for answer in answers)
    if kind == "choice" and right != 1:
        raise QuizError(
            f"{where}, answers: expected exactly one correct answer, got {right}"
        )
    if kind == "many" and right < 2:
        raise QuizError(
            f"{where}, answers: many expects at least two correct ones, got {right}"
        )
    if len({answer.text for answer in answers}) < len(answers):
        raise QuizError(f"{where}, answers: the same answer is given twice")
    return Question(
        text, kind, answers, _truth(raw, "keep_order", where, default=False)
    )


def _answer(raw: Any, where: str) -> Answer:
    if not isinstance(raw, dict):
        raise QuizError(f"{where}: expected answer, correct and feedback, got {raw!r}")
    for name in raw:
        if name not in ("answer", "correct", "feedback"):
            raise QuizError(
                f"{where}, {name}: unknown field; known are answer, correct, feedback"
            )
    return Answer(
        _text(raw, "answer", where),
        _truth(raw, "correct", where),
        _text(raw, "feedback", where),
    )


def _number(raw: dict, text: str, where: str) -> Question:
    value, tolerance = _finite(raw, "value", where), _finite(raw, "tolerance", where)
    if tolerance <= 0:
        raise QuizError(
            f"{where}, tolerance: expected a positive number, got {tolerance!r}"
        )
    given = raw.get("mistakes", [])
    if not isinstance(given, list):
        raise QuizError(
            f"{where}, mistakes: expected a list of value and feedback, got {given!r}"
        )
    mistakes = []
    for i, one in enumerate(given, 1):
        at = f"{where}, mistake {i}"
        if not isinstance(one, dict) or set(one) != {"value", "feedback"}:
            raise QuizError(f"{at}: expected value and feedback, got {one!r}")
        mistake = Mistake(_finite(one, "value", at), _text(one, "feedback", at))
        if abs(mistake.value - value) <= 2 * tolerance:
            raise QuizError(
                f"{at}, value: too close to the right value for this tolerance"
            )
        mistakes.append(mistake)
    return Question(
        text, "number", value=value, tolerance=tolerance, mistakes=tuple(mistakes),
        correct=_text(raw, "correct", where), wrong=_text(raw, "wrong", where),
    )  # fmt: skip


def _text(raw: dict, field: str, where: str) -> str:
    value = raw.get(field)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)  # an answer such as 3 need not be quoted
    if not isinstance(value, str) or not value.strip():
        raise QuizError(f"{where}, {field}: expected a text, got {value!r}")
    return value.strip()


def _truth(raw: dict, field: str, where: str, default: bool | None = None) -> bool:
    value = raw.get(field, default)
    if not isinstance(value, bool):
        raise QuizError(f"{where}, {field}: expected true or false, got {value!r}")
    return value


def _finite(raw: dict, field: str, where: str) -> float:
    value = raw.get(field)
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
    ):
        also = (
            " (YAML reads 1e-3 as text: write 1.0e-3)" if isinstance(value, str) else ""
        )
        raise QuizError(
            f"{where}, {field}: expected a finite number, got {value!r}{also}"
        )
    return float(value)
