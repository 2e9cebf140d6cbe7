"""Faults of the texts section under checksums that agree with them: both readers refuse them, and
name the same place.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, content, varint
from plain_writer import sections
from pocketindex.errors import Damaged
from test_plain_damage import patch

# Blocks: documents 0 and 1; two and three pieces of documents 2 and 3; documents 4 and 5.
TEXTS = [
    Text("a", "alpha beta gamma"),
    Text("b", "beta gamma mu"),
    Text("c", "beta delta " * 6),
    Text("d", "mu ä灯🙂 gamma " * 7),
    Text("e", "gamma"),
    Text("f", "delta mu"),
]
GOOD = sections(TEXTS, FF(), Settings(keep="text", room=50))
KEPT = GOOD[5]
SHORT = sections(TEXTS, FF(), Settings(keep="snippet", characters=20, room=50))[5]
FIRSTS = [0, 2 << 32 | 1, 2 << 32 | 2, 3 << 32 | 1, 3 << 32 | 2, 3 << 32 | 3, 4 << 32]
assert [first for first, _ in KEPT.blocks] == FIRSTS


def parameter(place: int, value: int) -> Section:
    return replace(KEPT, parameters=patch(KEPT.parameters, 4 * place, "I", value))


def firsts(*values: int) -> Section:
    return replace(
        KEPT,
        blocks=tuple(
            (value, block) for value, (_, block) in zip(values, KEPT.blocks, strict=False)
        ),
    )


def first(number: int, value: int) -> Section:
    return firsts(*FIRSTS[:number], value, *FIRSTS[number + 1 :])


def block(number: int, data: bytes, known: Section = KEPT) -> Section:
    return replace(
        known,
        blocks=tuple((f, data if i == number else b) for i, (f, b) in enumerate(known.blocks)),
    )


def records(*texts: str) -> bytes:
    return b"".join(varint(len(text.encode())) + text.encode() for text in texts)


OWN = [text.text for text in TEXTS]
PIECES = [OWN[3].encode()[i : i + 50] for i in (0, 50, 100)]
ELSEWHERE = [OWN[3].encode()[i:j] for i, j in ((0, 40), (40, 90), (90, None))]
RAW = KEPT.blocks[0][1]

# What is put in the section's place, the block that both readers name (None: the head), what the
# core says, what the plain reader says.
OPEN: dict[str, tuple[Section, int | None, str, str]] = {
    "long parameters": (
        replace(KEPT, parameters=KEPT.parameters + bytes(8)),
        None,
        "length of the parameters: expected 16, found 24",
        "",
    ),
    "documents": (parameter(0, 7), None, "number of documents: expected 6, found 7", ""),
    "kept nothing": (parameter(1, 0), None, "kept: expected 1 .. 2, found 0", ""),
    "kept what": (parameter(1, 3), None, "kept: expected 1 .. 2, found 3", ""),
    "characters of texts": (
        parameter(2, 5),
        None,
        "characters of a snippet: expected 0, found 5",
        "",
    ),
    "no characters": (
        parameter(1, 2),
        None,
        "characters of a snippet: expected 1 .. 10000, found 0",
        "",
    ),
    "characters": (
        replace(SHORT, parameters=patch(SHORT.parameters, 8, "I", 10_001)),
        None,
        "characters of a snippet: expected 1 .. 10000, found 10001",
        "",
    ),
    "no room": (parameter(3, 0), None, "room: expected 1 .. 1048576, found 0", ""),
    "room": (parameter(3, 1_048_577), None, "room: expected 1 .. 1048576, found 1048577", ""),
    "no blocks": (replace(KEPT, blocks=()), None, "document of the first: expected 0, found 6", ""),
    "first of all": (first(0, 1 << 32), 0, "document of the first: expected 0, found 1", ""),
    "second piece first": (first(0, 2), 0, "first: expected 0, found 2", ""),
    "piece without one before": (
        first(1, 2 << 32 | 2),
        1,
        "first: expected 4294967296, found 8589934594",
        "",
    ),
    "piece of another": (
        first(2, 3 << 32 | 2),
        2,
        "first: expected 8589934594, found 12884901890",
        "",
    ),
    "piece left out": (
        first(5, 3 << 32 | 4),
        5,
        "first: expected 12884901891, found 12884901892",
        "",
    ),
    "document left out after pieces": (
        first(6, 5 << 32),
        6,
        "document of the first: expected 4, found 5",
        "",
    ),
    "the same document": (
        first(1, 0 << 32 | 1),
        1,
        "document of the first: expected more than 0, found 0",
        "",
    ),
    "document beyond": (
        first(6, 6 << 32),
        6,
        "document of the first: expected 4, found 6",
        "",
    ),
    "pieces at the end": (
        firsts(*FIRSTS[:6]),
        None,
        "document of the first: expected 4, found 6",
        "",
    ),
}
VERIFY: dict[str, tuple[Section, int | None, str, str]] = {
    "short block": (block(0, RAW[:3]), 0, "length of the block: expected at least 4, found 3", ""),
    "no content": (
        block(0, bytes(4) + RAW[4:]),
        0,
        "length of the content: expected 1 .. 50, found 0",
        "",
    ),
    "beyond the room": (
        block(0, content(bytes(51))),
        0,
        "length of the content: expected 1 .. 50, found 51",
        "",
    ),
    "deflate": (
        block(0, RAW[:4] + b"\xff" * 9),
        0,
        "deflate stream has a value that the format does not allow",
        "deflate stream: expected one of RFC 1951",
    ),
    "record cut": (
        block(0, content(records(*OWN[:2])[:-1])),
        0,
        "record has a value that the format does not allow",
        "text: expected within the content",
    ),
    "record too many": (
        block(0, content(records(*OWN[:2], "x"))),
        0,
        "bytes after the last text: expected 0, found 2",
        "end of the last record: expected 33, found 31",
    ),
    "record missing": (
        block(0, content(records(OWN[0]))),
        0,
        "record has a value that the format does not allow",
        "text: expected within the content",
    ),
    "varint": (
        block(0, content(b"\x80\x80\x80\1")),
        0,
        "record has a value that the format does not allow",
        "length of a varint of text",
    ),
    "no UTF-8": (
        block(0, content(records(OWN[0]) + b"\1\xff")),
        0,
        "UTF-8 has a value that the format does not allow",
        "text: expected UTF-8, found ff",
    ),
    "another text": (
        block(0, content(records(OWN[0], "beta gamma"))),
        0,
        "identity of a text: expected 170819964, found 1494798467",
        "identity of text 1: expected 170819964, found 1494798467",
    ),
    "short piece": (
        block(4, content(PIECES[1][:-1])),
        4,
        "length of a piece: expected 50, found 49",
        "",
    ),
    "pieces cut elsewhere": (
        replace(
            KEPT,
            blocks=(
                *KEPT.blocks[:3],
                *((f, content(p)) for f, p in zip(FIRSTS[3:6], ELSEWHERE, strict=True)),
                KEPT.blocks[6],
            ),
        ),
        3,
        "length of a piece: expected 50, found 40",
        "",
    ),
    "another piece": (
        block(4, content(b"x" * 50)),
        3,
        "identity of a text: expected 3512656100, found 3960797606",
        "identity of text 3: expected 3512656100, found 3960797606",
    ),
    "no UTF-8 in pieces": (
        block(5, content(PIECES[2][:-1] + b"\xe7")),
        3,
        "UTF-8 has a value that the format does not allow",
        "text: expected UTF-8, found e7",
    ),
    "damage in a piece": (
        block(4, KEPT.blocks[4][1][:4] + b"\xff" * 9),
        4,
        "deflate stream has a value",
        "deflate stream: expected one of RFC 1951",
    ),
    "long snippet": (
        block(0, content(records("alpha beta gamma", "beta gamma mu and so on")), SHORT),
        0,
        "characters of a snippet: expected 0 .. 20, found 23",
        "characters of snippet 1: expected 0 .. 20, found 23",
    ),
}


def refusals(texts: Section, path: Path) -> tuple[Damaged | None, Damaged, Damaged | None, Damaged]:
    """Of open and verify, by the core and by the plain reader."""
    data, found = assemble([*GOOD[:5], texts]), list[Damaged | None]()
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


@pytest.mark.parametrize("texts", [KEPT, SHORT], ids=["texts", "snippets"])
def test_the_section_itself_is_good(texts: Section, tmp_path: Path) -> None:
    data, path = assemble([*GOOD[:5], texts]), tmp_path / "a.pocket"
    path.write_bytes(data)
    PlainIndex.open(data).verify()
    with pocketindex.open(path) as index:
        index.verify()
        plain = PlainIndex.open(data)

        assert [index.text(i) for i in range(6)] == (OWN if texts is KEPT else [None] * 6)
        assert [index.snippet(i) for i in range(6)] == [
            " ".join((plain.text(i) or "").split())[:160].strip() for i in range(6)
        ]


@pytest.mark.parametrize("case", OPEN)
def test_open_refuses(case: str, tmp_path: Path) -> None:
    texts, number, core, plain = OPEN[case]
    by_core, _, by_plain, _ = refusals(texts, tmp_path / "a.pocket")

    assert by_core
    assert by_plain
    assert (by_core.section, by_core.block, by_plain.section, by_plain.block) == (
        "texts",
        number,
        "texts",
        number,
    )
    assert core in str(by_core)
    assert (plain or core) in str(by_plain)


@pytest.mark.parametrize("case", VERIFY)
def test_verify_refuses(case: str, tmp_path: Path) -> None:
    texts, number, core, plain = VERIFY[case]
    opened_by_core, by_core, opened_by_plain, by_plain = refusals(texts, tmp_path / "a.pocket")

    assert opened_by_core is opened_by_plain is None
    assert (by_core.section, by_core.block, by_plain.section, by_plain.block) == (
        "texts",
        number,
        "texts",
        number,
    )
    assert core in str(by_core)
    assert (plain or core) in str(by_plain)


def test_two_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD, KEPT]))

    with pytest.raises(Damaged, match="section texts: number of sections: expected 1, found 2;"):
        pocketindex.open(path)
    with pytest.raises(Damaged, match="section texts: number of sections: expected 1, found 2;"):
        PlainIndex.open(path)


def test_a_damaged_text_stops_no_query(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], block(0, RAW[:4] + b"\xff" * 9)]))
    with pocketindex.open(path) as index:
        assert index.query("beta gamma mu", top=1)[0].id == "b"
        assert index.text(4) == "gamma"
        for ask in (
            lambda: index.text(1),
            lambda: index.snippet(0),
            lambda: index.query("beta gamma mu", exact=True),
        ):
            with pytest.raises(Damaged, match="section texts, block 0: deflate stream"):
                ask()


def test_pieces_beyond_any_text(tmp_path: Path) -> None:
    """As many pieces as a text cannot have: refused before anything is allocated."""
    room = 1_048_576
    many = tuple((2 << 32 | i, b"x") for i in range(1, 258))
    parameters = struct.pack("<IIII", 6, 1, 0, room)
    texts = Section(6, parameters, ((0, b"x"), *many, (3 << 32, b"x")), flags=0)
    by_core, _, by_plain, _ = refusals(texts, tmp_path / "a.pocket")

    assert by_core
    assert by_plain
    assert (by_core.block, by_plain.block) == (257, 257)
    assert "piece: expected 1 .. 256, found 257" in str(by_core)
    assert "piece: expected 1 .. 256, found 257" in str(by_plain)
