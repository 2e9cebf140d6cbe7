"""A whole text whose words a document has in one place in another order."""

from __future__ import annotations

import random

from core_sources_of import core_sources
from in_memory import opened
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from word_blocks import WordSettings

KEPT = Settings(posting_bits=7, keep="text", room=4096, words=WordSettings(title_weight=0))


def names(chance: random.Random, count: int) -> list[str]:
    return ["".join(chance.choices("bdfgklmnprst", k=7)) for _ in range(count)]


def sources_of(documents: list[str], words: list[str], each: int) -> list[int]:
    """Return the sources that both readers find for a text whose sentences have these lengths."""
    text = " ".join(f"{word}." if i % each == each - 1 else word for i, word in enumerate(words))
    rows = [Text(f"d{i}", own) for i, own in enumerate(documents)]
    with opened(assemble(sections(rows, FF(), KEPT))) as (core, plain):
        found = core_sources(core, text.encode())
        assert found == plain.sources(text)
    return [one.document for one in found.sources]


def named(copies: int) -> list[int]:
    """Return the sources of a text that has 28 words of a document, which stands in the
    collection in so many orders.
    """
    chance = random.Random(3)
    own = names(chance, 60)
    documents = [" ".join(chance.sample(own, 60)) for _ in range(copies)]
    documents += [" ".join(names(chance, 60)) for _ in range(60)]
    asked = chance.sample(own, 28) + names(chance, 52)
    chance.shuffle(asked)
    return sources_of(documents, asked, 9)


def test_a_text_with_a_third_of_its_words_from_one_document_in_another_order_names_it() -> None:
    assert named(1) == [0]


def test_words_that_more_than_five_documents_have_as_well_are_no_evidence() -> None:
    assert named(8) == []


def stretches(spread: bool) -> list[int]:
    """Return the sources of a text of forty sentences, 90 of whose words are of one document, in
    another order: all of them in one place, or spread over a stretch.
    """
    chance = random.Random(7)
    own = names(chance, 90)
    documents = [" ".join(own), *(" ".join(names(chance, 60)) for _ in range(60))]
    others = names(chance, 400 - 90)
    chance.shuffle(own)
    if spread:
        terms = [others.pop() if i % 5 > 1 or not own else own.pop() for i in range(390)]
    else:
        terms = [*others[:100], *own, *others[100:]]
    return sources_of(documents, terms, 10)


def test_a_stretch_counts_if_a_part_of_it_has_nearly_enough() -> None:
    assert stretches(spread=False) == [0]


def test_words_that_are_spread_over_a_stretch_are_no_evidence() -> None:
    assert stretches(spread=True) == []
