"""The named shapes of a file: tables, sub-keys, probes and width, measured once for
collections of every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2


@dataclass(frozen=True)
class Found:
    """What a shape found. On the collections of the bench (bench/results/quality.md): least and
    most recall@10 at cosine .7, and the bytes a document that a look-up needs at 126,000 documents.
    """

    least: float
    most: float
    look_up_bytes: float

    def text(self) -> str:
        """Return what was found for people."""
        recall = (
            f"{self.least:.3f} to {self.most:.3f} of what lies at cosine .7 or more among the "
            "first ten hits"
        )
        return (
            f"found {recall} on the collections of the bench, in {self.look_up_bytes:.1f} "
            "bytes a document at 126,000"
        )


@dataclass(frozen=True)
class Shape:
    """How many bits and tables a sketch has. components: bits of a sketch; tables: sub-keys of a
    document; beyond: components of a sub-key more than log2 of the number of documents; probes:
    keys that a query looks up in each table by default; checksum_bits: of each key; found: None
    where it is not known.
    """

    components: int
    tables: int
    beyond: int
    probes: int
    checksum_bits: int
    found: Found | None = None

    def bits(self, documents: int) -> int:
        """Return the components of a sub-key in a collection of so many documents: log2 to the
        nearest whole number, and those beyond it.
        """
        rounded = ((2 * documents * documents).bit_length() - 1) // 2 if documents else 0
        return min(
            max(rounded + self.beyond, LEAST_BITS),
            MOST_BITS,
            self.components // max(self.tables, 1),
        )


LEAST_BITS, MOST_BITS = 8, 32

SHAPES = {
    "small": Shape(96, 1, 0, 4_096, 8, Found(0.957, 0.999, 16.1)),
    "balanced": Shape(168, 1, 0, 8_192, 16, Found(0.974, 0.999, 25.8)),
    "wide": Shape(256, 2, 0, 2_048, 16, Found(0.981, 0.999, 40.5)),
}
DEFAULT_SHAPE = "balanced"

# A file of so many documents has cells, and beside them one table. Fewer are read at once even from
# far away (docs/decisions.md, 15).
CELLS_FROM = 1 << 17
TABLES_BESIDE = 1
PROBES_BESIDE = 32


def cells_of(documents: int) -> int:
    """Return the number of cells of a collection of so many documents: the power of two nearest to
    three times the root; 0 where it has none.

    A query goes through the centroids of all and the documents of so many: both grow with the root.
    """
    return 1 << round(log2(9 * documents) / 2) if documents >= CELLS_FROM else 0
