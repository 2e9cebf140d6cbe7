"""All hits of many queries: no record is looked up, no object made of a hit."""

from __future__ import annotations

from math import acos, asin, floor, pi, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.index import Index
from pocketindex.status import check

ROOM = 65_536  # a query has no more candidates
FEW = 256  # hits that are asked for first
BITS = 128  # of the sketches of a temporary index
# Of pairs at .8 by all their words, damped, all but 6 in 2,610 are at .7 or more by what sketches
# look at: words with a letter, counted plainly (Reuters; bench/results/pairs.md).
APART = 0.1

Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], bool]


def doubt(cosine: float, bits: int = BITS) -> float:
    """Return the standard deviation of the similarity that so many hashed bits tell of two texts at
    this cosine.

    With the query's projections z and c the cosine, the estimate is sum |z| a / sum |z|, a = +-1,
    and the expectations of |z| a, z^2 a and |z| are those of two Gaussians that correlate by c.
    """
    same = 2 / pi * (asin(cosine) + cosine * sqrt(1 - cosine * cosine))
    return sqrt(pi / (2 * bits) * max(1 + cosine * cosine - 2 * cosine * same, 0))


def proposed_from(least: float) -> float:
    """The similarity by sketches from which on texts are compared, for pairs at exact cosine least
    or more.

    Three standard deviations below APART less than least: .64 for .9, .50 for .8, .10 for .5.
    """
    cosine = max(least - APART, 0.0)
    return max(floor(100 * (cosine - 3 * doubt(cosine))) / 100, 0.0)


class Near:
    """Asks the tables of an open index again and again with texts.

    An answer: documents, similarities (0..1), best first, and whether candidates were left out.
    """

    def __init__(self, index: Index, probes: int) -> None:
        self._index = index
        self._hits = ffi.new("pocket_hit[]", ROOM)
        self._table = np.frombuffer(ffi.buffer(self._hits), "<u4").reshape(ROOM, -1)
        self._count = ffi.new("uint32_t *")
        self._report = ffi.new("pocket_report *")
        self._error = ffi.new("pocket_error *")
        self._options = query_options(probes, self._report)

    def of_text(self, text: bytes) -> Found:
        """Of a text; none where it is too short."""
        self._count[0] = ROOM
        rest = (self._options, self._hits, self._count, self._error)
        status = lib.pocket_query(self._index._core, text, len(text), *rest)
        return self._found(0 if status == lib.POCKET_TEXT_TOO_SHORT else status)

    def _found(self, status: int) -> Found:
        check(status, self._error, self._index.path)
        found = self._table[: self._count[0]]
        return found[:, 0].astype(np.int64), found[:, 1] / 10_000, bool(self._report.capped)


def of_document(index: Index, number: int, probes: int, least: float) -> list[tuple[int, float]]:
    """Other documents that are similar to a stored one by least or more, and how much, best first.

    Few hits are asked for, and more only where the last of them is still so similar: for all that
    there may be the core would score everything.
    """
    count = ffi.new("uint32_t *")
    error = ffi.new("pocket_error *")
    room = FEW
    options = query_options(probes)
    while True:
        hits = ffi.new("pocket_hit[]", room)
        count[0] = room
        check(
            lib.pocket_query_document(index._core, number, options, hits, count, error),
            error,
            index.path,
        )
        if count[0] < room or hits[room - 1].similarity < 10_000 * least or room == ROOM:
            found = ((hit.document, hit.similarity / 10_000) for hit in hits[0 : count[0]])
            return [
                (document, similarity)
                for document, similarity in found
                if similarity >= least and document != number
            ]
        room = min(8 * room, ROOM)


def listed(cosine: float, least: float, bits: int, documents: int) -> float:
    """The share of pairs at this cosine that two stored sketches of so many bits put at least or
    more, both 0..1.

    Equal bits of two sketches are binomial: each is equal with probability 1 - acos(cosine) / pi.
    Luck is taken off the estimate (docs/format.md, section 8).
    """
    luck = 0.27222 * documents.bit_length() * (1 - least * least) ** 1.5 / bits
    equal = 1 - acos(cosine) / pi
    deviation = pi * sqrt((1 - cosine * cosine) * equal * (1 - equal) / bits)
    return (
        NormalDist().cdf((cosine - least - luck) / deviation)
        if deviation
        else float(cosine >= least)
    )
