"""The core refuses what the plain reader refuses: the same faults under checksums that agree with
them, the same place named.
"""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from plain import PlainIndex
from plain_layout import FF, Section, Settings, assemble
from plain_writer import sections
from pocketindex.constants import SectionKind
from pocketindex.errors import Damaged, PocketError, TooNew
from test_plain_damage import GOOD, OPEN, TEXTS, Change, parameter
from test_plain_verify import VERIFY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.pocket"


def refused(data: bytes, path: Path, verify: bool) -> PocketError:
    path.write_bytes(data)
    with pytest.raises(PocketError) as caught:
        if verify:
            with pocketindex.open(path) as index:
                index.verify()
        else:
            pocketindex.open(path)
    return caught.value


Said = tuple[str, int | None, str, int | str, int | str]

# Where the core says a fault in other words than the plain reader: block, field, expected, found.
# NOTHING: it names the field alone.
NOTHING = (0, 0)
OWN_WORDS: dict[str, tuple[int | None, str, int | str, int | str]] = {
    "profile cut": (None, "stop words", *NOTHING),
    "borders": (None, "borders", *NOTHING),
    "no free stop slot": (None, "stop words", *NOTHING),
    "table too long": (None, "tables", *NOTHING),
    "goes on from nowhere": (None, "tables", *NOTHING),
    "goes on as a sum": (None, "tables", *NOTHING),
    "goes on too early": (None, "tables", *NOTHING),
    "too few tables begin": (None, "tables", *NOTHING),
    "empty table": (None, "tables", *NOTHING),
    "source": (None, "source", *NOTHING),
    "low border": (None, "borders", *NOTHING),
    "equal borders": (None, "borders", *NOTHING),
    "more bins": (None, "body", *NOTHING),
    "reserved of the scheme": (None, "reserved", *NOTHING),
    "padding of the name": (None, "name", *NOTHING),
    "class of a bin": (None, "classes", *NOTHING),
    "padding of the bins": (None, "body", *NOTHING),
    "first part": (None, "first part", 0, 1),
    "too many parts": (None, "number of parts", "0 .. 2", 99),
    "fewer sketches": (3, "end of the block", 174, 180),
    "template": (None, "length of the parameters", "at least 115", 32),
    "length of the hash": (0, "hash of the part", *NOTHING),
    "reserved": (0, "reserved field of the part", *NOTHING),
    "no buckets": (0, "hash of the part", *NOTHING),
    "more buckets": (0, "hash of the part", *NOTHING),
    "seed": (0, "slot of a key", 0, 1),
    "skew": (0, "hash of the part", *NOTHING),
    "remapped slots": (0, "hash of the part", *NOTHING),
    "checksum": (0, "checksum of a slot", *NOTHING),
    "postings before": (0, "postings before a slot", 0, 1),
    "no last bits": (0, "postlist", *NOTHING),
    "padding of last bits": (0, "padding of the part", *NOTHING),
    "padding of postings": (0, "padding of the part", *NOTHING),
    "keys of a table": (0, "keys", 1, 4),
    "postings of a table": (0, "postings", 31, 30),
    "first": (None, "parts that begin with an id's key", 6, 5),
    "digit": (1, "digit", *NOTHING),
    "padding of a sketch": (1, "padding", *NOTHING),
    "no end": (0, "record", *NOTHING),
    "code": (0, "record", *NOTHING),
    "literal cut": (0, "record", *NOTHING),
    "one field": (0, "record", *NOTHING),
    "four fields": (0, "UTF-8", *NOTHING),
    "empty id": (0, "record", *NOTHING),
    "empty url": (0, "record", *NOTHING),
    "long title": (0, "record", *NOTHING),
    "id not UTF-8": (0, "UTF-8", *NOTHING),
    "record too many": (0, "bytes after the last record", 0, 29),
    "record missing": (0, "record", *NOTHING),
    "other ids": (None, "ids found", 4, 0),
}


def said(error: PocketError) -> Said:
    assert isinstance(error, Damaged)
    return error.section, error.block, error.field, error.expected, error.found


def said_by_plain(name: str, data: bytes) -> Said:
    """What the core has to say: what the plain reader says, but for the cases above, and for zeros,
    which the core counts as one number.
    """
    with pytest.raises(PocketError) as caught:
        PlainIndex.open(data).verify()
    section, block, field, expected, found = said(caught.value)
    if name in OWN_WORDS:
        return section, *OWN_WORDS[name]
    if expected == "zeros":
        return section, block, field, 0, int.from_bytes(bytes.fromhex(str(found)), "little")
    return section, block, field, expected, found


@pytest.mark.parametrize(
    ("name", "change"), [pytest.param(name, change, id=name) for name, change, _ in OPEN]
)
def test_open_refuses(name: str, change: Change, path: Path) -> None:
    data = assemble(change(list(GOOD)))
    found, expected = said(refused(data, path, verify=False)), said_by_plain(name, data)

    if found[0] == "profile":  # of which the core names the field alone
        assert found[:3] == expected[:3]
        assert found[3:] == NOTHING or found == expected
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("name", "change"), [pytest.param(name, change, id=name) for name, change, _ in VERIFY]
)
def test_verify_refuses(name: str, change: Change, path: Path) -> None:
    data = assemble(change(list(GOOD)))
    found, expected = said(refused(data, path, verify=True)), said_by_plain(name, data)

    if found[:4] == (
        "tables",
        0,
        expected[2],
        0,
    ):  # what a part says of itself, the core by the field alone
        assert found[4] == 0 or found == expected
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (parameter(1, 0, "H", 9), "this reader does not know its scheme"),
        (parameter(1, 2, "H", 3), "this reader does not know its term stream"),
        (parameter(2, 4, "I", 5), "minimal perfect hash: expected 1 .. 4, found 5"),
        (parameter(2, 16, "I", 1), "unit of a posting: expected 0, found 1"),
        (
            lambda known: [*known, Section(77, b"", flags=1)],
            f"required section: expected 1 .. {max(SectionKind)}, found 77",
        ),
    ],
)
def test_too_new(change: Change, expected: str, path: Path) -> None:
    error = refused(assemble(change(list(GOOD))), path, verify=False)

    assert isinstance(error, TooNew)
    assert str(error) == f"{path}: too new: {expected}; upgrade pocketindex"


def test_an_unknown_section_without_the_flag_is_passed_over(path: Path) -> None:
    path.write_bytes(assemble([*GOOD, Section(77, b"12345678", ((1, b"xyz"),), flags=0)]))
    with pocketindex.open(path) as index:
        index.verify()
        assert len(index) == len(TEXTS)
        assert index.query("alpha beta gamma") == pocketindex.open(
            written(path.with_name("b.pocket"))
        ).query("alpha beta gamma")


def written(path: Path) -> Path:
    path.write_bytes(
        assemble(
            sections(TEXTS, FF(), Settings(part_keys=5, posting_bits=5, per_block=8, content=100))
        )
    )
    return path
