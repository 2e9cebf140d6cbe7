"""Parts (docs/format.md 3.1): what goes in comes out by the plain reader and by the core, and no
bytes lead anywhere else.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import CORE, HARNESSES, compile_c, compiler, core_file
from hypothesis import given
from hypothesis import strategies as st
from pilot_hash import random_keys
from plain.conventions import mix
from plain.place import Place
from plain.tables import Part
from pocketindex import PocketError
from pocketindex.builder.write.perfect_hash import Effort, build_part

SOURCES = [
    core_file(name)
    for name in (
        "file/keys/pilot.c",
        "build/pilot_build.c",
        "file/keys/quotient.c",
        "file/keys/part.c",
        "build/part_build.c",
    )
]
Lists = dict[int, list[int]]


class CPart(ctypes.Structure):
    """struct part of cbits/part.h."""

    _fields_ = [
        *[
            (name, ctypes.c_void_p)
            for name in ("hash", "checksums", "samples", "lasts", "postings")
        ],
        *[
            (name, ctypes.c_uint32)
            for name in ("keys", "count", "hash_length", "checksum_bits", "posting_bits")
        ],
        *[(name, ctypes.c_void_p) for name in ("pilots", "remap")],
        *[(name, ctypes.c_uint32) for name in ("pilot_keys", "places", "buckets", "seed", "skew")],
        ("quotient", ctypes.c_uint64 * 6),
    ]


class Core:
    """The reading side in C. It has no public functions, so it is compiled by itself here."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        library.part_open.restype = ctypes.c_char_p
        library.part_open.argtypes = (
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_uint64,
            *[ctypes.c_uint32] * 3,
        )
        library.part_agrees.argtypes = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64)
        library.part_posting.restype = library.part_postlist.restype = ctypes.c_uint32

    def wrong_field(
        self, data: bytes, checksum_bits: int, posting_bits: int, mph: int = 1
    ) -> str | None:
        found = self.library.part_open(
            ctypes.byref(CPart()), data, len(data), mph, checksum_bits, posting_bits
        )
        return found.decode() if found else None

    def postlist(
        self, data: bytes, key: int, checksum_bits: int, posting_bits: int
    ) -> list[int] | None:
        """None when the checksum does not agree."""
        p = CPart()
        assert (
            self.library.part_open(ctypes.byref(p), data, len(data), 1, checksum_bits, posting_bits)
            is None
        )
        hash = ctypes.byref(p, CPart.pilots.offset)
        mixed = ctypes.c_uint64(mix(key))
        slot = ctypes.c_uint32()
        self.library.pilot_slots(hash, ctypes.byref(mixed), ctypes.c_size_t(1), ctypes.byref(slot))
        return (
            self.slot(p, slot.value)
            if self.library.part_agrees(ctypes.byref(p), slot, mixed)
            else None
        )

    def slot(self, p: CPart, slot: int) -> list[int]:
        start = ctypes.c_uint32()
        count = self.library.part_postlist(ctypes.byref(p), slot, ctypes.byref(start))
        return [
            self.library.part_posting(ctypes.byref(p), i)
            for i in range(start.value, start.value + count)
        ]

    def all_slots(self, data: bytes, checksum_bits: int, posting_bits: int) -> list[list[int]]:
        p = CPart()
        assert (
            self.library.part_open(ctypes.byref(p), data, len(data), 1, checksum_bits, posting_bits)
            is None
        )
        return [self.slot(p, slot) for slot in range(p.keys)]


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Core:
    path = compile_c(tmp_path_factory.mktemp("part") / "part.so", SOURCES, "-shared", "-fPIC")
    return Core(ctypes.CDLL(str(path)))


def flat(lists: Lists) -> tuple[Any, Any, Any]:
    keys = sorted(lists)
    starts = np.cumsum([0] + [len(lists[key]) for key in keys]).astype(np.uint64)
    return (
        np.array(keys, np.uint64),
        starts,
        np.array([posting for key in keys for posting in lists[key]], np.uint32),
    )


def make(lists: Lists, checksum_bits: int = 16, posting_bits: int = 20) -> bytes:
    return build_part(
        "pilot", *flat(lists), checksum_bits=checksum_bits, posting_bits=posting_bits
    )[0]


