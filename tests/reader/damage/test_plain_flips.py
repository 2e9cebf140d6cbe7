"""The plain reader on files with flipped bits and without their ends, and its messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plain import PlainHit, PlainIndex, PlainRecord
from plain_layout import FF, Section, Settings, Text, assemble
from plain_writer import sections, write
from pocketindex.errors import Damaged, NotAPocketFile, PocketError

TINY = FF(
    name="t",
    stops=("the",),
    stop_slots=2,
    expectation=(2**31, 2**31),
    bins=tuple(i % 2 for i in range(256)),
    components=((0, (0,)), (1, (-10_000, 10_000))),
    tables=((0, 2),),
)
TINY_TEXTS = [
    Text("a", "alpha beta", "A"),
    Text("b", "beta gamma beta", "B", "u"),
    Text("c", "alpha beta delta epsilon", "C"),
]
TINY_LAYOUT = Settings(checksum_bits=8, identity_bits=8, per_block=2)

Answers = tuple[list[list[PlainHit]], list[PlainRecord | None]]


def ask(index: PlainIndex) -> Answers:
    return [index.query(text, 3, 2) for text in ("alpha beta", "gamma")], [
        index.document("a"),
        index.document("x"),
    ]


def test_every_flipped_bit_is_refused_or_changes_no_answer() -> None:
    """Flips in an optional section of an unknown kind change nothing; verify refuses all flips."""
    extra = Section(77, b"12345678", ((1, b"xyz"),), flags=0)
    good = assemble([*sections(TINY_TEXTS, TINY, TINY_LAYOUT), extra])
    expected = ask(PlainIndex.open(good))
    PlainIndex.open(good).verify()
    refused = same = 0
    for bit in range(8 * len(good)):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        try:
            index = PlainIndex.open(bytes(bad))
        except PocketError:
            refused += 1
            continue
        try:
            assert expected == ask(index)
            same += 1
        except Damaged:
            refused += 1
        with pytest.raises(Damaged):
            index.verify()
    assert refused + same == 8 * len(good)
    assert same >= 8 * len(b"12345678" + b"xyz")


def test_every_truncation_is_refused() -> None:
    good = write(TINY_TEXTS, TINY, TINY_LAYOUT)
    for size in range(len(good)):
        with pytest.raises(NotAPocketFile if size < 8 else Damaged):
            PlainIndex.open(good[:size])
    for longer in (good + b"\0", good + good):
        with pytest.raises(
            Damaged, match=f"header: file size: expected {len(good)}, found {len(longer)};"
        ):
            PlainIndex.open(longer)


def test_messages(tmp_path: Path) -> None:
    good = write(TINY_TEXTS, TINY, TINY_LAYOUT)
    path = tmp_path / "a.pocket"

    def message(data: bytes) -> str:
        path.write_bytes(data)
        with pytest.raises(PocketError) as caught, PlainIndex.open(path) as index:
            index.verify()
        return str(caught.value).removeprefix(f"{path}: ")

    empty = "not a pocket file: it is empty (0 bytes); copy or download it again"
    assert message(b"") == empty
    assert message(b"\x1f\x8b\x08") == (
        f"not a pocket file: it is compressed with gzip; unpack it first: gunzip {path}"
    )
    newer = good[:8] + b"\2\0" + good[10:]
    assert message(newer) == "too new: major version: expected 1, found 2; upgrade pocketindex"
    size = len(good)
    assert message(good[:-9]) == (
        f"damaged: header: file size: expected {size}, found {size - 9}; copy or download the "
        "file again"
    )
    flipped = message(good[:-1] + bytes([good[-1] ^ 1]))
    assert re.fullmatch(
        (
            r"damaged: section ids, block 0: CRC32C: expected 0x[0-9a-f]{8}, found 0x[0-9a-f]{8}; "
            r"copy or download the file again"
        ),
        flipped,
    )


def test_a_damaged_block_stops_only_the_queries_that_touch_it() -> None:
    data = bytearray(write(TINY_TEXTS, TINY, TINY_LAYOUT))
    documents = PlainIndex.open(bytes(data)).documents.section
    data[documents.offset + documents.head_length] ^= 1
    index = PlainIndex.open(bytes(data))

    assert index.sketch("alpha beta")
    with pytest.raises(Damaged, match="documents, block 0: CRC32C"):
        index.query("alpha beta")
