"""Packages whose names load on first use, so that importing them stays instant."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loads_on_first_use(
    package: dict[str, Any], home: Mapping[str, str]
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, given its ``globals()``.

    ``home`` says which submodule each exported name lives in. No submodule may carry the name of
    something exported: importing it would put the module in that thing's place.
    """
    name_of_package = package["__name__"]

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(
                f"module {name_of_package!r} has no attribute {name!r}"
            )
        value = getattr(import_module(f"{name_of_package}.{home[name]}"), name)
        package[name] = value  # the next use finds it without asking
        return value

    return load
