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
from pocketindex.builder.conventions import crc32c
from pocketindex.constants import SectionKind
from pocketindex.errors import Damaged, section_name
from pocketindex.index import Index

_ENTRY = struct.Struct("<IIQQIIII")
_DIRECTORY = np.dtype([("first", "<u8"), ("end", "<u8"), ("crc", "<u4")])


class Part:
    """A section: its parameters, and its blocks, whose bytes are given once they are checked.

    firsts: of the blocks.
    """

    def __init__(self, path: str, kind: int, data: memoryview, parameters: int, count: int) -> None:
        self._path, self._kind = path, kind
        self.parameters = bytes(data[:parameters])
        head = parameters + 20 * count
        self._directory = np.frombuffer(data[parameters:head], _DIRECTORY)
        self.firsts: npt.NDArray[np.uint64] = self._directory["first"]
        self._ends = [0, *self._directory["end"].tolist()]
        self._content = data[head:]

    def __len__(self) -> int:
        return len(self.firsts)

    def blocks(self, start: int, end: int) -> memoryview:
        """Return blocks that lie side by side, from one up to another. Raises Damaged."""
        for number in range(start, end):
            own = self._content[self._ends[number] : self._ends[number + 1]]
            expected, found = int(self._directory["crc"][number]), crc32c(own)
            if expected != found:
                raise Damaged(
                    self._path, section_name(self._kind), number, "CRC32C", expected, found
                )
        return self._content[self._ends[start] : self._ends[end]]

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self)):
            yield bytes(self.blocks(number, number + 1))

    def numbers(self, offset: int, count: int) -> tuple[int, ...]:
        """Return so many numbers of 32 bits of the parameters."""
        return struct.unpack_from(f"<{count}I", self.parameters, offset)

    def damaged(self, field: str) -> Damaged:
        """Return an error: what is sealed here is nothing that a builder writes."""
        return Damaged(self._path, section_name(self._kind), None, field, 0, 0)


class PocketFile:
    """A pocket file, mapped; a file that takes its place does not disturb it.

    index: the same, opened, which has checked the bounds of all sections; parts: the sections by
    kind. Raises what opening an Index does.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.index = Index(path)
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data = memoryview(self._map)
        (count,) = struct.unpack_from("<I", data, 12)
        self.parts = dict[int, Part]()
        for number in range(count):
            kind, _, offset, length, parameters, blocks, *_ = _ENTRY.unpack_from(
                data, 32 + 40 * number
            )
            own = data[offset : offset + length]
            self.parts[kind] = Part(self.path, kind, own, parameters, blocks)

    def __enter__(self) -> PocketFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def __len__(self) -> int:
        return len(self.index)

    def __contains__(self, kind: SectionKind) -> bool:
        return kind in self.parts

    def __getitem__(self, kind: SectionKind) -> Part:
        return self.parts[kind]

    @property
    def with_sketch(self) -> int:
        """The number of documents that have a sketch; they are the first ones."""
        return self[SectionKind.SKETCHES].numbers(0, 1)[0]

    @property
    def profile(self) -> bytes:
        return self[SectionKind.PROFILE].parameters
