"""Marks of asked words in a text: the core against the rule of docs/format.md 10."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from plain.question import Question
from plain.spelling import plain_spelling
from plain.word_stream import words
from pocketindex.cbits import ffi, lib
from test_search import WORD, questions


def core_marks(text: bytes, asked: bytes, prefix: bool, room: int = 1000) -> list[tuple[int, int]]:
    places, count = ffi.new("uint64_t[]", 2 * room), ffi.new("uint32_t *", room)
    status = lib.pocket_mark_words(text, len(text), asked, len(asked), prefix, places, count)
    assert status == 0
    return [(places[2 * i], places[2 * i + 1]) for i in range(count[0])]


def plain_marks(text: bytes, asked: bytes, prefix: bool) -> list[tuple[int, int]]:
    wanted = [word for word in Question(asked, prefix).words if word.role == 0]
    found = list[tuple[int, int]]()
    for own in words(text):
        if any(
            own.bytes.startswith(word.term)
            if word.prefix
            else plain_spelling(own.bytes) == plain_spelling(word.term)
            for word in wanted
        ):
            start, end = own.start, own.end
            if found and start < found[-1][1]:
                start, end = found[-1][0], max(end, found.pop()[1])
            found.append((start, end))
    return found


@settings(max_examples=150)
@given(st.lists(WORD, max_size=20).map(" ".join), questions(), st.booleans(), st.binary(max_size=2))
def test_marks(text: str, question: str, prefix: bool, bad: bytes) -> None:
    data, asked = text.encode() + bad, question.encode()
    assert core_marks(data, asked, prefix) == plain_marks(data, asked, prefix)


def test_marks_in_many_scripts_and_little_room() -> None:
    text = "Café, CAFE\u0301 and cafes; 東京都の東. Straße हिन्दी हिन्द, كِتاب".encode()
    for asked, prefix in (
        ("cafe", True),
        ("東京 の", False),
        ("हिन्दी كتاب", False),
        ("strasse", False),
        ("or -and", False),
    ):
        found = core_marks(text, asked.encode(), prefix)
        assert found == plain_marks(text, asked.encode(), prefix)
        assert bool(found) == (asked != "or -and")
        assert core_marks(text, asked.encode(), prefix, 1) == found[:1]
