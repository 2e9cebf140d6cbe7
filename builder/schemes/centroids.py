"""Train the centroids of cells (docs/format.md 4.2): k-means in integers on steps of sketches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.threads import Each
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

ROUNDS = 5  # three more improve little
BATCH = 8_192  # rows of steps that are assigned to cells at once
_SUM_BITS = 26  # of a sum at most: 1,024 squares of such fit into 63 bits

Steps = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.uint32]
Sums = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]


def batches(some: Iterable[Steps]) -> Iterator[Steps]:
    """Yield rows of steps, at most BATCH at a time."""
    for rows in some:
        for start in range(0, len(rows), BATCH):
            yield rows[start : start + BATCH]


def trained(sample: Steps, cells: int, each: Each, done: Callable[[int], None]) -> bytes:
    """Return packed centroids by k-means. sample: the steps of sketches, one row for each document.

    The first centroids are rows at equal distances in the sample. A cell that loses all of its
    documents keeps its centroid.
    """
    sums = np.zeros((cells, sample.shape[1]), np.int64)
    if len(sample):
        sums += sample[np.arange(cells) * len(sample) // cells]
    centroids = _packed(sums, np.full_like(sums, 8))
    for _ in range(ROUNDS):
        sums[:] = 0
        for found, rows in each(partial(nearest, centroids), batches([sample])):
            own, starts, places = _grouped(found)
            sums[own] += np.add.reduceat(rows[places], starts, axis=0, dtype=np.int64)
            done(len(found))
        centroids = _packed(sums, _unpacked(centroids, sums.shape))
    values = _unpacked(centroids, sums.shape).astype(np.int64)
    return _packed_values(values[_side_by_side(2 * values - 15, np.arange(cells))])


def _side_by_side(centroids: Sums, own: Places) -> Places:
    """Order cells so that near ones are stored close together. A first answer then takes fewer
    reads.

    The cells are halved repeatedly; each half is nearer to one of two cells that are far apart.
    """
    if len(own) <= 2:
        return own
    rows = centroids[own]
    one = rows[np.argmin(rows @ rows.sum(0))]
    other = rows[np.argmin(rows @ one)]
    order = own[np.argsort(rows @ (one - other), kind="stable")]
    return np.concatenate([_side_by_side(centroids, half) for half in np.array_split(order, 2)])


def _grouped(nearest: Numbers) -> tuple[Numbers, npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the cells that occur, where the rows of each start, and the order of rows in which
    those of a cell lie together.
    """
    places = np.argsort(nearest, kind="stable")
    rising = nearest[places]
    starts = np.flatnonzero(np.append(True, rising[1:] != rising[:-1]))
    return rising[starts], starts, places


def _packed(sums: Sums, before: npt.NDArray[Any]) -> bytes:
    """Return sums as packed centroids of equal length: four bits a component, 3 steps for a
    standard deviation.

    A cell whose sum is zero keeps its values from before.
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


def _packed_values(rows: npt.NDArray[Any]) -> bytes:
    values = rows.astype(np.uint8)
    if values.shape[1] % 2:
        values = np.pad(values, ((0, 0), (0, 1)))
    return (values[:, ::2] | values[:, 1::2] << 4).tobytes()


def _unpacked(centroids: bytes, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    packed = np.frombuffer(centroids, np.uint8).reshape(shape[0], -1)
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(shape[0], -1)[:, : shape[1]]


def nearest(centroids: bytes, rows: Steps) -> tuple[Numbers, Steps]:
    """Return the nearest cell of each row, and the rows."""
    own = np.ascontiguousarray(rows)
    components = own.shape[1]
    found = np.empty(len(own), np.uint32)
    status = lib.pocket_nearest_cells(
        centroids,
        len(centroids) // ((components + 1) // 2),
        components,
        ffi.from_buffer("int8_t[]", own),
        len(own),
        ffi.from_buffer("uint32_t[]", found, require_writable=True),
    )
    check(status, ffi.new("pocket_error *"), "cells")
    return found, own
