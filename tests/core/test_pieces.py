"""A file in pieces: blocks lent as calls miss them give the answers of the whole file, and damage
is named in the same words.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from core_sources import SANITIZE, harness, run
from core_sources_of import core_sources, options, taken
from made_up import made_up
from places import GOLDEN
from plain import PlainSources
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.errors import Damaged, PocketError
from pocketindex.ffi.status import check
from vectors import asked, load, questions

NOT_AT_HAND = 13
TABLES = 2
SKETCHES = 3
DOCUMENTS = 4
IDS = 5
PASSAGES = 9


def heads_of(data: bytes) -> bytes:
    """Header and section table, then each section's head."""
    count = struct.unpack_from("<I", data, 12)[0]
    out = data[: 32 + 40 * count]
    for i in range(count):
        _, _, offset, _, parameters, blocks = struct.unpack_from("<IIQQII", data, 32 + 40 * i)
        out += data[offset : offset + parameters + 20 * blocks]
    return out


class Pieces:
    """An index of which blocks come as they are missed; lent: (section, number) of each that came;
    rounds: how often some were missed.
    """

    def __init__(self, data: bytes, handle: Any) -> None:
        self.data = data
        self.handle = handle
        self.rounds = 0
        self.lent: dict[tuple[int, int], Any] = {}

    def lend(self) -> int:
        """Lend what was missed; returns how many."""
        room, count = ffi.new("pocket_block[]", 7), ffi.new("uint32_t *", 7)
        lib.pocket_missed(self.handle, room, count)
        for i in range(count[0]):
            block = room[i]
            self.lent[block.section, block.number] = ffi.from_buffer(
                self.data[block.offset : block.offset + block.length]
            )
            assert (
                lib.pocket_lend(
                    self.handle, block.section, block.number, self.lent[block.section, block.number]
                )
                == 0
            )
        return int(count[0])

    def answer(self, call: Any) -> Any:
        """call(error) until it misses nothing; its status."""
        error = ffi.new("pocket_error *")
        for _ in range(100):
            status = call(error)
            if status != NOT_AT_HAND:
                check(status, error, "pieces")
                return status
            self.rounds += 1
            while self.lend():
                pass
        raise AssertionError("the same blocks are missed for ever")

    def query(self, text: bytes, probes: int, top: int = 5) -> list[list[int]]:
        hits, count = ffi.new("pocket_hit[]", top), ffi.new("uint32_t *")
        options = query_options(probes)

        def ask(error: Any) -> int:
            count[0] = top
            return int(lib.pocket_query(self.handle, text, len(text), options, hits, count, error))

        self.answer(ask)
        return [[hits[i].document, hits[i].similarity, hits[i].tables] for i in range(count[0])]

    def sources(self, text: bytes, top: int, cold: bool) -> PlainSources:
        out, how = ffi.new("pocket_sources_found **"), options(top, cold)
        self.answer(lambda error: lib.pocket_sources(self.handle, text, len(text), how, out, error))
        return taken(out[0])

    def text(self, number: int) -> str:
        out = ffi.new("pocket_text **")
        self.answer(lambda error: lib.pocket_text_get(self.handle, number, out, error))
        try:
            return bytes(ffi.buffer(out[0].bytes, out[0].length)).decode()
        finally:
            lib.pocket_text_free(out[0])

    def id(self, number: int) -> str:
        out = ffi.new("pocket_document **")
        self.answer(lambda error: lib.pocket_document_get(self.handle, number, out, error))
        try:
            return bytes(ffi.buffer(out[0].id, out[0].id_length)).decode()
        finally:
            lib.pocket_document_free(out[0])


@contextmanager
def in_pieces(data: bytes, heads: bytes | None = None) -> Iterator[Pieces]:
    kept = ffi.from_buffer(heads_of(data) if heads is None else heads)
    handle, error = ffi.new("pocket_index **"), ffi.new("pocket_error *")
    check(lib.pocket_open_pieces(kept, len(kept), handle, error), error, "pieces")
    try:
        yield Pieces(data, handle[0])
    finally:
        lib.pocket_close(handle[0])


@pytest.mark.parametrize("name", sorted({case["file"] for case in load("answers")}))
def test_the_recorded_answers(name: str) -> None:
    for case in (
        case for case in load("answers") if case["file"] == name and not case.get("too_short")
    ):
        with in_pieces((GOLDEN / f"{name}.pocket").read_bytes()) as pieces:
            found = pieces.query(bytes.fromhex(case["text"]), asked(case))
            if "copies" in case:
                found = [hit[:2] for hit in found]
            assert found == case.get("copies", case.get("hits"))
            # In a file with words and texts these are asked, too, the words of a class one by one.
            assert pieces.rounds <= 8
            assert not {section for section, _ in pieces.lent} & {DOCUMENTS, IDS}


def test_documents_ids_and_every_sketch(pocket: Path) -> None:
    data, text = pocket.read_bytes(), made_up(300)[7]["text"].encode()
    with pocketindex.open(pocket) as index, in_pieces(data) as pieces:
        hits = pieces.query(text, lib.POCKET_EXHAUSTIVE)
        assert pieces.rounds == 1
        assert [hit[0] for hit in hits] == [
            hit.number for hit in index.query(text, 5, min_similarity=0, exhaustive=True)
        ]

        assert [pieces.id(hit[0]) for hit in hits] == [index.record(hit[0]).id for hit in hits]
        number = ffi.new("uint32_t *")
        pieces.answer(lambda error: lib.pocket_find(pieces.handle, b"doc-123", 7, number, error))
        assert number[0] == 123
        pieces.answer(lambda error: lib.pocket_verify(pieces.handle, error))


