"""The hash `pilot` (docs/format.md 3.2): a bijection, small, quick to find, and a function of the
set of keys alone.
"""

from __future__ import annotations

import shutil
import subprocess
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from compiled import CORE, HARNESSES, core_file
from hypothesis import given
from hypothesis import strategies as st
from pilot_hash import Built, Keys, build, is_bijection, random_keys, slots
from plain.place import Place
from plain.tables import Pilot
from pocketindex.cbits import lib

MULTIPLIER = 0xD6E8FEB86659FD93


def built(keys: Keys, tenths: int = 0) -> Built:
    """A hash that must exist; its slots are checked."""
    result = build(keys, tenths)
    assert result.status == lib.POCKET_OK
    status, found = slots(result.hash, len(keys), keys)
    assert status == lib.POCKET_OK
    assert is_bijection(found, len(keys))
    return result


def unmix(x: int) -> int:
    """The key whose mixed value is x: what a hostile author would compute."""
    inverse = pow(MULTIPLIER, -1, 2**64)
    x ^= x >> 32
    x = x * inverse % 2**64
    x ^= x >> 32
    x = x * inverse % 2**64
    return x ^ x >> 32


def test_every_small_size() -> None:
    for n in range(1, 301):
        built(random_keys(n, 1))


@pytest.mark.parametrize("n", [1000, 1999, 2000, 9999, 60_000, 65_535])
def test_large_sizes(n: int) -> None:
    built(random_keys(n, 2))


@pytest.mark.parametrize("n", [1, 2, 7, 60, 100, 333, 1000])
def test_small_sizes_succeed_for_every_set_and_stay_small(n: int) -> None:
    most = 0
    for seed in range(3000 // n + 20):
        most = max(most, len(built(random_keys(n, seed)).hash))

    # Head, remap, one pilot for 3.6 keys, and the buckets that reseeds may add.
    assert most <= 8 + 2 * max(1, n // 99) + 1.3 * (n / 3.6) + 3


@pytest.mark.parametrize("n", [1, 2, 50, 197, 198, 500, 20_000])
def test_slots_are_those_of_the_plain_reader(n: int) -> None:
    keys = random_keys(n, 3)
    hash = built(keys).hash
    strangers = random_keys(500, 4)
    asked = np.append(keys[:500], strangers)
    plain = Pilot(Place("-", "tables", 0), hash, n)

    assert [plain.slot(int(key)) for key in asked] == list(slots(hash, n, asked)[1])


@pytest.mark.parametrize(
    "keys",
    [[0], [2**64 - 1], range(65_535), range(0, 65_535 << 48, 1 << 48), range(2**63, 2**63 + 9)],
)
def test_keys_that_are_near_each_other(keys: range | list[int]) -> None:
    built(np.array(keys, np.uint64))


@pytest.mark.parametrize("n", [2, 10, 150, 3000, 65_535])
def test_the_order_of_the_keys_does_not_matter(n: int) -> None:
    keys = np.sort(random_keys(n, 5))
    expected = build(keys).hash

    assert build(keys[::-1]).hash == expected
    assert build(np.random.default_rng(6).permutation(keys)).hash == expected


@pytest.mark.parametrize(
    ("n", "size", "checksum"),
    [
        (1, 11, 0x0CF8058A),
        (10, 13, 0xE123CBA1),
        (100, 38, 0x10D16C19),
        (1_000, 306, 0x0487BC5E),
        (60_000, 17_887, 0x1EE93167),
    ],
)
def test_the_bytes_stay_the_same(n: int, size: int, checksum: int) -> None:
    keys = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x123456789ABC)
    hash = built(keys).hash

    assert (len(hash), f"{zlib.crc32(hash):08x}") == (size, f"{checksum:08x}")


def test_evictions_and_size_of_a_full_part() -> None:
    results = [built(random_keys(60_000, seed), 36) for seed in range(4)]
    evictions, buckets = sum(r.evictions for r in results), sum(r.buckets for r in results)

    assert evictions / buckets < 0.06
    assert sum(r.reseeds for r in results) == 0
    assert all(8 * len(r.hash) / 60_000 <= 2.4 for r in results)


@pytest.mark.parametrize("tenths", [25, 30, 36, 40, 42, 45])
@pytest.mark.parametrize("n", [40, 1500, 20_000])
def test_keys_a_bucket(n: int, tenths: int) -> None:
    result = built(random_keys(n, 7), tenths)

    # More buckets than asked for only where that many keys a bucket is too much to ask.
    assert result.buckets >= n * 10 / tenths
    assert result.buckets <= (n * 10 / tenths) * (1.15 if n > 1000 else 1.6) + 2


def test_by_default_there_are_36_tenths() -> None:
    keys = random_keys(5000, 8)

    assert build(keys, 0) == build(keys, 36)


@pytest.mark.parametrize("keys", [[5, 5], [1, 2, 3, 1], [7] * 65_535])
def test_a_key_twice(keys: list[int]) -> None:
    assert build(keys)[:2] == (lib.POCKET_DUPLICATE_KEY, b"")


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=400), st.integers(25, 45))
def test_any_keys(keys: list[int], tenths: int) -> None:
    if len(set(keys)) < len(keys):
        assert build(keys, tenths).status == lib.POCKET_DUPLICATE_KEY
    else:
        built(np.array(keys, np.uint64), tenths)


