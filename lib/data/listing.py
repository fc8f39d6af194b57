"""The list of every data set of the course: what it is, its licence, whom to credit.

The entries are in ``catalogue.yml`` beside this file; the page on data and licences shows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files as package_files
from types import MappingProxyType

import yaml

from lib.data import storage

#: Where the content of a set comes from.
ORIGINS = ("vendored", "scikit-learn", "networkx", "notes", "generated")


@dataclass(frozen=True)
class Entry:
    """One data set. ``files`` are those of ``lib/data/files`` that it reads, none if empty."""

    name: str
    title: str
    what: str
    shape: str
    origin: str
    licence: str
    credit: str
    kind: str
    used_by: tuple[str, ...]
    files: tuple[str, ...] = ()

    @property
    def loader(self) -> str:
        """The function that returns the set."""
        return f"lib.data.{self.name}"

    @property
    def size(self) -> int:
        """The bytes it takes in the package; 0 when it is generated or ships with a library."""
        return sum(storage.size_in_bytes(file) for file in self.files)


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, Entry]:
    content = (
        package_files("lib.data").joinpath("catalogue.yml").read_text(encoding="utf-8")
    )
    entries = {}
    for record in yaml.safe_load(content):
        values = {
            key: tuple(v) if isinstance(v, list) else v for key, v in record.items()
        }
        entries[record["name"]] = Entry(**values)
    return MappingProxyType(entries)


def catalogue() -> tuple[Entry, ...]:
    """Return every data set of the course, in the order of the catalogue."""
    return tuple(_entries().values())


def entry(name: str) -> Entry:
    """Return the catalogue's entry for the data set ``name``."""
    if name not in _entries():
        raise ValueError(
            f"There is no data set {name!r}; the catalogue has {', '.join(_entries())}."
        )
    return _entries()[name]
