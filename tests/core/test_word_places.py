"""The words of a text with their places, and those that a question asks for (word_places.c)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pocketindex.cbits import ffi, lib
from pocketindex.queries.terms import written_terms

WORDS = 4
ALPHABET = st.sampled_from("ab C-_.\"*'+#é船段🚀 1,")


def written(
    name: str, text: str, room: int = 4096, count: int = 4096
) -> tuple[int, list[str], list[int]]:
    data = text.encode()
    out, size = bytearray(room), ffi.new("uint64_t *")
    numbers, used = ffi.new("uint32_t[]", count), ffi.new("uint32_t *", count)
    call = getattr(lib, name)
    status = call(data, len(data), ffi.from_buffer(out), room, size, numbers, used)
    words = bytes(out[: min(room, size[0])]).decode().split("\n")[:-1]
    return status, words, list(numbers)[: min(used[0], count)]


@given(st.text(ALPHABET, max_size=60))
def test_words_are_those_of_the_stream_and_stand_at_their_places(text: str) -> None:
    status, words, numbers = written("pocket_words_places", text)
    data = text.encode()

    assert status == lib.POCKET_OK
    assert words == written_terms(data, WORDS).decode().split("\n")[:-1]
    assert len(numbers) == 3 * len(words)
    for i, word in enumerate(words):
        start, end, kind = numbers[3 * i : 3 * i + 3]
        assert 0 <= start < end <= len(data)
        if kind == 0:  # it is what its place has, alone
            assert word in written_terms(data[start:end], WORDS).decode().split("\n")


def test_kinds_of_words() -> None:
    _, words, numbers = written("pocket_words_places", "wi-fi fooBar")

    assert words == ["wifi", "wi", "fi", "foobar", "foo", "bar"]
    assert numbers[2::3] == [1, 0, 0, 0, 2, 2]
    assert numbers[:2] == [0, 5]


def test_what_a_question_asks_for() -> None:
    status, words, numbers = written("pocket_asked_write", 'alpha "beta gamma" -delta wi-fi')
    count = numbers[0]
    roles = dict(zip(words, numbers[3 : 1 + 4 * count : 4], strict=True))
    alone = dict(zip(words, numbers[4 : 1 + 4 * count : 4], strict=True))

    assert (status, count) == (lib.POCKET_OK, len(words))
    assert roles == {"alpha": 0, "beta": 0, "gamma": 0, "delta": 1, "wifi": 0, "wi": 0, "fi": 0}
    assert [word for word in words if alone[word]] == ["alpha"]
    assert numbers[1 + 4 * count :] == [0, 2, words.index("beta"), words.index("gamma")]


def test_room_that_is_too_small_is_said() -> None:
    for name in ("pocket_words_places", "pocket_asked_write"):
        assert written(name, "alpha beta", room=8)[0] == lib.POCKET_BAD_ARGUMENT
        assert written(name, "alpha beta", count=2)[0] == lib.POCKET_BAD_ARGUMENT
        assert written(name, "")[1] == []
