"""Cells (docs/format.md 4.2): the order of the documents, the nearest cells in every reader, and no
trust in damaged ones.
"""

from __future__ import annotations

import io
import itertools
import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import places
import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import PlainIndex
from plain import index as plain_index
from plain_layout import Section, assemble
from pocketindex.builder import Settings, build
from pocketindex.builder.passes import placing
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes import centroids, shapes
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.schemes.shapes import CELLS_FROM, cells_of
from pocketindex.builder.spill.chunks import arranged, spool
from pocketindex.builder.write import cells
from pocketindex.cbits import ffi, lib
from pocketindex.errors import Damaged

GOLDEN = (
    places.GOLDEN / "rff-cells-alone.pocket"
)  # of 45 components: a centroid has half a byte to spare
Change = Callable[[Section], Section]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of ten kinds, in no order, with titles."""
    chance, path = random.Random(1), tmp_path_factory.mktemp("kinds") / "docs.jsonl"
    kinds = [[f"w{kind}x{i}" for i in range(60)] for kind in range(10)]
    documents = []
    for i in range(700):
        words = chance.choices(kinds[chance.randrange(10)], k=40)
        documents.append({"id": f"d{i}", "title": f"Number {i}", "text": " ".join(words)})
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


SETTINGS = Settings(profile="learn", scheme_settings=RffSettings(cells=16))


def built(source: Path, target: Path, **more: Any) -> bytes:
    chosen = Settings(
        profile="learn", scheme_settings=RffSettings(cells=16), keep="text", titles=True, **more
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "ASKED", 4)
        patch.setattr(cells, "COLD", 2)
        build([str(source)], target, chosen)
    return target.read_bytes()


@pytest.fixture(scope="module")
def file(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cells") / "x.pocket"
    built(source, path)
    return path


def centroids_and_steps(components: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    centroids = chance.integers(0, 16, (37, components), dtype=np.uint8)
    return centroids, chance.integers(-127, 128, (11, components), dtype=np.int8)


@given(st.integers(1, 128), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_the_nearest_cell_is_that_of_the_highest_score(components: int, seed: int) -> None:
    centroids, steps = centroids_and_steps(components, seed)
    padded = np.pad(centroids, ((0, 0), (0, components % 2)))
    packed = (padded[:, ::2] | padded[:, 1::2] << 4).tobytes()
    nearest = np.zeros(len(steps), np.uint32)
    arguments = [
        ffi.from_buffer("int8_t[]", steps),
        len(steps),
        ffi.from_buffer("uint32_t[]", nearest, require_writable=True),
    ]

    assert lib.pocket_nearest_cells(packed, len(centroids), components, *arguments) == 0
    assert (
        nearest.tolist()
        == (steps.astype(int) @ (2 * centroids.astype(int) - 15).T).argmax(1).tolist()
    )


def test_every_document_has_its_own_text_title_and_id(source: Path, file: Path) -> None:
    documents = {d["id"]: d for d in map(json.loads, source.read_text().splitlines())}
    with pocketindex.open(file) as index:
        index.verify()
        records = [index.record(number) for number in range(len(index))]
        assert sorted(record.id for record in records) == sorted(documents)
        assert [record.id for record in records] != [f"d{i}" for i in range(700)]
        for number, record in enumerate(records):
            assert record.title == documents[record.id]["title"]
            assert index.text(number) == documents[record.id]["text"]
            assert index.document(record.id).number == number
        assert [record.title for record in index.titles("Number 69", 20)] == [
            "Number 69",
            *(f"Number 69{i}" for i in range(10)),
        ]


def test_similar_documents_lie_together(file: Path) -> None:
    """Documents of one cell are of one kind, nearly all, and in the order in which they came."""
    with PlainIndex.open(str(file)) as plain:
        assert plain.cells
        alike = total = 0
        for cell in range(plain.cells.count):
            ids = [plain.record(document).id for document in plain.cells.members(cell)]
            assert ids == sorted(ids, key=lambda name: int(name[1:]))
            kinds = [plain.text(document).split("x")[0] for document in plain.cells.members(cell)]  # type: ignore[union-attr]
            alike += max(map(kinds.count, set(kinds)), default=0)
            total += len(kinds)
    assert alike > 0.9 * total == 0.9 * 700


@pytest.mark.parametrize(
    "way",
    [{"probes": 5}, {"probes": 1_024}, {"probes": 9_000}, {"cold": True}, {"exhaustive": True}],
)
def test_answers_are_those_of_the_plain_reader(
    way: dict[str, int], source: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [json.loads(line)["text"] for line in source.read_text().splitlines()[::70]]
    cold = "cold" in way
    with pocketindex.open(file, cold=cold) as index, PlainIndex.open(str(file)) as plain:
        choices: dict[str, Any] = {} if cold else way
        for text in (*texts, " ".join(" ".join(texts).split()[::7])):
            hits = index.query(text, 30, **choices, min_similarity=0)
            expected = plain.query(text, 30, first=cold, **choices)
            assert [(h.number, round(h.similarity * 10_000), h.near_cell) for h in hits] == [
                (e.document, e.similarity, e.tables >> plain_index.CELLS == 1) for e in expected
            ]
            assert hits.candidates == plain.report.candidates
        like = [
            (h.number, round(h.similarity * 10_000))
            for h in index.like(3, 20, **choices, min_similarity=0)
        ]
        if not cold:
            assert like == [
                (e.document, e.similarity)
                for e in plain.query_document(3, 21, **choices)
                if e.document != 3
            ]


def test_a_first_answer_looks_up_no_key(source: Path, file: Path) -> None:
    text = json.loads(source.read_text().splitlines()[5])["text"]
    with pocketindex.open(file, cold=True) as cold, pocketindex.open(file) as index:
        first, more = cold.query(text), cold.query(text, probes=1_024)
        assert first.probes == 0
        assert first[0].id == "d5"
        assert all(hit.near_cell and not hit.keys for hit in first)
        assert more == index.query(text, probes=1_024, min_similarity=0)
        assert index.info().way == "scan"


def test_a_first_answer_leaves_out_cells_beyond_its_reach(source: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "COLD", 8)
        patch.setattr(cells, "MANY", 0)
        build([str(source)], tmp_path / "x.pocket", SETTINGS)
    texts = [json.loads(line)["text"] for line in source.read_text().splitlines()[::9]]
    asked = set()
    with (
        pocketindex.open(tmp_path / "x.pocket", cold=True) as index,
        PlainIndex.open(str(tmp_path / "x.pocket")) as plain,
    ):
        assert plain.cells
        assert plain.cells.first_pruning == cells.PRUNING
        for text in texts:
            found = index.query(text, min_similarity=0)
            expected = plain.query(text, first=True)
            assert [(hit.number, hit.similarity) for hit in found] == [
                (hit.document, hit.similarity / 10_000) for hit in expected
            ]
            quantised = plain.profile.quantise(text.encode(), plain.least_terms)
            asked.add(len(plain.cells.nearest(quantised, 8, cells.PRUNING)))
    assert len(asked) > 2
    assert max(asked) <= 8


def test_same_bytes_whatever_threads_chunks_and_batches(
    source: Path, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 64)
    monkeypatch.setattr(arranged, "AT_ONCE", 50)
    monkeypatch.setattr(centroids, "BATCH", 37)

    assert built(source, tmp_path / "x.pocket", threads=1) == file.read_bytes()
    assert built(source, tmp_path / "x.pocket", threads=3) == file.read_bytes()


def test_the_rule() -> None:
    assert cells_of(CELLS_FROM - 1) == 0
    assert [cells_of(n) for n in (CELLS_FROM, 500_000, 2_000_000, 10_000_000)] == [
        1_024,
        2_048,
        4_096,
        8_192,
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_fewer_documents_than_cells(count: int, source: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join(source.read_text().splitlines(keepends=True)[:count]))
    built(few, tmp_path / "x.pocket")
    with pocketindex.open(tmp_path / "x.pocket") as index:
        index.verify()
        assert len(index) == count
        assert (
            len(index.query("some text that is nowhere else, with enough words", probes=1)) <= count
        )


def test_a_profile_that_takes_none(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large collection under a profile of another scheme, or of 64 tables, has no cells; who asks
    for them is told.
    """
    monkeypatch.setattr(shapes, "CELLS_FROM", 100)
    other = tmp_path / "other.pocket"
    build([str(source)], other, Settings(profile="en", scheme="ff"))
    many = Settings(profile="learn", scheme_settings=RffSettings(tables=64, bits=2))
    for chosen in (Settings(profile=str(other)), many):
        build([str(source)], tmp_path / "x.pocket", chosen)
        with pocketindex.open(tmp_path / "x.pocket") as index:
            index.verify()
            assert index.info().cells == 0
    with pytest.raises(
        ValueError,
        match=(
            "cells needs a profile of scheme rff with intervals of two and fewer than 64 "
            "tables; omit it, or give another profile"
        ),
    ):
        build(
            [str(source)],
            tmp_path / "x.pocket",
            Settings(profile=str(other), scheme_settings=RffSettings(cells=8)),
        )


