"""The machinery of the book: what every chapter imports.

Names load on first use, so ``import lib.course`` stays instant. No submodule carries the name of
something exported here: importing it would put the module in the function's place.
"""

from importlib import import_module

_HOME = {
    "begin": "chapter",
    "verify": "verification",
    "within": "verification",
    "at_most": "verification",
    "at_least": "verification",
    "converges_to": "verification",
    "verified": "ledger",
    "source": "listing",
    "show": "figures",
    "COLORS": "figures",
    "explore": "exploration",
    "slider": "exploration",
    "erratum": "errata",
    "check": "checking",
    "hint": "checking",
    "solution": "checking",
    "progress": "record",
    "quiz": "quizzes",
}

__all__ = list(_HOME)


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
