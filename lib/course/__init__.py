"""The machinery of the book: what every chapter imports.

Names load on first use, so ``import lib.course`` stays instant.
"""

from importlib import import_module

_HOME = {
    "begin": "begin",
    "verify": "verify",
    "within": "verify",
    "at_most": "verify",
    "at_least": "verify",
    "converges_to": "verify",
    "ledger": "ledger",
    "source": "source",
    "show": "figures",
    "COLORS": "figures",
    "explore": "explore",
    "slider": "explore",
    "erratum": "errata",
    "check": "check",
    "hint": "check",
    "solution": "check",
    "progress": "progress",
    "quiz": "quiz",
}

__all__ = list(_HOME)


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # A submodule may carry the name of what it exports (lib.course.verify.verify), and importing
    # it binds the module here; binding the function over it makes `from lib.course import verify` right.
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
