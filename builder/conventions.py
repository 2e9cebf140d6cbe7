"""What docs/format.md uses everywhere: padding, the checksum and the hash."""

from __future__ import annotations

from pocketindex.cbits import ffi, lib


def pad8(data: bytes) -> bytes:
    """Return data, zeros appended to a multiple of 8 bytes."""
    return data + bytes(-len(data) % 8)


def crc32c(data: bytes | bytearray | memoryview, before: int = 0) -> int:
    """Return the CRC32C of data; before: the checksum of what precedes it."""
    return int(lib.pocket_crc32c(before, ffi.from_buffer("uint8_t[]", data), len(data)))


def murmur(data: bytes) -> int:
    """Return the first 64 bits of MurmurHash3_x64_128 with seed 0."""
    return int(lib.pocket_murmur(data, len(data)))
