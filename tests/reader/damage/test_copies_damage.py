"""Faults of the copies section under checksums that agree with them: both readers refuse them, and
name the same place.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from optional_sections import copy_key
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, pack
from plain_writer import sections
from pocketindex.errors import Damaged
from test_plain_damage import patch

SAID = ["alpha beta gamma", "alpha", "beta", "gamma", "delta", "?!", "the of and", ""]
TEXTS = [Text(f"d{i}", text, "title") for i, text in enumerate(SAID)]
GOOD = sections(TEXTS, FF(least_terms=3), Settings(copies=3, keep="text"))
COPIES, DOCUMENTS = GOOD[5], GOOD[3]
KEYS = sorted(key for key in map(copy_key, SAID[1:]) if key is not None)
assert [first for first, _ in COPIES.blocks] == [KEYS[0], KEYS[3]]

Case = tuple[Section, int | None, str]


def parameter(at: int, value: int) -> Section:
    return replace(COPIES, parameters=patch(COPIES.parameters, at, "I", value))


def block(number: int, keys: list[int], first: int | None = None) -> Section:
    blocks = list(COPIES.blocks)
    blocks[number] = (
        blocks[number][0] if first is None else first,
        pack((key, 39) for key in keys),
    )
    return replace(COPIES, blocks=tuple(blocks))


OPEN: dict[str, Case] = {
    "short parameters": (
        replace(COPIES, parameters=COPIES.parameters[:8]),
        None,
        "length of the parameters: expected 16, found 8",
    ),
    "documents": (parameter(0, 9), None, "number of documents: expected 8, found 9"),
    "more keys than documents": (
        parameter(4, 8),
        None,
        "documents with a copy key: expected at most 7, found 8",
    ),
    "none together": (parameter(8, 0), None, "documents a block: expected 1 .. 65536, found 0"),
    "many together": (
        parameter(8, 65_537),
        None,
        "documents a block: expected 1 .. 65536, found 65537",
    ),
    "reserved": (parameter(12, 1), None, "reserved"),
    "other blocks": (parameter(8, 6), None, "number of blocks: expected 1, found 2"),
    "a short block": (block(0, KEYS[:2]), 0, "end of the block: expected 15, found 10"),
    "firsts fall": (block(1, KEYS[3:], KEYS[0] - 1), 1, f"first: expected at least {KEYS[0]}"),
}
VERIFY: dict[str, Case] = {
    "another first": (
        block(0, KEYS[:3], KEYS[0] - 1),
        0,
        f"first: expected {KEYS[0]}, found {KEYS[0] - 1}",
    ),
    "keys fall": (
        block(0, [KEYS[0], KEYS[2], KEYS[1]]),
        0,
        f"copy key: expected at least {KEYS[2]}, found {KEYS[1]}",
    ),
    "keys fall from block to block": (
        block(0, [KEYS[0], KEYS[1], KEYS[4] + 1]),
        1,
        f"copy key: expected at least {KEYS[4] + 1}, found {KEYS[3]}",
    ),
    "padding": (
        replace(COPIES, blocks=(COPIES.blocks[0], (KEYS[3], COPIES.blocks[1][1][:-1] + b"\x7f"))),
        1,
        "padding",
    ),
}


def written(changed: Section, path: Path) -> Path:
    path.write_bytes(assemble([changed if one.kind == changed.kind else one for one in GOOD]))
    return path


def test_the_file_is_good(tmp_path: Path) -> None:
    path = written(COPIES, tmp_path / "a.pocket")
    with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
        index.verify()
        plain.verify()
        assert (len(index), index.info().short_documents) == (8, 7)


@pytest.mark.parametrize("case", OPEN)
def test_opening_refuses(case: str, tmp_path: Path) -> None:
    changed, number, message = OPEN[case]
    path = written(changed, tmp_path / "a.pocket")
    for open_it in pocketindex.open, PlainIndex.open:
        with pytest.raises(Damaged) as error:
            open_it(str(path))
        assert (error.value.section, error.value.block) == ("copies", number)
        assert message in str(error.value)


@pytest.mark.parametrize("case", VERIFY)
def test_verify_refuses(case: str, tmp_path: Path) -> None:
    changed, number, message = VERIFY[case]
    path = written(changed, tmp_path / "a.pocket")
    with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
        for verify in index.verify, plain.verify:
            with pytest.raises(Damaged) as error:
                verify()
            assert (error.value.section, error.value.block) == ("copies", number)
            assert message in str(error.value)
        for text in SAID[1:7]:  # whatever it answers, it ends
            index.query_many([text], numbers=True)


def test_a_key_that_is_not_the_texts(tmp_path: Path) -> None:
    path = written(block(0, [KEYS[0], KEYS[1], KEYS[2] + 1]), tmp_path / "a.pocket")
    with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
        for verify in index.verify, plain.verify:
            with pytest.raises(Damaged, match="identity of"):
                verify()


@pytest.mark.parametrize("which", ["without the section", "without a short document"])
def test_documents_and_sketches_that_do_not_fit(which: str, tmp_path: Path) -> None:
    """N is more than S exactly where there are copies."""
    if which == "without the section":
        changed = [one for one in GOOD if one.kind != 12]
        message = "number of documents: expected 1, found 8"
    else:
        changed = [*sections(TEXTS[:1], FF(), Settings()), COPIES]
        message = "number of documents: expected more than 1, found 1"
    path = tmp_path / "a.pocket"
    path.write_bytes(assemble(changed))
    for open_it in pocketindex.open, PlainIndex.open:
        with pytest.raises(Damaged, match=message):
            open_it(str(path))
