"""The fourth pass, for large collections: place each document in a cell of similar ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes.centroids import ROUNDS, Steps, batches, nearest, trained
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.write.cells import Cells, Numbers

# documents a cell that centroids are trained on; half of the documents finds less
PER_CELL = 40
NOTHING = np.zeros(0, np.uint32)


def place(
    sketched: Sequence[Sketched],
    cells: int,
    components: int,
    context: Context,
    centroids: bytes = b"",
    taken: Numbers = NOTHING,
) -> Cells:
    """Train the centroids of cells, unless they are given, and find the cell of each document with
    a sketch.

    taken: the cells of documents that come before these. Cells that a stopped build has found are
    reused.
    """
    for entry in context.work.of("cells"):
        content = context.work.path(entry).read_bytes()
        size = cells * ((components + 1) // 2)
        return Cells(
            cells, content[:size], np.frombuffer(content, "<u4", offset=size).astype(np.uint32)
        )
    count = sum(part.with_sketch for part in sketched)
    trained_on = 0 if centroids else min(count, PER_CELL * cells)
    context.progress.phase("placing documents in cells", documents=trained_on * ROUNDS + count)
    if not centroids:
        sample = _sample(sketched, trained_on, components)
        centroids = trained(sample, cells, context.threads.map, context.progress.add)
    found = [taken]
    for own, _ in context.threads.map(
        partial(nearest, centroids), batches(part.steps(components) for part in sketched)
    ):
        found.append(own)
        context.progress.add(len(own))
    placed = Cells(cells, centroids, np.concatenate(found))
    with context.work.file("cells") as file:
        file.write(placed.centroids)
        file.write(placed.own.astype("<u4").tobytes())
    context.work.enter("cells", ("cells", file))
    return placed


def at_equal_distances(size: int, count: int) -> npt.NDArray[np.int64]:
    """Return size numbers of count documents, at equal distances."""
    return np.arange(size, dtype=np.int64) * count // max(size, 1)


def _sample(sketched: Sequence[Sketched], size: int, components: int) -> Steps:
    """Return the steps of size documents at equal distances."""
    count, out = sum(part.with_sketch for part in sketched), [np.zeros((0, components), np.int8)]
    wanted = at_equal_distances(size, count)
    first = 0
    for part in sketched:
        own = wanted[slice(*np.searchsorted(wanted, (first, first + part.with_sketch)).tolist())]
        if len(own):
            out.append(part.steps(components)[own - first])
        first += part.with_sketch
    return np.concatenate(out)
