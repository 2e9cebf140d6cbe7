"""A finished file's sections, read as they lie (docs/format.md, section 1), for what makes a new
file of an old one.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.arguments import file_of
from pocketindex.builder.conventions import crc32c
from pocketindex.constants import SectionKind
from pocketindex.contents import sections
from pocketindex.errors import Damaged, section_name
from pocketindex.index import Index
from pocketindex.opening.closing import Closing

_DIRECTORY = np.dtype([("first", "<u8"), ("end", "<u8"), ("crc", "<u4")])


class Section:
    """A section: its parameters, and its blocks, whose bytes are given once they are checked.

    kind, offset: as in the section table; head: bytes of parameters and directory; firsts: of the
    blocks; ends: of the blocks, behind the head.
    """

    def __init__(self, path: str, entry: sections.Section, file: memoryview) -> None:
        self._path, self.kind, self.offset = path, entry.kind, entry.offset
        data = file[entry.offset : entry.offset + entry.length]
        self.parameters = bytes(data[: entry.parameters])
        self.head = entry.parameters + _DIRECTORY.itemsize * entry.blocks
        self._directory = np.frombuffer(data[entry.parameters : self.head], _DIRECTORY)
        self.firsts: npt.NDArray[np.uint64] = self._directory["first"]
        self.ends: list[int] = self._directory["end"].tolist()
        self._content = data[self.head :]

    def __len__(self) -> int:
        return len(self.firsts)

    def blocks(self, start: int, end: int) -> memoryview:
        """Return blocks that lie side by side, from one up to another. Raises Damaged."""
        for number in range(start, end):
            own = self._bytes(number, number + 1)
            expected, found = int(self._directory["crc"][number]), crc32c(own)
            if expected != found:
                raise Damaged(
                    self._path, section_name(self.kind), number, "CRC32C", expected, found
                )
        return self._bytes(start, end)

    def _bytes(self, start: int, end: int) -> memoryview:
        return self._content[
            self.ends[start - 1] if start else 0 : self.ends[end - 1] if end else 0
        ]

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self)):
            yield bytes(self.blocks(number, number + 1))

    def number(self, offset: int) -> int:
        """Return a number of 32 bits of the parameters, 0 where they end before it."""
        return int.from_bytes(self.parameters[offset : offset + 4], "little")

    def numbers(self, offset: int, count: int) -> tuple[int, ...]:
        """Return so many numbers of 32 bits of the parameters."""
        return struct.unpack_from(f"<{count}I", self.parameters, offset)

    def damaged(self, field: str) -> Damaged:
        """Return an error: what is sealed here is nothing that a builder writes."""
        return Damaged(self._path, section_name(self.kind), None, field, 0, 0)


class PocketFile(Closing):
    """A pocket file, mapped; a file that takes its place does not disturb it.

    index: the same, opened, which has checked the bounds of all sections; sections: in their order.
    Raises what opening an Index does.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = file_of("path", path, "an index", "a pocket file")
        self.index = Index(path)
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data = memoryview(self._map)
        found = sections.sections_of(self.index._core)
        self.sections = [Section(self.path, entry, data) for entry in found]
        self._by_kind = {section.kind: section for section in self.sections}

    def close(self) -> None:
        self.index.close()

    def __len__(self) -> int:
        return len(self.index)

    def __contains__(self, kind: SectionKind) -> bool:
        return kind in self._by_kind

    def __getitem__(self, kind: SectionKind) -> Section:
        return self._by_kind[kind]

    @property
    def with_sketch(self) -> int:
        """The number of documents that have a sketch; they are the first ones."""
        return self[SectionKind.SKETCHES].numbers(0, 1)[0]

    @property
    def profile(self) -> bytes:
        return self[SectionKind.PROFILE].parameters
