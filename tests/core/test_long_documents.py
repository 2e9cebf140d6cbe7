"""Sources that are long documents, whose texts lie in many pieces (docs/format.md 6.1 and 9.3): a
text is read up to where the last copied sentence ends, or to its end.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pocketindex
import pytest
from core_sources_of import core_sources
from in_memory import opened
from plain import PlainSources
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from word_blocks import WordSettings

LAYOUT = Settings(
    part_keys=900,
    posting_bits=9,
    room=700,
    passages=(4, 12, 1000),
    words=WordSettings(title_weight=0),
    keep="text",
)
BEGINNINGS = "wo", "\u0436", "\u00e9", "e\u0301", "\u8a9e"
GAPS = [" "] * 12 + [", ", "\u2028", " \u00ad", "\u3000", "\n"]


def sentence(chance: random.Random) -> str:
    """15 words; most letters have several bytes, so that many pieces end within one."""
    said = (f"{chance.choice(BEGINNINGS)}{chance.randrange(9000)}" for _ in range(15))
    return "".join(word + chance.choice(GAPS) for word in said).strip() + "."


def book(seed: int, sentences: int) -> list[str]:
    chance = random.Random(seed)
    return [sentence(chance) for _ in range(sentences)]


BOOK = book(1, 160)
# A word and a gap that go on over several pieces, and two sentences that stand there again.
LONG = [*BOOK[:60], "x" * 9000, *BOOK[60:90], " " * 9000, *BOOK[90:], *BOOK[20:22], *BOOK[7:8]]
OTHER = book(2, 160)


@cache
def written() -> bytes:
    texts = [" ".join(BOOK), " ".join(LONG), " ".join(OTHER)]
    return assemble(sections([Text(f"d{i}", text) for i, text in enumerate(texts)], FF(), LAYOUT))


def found(asked: str) -> PlainSources:
    """What the core finds, which is what the plain reader does, who reads every text whole."""
    with opened(written()) as (core, plain):
        answer = core_sources(core, asked.encode(), 10, False)
        assert answer == plain.sources(asked, 10, False)
    return answer


@pytest.mark.parametrize("first", [0, 7, 20, 55, 61, 88, 130, 155])
def test_a_paragraph_is_found_wherever_it_stands(first: int) -> None:
    assert {own.document for own in found(" ".join(BOOK[first : first + 4])).sources} == {0, 1}


def test_edited_paragraphs_are_found_as_well() -> None:
    words = " ".join(OTHER[40:45]).split()
    words[::9] = ["zebra"] * len(words[::9])

    assert [own.document for own in found(" ".join(words)).sources] == [2]


def test_sentences_that_are_far_apart_are_found_together() -> None:
    (source,) = found(" ".join([OTHER[150], OTHER[3], OTHER[80]])).sources

    assert (source.document, source.coverage, len(source.passages)) == (2, 10_000, 3)


def test_a_text_is_not_read_behind_the_last_copied_sentence() -> None:
    data = bytearray(written())
    with opened(bytes(data)) as (_, plain):
        assert plain.texts
        section = plain.texts.section
        start = section.offset + section.head_length
        data[start + section.bounds[-1] - 2] ^= 1  # within the last piece of the last document
    with opened(bytes(data)) as (core, _):
        (source,) = core_sources(core, " ".join(OTHER[3:7]).encode(), 10, False).sources
        assert (source.document, source.coverage) == (2, 10_000)
        for beyond in (OTHER[155:159], [*OTHER[3:7], "zebra " * 9, OTHER[159]]):
            with pytest.raises(pocketindex.PocketError):
                core_sources(core, " ".join(beyond).encode(), 10, False)


@cache
def written_long() -> tuple[list[str], bytes]:
    """A document of 36,600 words, of which what was read is forgotten, and its file."""
    sentences = book(3, 2440)
    settings = replace(LAYOUT, room=20_000)
    return sentences, assemble(sections([Text("long", " ".join(sentences))], FF(), settings))


@pytest.mark.slow
def test_what_was_read_of_a_long_document_is_forgotten_but_for_its_numbers() -> None:
    """Two sentences are found as the text is read on; the third, which was edited, when it is read
    whole. All are one passage.
    """
    sentences, file = written_long()
    edited = " ".join(sentences[2402].split()[:12])
    asked = " ".join([*sentences[2400:2402], edited])
    with opened(file) as (core, plain):
        answer = core_sources(core, asked.encode(), 10, False)
        assert answer == plain.sources(asked, 10, False)
        assert answer.sources


def test_places_in_the_document_are_told_in_code_points_too() -> None:
    sentences, file = written_long()
    text = " ".join(sentences).encode()
    asked = " ".join([sentences[1200], *sentences[40:43], sentences[2402]]).encode()
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    with opened(file) as (core, _):
        assert lib.pocket_sources(core, asked, len(asked), ffi.NULL, out, error) == 0
    found, places = out[0], lib.pocket_sources_places(out[0])
    ends = [
        (own.document_start, own.document_end) for own in found.passages[0 : found.passage_count]
    ]
    points = [(own.first, own.last) for own in places[0 : found.passage_count]]
    lib.pocket_sources_free(found)

    assert len(ends) == 3
    assert points == [tuple(len(text[:end].decode()) for end in span) for span in ends]
