"""Zip archives written by hand, with what no usual writer puts into them."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass


@dataclass
class Entry:
    """A file of an archive: its name as bytes, and its content; the content that is stored if it is
    another (packed), and what its heads say.
    """

    name: bytes
    content: bytes
    packed: bytes | None = None
    method: int = 0
    flags: int = 0
    extra: bytes = b""
    local_name: bytes | None = None
    made_by: int = 20
    attributes: int = 0
    descriptor: bool = False
    crc: int | None = None


def extra(kind: int, value: bytes) -> bytes:
    return struct.pack("<2H", kind, len(value)) + value


def unicode_path(raw: bytes, name: str) -> bytes:
    return extra(0x7075, struct.pack("<BL", 1, zlib.crc32(raw)) + name.encode())


def made_zip(
    *entries: Entry,
    before: bytes = b"",
    comment: bytes = b"",
    large: bool = False,
    count: int | None = None,
    gap: bytes = b"",
) -> bytes:
    """Return an archive.

    before: bytes that its places do not count; large: sizes and places in 64 bits; count: what the
    end says of the files; gap: between the directory and its end.
    """
    files, directory = bytearray(), bytearray()
    for entry in entries:
        packed = entry.content if entry.packed is None else entry.packed
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        flags = entry.flags | (8 if entry.descriptor else 0)
        sizes = (crc, len(packed), len(entry.content))
        said = (0, 0, 0) if entry.descriptor else sizes
        local = entry.name if entry.local_name is None else entry.local_name
        place = len(files)
        files += struct.pack(
            "<4s5H3L2H", b"PK\3\4", 20, flags, entry.method, 0, 0, *said, len(local), 0
        )
        files += local + packed
        if entry.descriptor:
            files += b"PK\7\x08" + struct.pack("<3L", *sizes)
        more = entry.extra
        if large:
            more += extra(1, struct.pack("<3Q", len(entry.content), len(packed), place))
            sizes, place = (crc, 0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\1\2",
            entry.made_by,
            20,
            flags,
            entry.method,
            0,
            0,
            *sizes,
            len(entry.name),
            len(more),
            0,
            0,
            0,
            entry.attributes,
            place,
        )
        directory += entry.name + more
    number = len(entries) if count is None else count
    end = b""
    if large:
        place = len(files) + len(directory)
        end = struct.pack(
            "<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, number, number, len(directory), len(files)
        )
        end += struct.pack("<4sLQL", b"PK\6\7", 0, place, 1)
        last = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    else:
        last = (number, number, len(directory), len(files))
    end += struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *last, len(comment)) + comment
    return b"".join((before, files, directory, gap, end))
