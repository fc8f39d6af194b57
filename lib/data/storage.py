"""The vendored files: read once, checked against their recorded SHA-256, never changed."""

import csv
import gzip
import hashlib
import io
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

FOLDER = Path(__file__).parent / "files"
MANIFEST = "SHA256SUMS.txt"


class DataFileError(OSError, ValueError):
    """A vendored data file is missing, damaged or not listed in the manifest."""


def _restore(name: str) -> str:
    return f"Restore it with: git checkout -- lib/data/files/{name}"


def checksums() -> dict[str, str]:
    """Return {file name: SHA-256} from the manifest, which ``sha256sum -c`` can read too."""
    try:
        lines = (FOLDER / MANIFEST).read_text(encoding="ascii").splitlines()
        return {
            name: digest
            for digest, name in (line.split("  ", 1) for line in lines if line)
        }
    except FileNotFoundError:
        raise DataFileError(
            f"The list of checksums, {MANIFEST}, is missing. {_restore(MANIFEST)}"
        ) from None
    except ValueError as error:
        raise DataFileError(
            f"The list of checksums, {MANIFEST}, is damaged: {error}. {_restore(MANIFEST)}"
        ) from None


def read(name: str) -> bytes:
    """Return the content of the data file ``name`` after checking its SHA-256.

    Raises :class:`DataFileError` when the file is unknown, missing or not what was recorded.
    """
    known = checksums()
    if name not in known:
        raise DataFileError(
            f"{name!r} is not a data file of the course; the files are: {', '.join(known)}."
        )
    try:
        content = (FOLDER / name).read_bytes()
    except OSError as error:
        raise DataFileError(
            f"The data file {name} cannot be read ({error.strerror}). {_restore(name)}"
        ) from None
    found = hashlib.sha256(content).hexdigest()
    if found != known[name]:
        raise DataFileError(
            f"The data file {name} is damaged: expected SHA-256 {known[name]}, "
            f"found {found} ({len(content)} bytes). {_restore(name)}"
        )
    return content


def size_in_bytes(name: str) -> int:
    """Return the size of the data file ``name`` on disk."""
    try:
        return (FOLDER / name).stat().st_size
    except OSError as error:
        raise DataFileError(
            f"The data file {name} cannot be read ({error.strerror}). {_restore(name)}"
        ) from None


@cache
def arrays(name: str) -> MappingProxyType:
    """Return the arrays of the ``.npz`` file ``name`` by their key; shared, hence read-only."""
    with np.load(io.BytesIO(read(name)), allow_pickle=False) as archive:
        content = {key: archive[key] for key in archive.files}
    for array in content.values():
        array.setflags(write=False)
    return MappingProxyType(content)


@cache
def rows(name: str) -> tuple[MappingProxyType, ...]:
    """Return the rows of the ``.csv`` file ``name``, each a mapping from column to text."""
    reader = csv.DictReader(io.StringIO(text(name)))
    return tuple(MappingProxyType(row) for row in reader)


@cache
def text(name: str) -> str:
    """Return the content of the text file ``name``; one that ends in ``.gz`` is unpacked."""
    content = read(name)
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode(
        "utf-8"
    )


def forget() -> None:
    """Empty the caches, so that the next call reads the files again."""
    for cached in (arrays, rows, text):
        cached.cache_clear()
