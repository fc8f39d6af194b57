"""Texts, pairs and word vectors."""

import re

import numpy as np
import pytest

from lib.data import (
    bible_verses,
    first_names,
    glove,
    sherlock_holmes,
    split_pairs,
    storage,
)
from lib.data.kinds import Pairs


def test_sherlock_holmes():
    book = sherlock_holmes()
    assert len(book.text) == 562_298
    assert len(book.alphabet) == 81
    assert "\r" not in book.text
    assert "To Sherlock Holmes she is always THE woman." in " ".join(book.text.split())


def test_first_names():
    names = first_names().lines
    assert len(names) == len(set(names)) == 8_403
    assert all(re.fullmatch("[A-Za-z]+", name) for name in names)
    assert {"Aaron", "Zoe", "Alice"} <= set(names)


def test_bible_verses():
    verses = bible_verses()
    assert len(verses) == 7_910
    assert verses.sources[0] == "In the beginning God created the heaven and the earth."
    assert "principio" in verses.targets[0]
    assert len(verses.sources) - len(set(verses.sources)) == 70


def test_glove_knows_that_king_minus_man_plus_woman_is_queen():
    vectors = glove()
    assert vectors.vectors.shape == (10_000, 100)
    assert vectors.vectors.dtype == np.float32
    raw = storage.arrays("glove_10k_100d_int8.npz")
    for i in (0, 123, 9_999):
        expected = [float(raw["scale"][i]) * int(q) for q in raw["q"][i]]
        np.testing.assert_allclose(vectors.vectors[i], expected, rtol=1e-6)
    unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    wanted = vectors["king"] - vectors["man"] + vectors["woman"]
    order = [vectors.words[i] for i in np.argsort(-unit @ wanted)]
    order = [word for word in order if word not in ("king", "man", "woman")]
    assert order[0] == "queen"
    assert "queen" in vectors
    assert "Königin" not in vectors
    assert vectors.words[vectors.index("paris")] == "paris"
    with pytest.raises(ValueError, match="glove has no word 'Königin' among its 10000"):
        vectors["Königin"]


@pytest.mark.parametrize("test", [1, 500, 7_000])
def test_a_split_shares_no_text(test):
    verses = bible_verses()
    left, right = split_pairs(verses, test)
    assert (len(left), len(right)) == (len(verses) - test, test)
    assert not set(left.sources) & set(right.sources)
    assert not set(left.targets) & set(right.targets)
    together = sorted(
        zip(left.sources + right.sources, left.targets + right.targets, strict=True)
    )
    assert together == sorted(zip(verses.sources, verses.targets, strict=True))


def test_a_family_joined_by_a_third_pair_is_not_divided():
    # a–1, b–1, b–2, c–2 hang together; d–3 is alone.
    pairs = Pairs("bible_verses", tuple("abbcd"), tuple("11223"))
    left, right = split_pairs(pairs, 1)
    assert right.sources == ("d",)
    assert len(left) == 4
    with pytest.raises(ValueError, match="no set of 2 pairs"):
        split_pairs(pairs, 2)
    with pytest.raises(ValueError, match="test: expected a whole number from 1 to 4"):
        split_pairs(pairs, 5)
    with pytest.raises(ValueError, match="as many targets as sources"):
        Pairs("bible_verses", ("a",), ())


def test_a_split_is_repeatable():
    verses = bible_verses()
    assert split_pairs(verses, 50)[1].sources == split_pairs(verses, 50)[1].sources
    assert (
        split_pairs(verses, 50)[1].sources != split_pairs(verses, 50, seed=1)[1].sources
    )