def random_lists(n: int, longest: int, bits: int, seed: int) -> Lists:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, longest, n, endpoint=True)
    return {
        int(key): np.unique(rng.integers(0, 2**bits, count, dtype=np.uint64)).tolist()
        for key, count in zip(random_keys(n, seed), counts, strict=True)
    }


def plain_lists(data: bytes, checksum_bits: int, posting_bits: int, keys: Sequence[int]) -> Lists:
    """By the plain reader: the postlist of every key, its checksum compared."""
    part = Part(Place("-", "tables", 0), data, 1, checksum_bits, posting_bits)
    slots = {key: part.slot(key, lambda posting: posting) for key in keys}
    assert all(
        slot is not None and part.checksum(slot) == mix(key) % 2**checksum_bits
        for key, slot in slots.items()
    )
    lists = list(part.postlists())
    return {key: lists[slot] for key, slot in slots.items() if slot is not None}


def check(core: Core, lists: Lists, checksum_bits: int, posting_bits: int) -> None:
    data = make(lists, checksum_bits, posting_bits)

    assert plain_lists(data, checksum_bits, posting_bits, list(lists)) == lists
    assert {key: core.postlist(data, key, checksum_bits, posting_bits) for key in lists} == lists


@pytest.mark.parametrize("checksum_bits", [0, 8, 16, 32])
@pytest.mark.parametrize("posting_bits", range(1, 33))
def test_all_widths(core: Core, checksum_bits: int, posting_bits: int) -> None:
    check(core, random_lists(70, 5, posting_bits, posting_bits), checksum_bits, posting_bits)
    check(core, random_lists(65, 1, posting_bits, checksum_bits), checksum_bits, posting_bits)


@given(
    lists=st.dictionaries(
        st.integers(0, 2**64 - 1),
        st.sets(st.integers(0, 2**12 - 1), min_size=1, max_size=40),
        min_size=1,
        max_size=200,
    ),
    checksum_bits=st.sampled_from([0, 8, 16, 32]),
    posting_bits=st.integers(12, 32),
)
def test_any_postlists(
    core: Core, lists: dict[int, set[int]], checksum_bits: int, posting_bits: int
) -> None:
    check(
        core,
        {key: sorted(postings) for key, postings in lists.items()},
        checksum_bits,
        posting_bits,
    )


