"""Write the cells section (docs/format.md 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.write.container import Section

# nearest cells of a query: by default, and of a first answer from a cold file
ASKED = 256
COLD = 72
# Where these hold so many documents, a first answer leaves out cells that are so far from the
# nearest one: texts that lie in the midst of one cell need few.
MANY, PRUNING = 50_000, 8

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Cells:
    """The cells of a file. centroids: the packed centroids of count cells; own: the cell of each
    document, in the order in which the documents came.
    """

    count: int
    centroids: bytes
    own: Numbers

    def write(self, section: Section) -> None:
        """Write the cells section. The documents of a file are in the order of their cells, and
        those of a cell in the order in which they came.
        """
        documents, count = len(self.own), self.count
        sizes = np.bincount(self.own, minlength=count)
        firsts = np.cumsum(sizes) - sizes
        pruning = PRUNING if COLD * documents >= MANY * count else 0
        section.parameters = np.array(
            [count, documents, min(ASKED, count), min(COLD, count), pruning, 0], "<u4"
        ).tobytes()
        section.add(0, self.centroids + firsts.astype("<u4").tobytes())
