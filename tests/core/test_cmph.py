"""libcmph's hashes (docs/format.md 3.3): the sizes of the literature, the answers of `pilot`, and
no trust in packed bytes.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pocketindex
import pytest
from compiled import CORE, HARNESSES, compiler, core_file
from pilot_hash import as_keys, is_bijection, random_keys
from plain.place import Place
from plain.tables import Part
from pocketindex import NeedsCmph, PocketError
from pocketindex.builder import Settings, build
from pocketindex.builder.write.perfect_hash import MPHS, build_part
from pocketindex.cbits import lib

REASON = "needs libcmph when pocketindex is built (Debian: libcmph-dev)"
_cmph = pytest.importorskip("pocketindex.cbits._cmph", reason=REASON)
NAMES = [name for name in MPHS if name != "pilot"]


class Built(NamedTuple):
    status: int
    hash: bytes
    slots: Any


def cmph_build(mph: str, keys: Any) -> Built:
    keys = as_keys(keys)
    out = _cmph.ffi.new("uint8_t **")
    length = _cmph.ffi.new("uint64_t *")
    slots = np.empty(len(keys), np.uint32)
    given = (
        _cmph.ffi.from_buffer("uint64_t[]", keys),
        len(keys),
        out,
        length,
        _cmph.ffi.from_buffer("uint32_t[]", slots),
    )
    status = _cmph.lib.pocket_cmph_build(MPHS[mph], *given)
    data = bytes(_cmph.ffi.buffer(out[0], length[0])) if out[0] else b""
    _cmph.lib.pocket_cmph_release(out[0])
    return Built(status, data, slots)


def cmph_slots(mph: int, hash: bytes, keys: Any) -> Any | None:
    """None when the bytes are refused."""
    keys, slots = as_keys(keys), np.empty(len(keys), np.uint32)
    given = (
        _cmph.ffi.from_buffer("uint64_t[]", keys),
        len(keys),
        _cmph.ffi.from_buffer("uint32_t[]", slots),
    )
    return (
        None
        if _cmph.lib.pocket_cmph_slots(
            mph, _cmph.ffi.from_buffer("uint8_t[]", hash), len(hash), *given
        )
        else slots
    )


def rising(n: int, seed: int) -> Any:
    return np.sort(random_keys(n, seed))


@pytest.mark.parametrize("mph", NAMES)
def test_every_small_size(mph: str) -> None:
    """libcmph by itself finds nothing for some small sets: up to 9 % with bmz of 3 keys, 8 % with
    bdz of 7.
    """
    for n in [*range(1, 41), 100, 127, 128, 129, 256, 300]:
        for seed in range(400 // n + 1):
            built = cmph_build(mph, rising(n, seed))
            assert built.status == lib.POCKET_OK
            assert is_bijection(built.slots, n)


@pytest.mark.parametrize(
    ("mph", "least", "most"),
    [("cmph-bmz", 36.7, 36.9), ("cmph-bdz", 2.74, 2.80), ("cmph-chd", 4.1, 4.4)],
)
def test_bits_a_key(mph: str, least: float, most: float) -> None:
    """bmz: 4.6 bytes a key, as in the system of 2007."""
    built = cmph_build(mph, rising(60_000, 1))

    assert is_bijection(built.slots, 60_000)
    assert least <= 8 * len(built.hash) / 60_000 <= most


@pytest.mark.parametrize("mph", NAMES)
def test_the_packed_bytes_give_the_same_slots(mph: str) -> None:
    keys = rising(5000, 2)
    built = cmph_build(mph, keys)

    found = cmph_slots(MPHS[mph], built.hash, keys)

    assert found is not None
    assert np.array_equal(found, built.slots)


@pytest.mark.parametrize("mph", NAMES)
def test_threads_get_the_same_bytes(mph: str) -> None:
    """rand() belongs to the process: build_part holds a lock."""
    sets = [rising(2000, seed) for seed in range(8)]

    def part(keys: Any) -> bytes:
        starts = np.arange(len(keys) + 1, dtype=np.uint64)
        return build_part(
            mph, keys, starts, starts[:-1].astype(np.uint32), checksum_bits=8, posting_bits=11
        )[0]

    expected = [part(keys) for keys in sets]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(part, sets * 3)) == expected * 3


@pytest.mark.parametrize("mph", NAMES)
def test_a_part(mph: str) -> None:
    keys = rising(700, 3)
    starts = np.append(0, np.cumsum(1 + np.arange(700) % 3)).astype(np.uint64)
    postings = np.arange(starts[-1], dtype=np.uint32)
    data, effort = build_part(mph, keys, starts, postings, checksum_bits=16, posting_bits=11)
    part = Part(Place("-", "tables", 0), data, MPHS[mph], 16, 11)
    slots = cmph_slots(MPHS[mph], data[16 : 16 + int.from_bytes(data[8:12], "little")], keys)

    assert effort == (0, 0, 0)
    assert slots is not None
    lists = list(part.postlists())
    assert [lists[slot] for slot in slots] == [
        list(range(start, end)) for start, end in pairwise(starts)
    ]


@pytest.mark.parametrize("mph", NAMES)
def test_answers_are_those_of_pilot(
    mph: str, collection: Path, pocket: Path, tmp_path: Path
) -> None:
    """The answers depend on profile and documents alone, never on the hash."""
    path = tmp_path / "other.pocket"
    build(
        [str(collection)],
        path,
        Settings(
            profile=str(pocket),
            keys_per_part=40,
            mph=mph,
            url_template="https://example.org/{id}?t={title}",
        ),
    )
    texts = collection.read_text(encoding="utf-8").splitlines()[::17]
    with pocketindex.open(path) as index, pocketindex.open(pocket) as expected:
        index.verify()
        for text in texts:
            for probes in (1, 64):
                assert index.query(text, probes=probes) == expected.query(text, probes=probes)


@pytest.mark.parametrize("mph", NAMES)
def test_keys_that_are_refused(mph: str) -> None:
    assert cmph_build(mph, [1, 1])[:2] == (lib.POCKET_DUPLICATE_KEY, b"")
    assert cmph_build(mph, [2, 1])[:2] == (lib.POCKET_BAD_ARGUMENT, b"")
    assert cmph_build(mph, [])[:2] == (lib.POCKET_BAD_ARGUMENT, b"")


def test_another_hash_is_refused() -> None:
    keys = rising(100, 4)
    hashes = {mph: cmph_build(mph, keys).hash for mph in NAMES}
    for mph, hash in hashes.items():
        for other in (0, 1, 2, 3, 4, 5):
            assert (cmph_slots(other, hash, [1]) is None) == (other != MPHS[mph])


@pytest.mark.parametrize("mph", NAMES)
@pytest.mark.parametrize("n", [1, 9, 300])
def test_other_lengths_are_refused(mph: str, n: int) -> None:
    hash = cmph_build(mph, rising(n, 5)).hash
    for end in range(len(hash)):
        assert cmph_slots(MPHS[mph], hash[:end], [1]) is None
    assert cmph_slots(MPHS[mph], hash + b"\0", [1]) is None


# Fields of the packed hash, as offsets in u32: those that libcmph uses as an index, a divisor or
# the end of a search.
BMZ_FIELDS = {
    "algorithm": 0,
    "kind of the first hash": 1,
    "kind of the second hash": 3,
    "vertices": 5,
}
BDZ_FIELDS = {"algorithm": 0, "kind of hash": 1, "vertices": 3, "ranks": 4}
CHD_FIELDS = {
    "algorithm": 0,
    "length of the ranks": 1,
    "largest free bin": 2,
    "free bins": 3,
    "low bits": 4,
    "length of the selector": 5,
    "ones": 6,
    "zeros": 7,
}
CHD_REST = {
    "length": 0,
    "algorithm": 1,
    "kind of hash": 2,
    "buckets": 5,
    "displacements": 6,
    "low bits": 7,
    "total": 8,
    "selector": 9,
    "ones": 10,
    "zeros": 11,
}
WRONG = [0, 1, 2, 2**16, 2**31, 2**32 - 1]


@pytest.mark.parametrize(
    ("mph", "field", "value"),
    [
        (mph, field, value)
        for mph, fields in zip(NAMES, (BMZ_FIELDS, BDZ_FIELDS, CHD_FIELDS), strict=True)
        for field in fields
        for value in WRONG
    ],
)
def test_fields_that_lead_outside_are_refused(mph: str, field: str, value: int) -> None:
    hash = cmph_build(mph, rising(400, 6)).hash
    at = 4 * {"cmph-bmz": BMZ_FIELDS, "cmph-bdz": BDZ_FIELDS, "cmph-chd": CHD_FIELDS}[mph][field]
    if int.from_bytes(hash[at : at + 4], "little") != value:
        assert (
            cmph_slots(MPHS[mph], hash[:at] + value.to_bytes(4, "little") + hash[at + 4 :], [1])
            is None
        )


@pytest.mark.parametrize("field", CHD_REST)
@pytest.mark.parametrize("value", WRONG)
def test_fields_of_chd_after_the_ranks(field: str, value: int) -> None:
    hash = cmph_build("cmph-chd", rising(400, 6)).hash
    at = 8 + int.from_bytes(hash[4:8], "little") + 4 * CHD_REST[field]
    if int.from_bytes(hash[at : at + 4], "little") != value:
        assert (
            cmph_slots(
                MPHS["cmph-chd"], hash[:at] + value.to_bytes(4, "little") + hash[at + 4 :], [1]
            )
            is None
        )


@pytest.mark.parametrize("step", [0, 2, 6, 8, 11, 255])
def test_the_step_of_the_ranks_of_bdz(step: int) -> None:
    hash = cmph_build("cmph-bdz", rising(400, 6)).hash
    at = 20 + 4 * int.from_bytes(hash[16:20], "little")

    assert hash[at] == 7
    assert cmph_slots(MPHS["cmph-bdz"], hash[:at] + bytes([step]) + hash[at + 1 :], [1]) is None


def test_ones_of_chd_that_are_missing_are_refused() -> None:
    """A search for the i-th one would run on."""
    hash = cmph_build("cmph-chd", rising(400, 7)).hash
    for selector in (24, 8 + int.from_bytes(hash[4:8], "little") + 40):
        bits = selector + 8
        byte = next(at for at in range(bits, bits + 40) if hash[at])
        fewer = hash[byte] & hash[byte] - 1
        assert (
            cmph_slots(MPHS["cmph-chd"], hash[:byte] + bytes([fewer]) + hash[byte + 1 :], [1])
            is None
        )


def test_mutated_hashes_do_not_crash(tmp_path: Path) -> None:
    harness = tmp_path / "mutate_cmph"
    sources = [HARNESSES / "mutate_cmph.c", core_file("cmph_adapter.c"), core_file("cmph_check.c")]
    subprocess.run(
        [
            compiler("cc", "gcc", "clang"),
            "-std=c11",
            "-O1",
            f"-I{CORE}",
            *map(str, sources),
            "-lcmph",
            "-o",
            str(harness),
        ],
        check=True,
    )
    done = subprocess.run([str(harness), "300", "1"], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert 5000 < int(done.stdout.split()[0]) < 55_000, (
        "mutations should leave some hashes that are searched and some that are refused"
    )


def test_without_libcmph_the_builder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pocketindex.cbits._cmph", None)
    monkeypatch.delattr("pocketindex.cbits._cmph", raising=False)
    one = np.ones(1, np.uint64)
    with pytest.raises(PocketError) as error:
        build_part(
            "cmph-bmz",
            one,
            np.array([0, 1], np.uint64),
            np.zeros(1, np.uint32),
            checksum_bits=8,
            posting_bits=8,
        )

    expected = (
        "mph cmph-bmz needs libcmph: apt-get install libcmph-dev, and install pocketindex from "
        "its sources with POCKETINDEX_CMPH=1, or use mph pilot"
    )
    assert str(error.value) == expected


def test_without_libcmph_the_reader_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, collection: Path, tmp_path: Path
) -> None:
    path = tmp_path / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", mph="cmph-bdz"))
    monkeypatch.setitem(sys.modules, "pocketindex.cbits._cmph", None)
    monkeypatch.delattr("pocketindex.cbits._cmph", raising=False)
    with pytest.raises(NeedsCmph) as error:
        pocketindex.open(path)

    assert str(error.value) == (
        f"{path}: its perfect hash cmph-bdz needs libcmph; apt-get install libcmph-dev, and "
        "install pocketindex from its sources with POCKETINDEX_CMPH=1"
    )
