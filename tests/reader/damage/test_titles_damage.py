"""Faults of the titles section under checksums that agree with them: both readers refuse them, and
name the same place.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from optional_sections import entries_block
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, content
from plain_writer import sections
from pocketindex.errors import Damaged
from test_plain_damage import patch

NAMES = ["beta", "Alpha", "gamma", "alpha two", "", "delta"]
TEXTS = [Text(f"d{i}", "alpha beta gamma", name) for i, name in enumerate(NAMES)]
GOOD = sections(TEXTS, FF(), Settings(titles=3))
TITLES = GOOD[5]
# (document, title) of the two blocks
BLOCKS = [[(1, b"Alpha"), (3, b"alpha two"), (0, b"beta")], [(5, b"delta"), (2, b"gamma")]]
FIRSTS = [int.from_bytes(name.ljust(8, b"\0"), "big") for name in (b"alpha", b"delta")]
assert TITLES.blocks == tuple(
    (first, content(entries_block(block, 6))) for first, block in zip(FIRSTS, BLOCKS, strict=True)
)


def parameter(place: int, value: int) -> Section:
    return replace(TITLES, parameters=patch(TITLES.parameters, 4 * place, "I", value))


def block(number: int, data: bytes, first: int | None = None) -> Section:
    blocks = list(TITLES.blocks)
    blocks[number] = (blocks[number][0] if first is None else first, data)
    return replace(TITLES, blocks=tuple(blocks))


def entries(number: int, *found: tuple[int, bytes]) -> Section:
    return block(number, content(entries_block(found, 6)))


def raw(number: int, at: int, value: int) -> Section:
    """A byte of a block's content changed."""
    data = bytearray(entries_block(BLOCKS[number], 6))
    data[at] = value
    return block(number, content(bytes(data)))


A, T, B = BLOCKS[0]
# What the core says, and the plain reader where it says it in other words.
OPEN: dict[str, tuple[Section, int | None, str, str]] = {
    "short parameters": (
        replace(TITLES, parameters=TITLES.parameters[:8]),
        None,
        "length of the parameters: expected 16, found 8",
        "",
    ),
    "documents": (parameter(0, 5), None, "number of documents: expected 6, found 5", ""),
    "entries": (parameter(1, 7), None, "number of entries: expected 0 .. 6, found 7", ""),
    "no room": (parameter(2, 0), None, "room: expected 1 .. 65536, found 0", ""),
    "much room": (parameter(2, 65_537), None, "room: expected 1 .. 65536, found 65537", ""),
    "reserved": (parameter(3, 1), None, "reserved: expected 0, found 1", ""),
    "no blocks": (
        replace(TITLES, blocks=()),
        None,
        "number of blocks: expected 1 .. 5, found 0",
        "",
    ),
    "blocks of nothing": (parameter(1, 0), None, "number of blocks: expected 0, found 2", ""),
    "first falls": (
        block(1, TITLES.blocks[1][1], FIRSTS[0] - 1),
        1,
        f"first: expected at least {FIRSTS[0]}, found {FIRSTS[0] - 1}",
        "",
    ),
}
VERIFY: dict[str, tuple[Section, int | None, str, str]] = {
    "no content": (block(0, b"\0\0\0"), 0, "length of the block: expected at least 4, found 3", ""),
    "beyond the room": (
        block(0, content(bytes(65_537))),
        0,
        "length of the content: expected 1 .. 65536, found 65537",
        "",
    ),
    "no count": (
        block(0, content(b"\1\0\0")),
        0,
        "size of the content: expected at least 4, found 3",
        "",
    ),
    "no entries": (block(0, content(bytes(4))), 0, "entries: expected at least 1, found 0", ""),
    "more entries than bytes": (
        raw(0, 3, 1),
        0,
        "size of the content: expected at least 39845900, found 30",
        "",
    ),
    "the first shares": (raw(0, 6, 1), 0, "shared bytes: expected 0 .. 0, found 1", ""),
    "shares too much": (raw(0, 7, 6), 0, "shared bytes: expected 0 .. 5, found 6", ""),
    "ends beyond": (
        raw(0, 11, 250),
        0,
        "bytes of a title: expected 0 .. 4, found 250",
        "size of the content: expected at least 276, found 30",
    ),
    "ends before": (
        raw(0, 11, 3),
        0,
        "bytes after the last title: expected 0, found 1",
        "end of the content: expected 29, found 30",
    ),
    "too long": (
        entries(1, (5, b"delta"), (2, b"gamma" * 51)),
        None,
        "titles of the documents: expected",
        "entry: expected 2 'gamma', found 2 'gammagamma",
    ),
    "document beyond": (
        entries(0, (7, b"Alpha"), T, B),
        0,
        "document: expected 0 .. 5, found 7",
        "",
    ),
    "no UTF-8": (
        entries(0, A, T, (0, b"beta\xff")),
        0,
        "UTF-8 has a value that the format does not allow",
        "title: expected UTF-8",
    ),
    "no key": (
        block(0, content(entries_block([(4, b" "), *BLOCKS[0]], 6)), 0),
        0,
        "bytes of a title's key: expected at least 1, found 0",
        "",
    ),
    "another first": (
        block(0, TITLES.blocks[0][1], FIRSTS[0] + 1),
        0,
        f"first: expected {FIRSTS[0]}, found {FIRSTS[0] + 1}",
        "",
    ),
    "another order": (
        entries(0, A, B, T),
        0,
        "order of the entries has a value that the format does not allow",
        "entry: expected 3 'alpha two', found 0 'beta'",
    ),
    "twice": (
        entries(0, A, A, T),
        0,
        "order of the entries has a value that the format does not allow",
        "entry: expected 3 'alpha two', found 1 'Alpha'",
    ),
    "one too few": (entries(0, A, T), None, "number of entries: expected 5, found 4", ""),
    "another title": (
        entries(0, A, T, (0, b"betb")),
        None,
        "titles of the documents: expected",
        "entry: expected 0 'beta', found 0 'betb'",
    ),
    "another document": (
        entries(0, A, T, (4, b"beta")),
        None,
        "titles of the documents",
        "entry: expected 0 'beta', found 4 'beta'",
    ),
    "deflate": (
        block(1, TITLES.blocks[1][1][:4] + b"\xff" * 9),
        1,
        "deflate stream has a value that the format does not allow",
        "deflate stream: expected one of RFC 1951",
    ),
}
# The plain reader compares the entries one by one, where the core compares sums of all.
PLACE = {"too long": 1, "another title": 0, "another document": 0}


