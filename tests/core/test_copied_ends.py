"""Where a copied passage begins and ends although some of its words were replaced (docs/format.md,
9.3): the core agrees with the plain reader, and with what was copied.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_copied_sentences import KEPT, NOBODY, TEXTS, found, words_of

OWN = NOBODY.replace(".", "").split()


def copied(pattern: str, number: int = 3, first: int = 20) -> list[str]:
    """Words of a document: c stands for one of them, R for another in its place, + for one more,
    - for one that is left out.
    """
    words, out = iter(words_of(number, first, len(pattern))), []
    for i, what in enumerate(pattern):
        word = next(words) if what != "+" else ""
        if what in "R+":
            word = f"other{i}"
        if what != "-":
            out.append(word)
    return out


def among(own: list[str]) -> str:
    """The words between two sentences of nobody."""
    return f"{' '.join(OWN[:15])}. {' '.join(own)}. {' '.join(OWN[15:30])}."


def coloured(asked: str, file: str = "both") -> list[str]:
    """Return the words of the text that the passages of document 3 cover."""
    answer = found(KEPT[file], asked)
    return [
        word
        for source in answer.sources
        if source.document == 3
        for passage in source.passages
        for word in asked.encode()[passage.start : passage.end].decode().replace(".", "").split()
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "c" * 20,
        "c" * 20 + "Rcc",
        "c" * 20 + "RRccc",
        "ccRcRc" + "c" * 16,
        "ccRccRRccRcc" + "c" * 24 + "RccRccRccRcc",
        "c" * 18 + "+cc",
        "c" * 18 + "-cc",
        "cc+" + "c" * 18 + "RR-cccc",
    ],
)
@pytest.mark.parametrize("file", ["words", "shingles", "both"])
def test_a_passage_ends_where_the_last_copied_word_is(file: str, pattern: str) -> None:
    own = copied(pattern)

    assert coloured(among(own), file) == own


@pytest.mark.parametrize(
    ("pattern", "first", "last"),
    [("c" * 20 + "Rc", 0, 20), ("c" * 20 + "RRRccc", 0, 20), ("ccRR" + "c" * 20, 4, 24)],
)
def test_where_no_more_is_the_same_than_differs_it_has_ended(
    pattern: str, first: int, last: int
) -> None:
    own = copied(pattern)

    assert coloured(among(own)) == own[first:last]


@pytest.mark.parametrize(("pattern", "counts"), [("ccRcccc" * 3 + "ccc", 1), ("ccRccc" * 3, 0)])
def test_a_passage_in_pieces_counts_by_what_outnumbers_the_rest(pattern: str, counts: int) -> None:
    """Each sentence has as many words of one's own, so that none is like the document's."""
    words = copied(pattern)
    half = len(words) // 2
    asked = (
        f"{' '.join(OWN[:14])} {' '.join(words[:half])}. {' '.join(words[half:])} "
        f"{' '.join(OWN[14:28])}."
    )

    assert coloured(asked) == words * counts


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["words", "shingles", "both"]))
def test_the_core_follows_passages_as_the_plain_reader_does(seed: int, file: str) -> None:
    chance = random.Random(seed)
    pieces = list[str]()
    for _ in range(chance.randint(1, 4)):
        number, share = chance.randrange(len(TEXTS)), chance.choice((0.1, 0.2, 0.4))
        edits = [chance.choice("RR+-") if chance.random() < share else "c" for _ in range(60)]
        pieces += copied("".join(edits), number, chance.randrange(90))
        pieces += OWN[: chance.randrange(6)]
    ends = chance.sample(range(len(pieces)), len(pieces) // 14)

    found(KEPT[file], " ".join(f"{word}." if i in ends else word for i, word in enumerate(pieces)))
