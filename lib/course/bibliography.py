"""What the book's bibliography says of the works that chapters cite."""

import re

from lib.course import paths


def cited_years(*keys: str) -> list[int]:
    """Return the year of publication of each key of ``book/references.bib``."""
    text = (paths.book() / "references.bib").read_text(encoding="utf-8")
    years = {}
    for entry in re.split(r"^@", text, flags=re.MULTILINE)[1:]:
        key = re.match(r"\w+\{([^,\s]+),", entry)
        year = re.search(r"^\s*year\s*=\s*[{\"]?(\d{4})", entry, flags=re.MULTILINE)
        if key and year:
            years[key.group(1)] = int(year.group(1))
    missing = [key for key in keys if key not in years]
    if missing:
        raise ValueError(
            f"expected keys of book/references.bib with a year, got {missing}"
        )
    return [years[key] for key in keys]
