"""Zip archives: the directory, which stands at the end, and the content of each file
(https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT).

Python's zipfile refuses a whole archive for one odd property of one file, and a file whose two
headers differ in anything. Here only the directory counts, and damage to one file does not affect
the others.
"""

from __future__ import annotations

import bz2
import lzma
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from pocketindex.builder.inputs.opening.encoding import name_of
from pocketindex.builder.inputs.source import SourceError, needed

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_MOST_COMMENT = 0xFFFF
_IN_ZIP64, _SIZES, _UNICODE_PATH = 0xFFFFFFFF, 0x0001, 0x7075  # of a size; kinds of properties
_ENCRYPTED, _LZMA_END = 1 << 0, 1 << 1  # flags
_UNIX = 3
_MEMORY = 1 << 28  # bytes that a compression may ask for
_METHODS = {
    **dict.fromkeys((2, 3, 4, 5), "Reduce"),
    1: "Shrink",
    6: "Implode",
    9: "Deflate64",
    10: "PKWARE Implode",
    18: "IBM TERSE",
    97: "WavPack",
    98: "PPMd",
}
_STORED, _DEFLATE, _BZIP2, _LZMA, _ZSTD, _XZ = 0, 8, 12, 14, 93, 95


class BadZip(ValueError):
    """An archive that cannot be read, or a file in one."""


class SplitZip(BadZip):
    """The archive is split into several files, and this is one of them."""


@dataclass(slots=True)
class Member:
    """A file of an archive, by its entry in the directory. packed, size: in bytes."""

    raw: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    extra: bytes
    mode: int

    def name(self, *encodings: str) -> str:
        """Return the name; encodings: those of a name that declares none and is not UTF-8."""
        raw = self.raw
        for kind, value in _properties(self.extra):
            if kind == _UNICODE_PATH and value[1:5] == struct.pack("<L", zlib.crc32(raw)):
                raw = value[5:]
        return name_of(raw, *encodings, "cp437").partition("\0")[0]

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)


class ZipFile:
    """An archive in a file. Raises BadZip where its directory cannot be read.

    problem: what is wrong with the directory, once members() has come to its end.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = file.seek(0, 2)
        self.problem = ""
        self._directory, self._entries, self._count, self._shift = b"", 0, 0, 0
        self._is_empty = False
        begin = max(0, self._size - _END.size - _MOST_COMMENT)
        tail = self._at(begin, self._size - begin)
        end, empty = len(tail), False
        while (end := tail.rfind(b"PK\5\6", 0, end)) >= 0:
            if self._found(begin + end, tail[end : end + _END.size]):
                return
            empty = empty or self._is_empty
        if not empty:
            raise BadZip("the end of its directory is missing")

    def _found(self, end: int, record: bytes) -> bool:
        """Return whether a directory belongs to a record of its end, which is kept then."""
        if len(record) < _END.size:
            return False
        _, disk, first_disk, _, self._count, size, offset, comment = _END.unpack(record)
        fits = end + _END.size + comment <= self._size
        self._modulo = 1 << 16
        if (at64 := self._end64(end)) is not None:
            end, (_, _, _, _, disk, first_disk, _, self._count, size, offset) = at64
            self._modulo = 1 << 64
        if disk or first_disk:
            if not fits:
                return False  # a comment that looks like a record
            raise SplitZip("it is one of the files of a split archive; join them with zip -s 0")
        for start in (end - size, offset):
            if self._at(start, 4) == b"PK\1\2":
                self._directory, self._entries = self._at(start, end - start), size
                self._shift = start - offset  # what was put before the archive
                return True
        self._is_empty = self._count == size == 0
        return False

    def _end64(self, end: int) -> tuple[int, tuple[Any, ...]] | None:
        """Return place and fields of the record of a large archive's end, None without one."""
        locator = self._at(end - _LOCATOR.size, _LOCATOR.size)
        if not locator.startswith(b"PK\6\7"):
            return None
        for place in (_LOCATOR.unpack(locator)[2], end - _LOCATOR.size - _END64.size):
            record = self._at(place, _END64.size)
            if record.startswith(b"PK\6\6") and len(record) == _END64.size:
                return place, _END64.unpack(record)
        return None

    def members(self) -> Iterator[Member]:
        """Yield the members, in the order of the directory."""
        place = count = 0
        while self._directory.startswith(b"PK\1\2", place):
            entry = self._directory[place : place + _ENTRY.size]
            if len(entry) < _ENTRY.size:
                break
            fields = _ENTRY.unpack(entry)
            name, extra, comment = fields[10:13]
            place += _ENTRY.size
            yield _member(
                fields,
                self._directory[place : place + name],
                self._directory[place + name : place + name + extra],
            )
            place, count = place + name + extra + comment, count + 1
        if place < self._entries:
            self.problem = f"its directory cannot be read after file {count:,}"
        elif count % self._modulo != self._count:
            self.problem = f"its directory has {count:,} files and declares {self._count:,}"

    def content(self, member: Member) -> bytes:
        """Return the content of a member. Raises BadZip."""
        if member.flags & _ENCRYPTED or member.method == 99:
            raise BadZip("it is encrypted; unpack it with its password and give what is in it")
        local = self._at(member.offset + self._shift, _LOCAL.size)
        if len(local) < _LOCAL.size or not local.startswith(b"PK\3\4"):
            raise BadZip("damaged: it is not where the directory says")
        name, extra = _LOCAL.unpack(local)[-2:]
        packed = self._at(member.offset + self._shift + _LOCAL.size + name + extra, member.packed)
        if len(packed) < member.packed:
            raise BadZip("damaged: it is cut short")
        try:
            content = _unpacked(packed, member)
        except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
            raise error if isinstance(error, BadZip) else BadZip(f"damaged: {error}") from None
        if len(content) != member.size:
            raise BadZip(f"damaged: expected {member.size:,} bytes, found {len(content):,}")
        if zlib.crc32(content) != member.crc:
            raise BadZip("damaged: its checksum (CRC-32) does not match")
        return content

    def _at(self, place: int, size: int) -> bytes:
        if not 0 <= place <= self._size:
            return b""
        self._file.seek(place)
        return self._file.read(max(0, min(size, self._size - place)))


