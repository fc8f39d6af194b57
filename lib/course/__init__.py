"""The machinery of the book: what every chapter imports.

Names load on first use, so ``import lib.course`` stays instant. No submodule carries the name of
something exported here: importing it would put the module in the function's place.
"""

from lib.first_use import loads_on_first_use

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
__getattr__ = loads_on_first_use(globals(), _HOME)