@pytest.mark.parametrize("name", ["text", "snippet"])
def test_texts_come_in_one_round(name: str) -> None:
    """Those in pieces, too: all pieces are missed at once."""
    path = GOLDEN / f"{name}.pocket"
    for number in range(pocketindex.open(path).info().documents):
        with pocketindex.open(path) as index, in_pieces(path.read_bytes()) as pieces:
            assert pieces.text(number) == (
                index.text(number) if name == "text" else index.snippet(number)
            )
            assert pieces.rounds == 1


@pytest.mark.parametrize("name", ["passages", "passages-words"])
def test_what_sources_miss_is_known_after_one_call(name: str) -> None:
    data = (GOLDEN / f"{name}.pocket").read_bytes()
    cases = [case for case in load("sources") if case["file"] == name]
    for case in cases:
        text = bytes.fromhex(case["text"])
        top = case["top"]
        cold = bool(case["cold"])
        with in_pieces(data) as pieces, pocketindex.open(GOLDEN / f"{name}.pocket") as index:
            assert pieces.sources(text, top, cold) == core_sources(index._core, text, top, cold)
            assert pieces.rounds <= 1
            assert {section for section, _ in pieces.lent} <= {PASSAGES}
    assert cases


def test_a_section_at_once_and_taken_back(pocket: Path) -> None:
    data, text = pocket.read_bytes(), made_up(300)[7]["text"].encode()
    with in_pieces(data) as pieces:
        for section in (TABLES, SKETCHES):
            assert lib.pocket_miss(pieces.handle, section) == 0
        while pieces.lend():
            pass
        first = pieces.query(text, 0)
        assert pieces.rounds == 0

        for section, number in list(pieces.lent):
            assert lib.pocket_lend(pieces.handle, section, number, ffi.NULL) == 0
        pieces.lent.clear()
        assert pieces.query(text, 0) == first
        assert pieces.rounds > 0


def test_what_is_no_block_is_refused(pocket: Path) -> None:
    with in_pieces(pocket.read_bytes()) as pieces:
        assert lib.pocket_lend(pieces.handle, 4, 10**6, ffi.NULL) == 4
        assert lib.pocket_lend(pieces.handle, 77, 0, ffi.NULL) == 4
        assert lib.pocket_miss(pieces.handle, 77) == 4
    with pocketindex.open(pocket) as index:
        count = ffi.new("uint32_t *", 7)
        lib.pocket_missed(index._core, ffi.new("pocket_block[]", 7), count)
        assert (
            lib.pocket_lend(index._core, 2, 0, ffi.NULL),
            lib.pocket_miss(index._core, 2),
            count[0],
        ) == (4, 4, 0)


def test_a_damaged_block_is_named(pocket: Path) -> None:
    data = bytearray(pocket.read_bytes())
    with in_pieces(bytes(data)) as pieces:
        pieces.query(made_up(300)[7]["text"].encode(), 0)
        section, number = max(key for key in pieces.lent if key[0] == SKETCHES)
    with in_pieces(bytes(data)) as pieces:
        lib.pocket_miss(pieces.handle, section)
        room, count = ffi.new("pocket_block[]", 99), ffi.new("uint32_t *", 99)
        lib.pocket_missed(pieces.handle, room, count)
        data[next(room[i].offset for i in range(count[0]) if room[i].number == number)] ^= 1
        pieces.data = bytes(data)
        with pytest.raises(Damaged, match=rf"section sketches, block {number}: CRC32C"):
            pieces.query(made_up(300)[7]["text"].encode(), 0)


@pytest.mark.slow
def test_no_step_out_of_a_block(tmp_path: Path) -> None:
    """The whole file's answers from blocks that end where their memory does, sanitized."""
    cases = tmp_path / "cases"
    cases.write_text(questions())
    done = run(
        harness(tmp_path / "pieces", "pieces.c", *SANITIZE, "-Wall", "-Wextra", "-Werror"), cases
    )

    assert (done.returncode, done.stdout) == (0, f"{len(load('answers')) + len(load('search'))}\n")


@pytest.mark.parametrize("name", ["radix", "rff-wide", "empty"])
def test_heads_that_are_cut_off_longer_or_changed_are_refused(name: str) -> None:
    data = (GOLDEN / f"{name}.pocket").read_bytes()
    heads = heads_of(data)
    for length in {*range(0, len(heads), max(1, len(heads) // 300)), len(heads) - 1}:
        with pytest.raises(PocketError), in_pieces(data, heads[:length]):
            pass
    with pytest.raises(Damaged, match="length of the heads"), in_pieces(data, heads + b"\0"):
        pass
    for at in range(0, len(heads), max(1, len(heads) // 300)):
        with (
            pytest.raises(PocketError),
            in_pieces(data, heads[:at] + bytes([heads[at] ^ 4]) + heads[at + 1 :]),
        ):
            pass
