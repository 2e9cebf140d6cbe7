"""Write the titles section (docs/format.md 6.2): sorted titles in deflated blocks."""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterator
from heapq import merge
from pathlib import Path
from typing import IO

from pocketindex.builder.write.container import Section
from pocketindex.cbits import ffi, lib
from pocketindex.opening.closing import Closing

# bytes of a block's content: half of it costs .3 bytes a title, twice as much saves as little
ROOM = 8_192
TITLE_BYTES = 255
SORTED = 1 << 15  # titles sorted at once, in some milliseconds
HELD = 250  # bytes that an entry takes in memory besides its key and its title, about

Entry = tuple[bytes, int, bytes]  # key, document, title


class TitlesWriter(Closing):
    """Collects titles, in the order of the documents' numbers, and writes the section.

    memory: the bytes for sorting. Titles that do not fit go to files in folder.
    """

    def __init__(self, section: Section, folder: Path, memory: int) -> None:
        self._section = section
        self._folder = folder
        self._memory = memory
        self._waiting: list[Entry] = []
        self._piles: list[list[Entry]] = []  # sorted ones
        self._held = 0  # bytes of those that wait and those in piles
        self._runs: list[IO[bytes]] = []
        self._key = ffi.new("uint8_t[]", TITLE_BYTES)
        self._documents = 0

    def add(self, title: bytes) -> None:
        """Append the next document's title, in UTF-8."""
        if len(title) > TITLE_BYTES:
            title = title[:TITLE_BYTES].decode(errors="ignore").encode()
        if size := lib.pocket_title_key(title, len(title), self._key):
            self._waiting.append((bytes(ffi.buffer(self._key, size)), self._documents, title))
            self._held += HELD + size + len(title)
            if len(self._waiting) == SORTED or self._held >= self._memory:
                self._pile()
            if self._held >= self._memory:
                self._spill()
        self._documents += 1

    def finish(self) -> None:
        """Write the blocks and the parameters."""
        self._pile()
        width, count = max(1, (self._documents - 1).bit_length()), 0
        block = Block(width)
        for entry in merge(*self._piles, *map(_read, self._runs)):
            if not block.add(entry):
                self._section.add(*block.finish())
                block = Block(width)
                block.add(entry)
            count += 1
        if count:
            self._section.add(*block.finish())
        self._section.parameters = struct.pack("<IIII", self._documents, count, ROOM, 0)

    def close(self) -> None:
        for run in self._runs:
            run.close()

    def _pile(self) -> None:
        """Sort the titles that were added since the last call."""
        self._piles.append(sorted(self._waiting))
        self._waiting.clear()

    def _spill(self) -> None:
        """Write the sorted titles to a file."""
        run = tempfile.TemporaryFile(dir=self._folder)
        for key, document, title in merge(*self._piles):
            run.write(struct.pack("<BBI", len(key), len(title), document) + key + title)
        self._runs.append(run)
        self._piles.clear()
        self._held = 0


def _read(run: IO[bytes]) -> Iterator[Entry]:
    run.seek(0)
    while head := run.read(6):
        key, title, document = struct.unpack("<BBI", head)
        yield run.read(key), document, run.read(title)


class Block:
    """A block that is being filled. width: the bits of a document's number."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._first, self._before = b"", b""
        self._numbers = 0
        self._shared = bytearray()
        self._lengths = bytearray()
        self._rest = bytearray()

    def add(self, entry: Entry) -> bool:
        """Add an entry if there is room for it, which there always is for the first one. Returns
        whether it was added.
        """
        key, document, title = entry
        shared, count = _shared(self._before, title), len(self._shared)
        size = (
            4
            + ((count + 1) * self._width + 7) // 8
            + 2 * (count + 1)
            + len(self._rest)
            + len(title)
            - shared
        )
        if not count:
            self._first = key[:8]
        elif size > ROOM:
            return False
        self._numbers |= document << count * self._width
        self._shared.append(shared)
        self._lengths.append(len(title) - shared)
        self._rest += title[shared:]
        self._before = title
        return True

    def finish(self) -> tuple[int, bytes]:
        """Return the block's `first` and its bytes."""
        count = len(self._shared)
        numbers = self._numbers.to_bytes((count * self._width + 7) // 8, "little")
        packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
        # The numbers are as good as random: kept apart, they do not blur the statistics of the
        # letters.
        packed = packer.compress(struct.pack("<I", count) + numbers) + packer.flush(
            zlib.Z_SYNC_FLUSH
        )
        columns = self._shared + self._lengths + self._rest
        packed += packer.compress(columns) + packer.flush()
        return int.from_bytes(self._first.ljust(8, b"\0"), "big"), struct.pack(
            "<I", 4 + len(numbers) + len(columns)
        ) + packed


def _shared(before: bytes, title: bytes) -> int:
    """Return the number of bytes that both have at their beginning."""
    least = min(len(before), len(title))
    # As numbers, so that no byte is looked at in Python.
    differing = int.from_bytes(before[:least], "big") ^ int.from_bytes(title[:least], "big")
    return least - (differing.bit_length() + 7) // 8
