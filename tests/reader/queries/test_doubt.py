"""Hits near the noise floor are asked once more, with each distinct term once (docs/format.md 8,
"Doubt").
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pocketindex
import pytest
from near_duplicates import write
from plain.index import PlainIndex

COMMON, RARE = 150, 3_000  # words of a language that come often, and others


def words_of(letters: str) -> list[str]:
    chance = random.Random(letters)
    return ["".join(chance.choices(letters, k=6)) for _ in range(COMMON + RARE)]


LANGUAGES = {name: words_of(name) for name in ("abcdefgh", "mnopqrst")}


def text_in(language: str, seed: int, count: int = 120) -> str:
    """A text of which a quarter of the words are the most frequent ones of its language."""
    chance, words = random.Random(f"{language}{seed}"), LANGUAGES[language]
    common = [1 / (1 + place) for place in range(COMMON)]
    return " ".join(
        chance.choices(words[:COMMON], common)[0]
        if chance.random() < 0.25
        else chance.choice(words)
        for _ in range(count)
    )


def edited(text: str, share: float, seed: int) -> str:
    chance = random.Random(seed)
    return " ".join(
        chance.choice(LANGUAGES["abcdefgh"][COMMON:]) if chance.random() < share else word
        for word in text.split()
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pocketindex.Index]:
    """Eighty documents of one language and three of another."""
    folder = tmp_path_factory.mktemp("doubt")
    texts = [text_in("abcdefgh", seed) for seed in range(80)]
    texts += [text_in("mnopqrst", seed) for seed in range(3)]
    source = write(
        folder / "d.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)]
    )
    pocketindex.build(source, folder / "d.pocket", progress=False)
    with pocketindex.open(folder / "d.pocket") as index:
        yield index


def test_a_text_of_a_rare_language_shows_nothing(file: pocketindex.Index) -> None:
    asked = [text_in("mnopqrst", seed) for seed in range(100, 200)]
    near = [file.query(text, min_similarity=file.min_similarity()) for text in asked]

    assert sum(map(bool, near)) >= 5
    assert sum(bool(file.query(text)) for text in asked) <= 1


def test_an_edited_copy_below_the_noise_floor_is_shown(file: pocketindex.Index) -> None:
    """The frequent words of the language weigh little, so that no term of the text is large."""
    asked = [edited(text_in("abcdefgh", seed), 0.5, seed) for seed in range(80)]
    shown = [[hit.id for hit in hits] for hits in file.query_many(asked)]
    above = [file.query(text, min_similarity=file.min_similarity()) for text in asked]
    found = [str(seed) in ids for seed, ids in enumerate(shown)]

    assert sum(found) > sum(map(bool, above))


def test_the_plain_reader_decides_so(file: pocketindex.Index) -> None:
    asked = [text_in("mnopqrst", seed) for seed in range(100, 140)]
    asked += [edited(text_in("abcdefgh", seed), 0.5, seed) for seed in range(12)]
    verdicts = set()
    with PlainIndex.open(str(file.path)) as plain:
        for text in asked:
            hits = plain.query(text.encode(), 10)
            verdicts |= {hit.weighed.verdict for hit in hits}
            assert [hit.id for hit in plain.shown(hits)] == [hit.id for hit in file.query(text)]

    assert verdicts == {None, True, False}


def test_an_explicit_threshold_decides_alone(file: pocketindex.Index) -> None:
    text = text_in("mnopqrst", 100)
    least = file.query(text, 1, min_similarity=0)[0].similarity

    assert file.query(text, 1, min_similarity=least)