@pytest.mark.parametrize("n", [1, 63, 64, 65, 128, 129, 1000])
@pytest.mark.parametrize("long", [1, 2, 63, 64, 65, 5000])
def test_long_postlists(core: Core, n: int, long: int) -> None:
    """A list that is longer than several words of last bits, beside short ones."""
    keys = [int(key) for key in random_keys(n, 11)]
    lists = {key: [i % 7] for i, key in enumerate(keys)} | {
        keys[n // 2]: list(range(long)),
        keys[-1]: list(range(3, 3 + long)),
    }
    check(core, lists, 16, 20)


def test_a_full_part(core: Core) -> None:
    lists = random_lists(65_535, 2, 30, 12)
    data = make(lists, 16, 30)
    asked = list(lists)[::500]

    assert [core.postlist(data, key, 16, 30) for key in asked] == [lists[key] for key in asked]
    assert sorted(core.all_slots(data, 16, 30)) == sorted(lists.values())


@pytest.mark.parametrize(
    ("bits", "least", "most"), [(0, 2000, 2000), (8, 2, 20), (16, 0, 2), (32, 0, 0)]
)
def test_strangers_agree_as_often_as_the_checksum_lets_them(
    core: Core, bits: int, least: int, most: int
) -> None:
    data = make(random_lists(3000, 2, 20, 13), bits)
    agreed = sum(
        core.postlist(data, int(key), bits, 20) is not None for key in random_keys(2000, 14)
    )

    assert least <= agreed <= most


def test_the_bytes_stay_the_same() -> None:
    keys = np.arange(1, 201, dtype=np.uint64) * np.uint64(0x123456789ABC)
    counts = np.arange(200) % 3 + 1
    starts = np.append(0, np.cumsum(counts)).astype(np.uint64)
    part, effort = build_part(
        "pilot",
        keys,
        starts,
        np.arange(starts[-1], dtype=np.uint32),
        checksum_bits=16,
        posting_bits=9,
    )

    assert (len(part), f"{zlib.crc32(part):08x}") == (999, "6186312a")
    assert effort == Effort(buckets=56, evictions=0, reseeds=0)


def test_starts_may_point_into_a_longer_array() -> None:
    keys, starts, postings = flat(random_lists(50, 4, 20, 15))
    low, high = 10, 30
    slice_of_all = build_part(
        "pilot", keys[low:high], starts[low : high + 1], postings, checksum_bits=16, posting_bits=20
    )
    begin, end = int(starts[low]), int(starts[high])

    alone = build_part(
        "pilot",
        keys[low:high],
        starts[low : high + 1] - starts[low],
        postings[begin:end],
        checksum_bits=16,
        posting_bits=20,
    )
    assert slice_of_all == alone


def test_a_part_of_single_postings_has_no_last_bits() -> None:
    lists = random_lists(640, 1, 20, 16)
    one_more = lists | {next(iter(lists)): [1, 2]}

    assert (
        len(make(one_more)) - len(make(lists))
        == 4 * 640 // 64 + (641 + 7) // 8 + (641 * 20 + 7) // 8 - 640 * 20 // 8
    )


ARGUMENTS = (
    "a part of 2 keys: expected rising keys, none without postings, rising postings within "
    "their bits (1 to 32) and 0, 8, 16 or 32"
)


@pytest.mark.parametrize(
    ("keys", "starts", "postings", "checksum_bits", "posting_bits", "message"),
    [
        (
            [4, 4],
            [0, 1, 2],
            [1, 2],
            16,
            8,
            (
                "a key occurs twice among the 2 of a part; expected distinct keys, each with all "
                "its "
                "postings"
            ),
        ),
        ([5, 4], [0, 1, 2], [1, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 0, 2], [1, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 2, 2], [1, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 10**9, 2], [1, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 1, 3], [1, 2, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 1, 3], [1, 3, 2], 16, 8, ARGUMENTS),
        ([4, 5], [0, 1, 2], [1, 256], 16, 8, ARGUMENTS),
        ([4, 5], [0, 1, 2], [1, 2], 15, 8, ARGUMENTS),
        ([4, 5], [0, 1, 2], [1, 2], 24, 8, ARGUMENTS),
        ([4, 5], [0, 1, 2], [1, 2], 16, 0, ARGUMENTS),
        ([4, 5], [0, 1, 2], [1, 2], 16, 33, ARGUMENTS),
        (
            [4, 5],
            [0, 1, 3],
            [1, 2],
            16,
            8,
            (
                "a part: expected 1 to 65535 keys, one more start and all postings, found 2 keys, "
                "3 "
                "starts and 2 postings"
            ),
        ),
        ([4, 5], [0, 1], [1, 2], 16, 8, "found 2 keys, 2 starts and 2 postings"),
        (
            [],
            [0],
            [],
            16,
            8,
            "expected 1 to 65535 keys, one more start and all postings, found 0 keys",
        ),
        (
            range(65_536),
            range(65_537),
            range(65_536),
            16,
            20,
            "expected 1 to 65535 keys, one more start and all postings, found 65536 keys",
        ),
    ],
)
def test_arguments_that_are_refused(
    keys: list[int],
    starts: list[int],
    postings: list[int],
    checksum_bits: int,
    posting_bits: int,
    message: str,
) -> None:
    arrays = np.array(keys, np.uint64), np.array(starts, np.uint64), np.array(postings, np.uint32)
    with pytest.raises(ValueError, match=re.escape(message)):
        build_part("pilot", *arrays, checksum_bits=checksum_bits, posting_bits=posting_bits)


def test_an_unknown_hash_is_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"^mph: expected one of pilot, cmph-bmz, cmph-bdz, cmph-chd, quotient, found 'fast'$",
    ):
        build_part("fast", *flat({1: [1]}), checksum_bits=8, posting_bits=8)


def test_hostile_keys_end_in_an_error_that_says_what_to_do() -> None:
    inverse = pow(0xD6E8FEB86659FD93, -1, 2**64)

    def unmix(x: int) -> int:
        x = (x ^ x >> 32) * inverse % 2**64
        x = (x ^ x >> 32) * inverse % 2**64
        return x ^ x >> 32

    with pytest.raises(PocketError) as error:
        make({unmix(i): [1] for i in range(1000)})

    expected = (
        "mph pilot found no perfect hash for the 1000 keys of a part; use fewer keys a part "
        "or another mph"
    )
    assert str(error.value) == expected


# Reading bytes that are not a part.

LISTS = random_lists(130, 4, 11, 17)


