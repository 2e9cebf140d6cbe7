"""Sentences of documents in an asked text (docs/format.md, section 9): what the core finds of them,
in files with shingles, words and texts, or some of these.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from core_sources_of import core_sources
from in_memory import opened
from plain import PlainSources
from plain.segments import segments
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from word_blocks import WordSettings

SHINGLES, WORDS = (4, 12, 1000), WordSettings(title_weight=0)
BOTH = Settings(part_keys=900, posting_bits=9, room=300, passages=SHINGLES, words=WORDS)
KEPT = {
    "words": Settings(part_keys=900, posting_bits=9, room=300, words=WORDS, keep="text"),
    "shingles": Settings(part_keys=900, posting_bits=9, room=300, passages=SHINGLES, keep="text"),
    "both": Settings(
        part_keys=900, posting_bits=9, room=300, passages=SHINGLES, words=WORDS, keep="text"
    ),
}


def prose(seed: int, words: int, kinds: int = 700) -> str:
    """Sentences of 15 words."""
    chance = random.Random(seed)
    said = [f"w{chance.randrange(kinds)}" for _ in range(words)]
    return ". ".join(" ".join(said[i : i + 15]) for i in range(0, words, 15)) + "."


TEXTS = tuple(prose(i, 150) for i in range(40))
NOBODY = prose(999, 60, 5000)


@cache
def written(layout: Settings, texts: tuple[str, ...] = TEXTS) -> bytes:
    documents = [Text(f"d{i}", text) for i, text in enumerate(texts)]
    return assemble(sections(documents, FF(), layout))


def found(
    layout: Settings, asked: str, texts: tuple[str, ...] = TEXTS, cold: bool = False
) -> PlainSources:
    """What the core finds, which is what the plain reader does."""
    with opened(written(layout, texts)) as (core, plain):
        answer = core_sources(core, asked.encode(), 10, cold)
        assert answer == plain.sources(asked, 10, cold)
    return answer


def words_of(number: int, first: int, count: int) -> list[str]:
    return TEXTS[number].replace(".", "").split()[first : first + count]


@pytest.mark.parametrize("count", [5, 8, 9, 12, 17, 25, 40])
@pytest.mark.parametrize("file", ["words", "both"])
def test_a_sentence_that_stands_in_a_document_is_shown_there(file: str, count: int) -> None:
    asked = " ".join(words_of(7, 30, count))
    source = found(KEPT[file], asked).sources[0]
    (passage,) = source.passages

    assert (source.document, source.coverage) == (7, 10_000)
    assert (passage.verified, passage.edited, passage.documents) == (True, 0, 1)
    own = TEXTS[7].encode()[passage.document_start : passage.document_end].decode()
    assert own.replace(".", "") == asked


@pytest.mark.parametrize("count", [9, 12, 17, 25, 40])
def test_words_that_were_replaced_are_edited(count: int) -> None:
    asked = words_of(7, 30, count)
    for changed in (1, 2)[: 1 + (count >= 17)]:
        asked[changed * count // 3] = f"zebra{changed}"
        source = found(KEPT["both"], " ".join(asked)).sources[0]

        assert source.document == 7
        assert [own.edited for own in source.passages] == [changed * 10_000 // count]


@pytest.mark.parametrize("file", ["words", "shingles", "both"])
def test_what_stands_nowhere_has_no_source(file: str) -> None:
    for asked in (NOBODY, " ".join(reversed(words_of(7, 30, 20)))):
        assert found(KEPT[file], asked).sources == ()


@pytest.mark.parametrize("keep", ["", "snippet"])
@pytest.mark.parametrize("file", ["words", "shingles", "both"])
def test_without_texts_it_is_an_estimate(file: str, keep: str) -> None:
    layout = Settings(
        part_keys=900,
        posting_bits=9,
        room=300,
        keep=keep,
        characters=80 if keep else 0,
        passages=None if file == "words" else SHINGLES,
        words=None if file == "shingles" else WORDS,
    )
    source = found(layout, " ".join(words_of(7, 30, 45))).sources[0]

    assert source.document == 7
    for own in source.passages:
        assert (own.verified, own.document_start, own.document_end) == (False, 0, 0)


def test_words_of_a_document_in_another_order_are_said_where_no_texts_are_kept() -> None:
    asked = " ".join(reversed(words_of(7, 30, 6)))
    start, end, document, documents = found(BOTH, f"{asked}.").words_only

    assert (start, end, document) == (0, len(asked), 7)
    assert documents >= 1
    assert found(KEPT["both"], f"{asked}.").words_only == (0, 0, 0, 0)


@pytest.mark.parametrize("file", ["words", "shingles", "both"])
def test_a_copy_across_the_end_of_a_segment_is_one_passage(file: str) -> None:
    before = prose(998, 4080, 90_000).replace("w", "x")
    asked = f"{before} {' '.join(words_of(3, 15, 60))}"
    answer = found(KEPT[file], asked)
    (source,) = answer.sources
    (passage,) = source.passages

    assert [len(own.terms) > 4000 for own in segments(asked.encode())] == [True, False]
    assert (source.document, passage.first, passage.last) == (3, 4080, 4140)
    assert answer.terms == 4140


def test_a_word_or_two_behind_the_last_segment_are_not_looked_for() -> None:
    answer = found(KEPT["words"], prose(998, 4096, 90_000).replace("w", "x") + " w1")

    assert (answer.sources, answer.terms) == ((), 4097)


@pytest.mark.slow
def test_a_sentence_of_a_book_of_many_pieces() -> None:
    book = prose(997, 66_000, 9_000)
    words = book.replace(".", "").split()
    asked = words[61_000:61_030]
    asked[11] = "zebra"
    source = found(KEPT["both"], " ".join(asked), (book, *TEXTS[:4])).sources[0]

    assert source.document == 0
    assert [own.edited for own in source.passages] == [10_000 // 30]


@pytest.mark.parametrize("file", ["words", "shingles", "both"])
def test_a_sentence_of_very_many_documents_is_said_to_be_theirs(file: str) -> None:
    # Shingles that so many documents have say little each.
    common = " ".join(f"c{i}" for i in range(120 if file == "shingles" else 30))
    texts = tuple(f"{common}. u{i} v{i}" for i in range(300))
    answer = found(KEPT[file], common, texts)

    assert answer.capped
    assert answer.all >= 100
    assert answer.coverage == 10_000
    assert all(own.passages[0].documents >= 100 for own in answer.sources)


def test_what_few_documents_have_is_not_capped() -> None:
    common = " ".join(f"c{i}" for i in range(30))
    texts = tuple(f"{common}. u{i} v{i}" for i in range(30))
    answer = found(KEPT["both"], common, texts)

    assert (answer.all, answer.capped) == (30, False)
    assert {own.passages[0].documents for own in answer.sources} == {30}


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("a b c d e. f g h i j k", [5, 11]),
        ("a b c d e.f g h i j k", [11]),
        ("a b c d e.) f g h i j k", [5, 11]),
        ('a b c d e?" f g h i j k', [5, 11]),
        ("a b c d e.“ f g h i j k", [5, 11]),
        ("a b c d, Mr. e f g h i j", [5, 11]),
        ("Mr. a b. c d e f g", [8]),
        ("a b c d e; f g h i j k", [11]),
        ("a b c d e\n\nf g h i j k", [5, 11]),
        ("a b c d e\r\n \t\r\nf g h i j k", [5, 11]),
        ("a b c d e\nf\n-\ng h i j k", [11]),
        ("a b c d e f g. h i j k", [11]),
        ("a b c", [3]),
        ("a b c d e! f g h i j? k l m n o", [5, 10, 15]),
        ("क ख ग घ ङ। च छ ज झ ञ", [5, 10]),
        ("ا ب ت ث ج؟ ح خ د ذ ر", [5, 10]),
        ("東京都知事。京都府知事", [8]),
        ("東京都知事選挙。京都府知事選挙", [6, 12]),
        ("東京都知事選挙｡京都府知事選挙", [6, 12]),
        (" ".join("a" * 70), [32, 64, 70]),
        (" ".join("a" * 66), [32, 66]),
    ],
)
def test_where_sentences_end(text: str, ends: list[int]) -> None:
    (segment,) = segments(text.encode())

    assert segment.breaks[1:] == ends


def test_units_are_sentences_windows_and_stretches() -> None:
    (segment,) = segments(". ".join(["a b c d e f g h i j"] * 40).encode())
    units = [(own.first, own.last) for own in segment.units]

    assert units[:40] == [(i, i + 10) for i in range(0, 400, 10)]
    assert units[40:43] == [(0, 60), (20, 80), (40, 100)]
    assert units[-5:] == [(340, 400), (0, 250), (70, 320), (140, 390), (210, 400)]
