"""The words of a text that a file knows: the core tells how many documents have each."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import opened
from places import GOLDEN
from plain.terms import every_word
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from test_pieces import in_pieces
from test_search import LAYOUTS, TEXT_TOO_LONG, WORD, collections
from test_sources import golden
from word_blocks import WordSettings, collect


def known_words(handle: Any, text: bytes, room: int = 1000) -> list[int]:
    documents, count = ffi.new("uint64_t[]", room), ffi.new("uint64_t *", room)
    error = ffi.new("pocket_error *")
    status = lib.pocket_known_words(handle, text, len(text), documents, count, error)
    check(status, error, "x")
    return [*documents[0 : min(room, count[0])], *[-1] * (count[0] - min(room, count[0]))]


@settings(max_examples=40, deadline=None)
@given(collections(), LAYOUTS, st.lists(WORD, max_size=20).map(" ".join))
def test_how_many_documents_have_each_word(
    documents: list[Text], layout: Settings, text: str
) -> None:
    own = [(document.text, document.title) for document in documents]
    said = collect(own, layout.words or WordSettings())
    having = {term: said.having[term] for term in said.ranks}
    with opened(assemble(sections(documents, FF(), layout))) as (core, _):
        expected = [having.get(term.bytes, 0) for term in every_word(text.encode())]
        assert known_words(core, text.encode()) == expected
        assert known_words(core, text.encode(), 1) == expected[:1] + [-1] * len(expected[1:])


def test_known_words_in_pieces_and_of_a_file_without_words() -> None:
    data, text = (GOLDEN / "words.pocket").read_bytes(), b"the of unheard and the nought zzz"
    with golden("words") as (core, _), in_pieces(data) as pieces:
        documents, count = ffi.new("uint64_t[]", 7), ffi.new("uint64_t *", 7)

        def ask(error: Any) -> int:
            count[0] = 7
            return int(
                lib.pocket_known_words(pieces.handle, text, len(text), documents, count, error)
            )

        pieces.answer(ask)
        assert list(documents) == known_words(core, text)
        assert documents[0] == documents[4] > 0
        assert documents[2] == 0
        assert pieces.rounds == 1
        error = ffi.new("pocket_error *")
        status = lib.pocket_known_words(core, b"a", 2**28 + 1, documents, count, error)
        assert (status, error.status) == (TEXT_TOO_LONG, TEXT_TOO_LONG)
    with golden("radix") as (core, _):
        status = lib.pocket_known_words(core, b"a", 1, documents, count, error)
        assert (status, error.status) == (lib.POCKET_NO_WORDS, lib.POCKET_NO_WORDS)
