"""docs/format.md, section 4.2."""

from __future__ import annotations

from math import isqrt

from plain.conventions import u32
from plain.layout import Section
from plain.profile import Profile
from plain.sketch import Quantised
from plain.sketches import COARSE


class Cells:
    """The section of cells: documents by cell, and the centroids."""

    def __init__(self, section: Section, profile: Profile, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section = section
        self.components = min(len(profile.components), 8 * COARSE)
        self.documents = documents
        place.equal("length of the parameters", 24, len(data))
        place.require(
            profile.is_cosine and profile.is_binary,
            "scheme",
            "rff with intervals of two",
            "another",
        )
        place.within("number of tables", 0, 63, len(profile.tables))
        self.count, stated, self.asked, self.first_asked, self.first_pruning = (
            u32(data, 4 * i) for i in range(5)
        )
        place.within("number of cells", 1, 65_536, self.count)
        place.equal("number of documents", documents, stated)
        place.within("cells asked", 1, self.count, self.asked)
        place.within("cells asked by a first answer", 1, self.count, self.first_asked)
        place.within("pruning threshold of a first answer", 0, 65_535, self.first_pruning)
        place.equal("reserved", 0, u32(data, 20))
        self.bytes = (self.components + 1) // 2
        place.equal("number of blocks", 1, section.count)
        place = section.place(0)
        place.equal("first", 0, section.firsts[0])
        place.equal("length of the block", self.count * (self.bytes + 4), section.size(0))

    def centroid(self, cell: int) -> list[int]:
        """Return the values of a cell's centroid."""
        packed = self.section.block(0)[cell * self.bytes : (cell + 1) * self.bytes]
        return [2 * (packed[j // 2] >> 4 * (j % 2) & 15) - 15 for j in range(self.components)]

    def members(self, cell: int) -> range:
        """Return the documents of a cell."""
        block = self.section.block(0)
        place = self.section.place(0)
        at = self.count * self.bytes + 4 * cell
        first, end = u32(block, at), u32(block, at + 4) if cell + 1 < self.count else self.documents
        if cell == 0:
            place.equal("first document of cell 0", 0, first)
        place.require(end <= self.documents, "end of a cell", f"at most {self.documents}", end)
        place.require(end >= first, "end of a cell", f"at least {first}", end)
        return range(first, end)

    def members_of(self, cells: list[int]) -> list[int]:
        """Return the documents of some cells, each once."""
        found = list[int]()
        for cell in sorted(cells):
            documents = self.members(cell)
            end = found[-1] + 1 if found else 0
            self.section.place(0).require(
                documents.start >= end,
                "first document of a cell",
                f"at least {end}",
                documents.start,
            )
            found.extend(documents)
        return found

    def nearest(self, quantised: Quantised, wanted: int, pruning: int) -> list[int]:
        """Return the cells nearest to a sketch, of those within the threshold where it is not 0."""
        coarse = quantised.weights[: self.components]
        weights = coarse if any(coarse) else [1024] * self.components
        steps = [
            min(127, (127 * weight + 2048) // 4096) * (1 if digit else -1)
            for weight, digit in zip(weights, quantised.digits, strict=False)
        ]
        scores = [
            sum(step * value for step, value in zip(steps, self.centroid(cell), strict=True))
            for cell in range(self.count)
        ]
        near = sorted(range(self.count), key=lambda cell: (-scores[cell], cell))[:wanted]
        least = max(scores) - pruning * isqrt(sum(step * step for step in steps))
        return [cell for cell in near if not pruning or scores[cell] >= least]

    def verify(self) -> None:
        for cell in range(self.count):
            self.members(cell)
            if self.components % 2:
                last = self.section.block(0)[(cell + 1) * self.bytes - 1]
                self.section.place(0).equal("padding", 0, last >> 4)
