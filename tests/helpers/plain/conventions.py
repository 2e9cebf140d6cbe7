"""The conventions of docs/format.md: integers, bit fields, hashes and the checksum."""

from __future__ import annotations

import mmap

import mmh3

Bytes = bytes | mmap.mmap


def u16(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def u32(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def u64(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def bits(data: bytes, at: int, width: int) -> int:
    """Return width bits from bit position at on."""
    return (
        int.from_bytes(data[at // 8 : (at + width + 7) // 8], "little") >> at % 8 & (1 << width) - 1
    )


def padded(size: int) -> int:
    return (size + 7) // 8 * 8


def murmur(data: bytes) -> int:
    return mmh3.hash64(data, 0, signed=False)[0]


def mix(x: int) -> int:
    for _ in range(2):
        x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 % 2**64
    return x ^ x >> 32


def _crc_step(crc: int) -> int:
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc


_CRC = [_crc_step(byte) for byte in range(256)]


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[crc & 255 ^ byte]
    return crc ^ 0xFFFFFFFF
