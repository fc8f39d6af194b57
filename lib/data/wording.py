"""Generated translations with exact answers: dates in words → ISO, numbers → English words."""

from datetime import date, timedelta

from lib.data.kinds import Pairs
from lib.data.sampling import Seed, generator
from lib.validation import whole

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = (
    "",
    "",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
)
_SCALES = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))
_LARGEST = 10**12 - 1
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
# Not strftime's %A and %B: those follow the reader's language settings.
_WEEKDAYS = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def number_in_words(number: int) -> str:
    """Return a whole number from 0 to 999,999,999,999 in British English.

    342 is "three hundred and forty-two", 1,005 is "one thousand and five".
    """
    number = whole(number, "number", at_most=_LARGEST)
    if number == 0:
        return _ONES[0]
    parts = []
    rest = number
    for scale, name in _SCALES:
        count, rest = divmod(rest, scale)
        if count:
            parts.append(f"{_below_thousand(count)} {name}")
    if rest:
        joiner = "and " if parts and rest < 100 else ""
        parts.append(joiner + _below_thousand(rest))
    return " ".join(parts)


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if hundreds == 0:
        return _below_hundred(rest)
    words = f"{_ONES[hundreds]} hundred"
    return f"{words} and {_below_hundred(rest)}" if rest else words


def _below_hundred(number: int) -> str:
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]


def _ordinal_word(number: int) -> str:
    """1 → first, 12 → twelfth, 20 → twentieth, 31 → thirty-first."""
    head, hyphen, last = number_in_words(number).rpartition("-")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    else:
        last = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return head + hyphen + last


def _ordinal_figure(number: int) -> str:
    """1 → 1st, 12 → 12th, 22 → 22nd."""
    if 10 < number % 100 < 20:
        return f"{number}th"
    return f"{number}{('th', 'st', 'nd', 'rd')[number % 10 if number % 10 < 4 else 0]}"


# The ways in which a date is written, all unambiguous.
_WORDINGS = (
    lambda d, month, weekday: f"{d.day} {month} {d.year}",
    lambda d, month, weekday: f"{month} {d.day}, {d.year}",
    lambda d, month, weekday: f"{d.day}-{month[:3]}-{d.year}",
    lambda d, month, weekday: f"{month[:3]} {_ordinal_figure(d.day)} {d.year}",
    lambda d, month, weekday: f"{weekday}, {d.day} {month} {d.year}",
    lambda d, month, weekday: (
        f"{weekday} the {_ordinal_figure(d.day)} of {month} {d.year}"
    ),
    lambda d, month, weekday: f"the {_ordinal_word(d.day)} of {month} {d.year}",
    lambda d, month, weekday: f"{month} the {_ordinal_word(d.day)}, {d.year}",
)


def dates_in_words(
    n: int = 10_000, seed: Seed = 0, *, first_year: int = 1900, last_year: int = 2099
) -> Pairs:
    """Return n different pairs such as "the third of March 1987" → "1987-03-03".

    The day is uniform among all days of the years, the wording among eight: "3 March 1987",
    "March 3, 1987", "3-Mar-1987", "Mar 3rd 1987", "Tuesday, 3 March 1987", "Tuesday the 3rd of
    March 1987", "the third of March 1987", "March the third, 1987". Two pairs may be wordings of
    the same day; :func:`lib.data.split_pairs` keeps such pairs on the same side.
    """
    first_year = whole(first_year, "first_year", at_least=1000, at_most=9998)
    last_year = whole(last_year, "last_year", at_least=first_year, at_most=9998)
    start = date(first_year, 1, 1)
    days = (date(last_year + 1, 1, 1) - start).days
    n = whole(n, "n", at_least=1, at_most=days * len(_WORDINGS))
    chosen = generator(seed).choice(days * len(_WORDINGS), size=n, replace=False)
    sources, targets = [], []
    for number in chosen.tolist():
        day_number, wording = divmod(number, len(_WORDINGS))
        day = start + timedelta(days=day_number)
        names = (_MONTHS[day.month - 1], _WEEKDAYS[day.weekday()])
        sources.append(_WORDINGS[wording](day, *names))
        targets.append(day.isoformat())
    return Pairs("dates_in_words", sources=tuple(sources), targets=tuple(targets))


def numbers_in_words(
    n: int = 10_000, seed: Seed = 0, *, low: int = 0, high: int = 999_999
) -> Pairs:
    """Return n different pairs such as "342" → "three hundred and forty-two".

    The numbers are uniform on low, …, high.
    """
    low = whole(low, "low", at_most=_LARGEST)
    high = whole(high, "high", at_least=low, at_most=_LARGEST)
    n = whole(n, "n", at_least=1, at_most=high - low + 1)
    chosen = low + generator(seed).choice(high - low + 1, size=n, replace=False)
    return Pairs(
        "numbers_in_words",
        sources=tuple(str(number) for number in chosen.tolist()),
        targets=tuple(number_in_words(number) for number in chosen.tolist()),
    )
