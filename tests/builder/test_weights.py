"""How many slots the weights of terms get (docs/format.md 2.4)."""

from __future__ import annotations

import pytest
from pocketindex.builder.schemes.weights import FEW_DOCUMENTS, term_weights

# Twice the same, so that a sample does not leave a word out that one text has.
TEXTS = 2 * [" ".join(f"w{i}x{j}" for j in range(4_000)).encode() for i in range(5)]


@pytest.mark.parametrize(
    ("documents", "most", "slots"),
    [
        (None, 1 << 17, 1 << 16),
        (FEW_DOCUMENTS - 1, 1 << 17, 1 << 16),
        (FEW_DOCUMENTS, 1 << 17, 1 << 17),
        (FEW_DOCUMENTS, 1 << 12, 1 << 12),
    ],
)
def test_a_large_collection_gets_more_slots(documents: int | None, most: int, slots: int) -> None:
    weights, count = term_weights(TEXTS, documents, most=most)

    assert (len(weights), count) == (slots, 10)
    assert weights.any()


def test_slots_are_so_many_that_few_terms_share_one() -> None:
    assert len(term_weights(TEXTS, FEW_DOCUMENTS)[0]) == 1 << 17
    assert len(term_weights([b"a few words"])[0]) == 1 << 10
    half = [text[: len(text) // 20] for text in TEXTS]
    words = len({word for text in half for word in text.split()})
    assert len(term_weights(half)[0]) == 1 << (8 * words).bit_length()


def test_a_term_of_one_text_in_very_many_weighs_255_at_most() -> None:
    """A weight has eight bits: from 65,534 texts on a rare term would need one more."""
    for texts in (65_000, 66_000):
        weights, _ = term_weights([b"meadow"] * (texts - 1) + [b"heron"])
        assert sorted(set(weights.tolist())) == [0, 127, 255]  # 127: what no text has
