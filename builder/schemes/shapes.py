"""The named shapes of a file: tables, sub-keys, probes and width, measured once by bench/shape.py for collections of every size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """components: bits of a sketch; tables: sub-keys of a document; beyond: components of a sub-key more than log2 of the number of
    documents; probes: keys that a query looks up in each table by default; checksum_bits: of each key.
    """

    components: int
    tables: int
    beyond: int
    probes: int
    checksum_bits: int

    def bits(self, documents: int) -> int:
        """Components of a sub-key in a collection of so many documents: log2 to the nearest whole number, and those beyond it."""
        rounded = ((2 * documents * documents).bit_length() - 1) // 2 if documents else 0
        return min(max(rounded + self.beyond, LEAST_BITS), MOST_BITS, self.components // max(self.tables, 1))


LEAST_BITS, MOST_BITS = 8, 32

SHAPES = {
    "small": Shape(96, 1, 0, 4_096, 8),
    "balanced": Shape(128, 2, 0, 2_048, 16),
    "wide": Shape(256, 2, 0, 2_048, 16),
}
DEFAULT_SHAPE = "balanced"
