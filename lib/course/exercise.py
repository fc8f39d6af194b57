"""What an exercise is, and the registry of all of them.

One exercise is one small class in ``lib/exercises/<slug>.py``; see CONTRIBUTING.md for the format.
``@exercise`` reads the class once, says what is missing, and puts it in the registry.
"""

import difflib
import inspect
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

DEFAULT_TOLERANCE = 1e-6

# What the body of an exercise class may define; anything else is likely a slip of the pen.
_FIELDS = {
    "solution", "why", "cases", "hints", "accept", "run", "tol", "seconds",
    "allow", "ours", "may_mutate",
}  # fmt: skip


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
        raise ValueError(f'@wrong needs the hint as text: @wrong("You forgot …"), got {hint!r}')
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
    module: str = field(default="", compare=False)

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
                raise ValueError(f"exercise {self.id}: cases must yield case(...), got {one!r}")
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
        found = _read(id, chapter, cls)
        known = _registry.get(id)
        if known is not None and known.module != found.module:
            raise ValueError(f"exercise id {id!r} is used in {known.module} and {found.module}")
        _registry[id] = found
        return found

    return read


def _read(id: str, chapter: str, cls: type) -> Exercise:
    """The exercise that the class describes; every fault is named."""

    def fail(what: str):
        raise ValueError(f"exercise {id}: {what}")

    body = {k: v for k, v in vars(cls).items() if not k.startswith("__")}
    wrongs = tuple(v for v in body.values() if isinstance(v, Wrong))
    unknown = [k for k, v in body.items() if k not in _FIELDS and not isinstance(v, Wrong)]
    if unknown:
        fail(
            f"unknown name {unknown[0]!r}; a wrong answer needs @wrong, fields are {sorted(_FIELDS)}"
        )
    if not (cls.__doc__ or "").strip():
        fail("needs a docstring: the task, as the reader sees it")
    if not callable(body.get("solution")):
        fail("needs def solution(…) (or class solution)")
    if not str(body.get("why", "")).strip():
        fail("needs why: a paragraph shown with the solution")
    hints = body.get("hints")
    if not isinstance(hints, (list, tuple)) or not hints:
        fail("needs hints: a list of texts, from mild to strong")
    if len(wrongs) < 2:
        fail(f"needs at least two @wrong answers, has {len(wrongs)}")
    solution = body["solution"]
    if "cases" not in body and (
        inspect.isclass(solution) or inspect.signature(solution).parameters
    ):
        fail("needs cases(rng); only a solution without parameters (a value) goes without")
    if inspect.isclass(solution) and "run" not in body:
        fail("a class needs run(answer, …), which makes one, uses it and returns what to compare")
    return Exercise(
        id=id,
        chapter=chapter,
        prompt=inspect.cleandoc(cls.__doc__),
        solution=solution,
        why=inspect.cleandoc(body["why"]),
        make_cases=body.get("cases"),
        hints=tuple(" ".join(h.split()) for h in hints),
        wrongs=wrongs,
        module=cls.__module__,
        **{
            name: tuple(body[name]) if name in ("allow", "ours") else body[name]
            for name in ("accept", "run", "tol", "seconds", "allow", "ours", "may_mutate")
            if name in body
        },
    )


def _modules() -> Iterator[str]:
    """The names of the exercise modules, one per chapter that has exercises."""
    home = Path(__file__).parents[1] / "exercises"
    yield from sorted(p.stem for p in home.glob("*.py") if not p.stem.startswith("_"))


def registry() -> dict[str, Exercise]:
    """Every exercise of the course by id; loads all modules of ``lib.exercises``."""
    for name in _modules():
        import_module(f"lib.exercises.{name}")
    return dict(sorted(_registry.items()))


def find(id: str) -> Exercise:
    """The exercise with this id; a KeyError that names the nearest ids when there is none."""
    if id not in _registry:
        registry()
    if id not in _registry:
        near = difflib.get_close_matches(str(id), _registry, n=3, cutoff=0.4)
        also = f" Did you mean {' or '.join(near)}?" if near else ""
        raise KeyError(f"There is no exercise called {str(id)[:80]!r}.{also}")
    return _registry[id]
