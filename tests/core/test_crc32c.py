"""CRC32C: published vectors, and the processor's instruction against the tables against the
definition.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from compiled import compile_c, core_file
from hypothesis import given
from hypothesis import strategies as st

Crc = Callable[[int, bytes, int], int]

# RFC 3720, B.4, and the check value of the catalogue of CRC algorithms.
VECTORS = [
    (b"", 0),
    (b"123456789", 0xE3069283),
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(reversed(range(32))), 0x113FDB5C),
    (
        bytes.fromhex(
            "01c000000000000000000000000000001400000000000400000000140000001828000000000000000200000000000000"
        ),
        0xD9963A56,
    ),
]
SAMPLE = hashlib.shake_128(b"sample").digest(70_000)


def load(folder: Path, name: str, *flags: str) -> Crc:
    crc: Crc = ctypes.CDLL(
        str(compile_c(folder / name, [core_file("crc32c.c")], "-shared", "-fPIC", *flags))
    ).crc32c
    crc.argtypes, crc.restype = (ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t), ctypes.c_uint32  # type: ignore[attr-defined]
    return crc


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> Crc:
    return load(tmp_path_factory.mktemp("crc"), "default.so")


@pytest.fixture(scope="module")
def portable(tmp_path_factory: pytest.TempPathFactory) -> Crc:
    return load(tmp_path_factory.mktemp("crc"), "portable.so", "-DPOCKET_PORTABLE")


def defined(crc: int, data: bytes) -> int:
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@pytest.mark.parametrize(("data", "expected"), VECTORS)
def test_published_vectors(default: Crc, portable: Crc, data: bytes, expected: int) -> None:
    assert [default(0, data, len(data)), portable(0, data, len(data)), defined(0, data)] == [
        expected
    ] * 3


def test_every_byte_value_at_every_place_of_a_word(default: Crc, portable: Crc) -> None:
    for place in range(9):
        for value in range(256):
            data = bytes(place) + bytes([value]) + bytes(8 - place)
            assert default(0, data, 9) == portable(0, data, 9) == defined(0, data)


@pytest.mark.parametrize("length", [3071, 3072, 3073, 3080, 6143, 6144, 9300, 65536, len(SAMPLE)])
def test_lengths_about_the_three_lanes(default: Crc, portable: Crc, length: int) -> None:
    assert length <= len(SAMPLE)
    assert default(7, SAMPLE, length) == portable(7, SAMPLE, length)
    if length < 10_000:
        assert portable(7, SAMPLE, length) == defined(7, SAMPLE[:length])


@given(st.binary(max_size=200), st.integers(0, 0xFFFFFFFF))
def test_both_ways_follow_the_definition(
    default: Crc, portable: Crc, data: bytes, start: int
) -> None:
    assert (
        default(start, data, len(data)) == portable(start, data, len(data)) == defined(start, data)
    )


@given(st.integers(0, 9000), st.integers(0, 9000), st.integers(0, 15))
def test_a_result_continues_at_any_byte(
    default: Crc, portable: Crc, first: int, second: int, skip: int
) -> None:
    data = SAMPLE[skip : skip + first + second]
    whole = default(0, data, len(data))
    assert default(default(0, data, first), data[first:], second) == whole
    assert portable(portable(0, data, first), data[first:], second) == whole
