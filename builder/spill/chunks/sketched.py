"""A chunk of sketches in the work folder, which belongs to a chunk of documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.chunks.chunk import Chunk, Flags
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.spill.sorted_files import PAIR_BYTES, SortedFile, exactly

Records = npt.NDArray[np.uint8]
Copies = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Sketched:
    """A chunk whose documents are sketched: count of them are kept, and numbered from first on;
    with_sketch of these have a sketch, the others are short.

    In its file: the copies of all documents (schemes/profile.py, Sketches), the records of those
    that have a sketch, then a run of their keys for each table, and of the ids of all that are
    kept, then the steps, where documents are placed in cells.
    """

    chunk: Chunk
    repeated: RepeatedIds
    path: Path
    first: int
    count: int
    with_sketch: int
    stride: int
    tables: int

    def kept(self) -> Flags:
        """Return a flag for each document of the chunk: whether it is kept, since its id is not
        repeated.
        """
        return ~self.repeated.among(self.chunk.first, self.chunk.count)

    def copies(self) -> Copies:
        """Return the copies of the kept documents."""
        return self._all_copies()[self.kept()]

    def short(self) -> Flags:
        """Return a flag for each document of the chunk: whether it is kept and has no sketch."""
        return (self._all_copies() > 0) & self.kept()

    def places(self) -> npt.NDArray[np.int64]:
        """Return the places of the kept documents in the chunk."""
        return np.flatnonzero(self.kept())

    def sketch_places(self) -> npt.NDArray[np.int64]:
        """Return for each kept document with a sketch its place among the kept documents."""
        return np.flatnonzero(self.copies() == 0)

    def steps(self, components: int) -> npt.NDArray[np.int8]:
        """Return the steps of the components: (with_sketch, components)."""
        end = self.sorted_keys(self.tables)
        offset = end.offset + PAIR_BYTES * self.count
        with self.path.open("rb") as file:
            return np.frombuffer(
                exactly(file, offset, self.with_sketch * components), np.int8
            ).reshape(self.with_sketch, components)

    def records(self) -> Records:
        """Return the records of the sketches: (with_sketch, stride)."""
        with self.path.open("rb") as file:
            content = exactly(file, 8 * self.chunk.count, self.with_sketch * self.stride)
        return np.frombuffer(content, np.uint8).reshape(self.with_sketch, self.stride)

    def sorted_keys(self, column: int) -> SortedFile:
        """Return the sorted keys of a table. column: the number of the table; the number after the
        last one is that of the ids.
        """
        each = self.stride + column * PAIR_BYTES
        offset = 8 * self.chunk.count + self.with_sketch * each
        count = self.count if column == self.tables else self.with_sketch
        return SortedFile(self.path, offset, count, self.first)

    def _all_copies(self) -> Copies:
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, 0, 8 * self.chunk.count), "<u8")