def refusals(
    titles: Section, path: Path
) -> tuple[Damaged | None, Damaged, Damaged | None, Damaged]:
    """Of open and verify, by the core and by the plain reader."""
    data, found = assemble([*GOOD[:5], titles]), list[Damaged | None]()
    path.write_bytes(data)
    for reader in (lambda: pocketindex.open(path), lambda: PlainIndex.open(data)):
        try:
            index = reader()
            found.append(None)
        except Damaged as error:
            found += [error, error]
            continue
        with pytest.raises(Damaged) as caught:
            index.verify()
        found.append(caught.value)
    return found[0], found[1], found[2], found[3]  # type: ignore[return-value]


def test_the_section_itself_is_good(tmp_path: Path) -> None:
    data, path = assemble(GOOD), tmp_path / "a.pocket"
    path.write_bytes(data)
    PlainIndex.open(data).verify()
    with pocketindex.open(path) as index:
        index.verify()
        assert [record.title for record in index.titles("")] == [
            "Alpha",
            "alpha two",
            "beta",
            "delta",
            "gamma",
        ]


@pytest.mark.parametrize("case", OPEN)
def test_open_refuses(case: str, tmp_path: Path) -> None:
    titles, number, core, plain = OPEN[case]
    by_core, _, by_plain, _ = refusals(titles, tmp_path / "a.pocket")

    assert by_core
    assert by_plain
    assert (by_core.section, by_core.block, by_plain.section, by_plain.block) == (
        "titles",
        number,
        "titles",
        number,
    )
    assert core in str(by_core)
    assert (plain or core) in str(by_plain)


@pytest.mark.parametrize("case", VERIFY)
def test_verify_refuses(case: str, tmp_path: Path) -> None:
    titles, number, core, plain = VERIFY[case]
    opened_by_core, by_core, opened_by_plain, by_plain = refusals(titles, tmp_path / "a.pocket")

    assert opened_by_core is opened_by_plain is None
    assert (by_core.section, by_core.block) == ("titles", number)
    assert (by_plain.section, by_plain.block) == ("titles", PLACE.get(case, number))
    assert core in str(by_core)
    assert (plain or core) in str(by_plain)


def test_two_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD, TITLES]))

    with pytest.raises(Damaged, match="section titles: number of sections: expected 1, found 2;"):
        pocketindex.open(path)
    with pytest.raises(Damaged, match="section titles: number of sections: expected 1, found 2;"):
        PlainIndex.open(path)


def test_damaged_titles_stop_no_query(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], VERIFY["deflate"][0]]))
    with pocketindex.open(path) as index:
        assert index.query("alpha beta gamma", top=1)[0].id == "d0"
        assert [record.id for record in index.titles("alpha")] == ["d1", "d3"]
        with pytest.raises(Damaged, match="section titles, block 1: deflate stream"):
            index.titles("gamma")


def test_an_answer_takes_no_more_memory_than_there_are_titles(tmp_path: Path) -> None:
    """The number of entries is the file's word: it bounds what an answer allocates, and at most
    10,000 are told.
    """
    many = replace(TITLES, parameters=struct.pack("<IIII", 6, 6, 65_536, 0))
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], many]))
    with pocketindex.open(path) as index:
        assert len(index.titles("", 10_000)) == 5
