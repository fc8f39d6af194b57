"""Numbers and dates in words, against readers that know nothing of how they were made."""

import re
from datetime import date, datetime

import numpy as np
import pytest

from lib.data import dates_in_words, number_in_words, numbers_in_words, split_pairs

UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
VALUES = {word: value for value, word in enumerate(UNITS + TEENS, start=1)}
VALUES |= {word: value for value, word in zip(range(20, 100, 10), TENS, strict=True)}


def read_number(words):
    """Read words to a number, one after the other."""
    total = group = 0
    for word in words.replace("-", " ").split():
        if word in SCALES:
            total, group = total + group * SCALES[word], 0
        elif word == "hundred":
            group *= 100
        elif word not in ("and", "zero"):
            group += VALUES[word]
    return total + group


def grammar():
    """The pattern of a number in British English: "and" where it belongs and nowhere else."""
    unit = f"(?:{'|'.join(UNITS)})"
    below = f"(?:{unit}|{'|'.join(TEENS)}|(?:{'|'.join(TENS)})(?:-{unit})?)"
    hundred = f"{unit} hundred(?: and {below})?"
    scaled = f"(?:{hundred}|{below}) (?:billion|million|thousand)"
    return (
        f"zero|{hundred}|{below}|{scaled}(?: {scaled})*(?: (?:{hundred}|and {below}))?"
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (40, "forty"),
        (85, "eighty-five"),
        (100, "one hundred"),
        (101, "one hundred and one"),
        (342, "three hundred and forty-two"),
        (1_000, "one thousand"),
        (1_005, "one thousand and five"),
        (1_099, "one thousand and ninety-nine"),
        (1_100, "one thousand one hundred"),
        (20_345, "twenty thousand three hundred and forty-five"),
        (700_016, "seven hundred thousand and sixteen"),
        (1_000_000, "one million"),
        (1_000_001, "one million and one"),
        (2_015_000, "two million fifteen thousand"),
        (3_000_000_200, "three billion two hundred"),
    ],
)
def test_known_numbers_in_words(number, words):
    assert number_in_words(number) == words


def test_all_small_and_many_large_numbers_read_back():
    rng = np.random.default_rng(0)
    large = (10 ** rng.uniform(3, 12, 5_000)).astype(int).tolist()
    pattern, seen = re.compile(grammar()), set()
    for number in [*range(20_000), *large, 10**12 - 1]:
        words = number_in_words(number)
        assert read_number(words) == number
        assert pattern.fullmatch(words), words
        seen.add(words)
    assert len(seen) == len({*range(20_000), *large, 10**12 - 1})


def test_number_pairs():
    pairs = numbers_in_words(500, low=90, high=700)
    assert len(set(pairs.sources)) == 500
    assert all(90 <= int(source) <= 700 for source in pairs.sources)
    for source, target in zip(pairs.sources, pairs.targets, strict=True):
        assert read_number(target) == int(source)
    assert sorted(map(int, numbers_in_words(11, low=0, high=10).sources)) == list(
        range(11)
    )


ORDINAL_WORDS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
]
PATTERNS = ("%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%b %d %Y", "%A, %d %B %Y", "%A the %d of %B %Y",
            "the %d of %B %Y", "%B the %d, %Y")  # fmt: skip


def read_date(words):
    """Return (the one date that datetime reads from the words, the number of the pattern)."""
    for day, word in reversed(list(enumerate(ORDINAL_WORDS, start=1))):
        words = re.sub(rf"\b{word}\b", str(day), words)
    words = re.sub(r"\b(\d+)(st|nd|rd|th)\b", r"\1", words)
    readings = []
    for number, pattern in enumerate(PATTERNS):
        try:
            readings.append((datetime.strptime(words, pattern), pattern, number))
        except ValueError:
            continue
    days = {moment.date() for moment, _, _ in readings}
    assert len(days) == 1, words
    moment, pattern, number = readings[0]
    if "%A" in pattern:
        assert words.startswith(moment.strftime("%A"))
    return moment.date(), number


def test_dates_read_back():
    pairs = dates_in_words(6_000)
    wordings = []
    for source, target in zip(pairs.sources, pairs.targets, strict=True):
        day, wording = read_date(source)
        assert day == date.fromisoformat(target)
        wordings.append(wording)
    assert len(set(pairs.sources)) == 6_000
    years = {int(target[:4]) for target in pairs.targets}
    assert (min(years), max(years)) == (1900, 2099)
    assert np.bincount(wordings).min() > 500  # eight wordings, 750 each on average


def test_every_wording_of_every_day_of_a_leap_year_is_different():
    pairs = dates_in_words(366 * 8, first_year=2024, last_year=2024)
    assert len(set(pairs.sources)) == 366 * 8
    assert len(set(pairs.targets)) == 366
    assert "Thursday the 29th of February 2024" in pairs.sources
    assert "February the twenty-ninth, 2024" in pairs.sources
    for suffix in (
        "1st",
        "2nd",
        "3rd",
        "11th",
        "12th",
        "13th",
        "21st",
        "22nd",
        "23rd",
        "31st",
    ):
        assert f"Dec {suffix} 2024" in pairs.sources


def test_split_dates_share_no_day():
    train, test = split_pairs(
        dates_in_words(2_000, first_year=2000, last_year=2009), 300
    )
    assert not set(train.targets) & set(test.targets)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: number_in_words(-1), "number: expected a whole number from 0"),
        (lambda: number_in_words(10**12), "number: expected a whole number from 0"),
        (lambda: numbers_in_words(0), "n: expected a whole number from 1"),
        (
            lambda: numbers_in_words(5, low=3, high=2),
            "high: expected a whole number from 3",
        ),
        (
            lambda: numbers_in_words(12, low=0, high=10),
            "n: expected a whole number from 1 to 11",
        ),
        (
            lambda: dates_in_words(2_929, first_year=2024, last_year=2024),
            "from 1 to 2928",
        ),
        (lambda: dates_in_words(10, first_year=2024, last_year=2023), "last_year"),
    ],
)
def test_wrong_arguments_are_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