def test_a_million_equal_documents_in_a_cell_do_not_overflow() -> None:
    sums = np.full((2, 1024), 127 * 2_600_000, np.int64)
    sums[1] *= np.where(np.arange(1024) % 2, 1, -1)

    assert centroids._packed(sums, np.zeros_like(sums, np.uint8)) == bytes(
        [0xAA] * 512 + [0xA5] * 512
    )


# ---- damage ----


def sections_of(data: bytes) -> list[Section]:
    out = []
    for at in range(32, 32 + 40 * int.from_bytes(data[12:16], "little"), 40):
        kind, flags, offset, _, parameters, blocks = struct.unpack_from("<IIQQII", data, at)
        found = []
        start = offset + parameters + 20 * blocks
        directory = offset + parameters
        before = 0
        for number in range(blocks):
            first, end = struct.unpack_from("<QQ", data, directory + 20 * number)
            found.append((first, data[start + before : start + end]))
            before = end
        out.append(Section(kind, data[offset : offset + parameters], tuple(found), flags))
    return out


def parameter(place: int, value: int) -> Change:
    def change(own: Section) -> Section:
        data = bytearray(own.parameters)
        struct.pack_into("<I", data, 4 * place, value)
        return Section(own.kind, bytes(data), own.blocks)

    return change


