"""How alike the documents of a file look that have nothing to do with each other: by the sketches
alone, from the file alone.
"""

from __future__ import annotations

from math import cos, pi

import numpy as np
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.write.sketches import records_of
from pocketindex.constants import SectionKind

FEWEST = 1_000  # documents; of fewer the figure is chance
BLOCKS = 256  # of sketches that are looked at
# Files with weights of their own have .007 to .040, with those of another language .11
# (bench/results/drift.md).
FAR = 0.06


def alike(file: PocketFile) -> float | None:
    """Return the similarity of two documents drawn at random, -1..1.

    Weights that do not fit leave common words heavy, which all documents have; every similarity is
    then too high by about as much. None for a scheme other than `rff`, and for few documents. A bit
    that a share p of the sketches has is equal in two of them with probability p^2 + (1 - p)^2.
    """
    info = file.index.info()
    if info.scheme != "rff" or file.with_sketch < FEWEST:
        return None
    part = file[SectionKind.SKETCHES]
    each = part.numbers(12, 1)[0]
    sketch = -(-info.components // 8)
    some = np.unique(np.linspace(0, len(part) - 1, min(len(part), BLOCKS)).astype(np.int64))
    rows = [
        records_of(part.parameters, part.blocks(block, block + 1))[
            : file.with_sketch - block * each
        ]
        for block in some.tolist()
    ]
    records = np.concatenate(rows)[:, :sketch]
    ones = np.unpackbits(records, axis=1, bitorder="little")[:, : info.components].mean(axis=0)
    equal, count = ones**2 + (1 - ones) ** 2, len(records)
    # Of two different ones: each is equal to itself.
    return cos(pi * (1 - float((equal.mean() * count - 1) / (count - 1))))
