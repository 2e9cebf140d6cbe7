"""What the plain reader refuses: every flipped bit, every truncation, every field that
docs/format.md does not allow.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, murmur
from plain_writer import record, sections
from pocketindex.constants import SectionKind
from pocketindex.errors import Damaged, TooNew

# Faults under checksums that agree with them: a builder's mistake or a hostile file.

Sections = list[Section]
Change = Callable[[Sections], Sections]

TEXTS = [
    Text(
        f"id {i}",
        f"{'alpha ' * (i % 4)}{'beta ' * (i // 4 % 3)}{'mu ' * (i % 5)}gamma",
        f"title {i}",
        str(i),
    )
    for i in range(30)
]
GOOD = sections(TEXTS, FF(), Settings(part_keys=5, posting_bits=5, per_block=8, content=100))
PROFILE, TABLES, SKETCHES, DOCUMENTS, IDS = GOOD
EXTRA = Section(77, b"", flags=0)

# Where the arrays of the profile start, and those of the first part, which has postlists of several
# postings and padding everywhere.
NAME = 32
STOPS = 40
RANGES = 72
COMPONENTS = 80
BORDERS = 104
BODY = 152
PART = TABLES.blocks[0][1]
KEYS, POSTINGS, HASH, _, BUCKETS = struct.unpack_from("<5I", PART)
CHECKSUMS = 16 + HASH
BEFORE = CHECKSUMS + 2 * KEYS
LASTS = BEFORE + 4
LISTS = LASTS + (POSTINGS + 7) // 8
assert POSTINGS > KEYS
assert POSTINGS % 8
assert len(PART) == LISTS + (5 * POSTINGS + 7) // 8


def section(kind: int, **fields: Any) -> Change:
    """Other parameters, blocks or flags."""
    return lambda known: [replace(s, **fields) if s.kind == kind else s for s in known]


def entry(kind: int, **fields: int) -> Change:
    """Other values in the section table."""
    return section(kind, changes=fields)


def patch(data: bytes, at: int, form: str, value: int) -> bytes:
    return data[:at] + struct.pack("<" + form, value) + data[at + struct.calcsize(form) :]


def parameter(kind: int, at: int, form: str, value: int) -> Change:
    return section(kind, parameters=patch(GOOD[kind - 1].parameters, at, form, value))


def stop_slots(*values: int) -> Change:
    return section(
        1,
        parameters=PROFILE.parameters[:STOPS]
        + struct.pack("<4Q", *values)
        + PROFILE.parameters[RANGES:],
    )


def first(kind: int, number: int, value: int) -> Change:
    blocks = GOOD[kind - 1].blocks
    return section(
        kind, blocks=(*blocks[:number], (value, blocks[number][1]), *blocks[number + 1 :])
    )


def block(kind: int, number: int, data: bytes) -> Change:
    blocks = GOOD[kind - 1].blocks
    return section(
        kind, blocks=(*blocks[:number], (blocks[number][0], data), *blocks[number + 1 :])
    )


def part(at: int, form: str, value: int) -> Change:
    """A field of the first part."""
    return block(2, 0, patch(PART, at, form, value))


def digits(at: int, bits: int) -> Change:
    """More bits in the first sketch of a block."""
    data = SKETCHES.blocks[1][1]
    return block(3, 1, patch(data, at, "B", data[at] | bits))


def records(data: bytes) -> Change:
    """The first block of documents with other content."""
    return block(4, 0, data)


TITLES = DOCUMENTS.blocks[0][1]
AFTER = TITLES[TITLES.index(255) + 1 :]  # the first record of its block
MANY = b"".join(map(record, [*TEXTS, TEXTS[0]]))
UPPER = b"".join(
    record(replace(text, id=text.id.upper())) for text in TEXTS[: DOCUMENTS.blocks[1][0]]
)

OPEN: list[tuple[str, Change, str]] = [
    ("gap", entry(3, offset=8), r"section sketches: offset: expected \d+, found 8;"),
    (
        "section too long",
        entry(5, length=2**40),
        r"section ids: length: expected at most \d+, found 1099511627776;",
    ),
    (
        "section too short",
        entry(4, length=100),
        "section documents: length of the head: expected at most 100, found",
    ),
    (
        "head too long",
        entry(2, parameters=2**31),
        "section tables: length of the head: expected at most",
    ),
    (
        "parameters unpadded",
        entry(2, parameters=71),
        "section tables: length of the parameters: expected 72, found 71;",
    ),
    (
        "reserved of an entry",
        entry(2, reserved=1),
        "section tables: reserved: expected zeros, found 01",
    ),
    ("flags", section(1, flags=3), "section profile: flags: expected 0 or 1, found 3;"),
    (
        "missing section",
        lambda known: known[:-1],
        "section ids: number of sections: expected 1, found 0;",
    ),
    (
        "section twice",
        lambda known: [*known, known[0]],
        "section profile: number of sections: expected 1, found 2;",
    ),
    (
        "unknown section twice",
        lambda known: [*known, EXTRA, EXTRA],
        "section of kind 77: number of sections: expected 1, found 2;",
    ),
    ("no sections", lambda _: [], "header: number of sections: expected 1 .. 64, found 0;"),
    (
        "too many sections",
        lambda known: [*known, *[EXTRA] * 60],
        "header: number of sections: expected 1 .. 64, found 65;",
    ),
    (
        "CRC of a head",
        entry(2, checksum=7),
        "section tables: CRC32C: expected 0x00000007, found 0x",
    ),
    (
        "empty block",
        section(3, blocks=((0, b""), *SKETCHES.blocks)),
        r"sketches, block 0: end of the block: expected more than 0, found 0;",
    ),
    (
        "blocks in profile",
        section(1, blocks=((0, b"x"),)),
        "profile: number of blocks: expected 0, found 1;",
    ),
    (
        "profile too long",
        section(1, parameters=bytes(524_296)),
        "profile: length: expected 32 .. 524288, found 524296;",
    ),
    (
        "profile cut",
        section(1, parameters=PROFILE.parameters[:64]),
        "profile: length: expected at least 72, found 64;",
    ),
    (
        "tables of the profile",
        parameter(1, 4, "H", 65),
        "profile: number of tables: expected 0 .. 64, found 65;",
    ),
    (
        "reserved before the components",
        parameter(1, 6, "H", 1),
        "profile: reserved: expected zeros, found 01",
    ),
    (
        "components",
        parameter(1, 8, "I", 4097),
        "profile: number of components: expected 1 .. 4096, found 4097;",
    ),
    ("borders", parameter(1, 12, "I", 12), "profile: number of borders: expected 11, found 12;"),
    ("stop slots", parameter(1, 16, "I", 3), "profile: stop slots: expected 0, 1, 2, .* found 3;"),
    (
        "least terms",
        parameter(1, 20, "I", 0),
        "profile: least number of terms: expected at least 1, found 0;",
    ),
    (
        "length of the name",
        parameter(1, 24, "H", 256),
        "profile: length of the name: expected 0 .. 255, found 256;",
    ),
    (
        "rows of tables",
        parameter(1, 26, "H", 1),
        "profile: rows of tables: expected 2 .. 256, found 1;",
    ),
    (
        "reserved of the profile",
        parameter(1, 28, "H", 1),
        "profile: reserved: expected zeros, found 00 00 01",
    ),
    ("name", parameter(1, NAME, "B", 0xFF), "profile: name: expected UTF-8, found ff;"),
    (
        "padding of the name",
        parameter(1, NAME + 7, "B", 1),
        "profile: padding of the name: expected zeros, found",
    ),
    (
        "no free stop slot",
        stop_slots(1, 2, 3, 4),
        "profile: free stop slots: expected at least 1, found 0;",
    ),
    (
        "table too long",
        parameter(1, RANGES + 4, "H", 4),
        "profile: components of a table: expected 1 .. 1, found 3;",
    ),
    (
        "goes on from nowhere",
        parameter(1, RANGES + 2, "H", 0x4003),
        "profile: marks of a table's row: expected 0 or 2, found 1;",
    ),
    (
        "goes on as a sum",
        parameter(1, RANGES + 6, "H", 0xC003),
        "profile: marks of a table's row: expected 0, 1 or 2, found 3;",
    ),
    (
        "goes on too early",
        parameter(1, RANGES + 6, "H", 0x4003),
        "profile: first component of a row that goes on: expected 3 .. 5, found 2;",
    ),
    (
        "too few tables begin",
        parameter(1, RANGES + 4, "I", 0x40020003),
        "profile: rows that begin a table: expected 2, found 1;",
    ),
    (
        "empty table",
        parameter(1, RANGES + 2, "H", 0),
        "profile: components of a table: expected 1 .. 5, found 0;",
    ),
    (
        "intervals",
        parameter(1, COMPONENTS + 2, "H", 17),
        "profile: intervals: expected 2 .. 16, found 17;",
    ),
    (
        "source",
        parameter(1, COMPONENTS, "H", 3),
        "profile: source of a component: expected 0 .. 2, found 3;",
    ),
    (
        "low border",
        parameter(1, BORDERS, "i", -65_537),
        "profile: border: expected at least -65536, found -65537;",
    ),
    (
        "equal borders",
        parameter(1, BORDERS + 4, "i", 30_000),
        "profile: border: expected more than 30000, found 30000;",
    ),
    ("prefix", parameter(1, BODY, "I", 17), "profile: prefix length: expected 1 .. 16, found 17;"),
    (
        "bins",
        parameter(1, BODY + 4, "I", 255),
        "profile: prefix bins: expected 256, 512, .* found 255;",
    ),
    (
        "more bins",
        parameter(1, BODY + 4, "I", 512),
        "profile: length of the scheme's body: expected 544, found 288;",
    ),
    ("classes", parameter(1, BODY + 8, "I", 1), "profile: classes: expected 2 .. 256, found 1;"),
    (
        "reserved of the scheme",
        parameter(1, BODY + 12, "I", 1),
        "profile: reserved of the scheme: expected zeros, found 01",
    ),
    (
        "expectation",
        parameter(1, BODY + 16, "I", 0),
        "profile: expectation: expected at least 1, found 0;",
    ),
    (
        "class of a bin",
        parameter(1, BODY + 28, "B", 3),
        "profile: class of a bin: expected 0 .. 2, found 3;",
    ),
    (
        "padding of the bins",
        parameter(1, BODY + 284, "B", 1),
        "profile: padding of the bins: expected zeros, found 01",
    ),
    ("number of tables", parameter(2, 0, "I", 1), "tables: number of tables: expected 2, found 1;"),
    (
        "checksum bits",
        parameter(2, 8, "I", 12),
        "tables: checksum bits: expected 0, 8, 16 or 32, found 12;",
    ),
    (
        "posting bits",
        parameter(2, 12, "I", 33),
        "tables: posting bits: expected 1 .. 32, found 33;",
    ),
    (
        "default probes",
        parameter(2, 20, "I", 65_537),
        "tables: default probes: expected 1 .. 65536, found 65537;",
    ),
    ("first part", parameter(2, 24, "I", 1), "tables: first part of table 0: expected 0, found 1;"),
    (
        "too many parts",
        parameter(2, 28, "I", 99),
        r"tables: number of parts of table 0: expected 0 .. \d+, found 99;",
    ),
    (
        "too few parts",
        parameter(2, 52, "I", 0),
        r"tables: number of blocks: expected \d+, found \d+;",
    ),
    ("firsts of parts", first(5, 1, 0), r"ids, block 1: first: expected more than \d+, found 0;"),
    (
        "identity bits",
        parameter(3, 8, "I", 31),
        "sketches: identity bits: expected 0, 8, 16 or 32, found 31;",
    ),
    ("stride", parameter(3, 4, "I", 7), "sketches: stride: expected 6, found 7;"),
    (
        "documents a block",
        parameter(3, 12, "I", 0),
        "sketches: documents a block: expected at least 1, found 0;",
    ),
    (
        "long parameters of the sketches",
        section(3, parameters=SKETCHES.parameters + bytes(8)),
        "sketches: length of the parameters: expected 16, found 24;",
    ),
    ("more sketches", parameter(3, 0, "I", 33), "sketches: number of blocks: expected 5, found 4;"),
    (
        "fewer sketches",
        parameter(3, 0, "I", 29),
        "sketches, block 3: length of the block: expected 30, found 36;",
    ),
    ("firsts of sketches", first(3, 1, 9), "sketches, block 1: first: expected 8, found 9;"),
    (
        "fewer documents",
        parameter(4, 0, "I", 29),
        "documents: number of documents: expected 30, found 29;",
    ),
    (
        "template",
        parameter(4, 4, "I", 99),
        r"documents: length of the parameters: expected at least 119, found \d+;",
    ),
    (
        "long template",
        section(4, parameters=struct.pack("<IIII", 30, 1025, 0, 0) + b"u" * 1025 + bytes(7)),
        "documents: length of the template: expected 0 .. 1024, found 1025;",
    ),
    ("first document", first(4, 0, 1), "documents, block 0: first: expected 0, found 1;"),
    (
        "last document",
        first(4, len(DOCUMENTS.blocks) - 1, 30),
        r"documents, block \d: first: expected less than 30, found 30;",
    ),
    ("hash of ids", parameter(5, 4, "I", 2), "ids: minimal perfect hash: expected 1, found 2;"),
    ("checksum bits of ids", parameter(5, 8, "I", 16), "ids: checksum bits: expected 8, found 16;"),
    ("probes of ids", parameter(5, 20, "I", 2), "ids: default probes: expected 1, found 2;"),
]


@pytest.mark.parametrize(
    ("change", "expected"), [pytest.param(change, text, id=name) for name, change, text in OPEN]
)
def test_open_refuses(change: Change, expected: str) -> None:
    PlainIndex.open(assemble(GOOD))
    with pytest.raises(Damaged, match=expected):
        PlainIndex.open(assemble(change(list(GOOD))))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (parameter(1, 0, "H", 9), "scheme: expected 1 or 2 or 3 or 4 or 5 or 6, found 9"),
        (parameter(1, 2, "H", 3), "term stream: expected 1 or 2 or 5, found 3"),
        (
            parameter(2, 4, "I", 5),
            "minimal perfect hash of section tables: expected 1 .. 4, found 5",
        ),
        (parameter(5, 4, "I", 5), "minimal perfect hash of section ids: expected 1 .. 4, found 5"),
        (parameter(2, 16, "I", 1), "unit of a posting in section tables: expected 0, found 1"),
        (
            lambda known: [*known, Section(77, b"", flags=1)],
            f"required section: expected 1 .. {max(SectionKind)}, found 77",
        ),
    ],
)
def test_too_new(change: Change, expected: str) -> None:
    with pytest.raises(TooNew, match=f"<bytes>: too new: {expected}; upgrade pocketindex"):
        PlainIndex.open(assemble(change(list(GOOD))))


def test_reserved_bytes_of_the_header() -> None:
    with pytest.raises(Damaged, match="header: reserved: expected zeros, found 01 00 00 00"):
        PlainIndex.open(assemble(GOOD, reserved=1))


def test_a_stop_word_that_cannot_be_found() -> None:
    slots = [0, 0, 0, 0]
    slots[(murmur(b"the") + 2) % 4] = murmur(b"the")
    index = PlainIndex.open(assemble(stop_slots(*slots)(GOOD)))
    with pytest.raises(
        Damaged, match=r"profile: stop slot: expected \d+ from slot \d on, found \d;"
    ):
        index.verify()
