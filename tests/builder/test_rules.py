"""Other forms of words that no document has: a build learns by which endings forms differ."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder.write.rules import LOOKED_AT, NO_RULES, looked_at, rules_of
from Stemmer import Stemmer
from test_forms import ENGLISH, built

TEXTS = {
    "a": f"the dog runs to a house with a partition, planning and stopping; {ENGLISH}",
    "b": "the cities of the plan, where a stop and its parties ended and partying ends",
    "c": "begged and begging, beg, plans, city, party, planned",
}


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("dogs", "dog"),
        ("houses", "house"),
        ("partitioned", "partition"),
        ("partitions", "partition"),
        ("dogs7", ""),
        ("os", ""),
    ],
)
def test_a_few_texts_are_enough(tmp_path: Path, typed: str, instead: str) -> None:
    path, _ = built(tmp_path, TEXTS)
    with pocketindex.open(path) as index:
        answer = index.search(typed)
        assert [(one.word, one.instead, one.how) for one in answer.replacements] == (
            [(typed, instead, "form")] if instead else []
        )
        assert bool(answer.hits) == bool(instead)
        if instead:
            note = f"{typed} is in no document; these are the hits for {instead}"
            assert note in answer.notes
        assert not index.search(typed, replace=False).hits


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("partitioned", [("partitioned", "partition", "form")]),  # the first file has "partitione"
        ("waterfal partitioned", [("partitioned", "partition", "form")]),  # which one file has
        ("partitione partitioned", [("partitioned", "partition", "form")]),
        ("waterfall dogs", [("waterfall", "waterfal", "spelled"), ("dogs", "dog", "form")]),
    ],
)
def test_a_form_of_any_file_before_a_spelling(
    tmp_path: Path, typed: str, asked: list[tuple[str, str, str]]
) -> None:
    """Of several files: and no word is replaced that one of them has."""
    misspelt = {"x": "a waterfal, partitione and waterfalls", "y": "a waterfal, once more"}
    folders = [tmp_path / "spelling", tmp_path / "forms"]
    for folder in folders:
        folder.mkdir()
    spelling, _ = built(folders[0], misspelt, stem="none")
    forms, _ = built(folders[1], TEXTS)
    for files in ([spelling, forms], [forms, spelling]):
        with pocketindex.open_many(files) as both:
            found = both.search(typed)
            assert [(one.word, one.instead, one.how) for one in found.replacements] == asked
            rest = typed
            for word, instead, _ in asked:
                rest = rest.replace(word, instead)
            assert found.text == rest
            assert found.hits


def test_without_a_stemmer_there_are_none(tmp_path: Path) -> None:
    path, _ = built(tmp_path, TEXTS, stem="none")
    with pocketindex.open(path) as index:
        assert not [one for one in index.search("partitioned").replacements if one.how == "form"]


def test_a_letter_is_doubled_where_words_have_it_so() -> None:
    doubling = "beg drum fit grin hug jog knit log mop nod pin rob stop trim wrap".split()  # noqa: SIM905
    others = "walk jump help lift plant hunt rest land".split()  # noqa: SIM905
    words = sorted(
        f"{verb}{ending}"
        for verbs, doubled in ((doubling, 1), (others, 0))
        for verb in verbs
        for ending in ("", "s", f"{verb[-1] * doubled}ed", f"{verb[-1] * doubled}ing")
    )
    rules = rules_of(words, Stemmer("en").stemWords)

    assert ("", "ing") in rules.doubled
    assert ("", "s") in rules.pairs
    assert rules.all() == [*rules.pairs, ("", ""), *rules.doubled]


def test_no_words_have_no_rules() -> None:
    assert rules_of([], Stemmer("en").stemWords) == NO_RULES
    assert NO_RULES.all() == []


@pytest.mark.parametrize("count", [0, 1, 64, 8_192, 8_193, 100_000, 1_000_003])
def test_so_many_words_are_looked_at(count: int) -> None:
    numbers = list(looked_at(count))

    assert numbers == sorted(set(numbers))
    assert not numbers or numbers[-1] < count
    assert min(count, LOOKED_AT // 2) <= len(numbers) <= LOOKED_AT + 64