@pytest.mark.parametrize(("n", "tenths"), [(0, 36), (65_536, 36), (9, 9), (9, 51)])
def test_arguments_out_of_range(n: int, tenths: int) -> None:
    assert build(np.arange(n, dtype=np.uint64), tenths).status == lib.POCKET_BAD_ARGUMENT


@pytest.mark.parametrize(
    "mixed",
    [
        range(65_535),  # all in the first bucket
        range(40),
        [
            (i // 250 * 16_270_000 << 32) + i * 0x9E3779B97F4A7C15 % 2**32 for i in range(65_535)
        ],  # a few buckets just not too large
        [(i // 2 << 49) + i % 2 for i in range(20_000)],
    ],
)
def test_hostile_keys_fail_or_not_but_soon(mixed: list[int] | range) -> None:
    keys, start = [unmix(x) for x in mixed], time.process_time()
    result = build(keys)

    assert time.process_time() - start < 20
    assert result.status in (lib.POCKET_OK, lib.POCKET_HASH_FAILED)
    assert (result.status == lib.POCKET_OK) == (result.hash != b"")


def test_too_many_keys_in_a_bucket_fail() -> None:
    assert build([unmix(x) for x in range(1000)])[:2] == (lib.POCKET_HASH_FAILED, b"")


def test_bytes_that_cannot_be_a_hash_are_refused() -> None:
    n = 500
    hash = built(random_keys(n, 9)).hash
    bad = [hash[:end] for end in range(len(hash))] + [hash + b"\0"]
    for at, value in [(0, hash[0] ^ 1), (1, hash[1] ^ 1), (3, 1), (5, 0), (5, 17), (6, 4), (7, 1)]:
        bad.append(hash[:at] + bytes([value]) + hash[at + 1 :])

    for data in bad:
        assert slots(data, n, [1])[0] == lib.POCKET_DAMAGED_FIELD
    for keys in (0, 594, 495 - 1, 65_536):
        assert slots(hash, keys, [1])[0] == lib.POCKET_DAMAGED_FIELD


def test_a_damaged_remap_stays_below_n() -> None:
    n = 1000
    keys = random_keys(n, 10)
    hash = built(keys).hash
    damaged = hash[:-20] + b"\xff" * 20
    status, found = slots(damaged, n, keys)

    assert status == lib.POCKET_OK
    assert found.max() < n
    assert not is_bijection(found, n)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compile", "run"),
    [
        (["cc"], []),
        (["i686-linux-gnu-gcc", "-static"], []),
        (["s390x-linux-gnu-gcc", "-static"], ["qemu-s390x"]),
    ],
)
def test_other_machines_write_the_same_bytes(
    compile: list[str], run: list[str], tmp_path: Path
) -> None:
    """32 bits, and big-endian."""
    for command in (*compile[:1], *run):
        if shutil.which(command) is None:
            pytest.skip(f"needs {command}")
    program = str(tmp_path / "pilot_bytes")
    sources = [
        HARNESSES / "pilot_bytes.c",
        *(
            core_file(name)
            for name in ("pilot.c", "pilot_build.c", "quotient.c", "part.c", "part_build.c")
        ),
    ]
    subprocess.run(
        [*compile, "-std=c11", "-O2", f"-I{CORE}", *map(str, sources), "-o", program], check=True
    )

    assert (
        subprocess.run([*run, program], capture_output=True, text=True).stdout
        == "9e92fd46fe8d5e7f 2348fe7678d4232e\n"
    )
