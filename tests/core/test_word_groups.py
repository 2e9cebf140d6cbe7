"""Groups of similar hits: the core against the rule of docs/format.md 10."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from places import GOLDEN
from plain_groups import plain_groups
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check
from test_pieces import in_pieces
from test_sources import golden

NOT_FOUND = 1
BAD_ARGUMENT = 4
SKETCHES = 3


def core_groups(core: Any, documents: Sequence[int]) -> list[int]:
    groups, error = ffi.new("uint32_t[]", max(1, len(documents))), ffi.new("pocket_error *")
    check(lib.pocket_group(core, documents, len(documents), groups, error), error, "x")
    return list(groups[0 : len(documents)])


@pytest.mark.parametrize(
    "name", ["radix", "hashed", "words", "rff", "rff-wide", "minhash", "simhash", "plsh-sum"]
)
def test_groups(name: str) -> None:
    chance = random.Random(name)
    with golden(name) as (core, plain):
        seen = set[bool]()
        for count in (0, 1, 2, 10, 30, 100):
            documents = [chance.randrange(plain.count) for _ in range(count)]
            found = core_groups(core, documents)
            assert found == plain_groups(plain, documents)
            seen |= {group == i for i, group in enumerate(found)}
        assert seen == {True, False}


def test_groups_in_pieces_and_of_no_document() -> None:
    data = (GOLDEN / "rff.pocket").read_bytes()
    with golden("rff") as (core, plain), in_pieces(data) as pieces:
        documents = list(range(plain.count))
        groups = ffi.new("uint32_t[]", len(documents))
        pieces.answer(
            lambda error: lib.pocket_group(pieces.handle, documents, len(documents), groups, error)
        )
        assert list(groups) == core_groups(core, documents)
        assert pieces.rounds == 1
        assert {section for section, _ in pieces.lent} == {SKETCHES}
        error = ffi.new("pocket_error *")
        assert lib.pocket_group(core, [plain.count], 1, groups, error) == NOT_FOUND
        assert lib.pocket_group(core, [0] * 1001, 1001, groups, error) == BAD_ARGUMENT
