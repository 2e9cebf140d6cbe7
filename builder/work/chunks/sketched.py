"""A chunk of sketches in the work folder, beside the chunk of documents that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.work.chunks.chunk import Chunk, Flags
from pocketindex.builder.work.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.work.sorted_files import PAIR_BYTES, SortedFile, exactly

Records = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Sketched:
    """A chunk whose documents are sketched: count of them are kept, and numbered from first on.

    In its file: the terms of all documents, the records of those that are kept, then a run of their
    keys for each table, and of their ids, then their steps, where the documents are placed in
    cells.
    """

    chunk: Chunk
    repeated: RepeatedIds
    least_terms: int
    path: Path
    first: int
    count: int
    stride: int
    tables: int

    def terms(self) -> npt.NDArray[np.uint32]:
        """Return the number of terms of each document, stop words not counted."""
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, 0, 4 * self.chunk.count), "<u4")

    def too_short(self) -> Flags:
        return (self.terms() < self.least_terms) & ~self.repeated.among(
            self.chunk.first, self.chunk.count
        )

    def kept(self) -> Flags:
        return (self.terms() >= self.least_terms) & ~self.repeated.among(
            self.chunk.first, self.chunk.count
        )

    def places(self) -> npt.NDArray[np.int64]:
        """Return where those that are kept lie in the chunk."""
        return np.flatnonzero(self.kept())

    def steps(self, components: int) -> npt.NDArray[np.int8]:
        """Return the steps of the components: (count, components)."""
        offset = self.sorted_keys(self.tables + 1).offset
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, offset, self.count * components), np.int8).reshape(
                self.count, components
            )

    def records(self) -> Records:
        """Return the records of the sketches: (count, stride)."""
        with self.path.open("rb") as file:
            content = exactly(file, 4 * self.chunk.count, self.count * self.stride)
        return np.frombuffer(content, np.uint8).reshape(self.count, self.stride)

    def sorted_keys(self, column: int) -> SortedFile:
        """Return the sorted keys of a table; those of the ids come after those of the tables."""
        offset = 4 * self.chunk.count + self.count * self.stride + column * PAIR_BYTES * self.count
        return SortedFile(self.path, offset, self.count, self.first)
