"""Texts that are looked for in documents which the caller gives: pocket_given_new and its like."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from core_sources_of import core_sources, options, taken
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import opened
from plain import PlainSources
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from word_blocks import WordSettings

BAD_ARGUMENT, TEXT_TOO_LONG, INTERRUPTED = 4, 3, 14
NONE = 0xFFFFFFFF  # the text after the last one
KEPT = Settings(posting_bits=7, keep="text", room=90, words=WordSettings(title_weight=0))


def written(texts: Sequence[str], layout: Settings = KEPT) -> bytes:
    documents = [Text(f"d{i}", text) for i, text in enumerate(texts)]
    return assemble(sections(documents, FF(), layout))


@contextmanager
def looking(core: Any, asked: Sequence[str]) -> Iterator[Any]:
    """For texts."""
    kept = [ffi.new("uint8_t[]", text.encode()) for text in asked]
    lengths = [len(text.encode()) for text in asked]
    out, error = ffi.new("pocket_given **"), ffi.new("pocket_error *")
    check(lib.pocket_given_new(core, kept, lengths, len(asked), out, error), error, "x")
    try:
        yield out[0]
    finally:
        lib.pocket_given_free(out[0])


def look(looked_for: Any, number: int, text: str) -> int:
    data = text.encode()
    return int(lib.pocket_given_look(looked_for, number, data, len(data), ffi.NULL))


def found(looked_for: Any, number: int, top: int = 1000) -> PlainSources:
    out, error = ffi.new("pocket_sources_found **"), ffi.new("pocket_error *")
    status = lib.pocket_given_found(looked_for, number, options(top, False), out, error)
    check(status, error, "x")
    return taken(out[0])


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Documents, and texts that share words with them."""
    chance = random.Random(draw(st.integers(0, 10**6)))

    def said(words: list[str]) -> str:
        return "".join(word + chance.choice([" ", " ", " ", " ", ". ", "? "]) for word in words)

    # So few words and documents that every document is compared with every unit.
    documents = [chance.choices("abcdef", k=chance.randrange(1, 90)) for _ in range(8)]
    asked = list[str]()
    for _ in range(draw(st.integers(1, 4))):
        words = chance.choices("abcdef", k=chance.randrange(9))
        for _ in range(chance.randrange(4)):
            one = chance.choice(documents)
            at = chance.randrange(len(one))
            words += one[at : at + chance.randrange(40)]
            words += chance.choices("abcdef", k=chance.randrange(3))
        asked.append(said(words))
    return [said(["a", "b", "c", "d", "e", "f", *words]) for words in documents], asked


@settings(max_examples=40, deadline=None)
@given(cases())
def test_documents_that_are_given_are_those_of_a_file(case: tuple[list[str], list[str]]) -> None:
    documents, asked = case
    with opened(written(documents)) as (core, _), looking(core, asked) as looked_for:
        for number, text in enumerate(documents):
            assert look(looked_for, number, text) == 0
        for number, text in enumerate(asked):
            assert found(looked_for, number) == core_sources(core, text.encode(), 1000)


ASKED = "the keeper of the light went up at dusk with oil and a match"
LAYOUTS = {
    "words": KEPT,
    "no words": Settings(posting_bits=7, passages=(4, 12, 50)),
    "sketches": Settings(posting_bits=7),
}


