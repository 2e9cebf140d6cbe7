"""Golden files open for ever and answer the same, in the core as in the plain reader."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import golden_files
import make_golden
import pocketindex
import pytest
from places import GOLDEN
from plain import PlainIndex
from plain_layout import assemble
from plain_writer import sections
from pocketindex.cbits import ffi, lib
from vectors import load

ANSWERS = load("answers")
ALL = sorted([*golden_files.FILES, *golden_files.BUILT])


@pytest.mark.parametrize("name", sorted(golden_files.FILES))
def test_the_files_are_what_the_generator_makes(name: str) -> None:
    """But for the deflate streams, which are those of the zlib that made them."""
    texts, profile, settings = golden_files.FILES[name]
    made, kept = sections(texts, profile, settings), (GOLDEN / f"{name}.pocket").read_bytes()

    for section in made:
        if section.kind not in (6, 7):
            assert section.parameters in kept
            assert all(block in kept for _, block in section.blocks)
    assert abs(len(assemble(made)) - len(kept)) < 200


@pytest.mark.parametrize("name", sorted(golden_files.BUILT))
def test_the_builder_makes_them_again(name: str, tmp_path: Path) -> None:
    """Learning gives the same bytes on every machine, but for the deflate streams."""
    path = tmp_path / "x.pocket"
    golden_files.build_one(name, path)

    assert parts_of(path.read_bytes()) == parts_of((GOLDEN / f"{name}.pocket").read_bytes())


def parts_of(data: bytes) -> list[tuple[int, bytes]]:
    """Kind and bytes of each section but the texts."""
    entries = (
        struct.unpack_from("<IIQQ", data, at)
        for at in range(32, 32 + 40 * int.from_bytes(data[12:16], "little"), 40)
    )
    parts = [(kind, data[offset : offset + length]) for kind, _, offset, length in entries]
    return [part for part in parts if part[0] != 6]


@pytest.mark.parametrize("name", ALL)
def test_both_readers_verify_them(name: str) -> None:
    path = GOLDEN / f"{name}.pocket"
    with pocketindex.open(path) as index:
        index.verify()
    with PlainIndex.open(str(path)) as plain:
        plain.verify()


def test_the_worked_example_of_the_format_page(tmp_path: Path) -> None:
    whole = make_golden.PAGE.read_text(encoding="utf-8")
    assert make_golden.with_example(whole) == whole
    page = whole.split(make_golden.HEADING)[1]
    rows = re.findall(r"^([0-9a-f]{8})  ((?:[0-9a-f]{2} ?)+)$", page, re.M)
    data = bytearray(int(rows[-1][0], 16) + len(bytes.fromhex(rows[-1][1])))
    for at, row in rows:
        data[int(at, 16) : int(at, 16) + len(bytes.fromhex(row))] = bytes.fromhex(row)
    path = tmp_path / "example.pocket"
    path.write_bytes(data)
    with pocketindex.open(path) as index:
        index.verify()
        hits = index.query("beta gamma beta", min_similarity=0)

        assert [(h.id, h.title, h.url, h.similarity) for h in hits[:1]] == [("b", "B", "u", 1.0)]
        assert len(index) == 2


def test_the_plain_reader_gives_the_recorded_answers() -> None:
    assert make_golden.answers() == ANSWERS


@pytest.mark.parametrize("name", ALL)
def test_the_core_gives_the_recorded_answers(name: str) -> None:
    path = GOLDEN / f"{name}.pocket"
    with pocketindex.open(path) as resident, pocketindex.open(path, cold=True) as cold:
        for case in (case for case in ANSWERS if case["file"] == name):
            text, index = bytes.fromhex(case["text"]), cold if case["way"] == "cold" else resident
            (hits,) = index.query_many(
                [text], top=5, probes=case["probes"] or None, min_similarity=0
            )
            assert hits.too_short == case.get("too_short", False)
            info = index.info()
            if hits.terms < index.least_terms or "copies" in case:
                found = [[hit.number, round(hit.similarity * 10_000)] for hit in hits]
                assert found == case.get("copies", [])
                assert hits.short or "words" in info.sections
                continue
            assert not hits.short
            digits = ffi.new("uint8_t[]", info.components)
            weights = ffi.new("uint32_t[]", info.components)
            keys = ffi.new("uint64_t[]", len(info.tables))
            assert (
                lib.pocket_sketch(index._core, text, len(text), digits, weights, keys, ffi.NULL)
                == 0
            )

            assert bytes(ffi.buffer(digits)).hex() == case["digits"]
            assert list(weights) == case["weights"]
            assert [f"{key:016x}" for key in keys] == case["keys"]
            assert [hits.terms, hits.probes, hits.parts, hits.candidates] == case["counters"]
            assert [
                [
                    h.number,
                    round(h.similarity * 10_000),
                    sum(1 << k for k in h.keys) | h.near_cell << 63,
                ]
                for h in hits
            ] == case["hits"]