def _member(fields: tuple[Any, ...], name: bytes, extra: bytes) -> Member:
    _, made, _, flags, method, _, _, crc, packed, size, *_, attributes, offset = fields
    for kind, value in _properties(extra):
        if kind == _SIZES:
            numbers = iter(struct.unpack_from(f"<{len(value) // 8}Q", value))
            size, packed, offset = (
                next(numbers, one) if one == _IN_ZIP64 else one for one in (size, packed, offset)
            )
    mode = attributes >> 16 if made >> 8 == _UNIX else 0
    return Member(name, flags, method, crc, packed, size, offset, extra, mode)


def _properties(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and value of each property that does not go beyond the end."""
    place = 0
    while place + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, place)
        value = extra[place + 4 : place + 4 + size]
        if len(value) == size:
            yield kind, value
        place += 4 + size


def _unpacked(packed: bytes, member: Member) -> bytes:
    """Return the content, of what is too long one byte more than the directory says."""
    most = member.size + 1
    if member.method == _STORED:
        return packed[:most]
    if member.method == _DEFLATE:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
    if member.method == _BZIP2:
        return bz2.BZ2Decompressor().decompress(packed, most)
    if member.method == _XZ:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY).decompress(packed, most)
    if member.method == _LZMA:
        # The head of an .lzma file, of which an archive has the middle.
        size = (1 << 64) - 1 if member.flags & _LZMA_END else member.size
        head = packed[4:9] + struct.pack("<Q", size)
        return lzma.LZMADecompressor(lzma.FORMAT_ALONE, _MEMORY).decompress(head + packed[9:], most)
    if member.method == _ZSTD:
        return _of_zstd(packed, most)
    named = _METHODS.get(member.method, "an unknown one")
    raise BadZip(
        f"its compression is not supported: {named} (method {member.method}); unpack it and give "
        "what is in it"
    )


def _of_zstd(packed: bytes, most: int) -> bytes:
    try:
        zstandard = needed("zstandard", "zst", "", "it is compressed with zstd")
    except SourceError as error:
        raise BadZip(error.problem) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
            content: bytes = reader.read(most)
            return content
    except zstandard.ZstdError as error:
        raise BadZip(f"damaged: {error}") from None
