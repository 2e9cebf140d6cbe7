"""The third stage: cells are found, and the documents brought into the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import Plan
from pocketindex.builder.passes.placing import PER_CELL, at_equal_distances
from pocketindex.builder.schemes.centroids import ROUNDS, Steps, batches, nearest, trained
from pocketindex.builder.spill.chunks.arranged import FileOrder
from pocketindex.builder.spill.chunks.chunk import (
    Details,
    Rows,
    chosen,
    document_records,
    unpacked_details,
)
from pocketindex.builder.spill.chunks.sketched import Copies
from pocketindex.builder.write.cells import Cells
from pocketindex.builder.write.sketches import Records
from pocketindex.spark.reading import numbered
from pocketindex.spark.sketching import Sketched
from pocketindex.spark.stages import Row, kept_on_disk, made, numbers, stage, streamed

Numbers = npt.NDArray[np.uint32]

TOGETHER, BYTES_TOGETHER = 1 << 16, 1 << 26  # documents of a range, and bytes of their texts, about
GATHERED = 16  # batches that are cut into ranges at once
ARRANGED = ("records", "details", "detail_ends", "texts", "text_ends")


def place(sketched: Sketched, plan: Plan, context: Context) -> Cells:
    """Train the centroids of the cells in the driver, unless they are given, and find the cell of
    each document.
    """
    cells, components = plan.cells, plan.profile.coarse
    count = sketched.with_sketch
    centroids = (
        plan.inherited.centroids if plan.inherited and cells == plan.inherited.cells else b""
    )
    size = 0 if centroids else min(count, PER_CELL * cells)
    context.progress.phase("placing documents in cells", documents=size * ROUNDS + count)
    if not centroids:
        sample = _sample(sketched, at_equal_distances(size, count), components)
        centroids = trained(sample, cells, context.threads.map, context.progress.add)
    found = stage(
        sketched.batches.select("steps"),
        partial(_nearest, centroids, components),
        {"own": "binary"},
    )
    own = [numbers(row.own, np.uint32) for row in found.collect()]
    context.progress.add(count)
    return Cells(cells, centroids, np.concatenate([np.zeros(0, np.uint32), *own]))


def _sample(sketched: Sketched, wanted: npt.NDArray[np.int64], components: int) -> Steps:
    """The steps of these of the documents with a sketch."""
    firsts = sketched.sketch_firsts

    def task(batches: Iterator[Row]) -> Iterator[Row]:
        for first, row in numbered(firsts, batches):
            low, high = np.searchsorted(wanted, [first, first + row["count"]])
            if low < high:
                steps = numbers(row["steps"], np.int8).reshape(-1, components)
                yield {"steps": steps[wanted[low:high] - first]}

    counted = sketched.batches.selectExpr("part", "with_sketch count", "steps")
    some = stage(counted, task, {"steps": "binary"})
    parts = [numbers(row.steps, np.int8).reshape(-1, components) for row in some.collect()]
    return np.concatenate([np.zeros((0, components), np.int8), *parts])


def _nearest(centroids: bytes, components: int, rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        steps = numbers(row["steps"], np.int8).reshape(-1, components)
        own = [nearest(centroids, some)[0] for some in batches([steps])]
        yield {"own": np.concatenate([np.zeros(0, np.uint32), *own])}


class Arranged:
    """The documents in the order of the file, in a DataFrame; as spill/chunks/arranged.py has them.

    cells: that they lie in, None where they stay in the order in which they came.
    """

    def __init__(
        self, sketched: Sketched, stride: int, cells: Cells | None, size: int, stack: ExitStack
    ) -> None:
        """size: bytes of texts that are kept."""
        self.count = sketched.count
        self._stride = stride
        self._frame = sketched.batches
        found = FileOrder(_copies(sketched), cells.own if cells else None)
        self.with_sketch, self.copy_keys = found.with_sketch, found.copy_keys
        self.numbers = found.numbers
        if self.numbers is not None:
            together = max(1, min(TOGETHER, BYTES_TOGETHER * self.count // max(size, 1)))
            self._frame = _in_order(sketched, self.numbers, stride, together, stack)

    def sketches(self) -> Iterator[Records]:
        """Yield the records of the sketches section, some at a time."""
        for row in streamed(self._frame, "records"):
            yield numbers(row.records, np.uint8).reshape(-1, self._stride)

    def records(self, step: int) -> Iterator[Rows]:
        """Yield every so many of the records of the documents section, some at a time, before they
        are packed.
        """
        passed = 0
        for row in streamed(self._frame, "details", "detail_ends"):
            details, ends = bytes(row.details), numbers(row.detail_ends, np.uint64)
            own = np.arange(len(ends)) % step == -passed % step
            yield document_records(*chosen(details, ends, own))
            passed += len(ends)

    def details(self) -> Iterator[Details]:
        """Yield id, title, url and language of each."""
        return map(unpacked_details, self._each("details", "detail_ends"))

    def texts(self) -> Iterator[bytes]:
        """Yield what is kept of the text of each, in UTF-8."""
        return self._each("texts", "text_ends")

    def _each(self, content: str, ends: str) -> Iterator[bytes]:
        for row in streamed(self._frame, content, ends):
            yield from _pieces(bytes(row[content]), numbers(row[ends], np.uint64))


def _copies(sketched: Sketched) -> Iterator[Copies]:
    """The copies of all documents, as they came."""
    if sketched.with_sketch == sketched.count:
        yield np.zeros(sketched.count, np.uint64)
        return
    for row in streamed(sketched.batches, "copies"):
        yield numbers(row.copies, np.uint64)


def _in_order(
    sketched: Sketched, own: Numbers, stride: int, together: int, stack: ExitStack
) -> Any:
    """The batches with the documents in the order of their numbers in the file."""
    columns = {"range": "int", "numbers": "binary", **dict.fromkeys(ARRANGED, "binary")}
    cut = stage(
        sketched.batches.select("part", "count", *ARRANGED),
        partial(_cut, sketched.firsts, own, (stride, sketched.with_sketch), together),
        columns,
    )
    ranges = -(-sketched.count // together)
    parted = cut.repartitionById(max(ranges, 1), cut["range"])
    return made(
        kept_on_disk(
            stage(
                parted,
                partial(_joined, (stride, sketched.with_sketch)),
                dict.fromkeys(ARRANGED, "binary"),
            ),
            stack,
        )
    )


def _cut(
    firsts: dict[int, int],
    own: Numbers,
    shape: tuple[int, int],
    together: int,
    rows: Iterator[Row],
) -> Iterator[Row]:
    """Documents by the range that their number in the file is in. shape: as in _by_range."""
    some = list[tuple[Numbers, Row]]()
    for first, row in numbered(firsts, rows):
        some.append((own[first : first + row["count"]], row))
        if len(some) == GATHERED:
            yield from _by_range(some, shape, lambda n: n // np.uint32(together))
            some = []
    yield from _by_range(some, shape, lambda n: n // np.uint32(together))


def _joined(shape: tuple[int, int], rows: Iterator[Row]) -> Iterator[Row]:
    """All documents of a range in order."""
    some = [(numbers(row["numbers"], np.uint32), row) for row in rows]
    yield from _by_range(some, shape, np.zeros_like)


def _by_range(
    some: list[tuple[Numbers, Row]], shape: tuple[int, int], range_of: Callable[[Numbers], Numbers]
) -> Iterator[Row]:
    """The documents of these rows in the order of their numbers, a row a range.

    shape: the bytes of a sketch's record, and how many documents have one: the first ones.
    """
    stride, with_sketch = shape
    own = np.concatenate([np.zeros(0, np.uint32), *(their for their, _ in some)])
    if not len(own):
        return
    records = np.concatenate([numbers(row["records"], np.uint8) for _, row in some])
    content = {
        name: [
            piece
            for _, row in some
            for piece in _pieces(bytes(row[name]), numbers(row[ends], np.uint64))
        ]
        for name, ends in (("details", "detail_ends"), ("texts", "text_ends"))
    }
    record_of = np.cumsum(own < with_sketch) - 1
    order = np.argsort(own)
    ranges = range_of(own[order])
    starts = np.flatnonzero(np.append(True, ranges[1:] != ranges[:-1]))
    for places in np.split(order, starts[1:]):
        found: Row = {
            "range": int(range_of(own[places[:1]])[0]),
            "numbers": own[places],
            "records": records.reshape(-1, stride)[record_of[places[own[places] < with_sketch]]],
        }
        for name, ends in (("details", "detail_ends"), ("texts", "text_ends")):
            pieces = [content[name][place] for place in places.tolist()] if content[name] else []
            found[name] = b"".join(pieces)
            found[ends] = np.cumsum([len(piece) for piece in pieces], dtype=np.uint64)
        yield found


def _pieces(content: bytes, ends: Iterable[Any]) -> Iterator[bytes]:
    start = 0
    for end in map(int, ends):
        yield content[start:end]
        start = end
