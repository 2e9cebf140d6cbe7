"""What a file may cost (docs/format.md 8.2): crafted files, their checksums right, are refused or
answered in bounded work.

Seconds are those of the processor for a KB of file, or of text where the time grows with it: ten
times what they take, and far below what they took without bounds.
"""

from __future__ import annotations

import random
import struct
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import plain_layout
import pocketindex
import pytest
from plain import PlainIndex
from plain_layout import FF, Section, Settings, Text, assemble, pad
from plain_writer import sections
from pocketindex.builder import Settings as BuildSettings
from pocketindex.builder import build
from pocketindex.builder.conventions import crc32c
from pocketindex.errors import Damaged
from pocketindex.queries.hits import Hits

RFF, WMINHASH = 2, 5
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
ONE = {
    section.kind: section
    for section in sections([Text("a", "alpha beta gamma", "t")], FF(), Settings())
}


@pytest.fixture(autouse=True)
def quick_checksums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_layout, "crc32c", crc32c)


def profile(
    scheme: int,
    rows: Sequence[tuple[int, int]],
    components: Sequence[tuple[int, int]],
    body: bytes,
    stops: Sequence[int] = (),
) -> Section:
    borders = [0] * len(components)
    head = struct.pack(
        "<HHHHIIIIHH4x",
        scheme,
        1,
        len(rows),
        0,
        len(components),
        len(borders),
        len(stops),
        1,
        1,
        len(rows),
    )
    arrays = [b"x", struct.pack(f"<{len(stops)}Q", *stops)]
    arrays += [
        b"".join(struct.pack("<HH", *pair) for pair in pairs) for pairs in (rows, components)
    ]
    arrays += [struct.pack(f"<{len(borders)}i", *borders), body]
    return Section(1, head + b"".join(map(pad, arrays)))


def rff_body(directions: int = 1024) -> bytes:
    return struct.pack("<2I", 256, directions) + bytes([1]) * 256