def block(at: int, value: int, size: str = "<I") -> Change:
    def change(own: Section) -> Section:
        data = bytearray(own.blocks[0][1])
        struct.pack_into(size, data, at, value)
        return Section(own.kind, own.parameters, ((0, bytes(data)),))

    return change


FIRSTS = 9 * 23  # behind nine centroids of 45 components
OPEN: dict[str, tuple[Change, str, str]] = {
    "parameters": (
        lambda own: Section(8, own.parameters[:8], own.blocks),
        "length of the parameters: expected 24, found 8",
        "",
    ),
    "no cells": (parameter(0, 0), "number of cells: expected 1 .. 65536, found 0", ""),
    "documents": (parameter(1, 44), "number of documents: expected 45, found 44", ""),
    "none asked": (parameter(2, 0), "cells asked: expected 1 .. 9, found 0", ""),
    "all asked and more": (
        parameter(3, 10),
        "cells asked by a first answer: expected 1 .. 9, found 10",
        "",
    ),
    "pruning threshold": (
        parameter(4, 65536),
        "pruning threshold of a first answer: expected 0 .. 65535, found 65536",
        "",
    ),
    "reserved": (parameter(5, 7), "reserved: expected 0, found 7", ""),
    "two blocks": (
        lambda own: Section(8, own.parameters, (own.blocks[0], (1, b"x"))),
        "number of blocks: expected 1, found 2",
        "",
    ),
    "first": (
        lambda own: Section(8, own.parameters, ((7, own.blocks[0][1]),)),
        "block 0: first: expected 0, found 7",
        "",
    ),
    "short": (
        lambda own: Section(8, own.parameters, ((0, own.blocks[0][1][:-1]),)),
        f"block 0: length of the block: expected {9 * 27}, found {9 * 27 - 1}",
        "",
    ),
}
VERIFY: dict[str, tuple[Change, str, str]] = {
    "a first cell that is none": (
        block(FIRSTS, 1),
        "first document of cell 0: expected 0, found 1",
        "",
    ),
    "beyond the documents": (
        block(FIRSTS + 4 * 8, 46),
        "end of a cell: expected at most 45, found 46",
        "",
    ),
    "falling": (block(FIRSTS + 4 * 3, 44), r"end of a cell: expected at least 44, found \d+;", ""),
    "padding": (
        block(22, 255, "<B"),
        "padding: expected 0, found 255",
        "padding: expected 0, found 15",
    ),
}


def damaged(change: Change, tmp_path: Path) -> Path:
    path = tmp_path / "x.pocket"
    found = [change(own) if own.kind == 8 else own for own in sections_of(GOLDEN.read_bytes())]
    path.write_bytes(assemble(found))
    return path


def test_sections_are_put_together_as_they_were(tmp_path: Path) -> None:
    assert damaged(lambda own: own, tmp_path).read_bytes() == GOLDEN.read_bytes()


