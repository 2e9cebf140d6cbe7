"""What the tests' own writer (plain_writer.py) makes a file of: documents, a profile, settings; and
the layout of sections, blocks and numbers (docs/format.md, section 1).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import mmh3
from word_blocks import WordSettings

PILOT, BMZ, QUOTIENT = 1, 2, 5


@dataclass(frozen=True)
class Text:
    id: str
    text: str
    title: str = ""
    url: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class FF:
    """An `ff` profile.

    components: (source, borders), the borders in units of 1/65536; tables: (first component, number
    of them), and as many such pairs more as a sub-key has rows; marks: whether terms have them.
    """

    name: str = "test"
    stops: tuple[str, ...] = ("the", "of", "and")
    stop_slots: int = 4
    least_terms: int = 1
    prefix: int = 1
    expectation: tuple[int, ...] = (2**30, 2**30, 2**31)
    bins: tuple[int, ...] = tuple(i * 7 % 3 for i in range(256))
    components: tuple[tuple[int, tuple[int, ...]], ...] = (
        (0, (0,)),
        (1, (-20_000, 30_000)),
        (2, (-30_000, -5_000, 20_000)),
        (2, (1_000,)),
        (1, (-65_536, 0, 30_000, 65_536)),
    )
    tables: tuple[tuple[int, ...], ...] = ((0, 3), (2, 3))
    marks: bool = False

    def members(self, table: int) -> list[int]:
        """The components of a sub-key."""
        rows = self.tables[table]
        return [
            j
            for first, count in zip(rows[::2], rows[1::2], strict=True)
            for j in range(first, first + count)
        ]

    def intervals(self, table: int) -> list[int]:
        return [len(self.components[j][1]) + 1 for j in self.members(table)]


@dataclass(frozen=True)
class Settings:
    """How a file is laid out.

    part_keys: the most keys of a part; mph above 1 gets bytes and slots that no hash made; content:
    bytes of a block of documents, above which the next begins; symbols: of documents; keep: text,
    snippet; titles: entries of a block of the titles section, 0 for none; passages: terms of a
    shingle, shingles of a window, the most documents of a shingle; key_range, rest_bits: of their
    keys;
    words: how words are collected and laid out
    (word_blocks.py); labels: of a block of labels, and documents of a block; copies: documents of
    a block of copy keys.
    """

    mph: int = PILOT
    checksum_bits: int = 16
    part_keys: int = 60
    identity_bits: int = 32
    posting_bits: int = 7
    key_range: int = 4096
    rest_bits: int = 8
    default_probes: int = 4
    per_block: int = 3
    content: int = 60
    template: str = ""
    symbols: tuple[bytes, ...] = (b"doc-", b"\xfe", b"a", b"e")
    keep: str = ""
    characters: int = 0
    room: int = 64
    titles: int = 0
    passages: tuple[int, int, int] | None = None
    words: WordSettings | None = None
    labels: tuple[int, int] | None = None
    copies: int = 2


@dataclass(frozen=True)
class Section:
    kind: int
    parameters: bytes
    blocks: tuple[tuple[int, bytes], ...] = ()
    flags: int = 1
    changes: dict[str, int] = field(default_factory=dict)
    """Fields to write instead: offset, length, parameters, blocks, checksum, reserved."""


def murmur(data: bytes) -> int:
    return mmh3.hash64(data, 0, signed=False)[0]


def mix(x: int) -> int:
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & 2**64 - 1
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & 2**64 - 1
    return x ^ x >> 32


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def pack(values: Iterable[tuple[int, int]]) -> bytes:
    """(value, width) from the least significant bit of the first byte upward."""
    total = shift = 0
    for value, width in values:
        assert value < 1 << width
        total |= value << shift
        shift += width
    return total.to_bytes((shift + 7) // 8, "little")


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def content(data: bytes) -> bytes:
    deflate = zlib.compressobj(9, wbits=-15)
    return struct.pack("<I", len(data)) + deflate.compress(data) + deflate.flush()


def assemble(
    sections: Sequence[Section], major: int = 1, minor: int = 0, reserved: int = 0
) -> bytes:
    start = 32 + 40 * len(sections)
    table, body = b"", b""
    for section in sections:
        directory, end = b"", 0
        for first, block in section.blocks:
            end += len(block)
            directory += struct.pack("<QQI", first, end, crc32c(block))
        head = section.parameters + directory
        content = head + b"".join(block for _, block in section.blocks)
        body = pad(body)
        values = {
            "offset": start + len(body),
            "length": len(content),
            "parameters": len(section.parameters),
            "blocks": len(section.blocks),
            "checksum": crc32c(head),
            "reserved": 0,
        } | section.changes
        table += struct.pack("<IIQQIIII", section.kind, section.flags, *values.values())
        body += content
    size = start + len(body)
    header = b"\x89PCKT\r\n\x1a" + struct.pack(
        "<HHIQI", major, minor, len(sections), size, reserved
    )
    return header + struct.pack("<I", crc32c(header + table)) + table + body
