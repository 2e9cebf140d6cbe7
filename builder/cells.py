"""Cells of similar documents (docs/format.md 4.2): their centres, trained on some of the documents,
and the cell of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from pocketindex.builder.container import Section
from pocketindex.builder.job import Job
from pocketindex.builder.sketching import Sketched
from pocketindex.cbits import ffi, lib
from pocketindex.status import check

PER_CELL, ROUNDS = (
    40,
    5,
    # documents a cell that centres are trained on; half of the documents finds less, three rounds
    # more find little more
)
ASKED, COLD = (
    256,
    72,
)  # nearest cells of a query: by default, and of a first answer from a cold file
BATCH = 8_192  # rows of steps placed at once
_SUM_BITS = 26  # of a sum at most: 1,024 squares of such fit into 63 bits

Steps = np.ndarray[Any, np.dtype[np.int8]]
Numbers = np.ndarray[Any, np.dtype[np.uint32]]
Sums = np.ndarray[Any, np.dtype[np.int64]]
Places = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Cells:
    """centres: of count cells, packed; own: the cell of each document, in the order in which they
    came.
    """

    count: int
    centres: bytes
    own: Numbers

    def write(self, section: Section) -> None:
        """Write the cells section; the documents lie in the order of their cells, those of a cell
        in the order in which they came.
        """
        sizes = np.bincount(self.own, minlength=self.count)
        firsts = np.cumsum(sizes) - sizes
        section.parameters = np.array(
            [self.count, len(self.own), min(ASKED, self.count), min(COLD, self.count)], "<u4"
        ).tobytes()
        section.add(0, self.centres + firsts.astype("<u4").tobytes())


def place(sketched: Sequence[Sketched], cells: int, components: int, job: Job) -> Cells:
    """Train the centres of so many cells, and find the cell of each document.

    What a stopped build has found is taken.
    """
    for entry in job.work.of("cells"):
        content = job.work.path(entry).read_bytes()
        size = cells * ((components + 1) // 2)
        return Cells(
            cells, content[:size], np.frombuffer(content, "<u4", offset=size).astype(np.uint32)
        )
    count = sum(part.count for part in sketched)
    sample = _sample(sketched, min(count, PER_CELL * cells), components)
    job.progress.phase("placing documents in cells", documents=len(sample) * ROUNDS + count)
    centres, found = _trained(sample, cells, job), [np.zeros(0, np.uint32)]
    for own, _ in job.workers.map(
        partial(_nearest, centres), _batches(part.steps(components) for part in sketched)
    ):
        found.append(own)
        job.progress.add(len(own))
    placed = Cells(cells, centres, np.concatenate(found))
    with job.work.file("cells") as file:
        file.write(placed.centres)
        file.write(placed.own.astype("<u4").tobytes())
    job.work.record("cells", ("cells", file))
    return placed


def _sample(sketched: Sequence[Sketched], size: int, components: int) -> Steps:
    """Take the steps of so many documents at equal distances."""
    count, out = sum(part.count for part in sketched), [np.zeros((0, components), np.int8)]
    wanted = np.arange(size, dtype=np.int64) * count // max(size, 1)
    for part in sketched:
        own = wanted[
            np.searchsorted(wanted, part.first) : np.searchsorted(wanted, part.first + part.count)
        ]
        if len(own):
            out.append(part.steps(components)[own - part.first])
    return np.concatenate(out)


def _trained(sample: Steps, cells: int, job: Job) -> bytes:
    """Centres by k-means, in integers; they begin with documents at equal distances.

    A cell that has lost its documents stays.
    """
    sums = np.zeros((cells, sample.shape[1]), np.int64)
    if len(sample):
        sums += sample[np.arange(cells) * len(sample) // cells]
    centres = _packed(sums, np.full_like(sums, 8))
    for _ in range(ROUNDS):
        sums[:] = 0
        for nearest, rows in job.workers.map(partial(_nearest, centres), _batches([sample])):
            own, starts, places = _grouped(nearest)
            sums[own] += np.add.reduceat(rows[places], starts, axis=0, dtype=np.int64)
            job.progress.add(len(nearest))
        centres = _packed(sums, _unpacked(centres, sums.shape))
    values = _unpacked(centres, sums.shape).astype(np.int64)
    return _packed_values(values[_side_by_side(2 * values - 15, np.arange(cells))])


def _side_by_side(centres: Sums, own: Places) -> Places:
    """Order the cells so that near ones are close: a first answer then takes fewer reads.

    They are halved again and again; each half is nearer to one of two cells that are far from each
    other.
    """
    if len(own) <= 2:
        return own
    rows = centres[own]
    one = rows[np.argmin(rows @ rows.sum(0))]
    other = rows[np.argmin(rows @ one)]
    order = own[np.argsort(rows @ (one - other), kind="stable")]
    return np.concatenate([_side_by_side(centres, half) for half in np.array_split(order, 2)])


def _grouped(nearest: Numbers) -> tuple[Numbers, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The cells that occur, where each one's rows start when they lie in the order of the third."""
    places = np.argsort(nearest, kind="stable")
    rising = nearest[places]
    starts = np.flatnonzero(np.append(True, rising[1:] != rising[:-1]))
    return rising[starts], starts, places


def _packed(sums: Sums, before: np.ndarray[Any, Any]) -> bytes:
    """Sums as centres of equal length: 3 for each standard deviation, in four bits.

    A sum of zeros leaves what was before.
    """
    sums = sums >> max(int(np.abs(sums).max(initial=0)).bit_length() - _SUM_BITS, 0)
    squares = (sums * sums).sum(1).tolist()
    factors = np.array(
        [math.isqrt((9 * sums.shape[1] << 80) // square) if square else 0 for square in squares],
        np.int64,
    )
    return _packed_values(
        np.where(factors[:, None] > 0, np.clip((sums * factors[:, None] >> 40) + 8, 0, 15), before)
    )


def _packed_values(rows: np.ndarray[Any, Any]) -> bytes:
    values = rows.astype(np.uint8)
    if values.shape[1] % 2:
        values = np.pad(values, ((0, 0), (0, 1)))
    return (values[:, ::2] | values[:, 1::2] << 4).tobytes()


def _unpacked(centres: bytes, shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    packed = np.frombuffer(centres, np.uint8).reshape(shape[0], -1)
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(shape[0], -1)[:, : shape[1]]


def _batches(some: Iterable[Steps]) -> Iterator[Steps]:
    for rows in some:
        for start in range(0, len(rows), BATCH):
            yield rows[start : start + BATCH]


def _nearest(centres: bytes, rows: Steps) -> tuple[Numbers, Steps]:
    """The nearest cell of each row, and the rows."""
    own = np.ascontiguousarray(rows)
    nearest, components = np.empty(len(own), np.uint32), own.shape[1]
    status = lib.pocket_nearest_cells(
        centres,
        len(centres) // ((components + 1) // 2),
        components,
        ffi.from_buffer("int8_t[]", own),
        len(own),
        ffi.from_buffer("uint32_t[]", nearest, require_writable=True),
    )
    check(status, ffi.new("pocket_error *"), "cells")
    return nearest, own