@pytest.mark.parametrize("name", OPEN)
def test_opening_refuses(name: str, tmp_path: Path) -> None:
    change, core, plain = OPEN[name]
    path = damaged(change, tmp_path)
    with pytest.raises(Damaged, match=core):
        pocketindex.open(path)
    with pytest.raises(Damaged, match=plain or core):
        PlainIndex.open(str(path))


@pytest.mark.parametrize("name", VERIFY)
def test_verify_refuses(name: str, tmp_path: Path) -> None:
    change, core, plain = VERIFY[name]
    path = damaged(change, tmp_path)
    with pocketindex.open(path) as index, pytest.raises(Damaged, match=core):
        index.verify()
    with PlainIndex.open(str(path)) as index, pytest.raises(Damaged, match=plain or core):
        index.verify()


@pytest.mark.parametrize("name", ["a first cell that is none", "beyond the documents", "falling"])
def test_a_query_refuses_what_it_touches(name: str, tmp_path: Path) -> None:
    """All cells are asked, so the bad one is."""
    with (
        pocketindex.open(damaged(VERIFY[name][0], tmp_path)) as index,
        pytest.raises(Damaged, match=r"(first document|end) of"),
    ):
        index.query("the railway between the two valleys was closed for the winter", probes=1_000)


def test_cells_that_overlap(tmp_path: Path) -> None:
    """Two asked cells that both have every document: or it would be compared as often as there are
    cells.
    """
    plain = PlainIndex.open(str(GOLDEN))
    assert plain.cells
    words = [f"word{i} other{i * 7} railway valley{i % 3} winter closed" for i in range(50)]
    nearest = (
        (text, sorted(plain.cells.nearest(quantised, 2, 0)))
        for text in words
        for quantised in [plain.profile.quantise(text.encode(), plain.least_terms)]
    )
    text, (low, high) = next((text, cells) for text, cells in nearest if cells[1] > cells[0] + 1)

    def change(own: Section) -> Section:
        firsts = [0 if cell in (0, low, high) else 45 for cell in range(9)]
        parameters = own.parameters[:8] + struct.pack("<4I", 2, 2, 0, 0)
        return Section(
            8, parameters, ((0, own.blocks[0][1][:FIRSTS] + struct.pack("<9I", *firsts)),)
        )

    path = damaged(change, tmp_path)
    with (
        pocketindex.open(path, cold=True) as index,
        pytest.raises(Damaged, match="first document of a cell: expected at least 45, found 0"),
    ):
        index.query(text)
    with (
        PlainIndex.open(str(path)) as plain,
        pytest.raises(Damaged, match="first document of a cell"),
    ):
        plain.query(text, first=True)


def test_cells_of_another_scheme(tmp_path: Path) -> None:
    other = sections_of((GOLDEN.parent / "radix.pocket").read_bytes())
    (own,) = (section for section in sections_of(GOLDEN.read_bytes()) if section.kind == 8)
    data = assemble([*other, own])
    (tmp_path / "x.pocket").write_bytes(data)
    with pytest.raises(Damaged, match="section cells: scheme"):
        pocketindex.open(tmp_path / "x.pocket")
    with pytest.raises(Damaged, match="section cells: scheme: expected rff with intervals of two"):
        PlainIndex.open(data)


@pytest.mark.parametrize(("per_cell", "trained_on"), [(4, 64), (43, 688), (44, 700)])
def test_centroids_are_trained_on_so_many_documents_a_cell(
    per_cell: int,
    trained_on: int,
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The progress says how much there is to do, and comes to an end. Another number of rounds
    would change the bytes of every large file.
    """
    monkeypatch.setattr(placing, "PER_CELL", per_cell)
    seen, stream = itertools.count(), io.StringIO()
    with Progress(stream, lambda: float(next(seen)), "json") as progress:
        build([str(source)], tmp_path / "x.pocket", SETTINGS, progress=progress)
    said = [json.loads(line) for line in stream.getvalue().splitlines()]
    placed = [one for one in said if one["phase"] == "placing documents in cells"]

    assert {one["total"] for one in placed} == {trained_on * 5 + 700}
    assert placed[-1]["done"] == placed[-1]["total"]


def test_centroids_are_trained_on_forty_documents_a_cell() -> None:
    assert placing.PER_CELL == 40
    assert placing.at_equal_distances(3, 10).tolist() == [0, 3, 6]
