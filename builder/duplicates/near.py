"""All hits of many queries, as arrays: no record is looked up, no object made of a hit."""

from __future__ import annotations

from math import asin, floor, pi, sqrt
from typing import Any

import numpy as np
from pocketindex.cbits import ffi, lib
from pocketindex.index import Index
from pocketindex.status import check

ROOM = 65_536  # a query has no more candidates
BITS = 128  # of the sketches of a temporary index
# Of pairs at .8 by all their words, damped, all but 6 in 2,610 are at .7 or more by what sketches look at: words with a letter, counted
# plainly (Reuters; bench/results/pairs.md).
APART = 0.1

Found = tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.float64]], bool]


def doubt(cosine: float, bits: int = BITS) -> float:
    """The standard deviation of the similarity that so many hashed bits tell of two texts at this cosine.

    With the query's projections z and c the cosine, the estimate is sum |z| a / sum |z|, a = +-1, and the expectations of |z| a, z^2 a and
    |z| are those of two Gaussians that correlate by c.
    """
    same = 2 / pi * (asin(cosine) + cosine * sqrt(1 - cosine * cosine))
    return sqrt(pi / (2 * bits) * max(1 + cosine * cosine - 2 * cosine * same, 0))


def proposed_from(least: float) -> float:
    """The similarity by sketches from which on texts are compared, for pairs at exact cosine least or more.

    Three standard deviations below APART less than least: .64 for .9, .50 for .8, .10 for .5.
    """
    cosine = max(least - APART, 0.0)
    return max(floor(100 * (cosine - 3 * doubt(cosine))) / 100, 0.0)


class Near:
    """Asks the tables of an open index again and again.

    An answer: documents, similarities (0..1), best first, and whether candidates were left out.
    """

    def __init__(self, index: Index, probes: int) -> None:
        self._index, self._probes = index, probes
        self._hits = ffi.new("pocket_hit[]", ROOM)
        self._table = np.frombuffer(ffi.buffer(self._hits), "<u4").reshape(ROOM, -1)
        self._count, self._report, self._error = ffi.new("uint32_t *"), ffi.new("pocket_report *"), ffi.new("pocket_error *")

    def of_text(self, text: bytes) -> Found:
        """Of a text; none where it is too short."""
        self._count[0] = ROOM
        rest = (self._probes, self._hits, self._count, self._report, self._error)
        status = lib.pocket_query(self._index.handle, text, len(text), *rest)
        return self._found(0 if status == lib.POCKET_TEXT_TOO_SHORT else status)

    def of_document(self, number: int) -> Found:
        """Of a stored document, itself left out."""
        self._count[0] = ROOM
        rest = (self._probes, self._hits, self._count, self._report, self._error)
        documents, similarities, capped = self._found(lib.pocket_query_document(self._index.handle, number, *rest))
        others = documents != number
        return documents[others], similarities[others], capped

    def _found(self, status: int) -> Found:
        check(status, self._error, self._index.path)
        found = self._table[: self._count[0]]
        return found[:, 0].astype(np.int64), found[:, 1] / 10_000, bool(self._report.capped)