def test_every_shorter_or_longer_part_is_refused(core: Core) -> None:
    data = make(LISTS, 16, 11)

    assert core.wrong_field(data, 16, 11) is None
    for end in range(len(data)):
        assert core.wrong_field(data[:end], 16, 11) is not None
    assert core.wrong_field(data + b"\0", 16, 11) == "length of the part"
    assert core.wrong_field(data[:15], 16, 11) == "length of the part"


def patched(offset: int, value: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data[:offset] + value + data[offset + len(value) :]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (patched(0, bytes(4)), "keys of the part"),
        (patched(0, b"\0\0\1\0"), "keys of the part"),
        (patched(4, bytes(4)), "postings of the part"),
        (patched(4, b"\0\0\0\x80"), "postings of the part"),
        (patched(8, b"\xff\xff\xff\xff"), "length of the hash"),
        (patched(8, b"\0"), "hash of the part"),
        (patched(12, b"\1"), "reserved field of the part"),
        (patched(16 + 5, b"\0"), "hash of the part"),
        (patched(4, b"\xff\xff\xff\x7f"), "length of the part"),
        (lambda data: data[:-1] + bytes([data[-1] | 0x80]), "padding of the part"),
    ],
)
def test_fields_that_are_refused(core: Core, change: Callable[[bytes], bytes], field: str) -> None:
    data = make(LISTS, 16, 11)
    count = int.from_bytes(data[4:8], "little")
    assert count * 11 % 8 != 0, "the sample needs padding after its postings"

    assert core.wrong_field(change(data), 16, 11) == field


def test_padding_of_the_last_bits_is_checked(core: Core) -> None:
    data = make({1: [1], 2: [1, 2]}, 0, 8)

    assert (
        core.wrong_field(patched(len(data) - 4, bytes([data[-4] | 0x08]))(data), 0, 8)
        == "padding of the part"
    )


@pytest.mark.parametrize(
    ("checksum_bits", "posting_bits", "field"),
    [
        (4, 8, "checksum bits"),
        (40, 8, "checksum bits"),
        (8, 0, "posting bits"),
        (8, 33, "posting bits"),
    ],
)
def test_widths_that_are_refused(
    core: Core, checksum_bits: int, posting_bits: int, field: str
) -> None:
    assert core.wrong_field(make({1: [1]}, 8, 8), checksum_bits, posting_bits) == field


def test_samples_and_last_bits_that_contradict_each_other_give_nothing(core: Core) -> None:
    lists = random_lists(200, 4, 20, 18)
    data = make(lists, 0, 20)
    count, hash_length = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8))
    samples = 16 + hash_length
    lasts = samples + 4 * 4
    good = core.all_slots(data, 0, 20)

    no_ends = patched(lasts, bytes((count + 7) // 8))(data)
    assert core.all_slots(no_ends, 0, 20) == [[]] * 200

    far = patched(samples + 4, (2**32 - 1).to_bytes(4, "little"))(data)
    assert core.all_slots(far, 0, 20) == [*[[]] * 128, *good[128:]]

    backwards = patched(samples + 8, bytes(4))(data)
    found = core.all_slots(backwards, 0, 20)
    assert found[:64] == good[:64]
    assert found[64:128] == [[]] * 64
    assert all(len(postings) <= count for postings in found)


@given(st.data())
def test_changed_bytes_never_lead_outside(core: Core, data: st.DataObject) -> None:
    part = bytearray(make(LISTS, 8, 11))
    for _ in range(data.draw(st.integers(1, 4))):
        part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    if core.wrong_field(bytes(part), 8, 11) is None:
        count = int.from_bytes(part[4:8], "little")
        for postings in core.all_slots(bytes(part), 8, 11):
            assert len(postings) <= count


def test_no_step_outside_under_the_sanitizers(tmp_path: Path) -> None:
    command = [
        compiler("clang"),
        "-std=c11",
        "-g",
        "-O1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover",
        f"-I{CORE}",
    ]
    harness = tmp_path / "mutate_part"
    subprocess.run(
        [*command, str(HARNESSES / "mutate_part.c"), *map(str, SOURCES), "-o", str(harness)],
        check=True,
    )
    done = subprocess.run([str(harness), "20000", "1"], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert 2000 < int(done.stdout.split()[0]) < 18_000, (
        "mutations should leave some parts that open and some that do not"
    )
