"""Shingles by their hashes, beside sets of words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.schemes.profile import FOLDED
from pocketindex.queries.terms import terms_of
from pocketindex.spark.shingles import Shingles

TEXT = st.lists(st.sampled_from(["basket", "candle", "lantern", "Meadow", "é"]), max_size=12).map(
    " ".join
)


def shingles(text: str, size: int) -> set[tuple[str, ...]]:
    terms = terms_of(text.encode(), FOLDED)
    return {tuple(terms[i : i + size]) for i in range(len(terms) - size + 1)}


@given(st.lists(TEXT, max_size=5), st.lists(TEXT, max_size=5), st.integers(1, 5))
def test_texts_have_the_shingles_that_are_looked_for(
    items: list[str], texts: list[str], size: int
) -> None:
    wanted = {one for item in items for one in shingles(item, size)}
    of, keys = Shingles(items, size).keys_in(texts)
    found = set(zip(of.tolist(), keys.tolist(), strict=True))

    for number, text in enumerate(texts):
        own = shingles(text, size) & wanted
        assert len({key for text, key in found if text == number}) == len(own)
    assert len({key for _, key in found}) == len(
        {one for text in texts for one in shingles(text, size)} & wanted
    )
