"""Faults of the passages section under checksums that agree with them: both readers refuse them,
and name the same place.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import make_golden
import pocketindex
import pytest
from core_sources_of import core_sources
from optional_sections import shingle_hashes, shingle_key
from places import GOLDEN
from plain import PlainIndex
from plain_layout import FF, QUOTIENT, Section, Settings, assemble
from plain_tables import laid_out
from plain_writer import sections
from pocketindex.errors import Damaged, PocketError, TooNew
from test_plain_damage import TEXTS

LAYOUT = Settings(part_keys=5, posting_bits=6, checksum_bits=8, passages=(2, 3, 30))
GOOD = sections(TEXTS, FF(), LAYOUT)
PASSAGES = GOOD[5]
ASKED = "alpha beta gamma mu"
ASKED_KEY = shingle_key(shingle_hashes("alpha beta", 2)[0], LAYOUT)
KEYS, POSTINGS = struct.unpack_from("<QQ", PASSAGES.parameters, 32)
PARTS = len(PASSAGES.blocks)
Change = Callable[[], Section]


def in_parameters(section: Section, at: int, value: int, form: str = "I") -> Change:
    """The section with another value in its parameters."""

    def change() -> Section:
        own = bytearray(section.parameters)
        struct.pack_into(f"<{form}", own, at, value)
        return replace(section, parameters=bytes(own))

    return change


field = partial(in_parameters, PASSAGES)


def postlists(change: Callable[[list[int]], list[int]], **more: Any) -> Change:
    """A section with one key, and a postlist that is the change of all documents."""
    return keys({ASKED_KEY: change(list(range(30)))}, **more)


def keys(
    lists: dict[int, list[int]], frequent: dict[int, list[int]] | None = None, **more: int
) -> Change:
    """A section with these keys and their postings, and those of frequent ones."""

    def made() -> Section:
        settings = replace(LAYOUT, default_probes=1, posting_bits=6, mph=QUOTIENT)
        own = laid_out(9, [lists, frequent or {}], settings)
        end = struct.pack("<4I", 2, 3, more.get("most", 30), more.get("range", 4096))
        return replace(own, parameters=own.parameters + end, flags=0)

    return made


def frequent_one(postlist: list[int]) -> Change:
    """A section where the asked key is frequent, with such a postlist, and has five documents."""
    return keys({ASKED_KEY: postlist}, {ASKED_KEY: [0, 1, 2, 3, 4]}, most=4)


def said(found: int, expected: str) -> str:
    return f"documents of a shingle: expected {expected}, found {found}"


# What is wrong, and what both readers say.
OPEN: dict[str, tuple[Change, str]] = {
    "shorter": (
        lambda: replace(PASSAGES, parameters=PASSAGES.parameters[:-8]),
        "length of the parameters: expected 88, found 80",
    ),
    "longer": (
        lambda: replace(PASSAGES, parameters=PASSAGES.parameters + bytes(8)),
        "length of the parameters: expected 88, found 96",
    ),
    "one table": (field(0, 1), "number of tables: expected 2, found 1"),
    "hash": (field(4, 2), "minimal perfect hash: expected 5, found 2"),
    "checksum bits": (field(8, 7), "checksum bits: expected 8, 16, 24 or 32, found 7"),
    "no checksum bits": (field(8, 0), "checksum bits: expected 8, 16, 24 or 32, found 0"),
    "no posting bits": (field(12, 0), "posting bits: expected 1 .. 32, found 0"),
    "posting bits": (field(12, 33), "posting bits: expected 1 .. 32, found 33"),
    "probes": (field(20, 2), "default probes: expected 1, found 2"),
    "first part": (field(24, 1), "first part"),
    "parts": (field(28, PARTS + 1), "number of parts"),
    "fewer parts": (field(28, PARTS - 1), f"expected {PARTS - 1}, found {PARTS}"),
    "no shingle": (field(72, 0), "terms of a shingle: expected 1 .. 16, found 0"),
    "shingle": (field(72, 17), "terms of a shingle: expected 1 .. 16, found 17"),
    "no window": (field(76, 0), "window: expected 1 .. 256, found 0"),
    "window": (field(76, 257), "window: expected 1 .. 256, found 257"),
    "no documents": (field(80, 0), "documents of a shingle: expected 1 .. 1000, found 0"),
    "documents": (field(80, 1001), "documents of a shingle: expected 1 .. 1000, found 1001"),
    "no range": (field(84, 0), "key range: expected at least 1, found 0"),
}
VERIFY: dict[str, tuple[Change, str]] = {
    "keys": (field(32, KEYS + 1, "Q"), f"keys: expected {KEYS + 1}, found {KEYS}"),
    "postings": (
        field(40, POSTINGS + 1, "Q"),
        f"postings: expected {POSTINGS + 1}, found {POSTINGS}",
    ),
    "too long": (
        postlists(lambda own: own, most=29),
        "documents of a shingle: expected at most 29, found 30",
    ),
    "beyond": (
        postlists(lambda own: [*own[:-1], 30]),
        "posting: expected less than 30, found 30",
    ),
    "twice": (postlists(lambda own: [0, *own[:-1]]), "posting: expected more than 0, found 0"),
    "falling": (postlists(lambda own: [*own[::-1]]), "posting: expected more than 29, found 28"),
    "a frequent one of few": (frequent_one([0, 1, 2, 30, 4]), said(4, "at least 5")),
    "a frequent one of too many": (frequent_one([0, 1, 2, 30, 31]), said(31, "at most 30")),
    "a frequent one without examples": (
        frequent_one([30, 5]),
        "examples of a shingle: expected 3, found 0",
    ),
    "too many examples": (
        frequent_one([0, 1, 2, 3, 30, 5]),
        "examples of a shingle: expected 3, found 4",
    ),
    "examples that fall": (
        frequent_one([0, 2, 1, 30, 5]),
        "posting: expected more than 2, found 1",
    ),
    "an example beyond": (
        frequent_one([0, 1, 31, 30, 5]),
        "posting: expected less than 30, found 31",
    ),
    "not in the second table": (
        keys({ASKED_KEY: [0, 1, 2, 30, 5]}, most=4),
        "frequent keys: expected 1, found 0",
    ),
    "fewer in the second table": (
        frequent_one([0, 1, 2, 30, 6]),
        "postings of frequent keys: expected 6, found 5",
    ),
    "few in the second table": (
        keys({1: [2]}, {1: [2]}, most=4),
        said(1, "more than 4"),
    ),
    "the second table falls": (
        keys({1: [0, 1, 2, 30, 5]}, {1: [0, 1, 2, 4, 3]}, most=4),
        "posting: expected more than 4, found 3",
    ),
}


def three_keys(at: int, value: int, form: str = "B") -> Change:
    """A part with the keys 0, 1 and 64 << 8, of quotients 0, 0 and 64, with another value in it."""

    def change() -> Section:
        section = keys({0: [1], 1: [2], 64 << 8: [3]}, range=65)()
        ((first, content),) = section.blocks
        own = bytearray(content)
        struct.pack_into(f"<{form}", own, at, value)
        return replace(section, blocks=((first, bytes(own)),))

    return change


def many_keys() -> Section:
    """A section with 257 keys of one quotient, which is that of every shingle."""
    settings = replace(LAYOUT, default_probes=1, mph=QUOTIENT, checksum_bits=16, part_keys=300)
    own = laid_out(9, [{key: [key % 30] for key in range(257)}, {}], settings)
    parameters = own.parameters + struct.pack("<4I", 2, 3, 30, 256)
    return replace(own, parameters=parameters, flags=0)


# The hash begins at 16, its samples at 20, its bits at 24; rests at 33.
HASH: dict[str, Change] = {
    "many keys of a quotient": many_keys,
    "no quotients": three_keys(16, 0, "I"),
    "one more": three_keys(16, 66, "I"),
    "many": three_keys(16, 2**32 - 1, "I"),
    "first sample": three_keys(20, 1, "H"),
    "far sample": three_keys(20, 0xFFFF, "H"),
    "second sample": three_keys(22, 1, "H"),
    "two ones more": three_keys(24, 0b1111),
    "a one less": three_keys(24, 0b1),
    "last quotient": three_keys(32, 0b0001),
    "padding": three_keys(32, 0b10100),
    "the same rest": three_keys(34, 0),
    "falling rests": three_keys(33, 2),
    "first": lambda: replace(section := three_keys(34, 1)(), blocks=((1, section.blocks[0][1]),)),
    "beyond the range": lambda: in_parameters(three_keys(34, 1)(), 84, 64)(),
    "a part that is not reached": lambda: replace(
        PASSAGES,
        blocks=(
            PASSAGES.blocks[0],
            (PASSAGES.blocks[0][0] + 1, PASSAGES.blocks[1][1]),
            *PASSAGES.blocks[2:],
        ),
    ),
}


def refusals(data: bytes, path: Path) -> list[str]:
    """What the core says and what the plain reader says, on opening or on verifying."""
    path.write_bytes(data)
    found = []
    for reader in (pocketindex.open, PlainIndex.open):
        with pytest.raises(Damaged) as caught, reader(path) as index:
            index.verify()
        found.append(str(caught.value))
    return found


def test_the_section_itself_is_good(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    for section in (PASSAGES, postlists(lambda own: own)(), frequent_one([0, 1, 2, 30, 5])()):
        path.write_bytes(assemble([*GOOD[:5], section]))
        with pocketindex.open(path) as index:
            index.verify()
        with PlainIndex.open(path) as plain:
            plain.verify()
    assert PARTS > 1
    assert KEYS < POSTINGS


@pytest.mark.parametrize("name", OPEN)
def test_on_opening(name: str, tmp_path: Path) -> None:
    change, said = OPEN[name]
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], change()]))
    for reader in (pocketindex.open, PlainIndex.open):
        with pytest.raises(Damaged) as caught:
            reader(path)
        assert said in str(caught.value)
        assert "section passages: " in str(caught.value)


def test_a_unit_that_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], field(16, 1)()]))
    for reader in (pocketindex.open, PlainIndex.open):
        with pytest.raises(TooNew, match="unit of a posting"):
            reader(path)


@pytest.mark.parametrize("name", VERIFY)
def test_on_verifying(name: str, tmp_path: Path) -> None:
    change, said = VERIFY[name]
    for found in refusals(assemble([*GOOD[:5], change()]), tmp_path / "a.pocket"):
        assert said in found
        assert "section passages" in found


@pytest.mark.parametrize(
    "name",
    [
        "too long",
        "beyond",
        "a frequent one of few",
        "a frequent one of too many",
        "a frequent one without examples",
        "an example beyond",
    ],
)
def test_on_asking(name: str, tmp_path: Path) -> None:
    change, said = VERIFY[name]
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], change()]))
    with pocketindex.open(path) as index:
        with pytest.raises(Damaged) as caught:
            core_sources(index._core, ASKED.encode())
        assert said in str(caught.value)
    with PlainIndex.open(path) as plain, pytest.raises(Damaged) as caught:
        plain.sources(ASKED)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", HASH)
def test_a_hash_that_is_not_as_it_is_written(name: str, tmp_path: Path) -> None:
    for found in refusals(assemble([*GOOD[:5], HASH[name]()]), tmp_path / "a.pocket"):
        assert "section passages" in found


@pytest.mark.parametrize("name", ["far sample", "many", "many keys of a quotient"])
def test_asking_a_hash_that_contradicts_itself(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], HASH[name]()]))
    text = " ".join(f"w{number}" for number in range(400))  # a shingle or more of each quotient
    with pocketindex.open(path) as index, pytest.raises(Damaged, match="section passages"):
        core_sources(index._core, text.encode())


def test_the_hash_itself_is_good(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], three_keys(34, 1)()]))
    with pocketindex.open(path) as index:
        index.verify()
    with PlainIndex.open(path) as plain:
        plain.verify()


@pytest.mark.parametrize("required", [0, 1])
def test_every_changed_byte_is_found(required: int) -> None:
    good = assemble([*GOOD[:5], replace(PASSAGES, flags=required)])
    entry = 32 + 40 * 5
    offset, length = struct.unpack_from("<QQ", good, entry + 8)
    for at in [*range(entry, entry + 40), *range(offset, offset + length)]:
        bad = good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1 :]
        with pytest.raises(PocketError), pocketindex.open(bad) as index:
            index.verify()


def test_a_changed_byte_changes_no_answer() -> None:
    good = (GOLDEN / "passages.pocket").read_bytes()
    kind, _, offset, length = struct.unpack_from("<IIQQ", good, 32 + 40 * 5)
    text = make_golden.ASKED[5].encode()
    refused = list[str]()
    with pocketindex.open(GOLDEN / "passages.pocket") as index:
        expected = core_sources(index._core, text)
        assert expected.sources
    for at in range(offset, offset + length, 3):
        bad = good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :]
        try:
            with pocketindex.open(bad) as index:
                assert core_sources(index._core, text) == expected
        except Damaged as error:
            refused.append(str(error))
    assert kind == 9
    assert len(refused) > 100
    assert all("section passages" in said for said in refused)