@pytest.mark.parametrize("file", LAYOUTS)
def test_documents_that_no_file_has(file: str) -> None:
    """Whatever the file has: it says no more than how common words are."""
    with (
        opened(written(["one thing", "another"], LAYOUTS[file])) as (core, _),
        looking(core, ["nothing of it", ASKED, ""]) as looked_for,
    ):
        assert look(looked_for, 4_000_000_000, f"Long before, {ASKED}. Then it rained.") == 0
        assert look(looked_for, 5, "") == 0
        assert look(looked_for, 6, ASKED.replace("dusk", "noon")) == 0
        answer = found(looked_for, 1)

        assert [own.document for own in answer.sources] == [4_000_000_000, 6]
        assert [own.passages[0].edited for own in answer.sources] == [0, 10_000 // 14]
        assert found(looked_for, 0).sources == found(looked_for, 2).sources == ()


def test_a_text_of_several_segments_is_found_in_each() -> None:
    fill = " ".join(f"x{i}" for i in range(4100))
    with (
        opened(written(["one thing"])) as (core, _),
        looking(core, [f"{ASKED}. {fill}. {ASKED}"]) as looked_for,
    ):
        look(looked_for, 3, ASKED)
        (source,) = found(looked_for, 0).sources

        assert [own.first for own in source.passages] == [0, 14 + 4100]


def test_documents_that_were_left_out_are_said() -> None:
    with opened(written(["one thing"])) as (core, _), looking(core, [ASKED]) as looked_for:
        for number in range(32):
            look(looked_for, number, ASKED)
        assert not found(looked_for, 0).capped
        look(looked_for, 32, ASKED)
        answer = found(looked_for, 0)

        assert (answer.all, answer.capped) == (32, True)


def test_it_goes_on_after_a_call_was_ended() -> None:
    long = " ".join(f"{ASKED} {i}" for i in range(30_000))
    asks = list[int]()

    def end(_: Any) -> int:
        asks.append(1)
        return 1

    ends = ffi.callback("int(void *)", end)
    with opened(written(["one thing"])) as (core, _), looking(core, [ASKED]) as looked_for:
        lib.pocket_on_interrupt(core, ends, ffi.NULL)
        assert look(looked_for, 1, long) == INTERRUPTED
        assert asks
        out, error = ffi.new("pocket_given **"), ffi.new("pocket_error *")
        data = ffi.new("uint8_t[]", long.encode())
        assert lib.pocket_given_new(core, [data], [len(data) - 1], 1, out, error) == INTERRUPTED
        assert (out[0], error.status) == (ffi.NULL, INTERRUPTED)
        lib.pocket_on_interrupt(core, ffi.NULL, ffi.NULL)
        assert look(looked_for, 2, ASKED) == 0
        assert [own.document for own in found(looked_for, 0).sources] == [2]


def test_what_is_refused() -> None:
    out, error = ffi.new("pocket_given **"), ffi.new("pocket_error *")
    answer = ffi.new("pocket_sources_found **")
    with opened(written(["one thing"])) as (core, _), looking(core, [ASKED]) as looked_for:
        assert lib.pocket_given_new(core, ffi.NULL, ffi.NULL, 16_777_217, out, error) == (
            BAD_ARGUMENT
        )
        assert (out[0], ffi.string(error.field)) == (ffi.NULL, b"texts")
        assert lib.pocket_given_new(core, [ffi.NULL], [2**28 + 1], 1, out, error) == TEXT_TOO_LONG
        assert lib.pocket_given_look(looked_for, 0, b"", 2**28 + 1, error) == TEXT_TOO_LONG
        assert lib.pocket_given_found(looked_for, 1, ffi.NULL, answer, error) == BAD_ARGUMENT
        assert ffi.string(error.field) == b"number of a text"
        most = options(1001, False)
        assert lib.pocket_given_found(looked_for, 0, most, answer, error) == BAD_ARGUMENT
        assert answer[0] == ffi.NULL
        lib.pocket_given_free(ffi.NULL)


@settings(max_examples=40, deadline=None)
@given(cases())
def test_a_document_alone_is_told_after_the_others_are_forgotten(
    case: tuple[list[str], list[str]],
) -> None:
    documents, asked = case
    with opened(written(documents)) as (core, _), looking(core, asked) as looked_for:
        for number, text in enumerate(documents):
            look(looked_for, number, text)
            one_by_one, at = dict[int, PlainSources](), lib.pocket_given_next(looked_for, 0)
            while at != NONE:
                one_by_one[at] = found(looked_for, at)
                at = lib.pocket_given_next(looked_for, at + 1)
            lib.pocket_given_forget(looked_for)

            assert lib.pocket_given_next(looked_for, 0) == NONE
            with looking(core, asked) as alone:
                look(alone, number, text)
                expected = {at: found(alone, at) for at in range(len(asked))}
            nothing = {at: one for at, one in expected.items() if at not in one_by_one}
            assert all(not one.sources for one in nothing.values())
            assert one_by_one == {at: expected[at] for at in one_by_one}
