"""Faults of the labels section under checksums that agree with them: both readers refuse them, and
name the same place.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, content, pack, varint
from plain_writer import sections
from pocketindex.errors import Damaged
from test_plain_damage import patch

HAD: list[tuple[str, ...]] = [("b", "a"), (), ("c",), ("a", "c", "d"), ("e",)]
TEXTS = [Text(f"d{i}", "alpha beta gamma", labels=own) for i, own in enumerate(HAD)]
GOOD = sections(TEXTS, FF(), Settings(labels=(2, 3)))
LABELS = GOOD[5]
OF = 2**32
assert [first for first, _ in LABELS.blocks] == [0, 2, 4, OF, OF + 3]

Case = tuple[Section, int | None, str]


def documents(*own: tuple[int, ...]) -> bytes:
    """A block of documents with these labels: two bits a number, three a label."""
    return pack([*((len(one), 2) for one in own), *((label, 3) for one in own for label in one)])


def names(*own: bytes) -> bytes:
    return content(b"".join(varint(len(name)) + name for name in own))


assert LABELS.blocks[3][1] == documents((0, 1), (), (2,))
assert LABELS.blocks[0][1] == names(b"a", b"b")


def parameter(at: int, value: int, form: str = "I") -> Section:
    return replace(LABELS, parameters=patch(LABELS.parameters, at, form, value))


def block(number: int, data: bytes | None = None, first: int | None = None) -> Section:
    blocks = list(LABELS.blocks)
    before = blocks[number]
    blocks[number] = (
        before[0] if first is None else first,
        before[1] if data is None else data,
    )
    return replace(LABELS, blocks=tuple(blocks))


OPEN: dict[str, Case] = {
    "short parameters": (
        replace(LABELS, parameters=LABELS.parameters[:16]),
        None,
        "length of the parameters: expected 24, found 16",
    ),
    "documents": (parameter(0, 6), None, "number of documents: expected 5, found 6"),
    "many labels": (
        parameter(4, 65_536),
        None,
        "number of labels: expected 0 .. 65535, found 65536",
    ),
    "no labels": (parameter(4, 0), None, "number of labels: expected at least 1, found 0"),
    "none together": (parameter(8, 0), None, "documents a block: expected 1 .. 65536, found 0"),
    "many together": (
        parameter(8, 65_537),
        None,
        "documents a block: expected 1 .. 65536, found 65537",
    ),
    "fewest": (parameter(12, 256, "H"), None, "fewest labels: expected 0 .. 255, found 256"),
    "bits": (parameter(14, 9, "H"), None, "bits of a number of labels: expected 0 .. 8, found 9"),
    "no bits": (parameter(14, 0, "H"), None, "number of labels: expected 0, found 5"),
    "no blocks of labels": (parameter(16, 0), None, "blocks of labels: expected 1 .. 5, found 0"),
    "more blocks than labels": (
        parameter(16, 6),
        None,
        "blocks of labels: expected 1 .. 5, found 6",
    ),
    "fewer blocks of labels": (parameter(16, 2), None, "number of blocks: expected 4, found 5"),
    "other blocks": (parameter(8, 2), None, "number of blocks: expected 6, found 5"),
    "no room": (parameter(20, 0), None, "room: expected 1 .. 65536, found 0"),
    "much room": (parameter(20, 65_537), None, "room: expected 1 .. 65536, found 65537"),
    "does not begin with 0": (block(0, first=1), 0, "first: expected 0, found 1"),
    "first beyond": (block(2, first=5), 2, "first: expected less than 5, found 5"),
    "first of documents": (block(4, first=OF + 4), 4, f"first: expected {OF + 3}, found {OF + 4}"),
}
VERIFY: dict[str, Case] = {
    "no content": (block(0, b"\0\0\0"), 0, "length of the block: expected at least 4, found 3"),
    "beyond the room": (
        block(0, content(bytes(65_537))),
        0,
        "length of the content: expected 1 .. 65536, found 65537",
    ),
    "counts are cut off": (
        replace(parameter(14, 8, "H"), blocks=(*LABELS.blocks[:3], (OF, b"\0"), LABELS.blocks[4])),
        3,
        "length of the block: expected at least 3, found 1",
    ),
    "too short": (
        block(3, documents((0, 1), (), (2,))[:-1]),
        3,
        "length of the block: expected 2, found 1",
    ),
    "too long": (
        block(3, documents((0, 1), (), (2,)) + b"\0"),
        3,
        "length of the block: expected 2, found 3",
    ),
    "padding": (
        block(3, documents((0, 1), (), (2,))[:-1] + b"\xfe"),
        3,
        "padding: expected 0, found 1",
    ),
    "a label beyond": (
        block(3, documents((0, 1), (), (5,))),
        3,
        "label: expected less than 5, found 5",
    ),
    "labels fall": (
        block(4, documents((0, 3, 2), (4,))),
        4,
        "label: expected more than 3, found 2",
    ),
    "twice": (block(4, documents((0, 2, 2), (4,))), 4, "label: expected more than 2, found 2"),
}
# What the plain reader says in other words: the core's, then its own.
OTHERWISE: dict[str, tuple[Section, int | None, str, str]] = {
    "first falls": (block(2, first=1), 2, "first: expected at least 3, found 1", "more than 2"),
    "order": (
        block(0, names(b"b", b"a")),
        0,
        "order of the labels has a value that the format does not allow",
        "label: expected more than b'b', found b'a'",
    ),
    "the same": (
        block(0, names(b"a", b"a")),
        0,
        "order of the labels has a value that the format does not allow",
        "label: expected more than b'a', found b'a'",
    ),
    "empty": (
        block(0, names(b"", b"b")),
        0,
        "record has a value that the format does not allow",
        "length of label: expected 1 .. 1024, found 0",
    ),
    "long": (
        block(0, names(b"a", b"b" * 1025)),
        0,
        "record has a value that the format does not allow",
        "length of label: expected 1 .. 1024, found 1025",
    ),
    "no UTF-8": (
        block(0, names(b"a", b"b\xff")),
        0,
        "UTF-8 has a value that the format does not allow",
        "label: expected UTF-8, found ff",
    ),
    "one too few": (
        block(0, names(b"a")),
        0,
        "record has a value that the format does not allow",
        "label: expected within the content, found cut off",
    ),
    "one too many": (
        block(0, names(b"a", b"b", b"bb")),
        0,
        "bytes after the last label: expected 0, found 3",
        "end of the last record: expected 7, found 4",
    ),
    "nobody's": (
        block(4, documents((0, 2, 3), (0,))),
        None,
        "documents of a label: expected 1, found 0",
        "labels that a document has: expected 5, found 4",
    ),
}


def refusals(
    labels: Section, path: Path
) -> tuple[Damaged | None, Damaged, Damaged | None, Damaged]:
    """Of open and verify, by the core and by the plain reader."""
    data, found = assemble([*GOOD[:5], labels]), list[Damaged | None]()
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
    plain = PlainIndex.open(data)
    plain.verify()
    with pocketindex.open(path) as index:
        index.verify()
        for number, own in enumerate(HAD):
            assert index.labels(number) == tuple(sorted(own))
            assert plain.labels(number) == sorted(own)
        assert index.info().labels == 5


@pytest.mark.parametrize("case", OPEN)
def test_open_refuses(case: str, tmp_path: Path) -> None:
    labels, number, said = OPEN[case]
    by_core, _, by_plain, _ = refusals(labels, tmp_path / "a.pocket")

    for error in (by_core, by_plain):
        assert error
        assert (error.section, error.block) == ("labels", number)
    assert said in str(by_core)


@pytest.mark.parametrize("case", VERIFY)
def test_verify_refuses(case: str, tmp_path: Path) -> None:
    labels, number, said = VERIFY[case]
    opened_by_core, by_core, opened_by_plain, by_plain = refusals(labels, tmp_path / "a.pocket")

    assert opened_by_core is opened_by_plain is None
    for error in (by_core, by_plain):
        assert (error.section, error.block) == ("labels", number)
        assert said in str(error)


@pytest.mark.parametrize("case", OTHERWISE)
def test_each_says_it_in_its_words(case: str, tmp_path: Path) -> None:
    labels, number, core, plain = OTHERWISE[case]
    _, by_core, _, by_plain = refusals(labels, tmp_path / "a.pocket")

    for error, said in ((by_core, core), (by_plain, plain)):
        assert (error.section, error.block) == ("labels", number)
        assert said in str(error)


def test_damaged_labels_stop_no_query(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], VERIFY["labels fall"][0]]))
    with pocketindex.open(path) as index:
        hits = index.query("alpha beta gamma")
        assert hits[0].labels == ("a", "b")
        with pytest.raises(Damaged, match="section labels, block 4: label: expected more than 3"):
            _ = hits[3].labels


def test_documents_with_more_labels_than_there_may_be(tmp_path: Path) -> None:
    """Numbers of labels and the fewest add up to more than 255."""
    section = parameter(12, 255, "H")
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble([*GOOD[:5], section]))
    with pocketindex.open(path) as index:
        with pytest.raises(Damaged, match=r"labels of a document: expected 0 \.\. 255, found 257"):
            index.labels(0)
        with pytest.raises(Damaged, match=r"labels of a document: expected 0 \.\. 255, found 257"):
            PlainIndex.open(str(path)).labels(0)