def part(postings: int, checksum_bits: int) -> bytes:
    """One key, all postings of it document 0."""
    pilot = struct.pack("<IBBH", 1, 0, 1, 1) + bytes(3)
    packed = struct.pack("<IIII", 1, postings, len(pilot), 0) + pilot + bytes(checksum_bits // 8)
    if postings > 1:
        lasts = bytearray((postings + 7) // 8)
        lasts[-1] = 1 << (postings - 1) % 8
        packed += bytes(4) + lasts
    return packed + bytes((postings + 7) // 8)


def crafted(
    own: Section,
    tables: int,
    components: int,
    postings: int = 1,
    probes: int = 1,
    checksum_bits: int = 0,
    *more: Section,
) -> bytes:
    """A file of one document under a profile, with one key in each table."""
    rows = b"".join(struct.pack("<IIQQ", t, 1, 1, postings) for t in range(tables))
    parameters = struct.pack("<6I", tables, 1, checksum_bits, 1, 0, probes) + rows
    stride = (components + 7) // 8
    own_sections = [
        own,
        Section(2, parameters, ((0, part(postings, checksum_bits)),) * tables),
        Section(3, struct.pack("<4I", 1, stride, 0, 1), ((0, bytes(stride)),)),
    ]
    return assemble([*own_sections, ONE[4], ONE[5], *more])


def refused(data: bytes, path: Path, field: str) -> None:
    """By the core and the plain reader, at open."""
    path.write_bytes(data)
    with pytest.raises(Damaged, match=field):
        pocketindex.open(path)
    with pytest.raises(Damaged):
        PlainIndex.open(data)


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def text_of(kilobytes: int) -> str:
    chance = random.Random(3)
    return " ".join(
        "".join(chance.choices("abcdefghij", k=6)) for _ in range(kilobytes * 1024 // 7)
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.pocket"


def long_keys(components: int, checksum_bits: int, probes: int = 4096) -> bytes:
    pairs = [(i % 1024, 2) for i in range(components)]
    own = profile(RFF, [(0, components)] * 64, pairs, rff_body())
    return crafted(own, 64, components, probes=probes, checksum_bits=checksum_bits)


def test_keys_of_many_components_are_refused(path: Path) -> None:
    refused(long_keys(4096, 0), path, "components of a sub-key")
    refused(long_keys(257, 0), path, "components of a sub-key")
    refused(long_keys(256, 0, probes=4097), path, "default probes")


@pytest.mark.parametrize("checksum_bits", [0, 8])
def test_probes(path: Path, checksum_bits: int) -> None:
    """64 tables, 4,096 probes each, and without checksums a look at a sketch for each.

    A caller may ask for more, up to a cap.
    """
    path.write_bytes(data := long_keys(256, checksum_bits))
    with pocketindex.open(path) as index:
        for probes, most in (
            (4096, 262_144),
            (65_536, 327_680 if checksum_bits == 0 else 64 * 65_536),
        ):
            found: list[Hits] = []
            taken = seconds(
                lambda probes=probes, found=found: found.append(index.query(WORDS, probes=probes))  # type: ignore[misc]
            )
            assert taken / (len(data) / 1024) < most / 262_144 * 0.1
            assert found[0].probes <= most
            assert found[0].capped == (probes == 65_536 and checksum_bits == 0)


def test_no_build_makes_a_file_that_asks_for_too_many_keys(
    collection: Path, tmp_path: Path
) -> None:
    with pytest.raises(
        ValueError,
        match="probes is 20000; with 16 tables it may be 16384: a query can still ask for more",
    ):
        build(
            [str(collection)],
            tmp_path / "x.pocket",
            BuildSettings(scheme="minhash", profile="learn", probes=20_000),
        )
    assert not (tmp_path / "x.pocket").exists()


def copies(weight: int) -> bytes:
    """A term costs 4,096 values for each of 255 / weight copies."""
    body = struct.pack("<4I", 1, 256, weight, 0) + bytes([255]) * 256
    return crafted(profile(WMINHASH, [(0, 60)], [(0, 2)] * 4096, body), 1, 4096)


def test_copies(path: Path) -> None:
    refused(copies(1), path, "copies of a shingle")
    refused(copies(31), path, "copies of a shingle")
    path.write_bytes(copies(32))
    with pocketindex.open(path) as index:
        assert seconds(lambda: index.query(text_of(8), probes=1)) / 8 < 0.1


def stops(slots: int, free: Callable[[int], bool]) -> bytes:
    chance = random.Random(1)
    taken = [0 if free(i) else chance.getrandbits(63) | 1 for i in range(slots)]
    return crafted(profile(RFF, [(0, 64)], [(i, 2) for i in range(64)], rff_body(), taken), 1, 64)


def test_stop_slots(path: Path) -> None:
    refused(stops(16_384, lambda i: i == 9), path, "stop words")
    refused(stops(16_384, lambda i: i % 258 == 0), path, "stop words")
    refused(stops(512, lambda i: 100 <= i < 300), path, "stop words")  # cyclically in a row
    path.write_bytes(stops(16_384, lambda i: i % 257 == 0))
    with pocketindex.open(path) as index:
        assert seconds(lambda: index.query(text_of(64), probes=1)) / 64 < 0.05
    assert PlainIndex.open(path.read_bytes()).profile.stops.count(0) == 64


def block_of(keys: Sequence[bytes], width: int = 1) -> tuple[int, bytes]:
    """Titles that are their own keys, each written whole; width: bits of a document's number."""
    head = (
        struct.pack("<I", len(keys))
        + bytes((len(keys) * width + 7) // 8)
        + bytes(len(keys))
        + bytes(map(len, keys))
    )
    raw = head + b"".join(keys)
    packer = zlib.compressobj(9, wbits=-15)
    return int.from_bytes(keys[0][:8].ljust(8, b"\0"), "big"), struct.pack(
        "<I", len(raw)
    ) + packer.compress(raw) + packer.flush()


def titled(blocks: Sequence[tuple[int, bytes]], room: int = 65_536) -> bytes:
    own = profile(RFF, [(0, 64)], [(i, 2) for i in range(64)], rff_body())
    return crafted(
        own, 1, 64, 1, 1, 0, Section(7, struct.pack("<4I", 1, 1, room, 0), tuple(blocks), flags=0)
    )


def test_titles(path: Path) -> None:
    """Blocks of few bytes that hold as many titles as fit."""
    refused(titled([block_of([b"a"])], 1 << 20), path, "room")
    full = block_of([b"a" * 250] * 255)
    data = titled([full] * 300)
    path.write_bytes(data)
    with pocketindex.open(path) as index:
        for beginning in ("b", "a" * 9 + "b", "aaaaaaab"):
            taken = seconds(lambda beginning=beginning: index.titles(beginning))  # type: ignore[misc]
            assert taken / (len(data) / 1024) < 0.01


@pytest.mark.parametrize(
    ("blocks", "beginning", "fault"),
    [
        ([block_of([b"a"], 5), (2**64 - 1, block_of([b"a"], 5)[1])], "b", "block 1: first"),
        (
            [block_of([b"aaaaaaaaa"], 5), *[block_of([b"aaaaaaaac", b"aaaaaaaaa"], 5)] * 3],
            "aaaaaaaac",
            "block 1: order of the entries",
        ),
    ],
)
def test_titles_whose_keys_fall(
    path: Path, blocks: Sequence[tuple[int, bytes]], beginning: str, fault: str
) -> None:
    """Or a look-up would go through all blocks for what comes next."""
    documents = [Text(str(i), "alpha beta gamma", "a") for i in range(30)]
    own = sections(documents, FF(), Settings())
    titles = Section(7, struct.pack("<4I", 30, 30, 65_536, 0), tuple(blocks), flags=0)
    path.write_bytes(assemble([*own, titles]))
    with pocketindex.open(path) as index, pytest.raises(Damaged, match=fault):
        index.titles(beginning)
    with pytest.raises(Damaged):
        PlainIndex.open(path.read_bytes()).titled(beginning)


def test_postings_passed_over(path: Path) -> None:
    """A postlist of 16 million postings, through which every probe goes."""
    own = profile(RFF, [(0, 64)], [(i, 2) for i in range(64)], rff_body())
    path.write_bytes(data := crafted(own, 1, 64, postings=1 << 24, probes=65_536))

    def ask() -> None:
        with (
            pocketindex.open(path) as index,
            pytest.raises(Damaged, match=r"postings passed over: expected 0 \.\. 4294967296"),
        ):
            index.query(WORDS, probes=65_536)

    assert seconds(ask) / (len(data) / 1024) < 0.01
