"""What only a whole look at a file finds: faults under checksums that agree with them."""

from __future__ import annotations

import pytest
from plain import PlainIndex
from plain_layout import Text, assemble
from plain_writer import record
from pocketindex.errors import Damaged
from test_plain_damage import (
    AFTER,
    BEFORE,
    BUCKETS,
    CHECKSUMS,
    GOOD,
    HASH,
    IDS,
    KEYS,
    LASTS,
    LISTS,
    MANY,
    PART,
    TITLES,
    UPPER,
    Change,
    block,
    digits,
    first,
    parameter,
    part,
    records,
    section,
)

VERIFY: list[tuple[str, Change, str]] = [
    (
        "short part",
        block(2, 0, PART[:12]),
        "tables, block 0: length of the part: expected at least 16, found 12;",
    ),
    (
        "no keys",
        part(0, "I", 0),
        "tables, block 0: keys of the part: expected 1 .. 65535, found 0;",
    ),
    (
        "no postings",
        part(4, "I", 1),
        f"tables, block 0: postings of the part: expected {KEYS} .. 2147483647, found 1;",
    ),
    (
        "length of the hash",
        part(8, "I", HASH + 1),
        f"tables, block 0: length of the part: expected {len(PART) + 1}, found {len(PART)};",
    ),
    ("reserved", part(12, "I", 1), "tables, block 0: reserved: expected zeros, found 01 00 00 00;"),
    ("no buckets", part(16, "I", 0), "tables, block 0: buckets: expected 1 .. 65535, found 0;"),
    (
        "more buckets",
        part(16, "I", BUCKETS + 1),
        f"tables, block 0: length of the hash: expected {HASH + 1}, found {HASH};",
    ),
    ("seed", part(20, "B", 255), "tables, block 0: (slot of key|remapped slot)"),
    ("skew", part(21, "B", 17), "tables, block 0: skew: expected 1 .. 16, found 17;"),
    ("remapped slots", part(22, "H", 2), "tables, block 0: remapped slots: expected 1, found 2;"),
    ("remap", part(CHECKSUMS - 2, "H", 60_000), "tables, block 0: (remapped slot|remap of place)"),
    (
        "checksum",
        part(CHECKSUMS, "H", 0xFFFF),
        "tables, block 0: slot 0 checksum: expected 0x0000[0-9a-f]{4}, found 0x0000ffff;",
    ),
    (
        "postings before",
        part(BEFORE, "I", 1),
        "tables, block 0: postings before slot 0: expected 0, found 1;",
    ),
    (
        "no last bits",
        block(2, 0, PART[:LASTS] + bytes(LISTS - LASTS) + PART[LISTS:]),
        "block 0: last bits: expected one for each of",
    ),
    (
        "padding of last bits",
        part(LISTS - 1, "B", PART[LISTS - 1] | 128),
        "tables, block 0: padding of the last bits: expected 0, found",
    ),
    (
        "padding of postings",
        part(len(PART) - 1, "B", PART[-1] | 128),
        "tables, block 0: padding of the postings: expected 0, found",
    ),
    (
        "posting",
        part(LISTS, "B", PART[LISTS] | 31),
        "tables, block 0: posting: expected less than 30, found 31;",
    ),
    (
        "keys of a table",
        parameter(2, 32, "Q", 1),
        r"tables: keys of table 0: expected 1, found \d+;",
    ),
    (
        "postings of a table",
        parameter(2, 40, "Q", 31),
        "tables: postings of table 0: expected 31, found 30;",
    ),
    ("first", first(5, 1, IDS.blocks[1][0] - 1), r"ids, block 1: first: expected \d+, found \d+;"),
    ("digit", digits(0, 6), "sketches, block 1: digit of component 1: expected 0 .. 2, found 3;"),
    (
        "padding of a sketch",
        digits(1, 128),
        "sketches, block 1: padding of a sketch: expected 0, found",
    ),
    ("no end", records(TITLES[:-1]), "documents, block 0: last byte: expected 255, found"),
    (
        "code",
        records(b"\4\1\xfea\xff" + AFTER),
        "documents, block 0: code: expected 0 .. 3, found 4;",
    ),
    (
        "literal cut",
        records(b"\1\xfe\xff" + AFTER),
        "documents, block 0: byte after a code 254: expected one, found none;",
    ),
    (
        "one field",
        records(b"\xfea\xff" + AFTER),
        "documents, block 0: fields of a record: expected 2 .. 3, found 1;",
    ),
    (
        "four fields",
        records(b"\1\2\1\2\1\2\xff" + AFTER),
        "documents, block 0: fields of a record: expected 2 .. 3, found 4;",
    ),
    (
        "empty id",
        records(b"\2\1\xff" + AFTER),
        "documents, block 0: length of id: expected 1 .. 1024, found 0;",
    ),
    (
        "empty url",
        records(b"\1\2\1\xff" + AFTER),
        "documents, block 0: length of url: expected 1 .. 8192, found 0;",
    ),
    (
        "long title",
        records(record(Text("a", "", "t" * 8193)) + AFTER),
        "block 0: length of title: expected 0 .. 8192, found 8193;",
    ),
    (
        "id not UTF-8",
        records(b"\1\xfe\xc3\xff" + AFTER),
        "documents, block 0: id: expected UTF-8, found c3;",
    ),
    (
        "record too many",
        section(4, blocks=((0, MANY),)),
        "documents, block 0: records: expected 30, found 31;",
    ),
    ("record missing", records(AFTER), r"documents, block 0: records: expected \d+, found \d+;"),
    ("other ids", records(UPPER), r"ids, block 0: (sub-key of slot|slot) \d"),
]


@pytest.mark.parametrize(
    ("change", "expected"), [pytest.param(change, text, id=name) for name, change, text in VERIFY]
)
def test_verify_refuses(change: Change, expected: str) -> None:
    PlainIndex.open(assemble(GOOD)).verify()
    index = PlainIndex.open(assemble(change(list(GOOD))))
    with pytest.raises(Damaged, match=expected):
        index.verify()
