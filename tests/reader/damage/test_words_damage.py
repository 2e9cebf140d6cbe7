"""Faults of the words section under checksums that agree with them: both readers refuse them, and
name the same place.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from functools import partial
from pathlib import Path

import pocketindex
import pytest
from core_search_of import core_search
from places import GOLDEN
from plain import PlainIndex
from plain_layout import FF, Settings, assemble
from plain_writer import sections
from pocketindex.errors import Damaged, PocketError
from test_passages_damage import Change, in_parameters, refusals
from test_plain_damage import TEXTS
from word_blocks import WordSettings, first_of, gamma, low, packed, vocabulary

LAYOUT = Settings(part_keys=5, posting_bits=6, words=WordSettings(most=10))
GOOD = sections(TEXTS, FF(), LAYOUT)
WORDS = GOOD[5]
COUNT, POSTINGS = struct.unpack_from("<QQ", WORDS.parameters, 8)
BLOCKS = len(WORDS.blocks)
AVERAGE = struct.unpack_from("<I", WORDS.parameters, 28)[0]
field = partial(in_parameters, WORDS)


def made(
    *blocks: tuple[int, bytes],
    words: int = 1,
    postings: int = 2,
    heaviest: int = 0,
    counted: int = 0,
    behind: bytes = bytes(8),
) -> Change:
    """behind: of the parameters the name of what made classes, and the endings."""
    counts = (words, postings, heaviest, AVERAGE, 3, counted)
    parameters = struct.pack("<IIQQIIII", 30, 1024, *counts) + behind
    return lambda: replace(WORDS, parameters=parameters, blocks=blocks)


def chosen(*words: tuple[bytes, str], postings: int = 2) -> Change:
    """Where the three heaviest words count, and were counted of 40 documents."""
    return made((A, heads(*words)), words=len(words), postings=postings, heaviest=3, counted=40)


def listed(*documents: int, goes_on: str = "0", level: int = 3) -> str:
    """The bits of a word whose documents are all of one level, from 8 to 15 of them or two, and
    none of whose titles has it.
    """
    k = max(0, (710 * 30 // (1024 * len(documents))).bit_length() - 1)
    gaps = [b - a - 1 for a, b in zip((-1, *documents), documents, strict=False)]
    counts = "".join(gamma(1 + (own == level) * len(documents)) for own in reversed(range(8)))
    return (
        "0"
        + counts
        + goes_on
        + "".join(low(gap, k) for gap in gaps)
        + "".join("0" * (gap >> k) + "1" for gap in gaps)
    )


def heads(*words: tuple[bytes, str], count: int = 0, more: bytes = b"", end: str = "") -> bytes:
    spelled = vocabulary([word for word, _ in words]) + more
    return (
        struct.pack("<HH", count or len(words), len(spelled))
        + spelled
        + packed("".join(bits for _, bits in words) + end)
    )


def sampled(at: int) -> bytes:
    """A block of 17 words that says where the last one begins."""
    spelled = vocabulary([bytes([97 + i]) for i in range(17)])
    bits = packed(17 * TWO)
    return struct.pack("<HH", 17, len(spelled)) + spelled + struct.pack("<I", at) + bits


A, B = (first_of(word) for word in (b"a", b"b"))
TWO = listed(3, 7)
NONE = "0" + gamma(1) * 8 + "0"
# A word of two documents that goes on: one of them in each block.
HEAD = "0" + gamma(1) * 4 + gamma(3) + gamma(1) * 3 + "1"
FIRST = heads((b"a", HEAD + gamma(2) + low(3, 3) + "1"))


def second(*head: int, bits: str = low(3, 3) + "1") -> tuple[int, bytes]:
    return A, struct.pack("<5I", *head) + packed(bits)


def spelled(data: bytes, count: int = 1) -> Change:
    return made((A, struct.pack("<HH", count, len(data)) + data + packed(TWO)))


def behind(
    count: int = 1, ending: bytes = b"\0\1s", end: bytes = bytes(6), name: bytes = b"x"
) -> bytes:
    return struct.pack("<HH", len(name), count) + name + ending + end


def ruled(rule: bytes) -> Change:
    """A file that is right but for a rule."""
    own = behind(2, b"\0\0" + rule, bytes(9 - len(rule)))
    return made((A, heads((b"a", gamma(1) + TWO))), behind=own)


def classed(*words: tuple[bytes, str]) -> Change:
    """Words in classes, of two documents each, where an ending adds an s."""
    bits = [(word, own + TWO) for word, own in words]
    count = len(words)
    return made(
        (A, heads(*bits)), words=count, postings=2 * count, behind=behind(end=b"", name=b"x")
    )


SPELLED = gamma(3)  # the number behind the table of one ending
OPEN: dict[str, tuple[Change, str]] = {
    "shorter": (
        lambda: replace(WORDS, parameters=WORDS.parameters[:40]),
        "length of the parameters: expected at least 48, found 40",
    ),
    "documents": (field(0, 29), "number of documents: expected 30, found 29"),
    "little room": (field(4, 1023), "room: expected 1024 .. 65535, found 1023"),
    "room": (field(4, 65536), "room: expected 1024 .. 65535, found 65536"),
    "no words": (field(8, 0, "Q"), f"number of blocks: expected 0, found {BLOCKS}"),
    "no blocks": (
        lambda: replace(WORDS, blocks=()),
        f"number of blocks: expected 1 .. {COUNT}, found 0",
    ),
    "average": (field(28, 0), "average length: expected at least 1, found 0"),
    "title weight": (field(32, 101), "title weight: expected 0 .. 100, found 101"),
    "counted of some": (
        field(36, 1),
        "documents that words were counted of: expected 0, found 1",
    ),
    "counted of none": (
        made((A, b"x"), heaviest=3),
        "documents that words were counted of: expected at least 1, found 0",
    ),
    "name of the classes": (
        made((A, b"x"), behind=struct.pack("<HHI", 5, 0, 0)),
        "name of the classes: expected at most 4, found 5",
    ),
    "name in another code": (made((A, b"x"), behind=behind(0, b"", b"\0" * 3, b"\xff")), "UTF-8"),
    "endings without classes": (
        made((A, b"x"), behind=struct.pack("<HHI", 0, 1, 0)),
        "number of endings: expected at most 0, found 1",
    ),
    "endings": (
        made((A, b"x"), behind=behind(4097, end=b"")),
        "number of endings: expected at most 4096, found 4097",
    ),
    "ending that is cut": (
        made((A, b"x"), behind=behind(1, b"\0\2s", b"")),
        "ending: expected 1, found 0",
    ),
    "one ending": (made((A, b"x"), behind=behind(2, end=b"")), "ending: expected 2, found 1"),
    "long ending": (
        made((A, b"x"), behind=behind(1, b"\x81\1s", b"")),
        "ending: expected 1, found 0",
    ),
    "rule with a longer ending than its bytes": (
        ruled(b"\2\1s"),
        "ending: expected 2, found 1",
    ),
    "rule in another code": (
        ruled(b"\0\1\xff"),
        "ending: expected 2, found 1",
    ),
    "rule that parts a letter": (
        ruled(b"\1\2\xc3\xa9"),
        "ending: expected 2, found 1",
    ),
    "behind the endings": (
        made((A, b"x"), behind=behind(0, b"", b"\0\0\1")),
        "padding: expected 0, found 3",
    ),
    "far behind the endings": (
        made((A, b"x"), behind=behind(0, b"", bytes(11))),
        "padding: expected 0, found 11",
    ),
    "falling": (made((B, b"x"), (A, b"x")), f"first: expected at least {B}, found {A}"),
}
VERIFY: dict[str, tuple[Change, str]] = {
    "words": (field(8, COUNT + 1, "Q"), f"number of words: expected {COUNT + 1}, found {COUNT}"),
    "postings": (
        field(16, POSTINGS + 1, "Q"),
        f"number of postings: expected {POSTINGS + 1}, found {POSTINGS}",
    ),
    "three bytes": (made((A, b"\1\0\0")), "size of the block: expected at least 4, found 3"),
    "large": (
        made((A, heads((b"a", TWO)) + bytes(1024))),
        "size of the block: expected at most 1024, found",
    ),
    "large, and else right": (
        made(
            (first_of(b"a" * 120), heads(*((bytes([97 + i]) * 120, TWO) for i in range(9)))),
            words=9,
            postings=18,
        ),
        "size of the block: expected at most 1024, found 1",
    ),
    "no word": (made((A, bytes(24))), "words: expected at least 1, found 0"),
    "cut": (made((A, b"\1\0\xff\0a")), "size of the block: expected at least 259, found 5"),
    "fewer": (spelled(b"\x10a", 2), "words: expected at least 2, found 1"),
    "shared": (spelled(b"\x11a"), "shared bytes: expected 0 .. 0, found 1"),
    "shared with one before it": (
        made(
            (
                first_of(b"abc"),
                struct.pack("<HH", 3, 8) + b"\x30abc\x10b\x13x" + packed(3 * TWO),
            ),
            words=3,
            postings=6,
        ),
        "shared bytes: expected 0 .. 1, found 3",
    ),
    "beyond the file": (
        spelled(b"\xf0\x70a"),
        "bytes of a word: expected 0 .. 1, found 112",
    ),
    "beyond": (spelled(b"\x20a"), "bytes of a word: expected 0 .. 1, found 2"),
    "nothing": (spelled(b"\x00"), "length of a word: expected 1 .. 128, found 0"),
    "long": (spelled(b"\xf0\x81" + b"a" * 129), "length of a word: expected 1 .. 128, found 129"),
    "after": (spelled(b"\x10ab"), "bytes after the last word: expected 0, found 1"),
    "first": (made((A, heads((b"b", TWO)))), f"first: expected {B}, found {A}"),
    "UTF-8": (made((first_of(b"\xff"), heads((b"\xff", TWO)))), "UTF-8"),
    "order": (
        made((A, heads((b"a", TWO), (b"a", TWO))), words=2, postings=4),
        "order of the words",
    ),
    "order of blocks": (
        made((A, heads((b"a", TWO))), (A, heads((b"a", TWO))), words=2, postings=4),
        "order of the words",
    ),
    "gamma": (made((A, heads((b"a", "0" * 64)))), "gamma: expected 1, found 0"),
    "no postings": (
        made((A, heads((b"a", NONE)))),
        "documents of a word: expected 1 .. 30, found 0",
    ),
    "many": (
        made((A, heads((b"a", "0" + gamma(32) + gamma(1) * 7 + "0")))),
        "documents of a word: expected 1 .. 30, found 31",
    ),
    "many, none of them modulo 2^32": (
        made((A, heads((b"a", "0" + gamma(2**32 + 1) + "0"))), postings=0),
        f"documents of a word: expected 1 .. 30, found {2**32}",
    ),
    "many of the heaviest": (
        chosen((b"a", gamma(1) + "0" + gamma(32) + gamma(1) * 7 + "0")),
        "documents of a word: expected 0 .. 30, found 31",
    ),
    "many were counted": (
        chosen((b"a", gamma(78) + TWO)),
        "counted documents of a word: expected 1 .. 40, found 41",
    ),
    "none was counted": (
        chosen((b"a", gamma(5) + TWO)),
        "counted documents of a word: expected 1 .. 40, found 0",
    ),
    "less than none were counted": (
        chosen((b"a", gamma(7) + TWO)),
        "counted documents of a word: expected 1 .. 40, found 0",
    ),
    "without postings, counted as any": (
        chosen((b"a", gamma(2) + NONE), postings=0),
        "counted documents of a word: expected 2 .. 40, found 1",
    ),
    "without postings, not counted": (
        chosen((b"a", gamma(1) + NONE), postings=0),
        "counted documents of a word: expected 2 .. 40, found 0",
    ),
    "without postings, many were counted": (
        chosen((b"a", gamma(82) + NONE), postings=0),
        "counted documents of a word: expected 2 .. 40, found 41",
    ),
    "without postings, goes on": (
        chosen((b"a", gamma(4) + NONE[:-1] + "1" + gamma(1)), postings=0),
        "postings of a block: expected 1 .. 0, found 1",
    ),
    "without a gamma of what was counted": (
        chosen((b"a", "0" * 64)),
        "gamma: expected 1, found 0",
    ),
    "ends": (made((A, heads((b"a", "0" + gamma(1) * 4 + gamma(3))))), "gamma: expected 1, found 0"),
    "no other form": (classed((b"a", gamma(2))), "form: expected 1, found 0"),
    "a form in no class": (
        classed((b"a", gamma(2)), (b"as", gamma(1))),
        "form: expected 1, found 0",
    ),
    "a form of nothing": (
        classed((b"a", SPELLED + low(1, 8) + low(0, 8))),
        "length of a form: expected 1 .. 128, found 0",
    ),
    "a form that drops more": (
        classed((b"a", SPELLED + low(2, 8) + low(3, 8) + low(0, 24))),
        "length of a form: expected 1 .. 128, found 0",
    ),
    "a long ending": (
        classed((b"a", SPELLED + low(0, 8) + low(129, 8))),
        "length of an ending: expected 0 .. 128, found 129",
    ),
    "no such ending": (classed((b"a", gamma(4))), "ending: expected 0 .. 2, found 3"),
    "no gamma of an ending": (
        made((A, heads((b"a", "0" * 64))), behind=behind(end=b"")),
        "gamma: expected 1, found 0",
    ),
    "posting": (made((A, heads((b"a", listed(3, 30))))), "posting: expected less than 30"),
    "ranks": (
        made((A, heads((b"a", "0" + gamma(2) * 2 + gamma(1) * 6 + "0" + (low(3, 4) + "1") * 2)))),
        "ranks of a posting: expected 1, found 2",
    ),
    "place": (
        made((A, sampled(17 * len(TWO))), words=17, postings=34),
        f"place of a word: expected {16 * len(TWO)}, found {17 * len(TWO)}",
    ),
    "padding": (made((A, heads((b"a", TWO), end="1"))), "padding: expected 0, found"),
    "more bytes": (made((A, heads((b"a", TWO)) + b"\0")), "bytes of the postings: expected"),
    "goes on": (made((A, FIRST)), "postings of a word: expected 2, found 1"),
    "goes on wholly": (
        made((A, heads((b"a", listed(3, 7, goes_on="1" + gamma(3)))))),
        "postings of a block: expected 1 .. 2, found 3",
    ),
    "one of two": (
        made(
            (A, heads((b"a", listed(3, 7, goes_on="1" + gamma(1))), (b"b", TWO))),
            words=2,
            postings=4,
        ),
        "words: expected 1, found 2",
    ),
    "short": (
        made((A, FIRST), (A, bytes(19))),
        "size of the block: expected at least 20, found 19",
    ),
    "words in it": (made((A, FIRST), second(1, 1, 1, 1, 4)), "words: expected 0, found 1"),
    "blocks before": (
        made((A, FIRST), second(0, 2, 1, 1, 4)),
        "blocks before: expected 1, found 2",
    ),
    "postings before": (
        made((A, FIRST), second(0, 1, 0, 1, 4)),
        "postings before: expected 1, found 0",
    ),
    "none in it": (
        made((A, FIRST), second(0, 1, 1, 0, 4)),
        "postings of a block: expected 1 .. 1, found 0",
    ),
    "document before": (
        made((A, FIRST), second(0, 1, 1, 1, 5)),
        "document before: expected 4, found 5",
    ),
    "first of the second": (
        made((A, FIRST), (B, second(0, 1, 1, 1, 4)[1])),
        f"first: expected {A}, found {B}",
    ),
    "padding of the second": (
        made((A, FIRST), second(0, 1, 1, 1, 4, bits=low(3, 3) + "11")),
        "padding: expected 0, found",
    ),
}


def test_the_section_itself_is_good(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    for section in (
        WORDS,
        made((A, heads((b"a", TWO))))(),
        made((A, FIRST), second(0, 1, 1, 1, 4))(),
        made((A, sampled(16 * len(TWO))), words=17, postings=34)(),
        made((A, heads((b"a", TWO), (b"b", TWO))), words=2, postings=4)(),
        chosen(
            (b"a", gamma(3) + TWO),
            (b"b", gamma(80) + NONE),
            (b"c", gamma(1) + TWO),
            postings=4,
        )(),
        chosen((b"a", gamma(76) + TWO), (b"b", gamma(4) + NONE))(),
    ):
        path.write_bytes(assemble([*GOOD[:5], section]))
        with pocketindex.open(path) as index:
            index.verify()
        with PlainIndex.open(path) as plain:
            plain.verify()
    assert BLOCKS > 3


@pytest.mark.parametrize("name", OPEN)
def test_on_opening(name: str, tmp_path: Path) -> None:
    change, said = OPEN[name]
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], change()]))
    for reader in (pocketindex.open, PlainIndex.open):
        with pytest.raises(Damaged) as caught:
            reader(path)
        assert said in str(caught.value)
        assert "section words" in str(caught.value)


@pytest.mark.parametrize("name", VERIFY)
def test_on_verifying(name: str, tmp_path: Path) -> None:
    change, said = VERIFY[name]
    for found in refusals(assemble([*GOOD[:5], change()]), tmp_path / "a.pocket"):
        assert said in found
        assert "section words" in found


def test_every_changed_byte_is_found() -> None:
    good = assemble([*GOOD[:5], WORDS])
    entry = 32 + 40 * 5
    offset, length = struct.unpack_from("<QQ", good, entry + 8)
    for at in [*range(entry, entry + 40), *range(offset, offset + length)]:
        bad = good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1 :]
        with pytest.raises(PocketError), pocketindex.open(bad) as index:
            index.verify()


def test_a_changed_byte_changes_no_answer() -> None:
    good = (GOLDEN / "words-heaviest.pocket").read_bytes()
    kind, _, offset, length = struct.unpack_from("<IIQQ", good, 32 + 40 * 6)
    text = b"gamma alpha -mu ba to"
    refused = list[str]()
    with pocketindex.open(GOLDEN / "words-heaviest.pocket") as index:
        expected = core_search(index._core, text, 10, True)
        assert expected.hits
    for at in range(offset, offset + length, 3):
        bad = good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :]
        try:
            with pocketindex.open(bad) as index:
                assert core_search(index._core, text, 10, True) == expected
        except Damaged as error:
            refused.append(str(error))
    assert kind == 10
    assert len(refused) > 100
    assert all("section words" in said for said in refused)
