"""What an exercise is, and the registry of all of them.

One exercise is one small class in ``lib/exercises/<slug>.py``; see CONTRIBUTING.md for the format.
``@exercise`` reads the class once, says what is missing, and puts it in the registry.
"""

import difflib
import inspect
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lib.course import chapter as chapter_module

DEFAULT_TOLERANCE = 1e-6

# What the body of an exercise class may define; anything else is likely a slip of the pen.
_FIELDS = (
    "solution", "why", "cases", "hints", "accept", "run", "tol", "seconds",
    "allow", "ours", "may_mutate",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One call of the answer: its arguments, the tolerance, and a label the reader sees."""

    args: tuple
    kwargs: dict
    tol: float | None = None
    label: str | None = None
    random: bool = False


def case(*args, tol: float | None = None, label: str | None = None, **kwargs) -> Case:
    """A call to test: ``case(X, y, 0.5, tol=1e-8, label="one column")``."""
    if tol is not None and not (isinstance(tol, (int, float)) and 0 <= tol < 1):
        raise ValueError(f"tol of a case must be a number in [0, 1), got {tol!r}")
    return Case(args, kwargs, tol, label)


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer and the hint aimed at it."""

    name: str
    answer: Any
    hint: str


def wrong(hint: str) -> Callable[[Any], Wrong]:
    """Mark a function (or class) in an exercise as a typical wrong answer with its own hint."""
    if not isinstance(hint, str) or not hint.strip():
        raise ValueError(
            f'@wrong needs the hint as text: @wrong("You forgot …"), got {hint!r}'
        )
    return lambda answer: Wrong(answer.__name__, answer, " ".join(hint.split()))


@dataclass(frozen=True)
class Exercise:
    """A task, its reference solution, the cases that decide, and its typical mistakes.

    ``run(answer, *args)`` calls the answer; by default it is a plain call. ``accept(result,
    expected, args)`` decides where several results are right; by default they are compared.
    """

    id: str
    chapter: str
    prompt: str
    solution: Any
    why: str
    make_cases: Callable | None
    hints: tuple[str, ...]
    wrongs: tuple[Wrong, ...]
    accept: Callable | None = None
    run: Callable | None = None
    tol: float = DEFAULT_TOLERANCE
    seconds: int = 5
    allow: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    may_mutate: bool = False
    home: str = ""

    @property
    def asks_for_value(self) -> bool:
        """Whether the reader gives a value, ``check("id", 0.25)``, rather than code."""
        return self.make_cases is None

    @property
    def asks_for_class(self) -> bool:
        """Whether the reader writes a class."""
        return inspect.isclass(self.solution)

    def cases(self) -> list[Case]:
        """The cases, the same at every call; those drawn with the generator are marked random."""
        if self.make_cases is None:
            return [Case((), {}, self.tol)]
        rng = np.random.default_rng(zlib.crc32(self.id.encode()))
        untouched = rng.bit_generator.state
        found = []
        for one in self.make_cases(rng):
            if not isinstance(one, Case):
                raise ValueError(
                    f"exercise {self.id}: cases must yield case(...), got {one!r}"
                )
            drawn = rng.bit_generator.state != untouched
            tol = self.tol if one.tol is None else one.tol
            found.append(replace(one, tol=tol, random=drawn))
        if not found:
            raise ValueError(f"exercise {self.id}: cases(rng) yielded no case")
        return found


_registry: dict[str, Exercise] = {}


def exercise(id: str, *, chapter: str) -> Callable[[type], Exercise]:
    """Read an exercise class and register it under ``id``; see CONTRIBUTING.md."""

    def read(cls: type) -> Exercise:
        fault = next(_faults(id, cls), None)
        if fault:
            raise ValueError(f"exercise {id}: {fault}")
        found = _read(id, chapter, cls)
        known = _registry.get(id)
        if known is not None and known.home != found.home:  # the same home: a reload
            raise ValueError(
                f"exercise {id}: two have this id, {known.home} and {found.home}"
            )
        _registry[id] = found
        return found

    return read


def _faults(id: str, cls: type) -> Iterator[str]:
    """What is wrong with an exercise class, in the order in which one would mend it."""
    body = _body(cls)
    wrongs = [v for v in body.values() if isinstance(v, Wrong)]
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        yield f"an id is made of lower-case words and hyphens, got {id!r}"
    for name, value in body.items():
        if name not in _FIELDS and not isinstance(value, Wrong):
            yield f"unknown name {name!r}: a wrong answer needs @wrong, fields are {_FIELDS}"
    if not (cls.__doc__ or "").strip():
        yield "needs a docstring: the task, as the reader sees it"
    if not isinstance(body.get("why"), str) or not body["why"].strip():
        yield "needs why: a paragraph shown with the solution"
    yield from _faulty_hints(body.get("hints"), wrongs)
    solution = body.get("solution")
    if not (inspect.isfunction(solution) or inspect.isclass(solution)):
        yield "needs def solution(…) or class solution"
    is_class = inspect.isclass(solution)
    if is_class and "run" not in body:
        yield "a class needs run(answer, …), which makes one, uses it and returns what to compare"
    if "cases" not in body and (is_class or inspect.signature(solution).parameters):
        yield "needs cases(rng); only a solution without parameters, a value, goes without"
    seconds = body.get("seconds", 5)
    if type(seconds) is not int or not 1 <= seconds <= 30:
        yield f"seconds: expected an integer from 1 to 30, got {seconds!r}"
    tol = body.get("tol", DEFAULT_TOLERANCE)
    if type(tol) not in (int, float) or not 0 <= tol < 1:
        yield f"tol: expected a number in [0, 1), got {tol!r}"
    for name in ("allow", "ours"):
        if isinstance(body.get(name, ()), str):
            yield f"{name}: expected a list of dotted names, got one text"


def _faulty_hints(hints: Any, wrongs: list[Wrong]) -> Iterator[str]:
    if not isinstance(hints, (list, tuple)) or not hints:
        yield "needs hints: a list of texts, from mild to strong"
    elif not all(isinstance(hint, str) and hint.strip() for hint in hints):
        yield "hints: expected texts, none of them empty"
    if len(wrongs) < 2:
        yield f"needs at least two @wrong answers, has {len(wrongs)}"
    if len({one.hint for one in wrongs}) < len(wrongs):
        yield "two wrong answers have the same hint: each needs its own"


def _body(cls: type) -> dict[str, Any]:
    return {
        k: v
        for k, v in vars(cls).items()
        if not (k.startswith("__") and k.endswith("__"))
    }


def _read(id: str, chapter: str, cls: type) -> Exercise:
    """The exercise that a faultless class describes."""
    body = _body(cls)
    optional = ("accept", "run", "tol", "seconds", "may_mutate")
    return Exercise(
        id=id,
        chapter=chapter,
        prompt=inspect.cleandoc(cls.__doc__),
        solution=body["solution"],
        why=inspect.cleandoc(body["why"]),
        make_cases=body.get("cases"),
        hints=tuple(" ".join(hint.split()) for hint in body["hints"]),
        wrongs=tuple(v for v in body.values() if isinstance(v, Wrong)),
        allow=tuple(body.get("allow", ())),
        ours=tuple(body.get("ours", ())),
        home=f"{cls.__module__}.{cls.__qualname__}",
        **{name: body[name] for name in optional if name in body},
    )


class UnknownExercise(LookupError):
    """No exercise has this id; the message names the nearest."""


def modules() -> list[str]:
    """The names of the exercise modules, one per chapter that has exercises."""
    home = Path(__file__).parents[1] / "exercises"
    return sorted(
        file.stem for file in home.glob("*.py") if not file.stem.startswith("_")
    )


def registry(*, strict: bool = True) -> dict[str, Exercise]:
    """Every exercise by id. Unless ``strict``, modules that fail to load are left out."""
    for name in modules():
        try:
            import_module(f"lib.exercises.{name}")
        except Exception:
            if strict:
                raise
    return dict(sorted(_registry.items()))


def find(id: str) -> Exercise:
    """The exercise with this id; UnknownExercise names the nearest ids when there is none."""
    if type(id) is not str:
        raise UnknownExercise('The id of the exercise comes first: check("id", answer)')
    here = chapter_module.current()
    if id not in _registry and here in modules():
        import_module(
            f"lib.exercises.{here}"
        )  # the others are loaded only if they are needed
    if id not in _registry:
        registry(strict=False)
    if id not in _registry:
        near = difflib.get_close_matches(id, _registry, n=3, cutoff=0.4)
        also = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UnknownExercise(f"There is no exercise called {id[:80]!r}.{also}")
    return _registry[id]
