"""docs/format.md, section 4."""

from __future__ import annotations

from plain.conventions import u32
from plain.layout import Section
from plain.profile import Profile

COARSE = 16  # bytes of a sketch that lie beside those of other documents, or all there are


class Sketches:
    """The section of sketches: digits and identity of each document."""

    def __init__(self, section: Section, profile: Profile) -> None:
        place, data = section.place(), section.parameters
        self.section, self.profile = section, profile
        place.equal("length of the parameters", 16, len(data))
        self.documents, self.stride, self.identity_bits, self.per_block = (
            u32(data, 4 * i) for i in range(4)
        )
        place.one_of("identity bits", (0, 8, 16, 32), self.identity_bits)
        place.equal(
            "stride",
            profile.sketch_bytes + self.identity_bits // 8,
            self.stride,
        )
        place.require(self.per_block >= 1, "documents a block", "at least 1", self.per_block)
        place.equal(
            "number of blocks",
            (self.documents + self.per_block - 1) // self.per_block,
            section.count,
        )
        for number, first in enumerate(section.firsts):
            place = section.place(number)
            place.equal("first", number * self.per_block, first)
            place.equal(
                "length of the block",
                min(self.per_block, self.documents - first) * self.stride,
                section.size(number),
            )

    def record(self, document: int) -> tuple[tuple[int, ...], int]:
        """Return digits and identity of a document."""
        number, i = divmod(document, self.per_block)
        block, size = self.section.block(number), self.profile.sketch_bytes
        coarse = min(size, COARSE)
        start = len(block) // self.stride * coarse + i * (self.stride - coarse)
        record = block[i * coarse : (i + 1) * coarse] + block[start : start + self.stride - coarse]
        digits = self.profile.unpack(self.section.place(number), record[:size])
        return digits, int.from_bytes(record[size:], "little")

    def verify(self) -> None:
        for document in range(self.documents):
            self.record(document)
