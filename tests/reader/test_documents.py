"""Records of documents: packed by the builder or in other ways, read by the core and by the plain
reader (docs/format.md, section 5).
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, pad
from plain_writer import record, sections, write
from pocketindex.builder.write.documents import learn, pack
from pocketindex.errors import Damaged

WORDS = st.text(st.characters(codec="utf-8"), max_size=40)
TEXTS = [
    Text(f"id {i}", "alpha beta gamma"[: 5 + i], f"title {i}", "u" * (i % 3)) for i in range(9)
]
GOOD = sections(TEXTS, FF(), Settings(content=100))
BLOCK = GOOD[3].blocks[0][1]
AFTER = BLOCK[BLOCK.index(255) + 1 :]


def fields_of(texts: list[Text]) -> list[tuple[str, str, str]]:
    return [(text.id, text.title, text.url) for text in texts]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(WORDS.filter(bool), WORDS, WORDS),
        min_size=1,
        max_size=30,
        unique_by=lambda fields: fields[0],
    ),
    st.lists(st.binary(min_size=1, max_size=8), max_size=254),
    st.integers(1, 400),
)
def test_both_readers_unpack_what_was_packed(
    documents: list[tuple[str, str, str]], symbols: list[bytes], content: int
) -> None:
    texts = [Text(id, "alpha beta", title, url) for id, title, url in documents]
    data = write(texts, settings=Settings(symbols=tuple(symbols), content=content))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pocket"
        path.write_bytes(data)
        with pocketindex.open(path) as index, PlainIndex.open(path) as plain:
            index.verify()
            plain.verify()
            numbers = list(range(len(texts)))[::-1]
            readers: list[Callable[[int], Any]] = [index.record, plain.record]
            for of in readers:
                assert [
                    (found.id, found.title, found.url) for found in map(of, numbers)
                ] == fields_of(texts)[::-1]
            assert [index.document(id).number for id, _, _ in documents] == list(range(len(texts)))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(WORDS.filter(bool), WORDS, WORDS), min_size=1, max_size=60))
def test_the_builder_packs_what_unpacks(documents: list[tuple[str, str, str]]) -> None:
    records = [
        b"\xfe".join(field.encode() for field in (title, id, url)[: 3 if url else 2])
        for id, title, url in documents
    ]
    joined = b"".join(records), np.cumsum(list(map(len, records)), dtype=np.uint64)
    table, symbols = learn([joined])
    lengths = table[:symbols]
    rest = table[symbols:]
    all_symbols = list[bytes]()
    for length in lengths:
        all_symbols.append(rest[:length])
        rest = rest[length:]
    packed, ends = pack(table, symbols, joined)

    assert rest == b""
    assert all_symbols == sorted(set(all_symbols))
    assert packed.count(255) == len(records)
    for own, start, end in zip(records, [0, *ends.tolist()], ends.tolist(), strict=False):
        codes, unpacked = iter(packed[start : end - 1]), b""
        for code in codes:
            unpacked += bytes([next(codes)]) if code == 254 else all_symbols[code]
        assert (unpacked, packed[end - 1]) == (own, 255)
        assert end - start <= len(record(Text("x", "", own.decode("latin-1")), all_symbols)) * 2


def test_symbols_make_titles_smaller_and_do_not_depend_on_how_records_come() -> None:
    records = [f"The history of the town number {i}\xfe{i}".encode("latin-1") for i in range(5000)]
    ends = np.cumsum(list(map(len, records)), dtype=np.uint64)
    one = learn([(b"".join(records), ends)])
    many = learn([(each, np.array([len(each)], np.uint64)) for each in records])
    packed, _ = pack(*one, (b"".join(records), ends))

    assert one == many
    assert len(packed) < 0.4 * int(ends[-1])


def documents_with(**changes: object) -> list[Section]:
    return [*GOOD[:3], replace(GOOD[3], **changes), *GOOD[4:]]  # type: ignore[arg-type]


def first_block(data: bytes) -> Callable[[], list[Section]]:
    return lambda: documents_with(blocks=((0, data), *GOOD[3].blocks[1:]))


def parameters(
    symbols: int, lengths: bytes, rest: bytes = b"", reserved: int = 0
) -> Callable[[], list[Section]]:
    head = b"".join(n.to_bytes(4, "little") for n in (9, 0, symbols, reserved))
    return lambda: documents_with(parameters=pad(head + lengths + rest))


# What the core says at its opening; the plain reader refuses all of them, too.
OPEN: dict[str, tuple[Callable[[], list[Section]], str]] = {
    "no symbols": (
        lambda: documents_with(parameters=GOOD[3].parameters[:8]),
        "length of the parameters: expected at least 16, found 8",
    ),
    "many symbols": (
        parameters(255, b"\1" * 255, b"a" * 255),
        "number of symbols: expected 0 .. 254, found 255",
    ),
    "reserved": (parameters(1, b"\1", b"a", reserved=7), "reserved: expected 0, found 7"),
    "lengths cut": (
        parameters(200, b"\1"),
        "length of the parameters: expected at least 216, found 24",
    ),
    "no length": (parameters(1, b"\0"), "length of a symbol: expected 1 .. 8, found 0"),
    "long symbol": (
        parameters(1, b"\x09", b"a" * 9),
        "length of a symbol: expected 1 .. 8, found 9",
    ),
    "symbols cut": (
        parameters(3, b"\x08\x08\x08"),
        "length of the parameters: expected at least 27, found 24",
    ),
    "bytes behind": (
        parameters(1, b"\1", b"a" + bytes(16)),
        "length of the parameters: expected 24, found 40",
    ),
    "padding": (parameters(1, b"\1", b"ab"), "padding: expected 0, found 98"),
    "long block": (
        first_block(BLOCK + bytes(65_536)),
        "block 0: length of the block: expected 1 .. 65536, found",
    ),
}
# What it says when a record is looked at; verify finds them, too.
READ = {
    "code": first_block(b"\4\1\xfea\xff" + AFTER),
    "literal cut": first_block(b"\1\xfe\xff" + AFTER),
    "no end": first_block(b"\1\xfea"),
    "one field": first_block(b"\xfea\xff" + AFTER),
    "no id": first_block(b"\2\1\xff" + AFTER),
    "empty url": first_block(b"\1\2\1\xff" + AFTER),
    "long title": first_block(record(Text("a", "", "t" * 8193)) + AFTER),
    "long id": first_block(record(Text("a" * 1025, "")) + AFTER),
    "beyond all bounds": first_block(record(Text("a", "", "t" * 30_000)) + AFTER),
}
# The last block of a file: what reads on reads beyond its memory.
LAST = {
    "no end": b"\1\xfea",
    "literal": b"\1\xfe",
}
VERIFIED = {
    "no UTF-8": (first_block(b"\1\xfe\xc3\xff" + AFTER), "block 0: UTF-8"),
    "four fields": (first_block(b"\1\2\1\2\1\2\1\xff" + AFTER), "block 0: UTF-8"),
    "record too many": (
        first_block(BLOCK + record(TEXTS[0])),
        "block 0: bytes after the last record: expected 0, found",
    ),
    "record missing": (first_block(AFTER), "block 0: record"),
}


def ending(last: bytes) -> list[Section]:
    """The file with such a last block of documents, and nothing behind it."""
    first, _ = GOOD[3].blocks[-1]
    return [*GOOD[:3], *GOOD[4:], replace(GOOD[3], blocks=(*GOOD[3].blocks[:-1], (first, last)))]


def refused(
    made: list[Section], path: Path, message: str, look: Callable[[pocketindex.Index], object]
) -> None:
    path.write_bytes(assemble(made))
    with (
        pytest.raises(Damaged, match=f"section documents.*{message}"),
        pocketindex.open(path) as index,
    ):
        look(index)
    with pytest.raises(Damaged, match="documents"), PlainIndex.open(path) as plain:
        plain.verify()


@pytest.mark.parametrize("name", OPEN)
def test_what_opening_refuses(name: str, tmp_path: Path) -> None:
    make, message = OPEN[name]
    refused(make(), tmp_path / "a.pocket", message, lambda index: None)


@pytest.mark.parametrize("name", READ)
def test_what_looking_refuses(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    refused(READ[name](), path, "block 0: record", lambda index: index.record(0))
    with pytest.raises(Damaged, match="block 0: record"), pocketindex.open(path) as index:
        index.verify()


@pytest.mark.parametrize("name", LAST)
def test_what_ends_with_the_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    number, _ = GOOD[3].blocks[-1]
    refused(ending(LAST[name]), path, "record", lambda index: index.record(number))


@pytest.mark.parametrize("name", VERIFIED)
def test_what_only_verify_refuses(name: str, tmp_path: Path) -> None:
    make, message = VERIFIED[name]
    path = tmp_path / "a.pocket"
    refused(make(), path, message, lambda index: index.verify())
    with pocketindex.open(path) as index, contextlib.suppress(Damaged):
        assert index.record(0).number == 0


def test_urls_of_a_long_template(tmp_path: Path) -> None:
    """Their room is not known before they are made."""
    texts = [Text(f"{i}" * 300, "alpha beta", "é" * 900) for i in range(9)]
    path = tmp_path / "a.pocket"
    path.write_bytes(
        write(texts, settings=Settings(template="https://example.org/" + "{title}/{id}/" * 70))
    )
    with pocketindex.open(path) as index, PlainIndex.open(path) as plain:
        hits = index.query("alpha beta", top=9, exhaustive=True)
        assert [hit.url for hit in hits] == [plain.record(hit.number).url for hit in hits]
        assert len(hits[0].url) > 300_000
