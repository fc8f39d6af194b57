"""Texts, translations and word vectors."""

import numpy as np

from lib.data import storage
from lib.data.kinds import Embeddings, Pairs, Text
from lib.data.sampling import Seed, generator
from lib.validation import whole


def sherlock_holmes() -> Text:
    """Return The Adventures of Sherlock Holmes: 562,298 characters, 81 different ones."""
    return Text("sherlock_holmes", text=storage.text("sherlock_holmes.txt.gz"))


def first_names() -> Text:
    """Return 8,403 English first names, one a line, all different, letters only."""
    return Text("first_names", text=storage.text("first_names_en.txt"))


def bible_verses() -> Pairs:
    """Return 7,910 short verses of the Bible in English and in Spanish, in archaic language.

    Passages repeat: 70 English verses occur before. Divide them with :func:`split_pairs`.
    """
    lines = storage.text("bible_en_es.tsv.gz").splitlines()
    english, spanish = zip(*(line.split("\t") for line in lines), strict=True)
    return Pairs("bible_verses", sources=english, targets=spanish)


def glove() -> Embeddings:
    """Return GloVe vectors of the 10,000 most frequent English words, (10000, 100) float32.

    They are stored as 8-bit integers with one scale a word: E = q · scale.
    """
    raw = storage.arrays("glove_10k_100d_int8.npz")
    vectors = raw["q"].astype(np.float32) * raw["scale"].astype(np.float32)[:, None]
    return Embeddings(
        "glove", words=tuple(str(raw["words"]).split("\n")), vectors=vectors
    )


def split_pairs(pairs: Pairs, test: int, seed: Seed = 0) -> tuple[Pairs, Pairs]:
    """Return (training pairs, ``test`` test pairs) that share no source and no target text.

    Pairs that have a text in common form a family, also by way of a third pair; a family is never
    divided. Families are drawn at random, and one that no longer fits is passed over.
    """
    n = len(pairs)
    test = whole(test, "test", at_least=1, at_most=max(n - 1, 1))
    families = _families(pairs)
    in_test = np.zeros(n, dtype=bool)
    left = test
    for which in generator(seed).permutation(len(families)):
        if len(families[which]) <= left:
            in_test[families[which]] = True
            left -= len(families[which])
        if left == 0:
            break
    if left:
        raise ValueError(
            f"test: no set of {test} pairs can be taken without dividing a family"
        )
    return _subset(pairs, np.flatnonzero(~in_test)), _subset(
        pairs, np.flatnonzero(in_test)
    )


def _subset(pairs: Pairs, chosen: np.ndarray) -> Pairs:
    return Pairs(
        pairs.name,
        sources=tuple(pairs.sources[i] for i in chosen),
        targets=tuple(pairs.targets[i] for i in chosen),
    )


def _families(pairs: Pairs) -> list[list[int]]:
    """The connected components of "has a text in common", each sorted, by their first member."""
    parent = list(range(len(pairs)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for texts in (pairs.sources, pairs.targets):
        first: dict[str, int] = {}
        for i, text in enumerate(texts):
            a, b = sorted((root(i), root(first.setdefault(text, i))))
            parent[b] = a
    families: dict[int, list[int]] = {}
    for i in range(len(pairs)):
        families.setdefault(root(i), []).append(i)
    return list(families.values())
