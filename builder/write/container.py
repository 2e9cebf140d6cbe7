"""Write the container (docs/format.md, section 1): sections that have parameters, a directory and
blocks, with checksums by CRC32C.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
from pathlib import Path
from typing import IO

from pocketindex.builder.conventions import crc32c, pad8
from pocketindex.constants import MAGIC
from pocketindex.opening.closing import Closing

OPTIONAL, REQUIRED = 0, 1  # flags: whether a reader may do without the section


class Section(Closing):
    """A section that is being written. Its blocks are in a temporary file until their number is
    known.
    """

    def __init__(self, kind: int, folder: Path, flags: int = REQUIRED) -> None:
        self.kind, self.flags = kind, flags
        self.parameters = b""
        self._directory = bytearray()
        self._blocks: IO[bytes] = tempfile.TemporaryFile(dir=folder)
        self._end = 0

    def close(self) -> None:
        self._blocks.close()

    @property
    def block_count(self) -> int:
        return len(self._directory) // 20

    def add(self, first: int, block: bytes) -> None:
        """Append a block; first: its smallest key or document number."""
        self._blocks.write(block)
        self._end += len(block)
        self._directory += struct.pack("<QQI", first, self._end, crc32c(block))

    def head(self) -> bytes:
        return pad8(self.parameters) + bytes(self._directory)

    def entry(self, offset: int) -> bytes:
        head = self.head()
        return struct.pack(
            "<IIQQIIII",
            self.kind,
            self.flags,
            offset,
            len(head) + self._end,
            len(pad8(self.parameters)),
            self.block_count,
            crc32c(head),
            0,
        )

    def write(self, out: IO[bytes]) -> None:
        out.write(self.head())
        self._blocks.seek(0)
        shutil.copyfileobj(self._blocks, out, 1 << 20)

    def __len__(self) -> int:
        return len(self.head()) + self._end


def write(out: IO[bytes], sections: list[Section]) -> None:
    """Write a pocket file from its sections."""
    offset, entries = 32 + 40 * len(sections), b""
    for section in sections:
        offset += -offset % 8
        entries += section.entry(offset)
        offset += len(section)
    header = MAGIC + struct.pack("<HHIQI", 1, 0, len(sections), offset, 0)
    out.write(header + struct.pack("<I", crc32c(entries, crc32c(header))) + entries)
    for section in sections:
        out.write(bytes(-out.tell() % 8))
        section.write(out)
