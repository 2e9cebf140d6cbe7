"""All hits of many queries: no record is looked up, no object made of a hit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import acos, asin, floor, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.ffi.status import check
from pocketindex.index import Index

ROOM = 65_536  # a query has no more candidates
FEW = 256  # hits that are asked for first
# A scan scores the sketches that are nearest by their bits: four times the hits, or 512. Margins
# order them otherwise. Below HIGH, where one in sixteen of these is similar enough, others may lie
# beyond; from HIGH on hardly any does (bench/results/pairs.md).
DEEP = 4
# Keys a table, from HIGH on and below, of a file that is not compared sketch by sketch.
PROBES = 1_024
MANY_PROBES = 4_096
HIGH = 0.8
BITS = 128  # of the sketches of a temporary index
# Of pairs at .8 by all their words, damped, all but 6 in 2,610 are at .7 or more by what sketches
# look at: words with a letter, counted plainly (Reuters; bench/results/pairs.md).
APART = 0.1

Numbers = npt.NDArray[np.int64]
Found = tuple[Numbers, bool]


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
    """Asks an open index with texts, for what may be at exact cosine least or more. Threads may
    share it.

    probes: keys looked up in each table; None for a scan of all sketches where this is the file's
    own way, else for PROBES or MANY_PROBES.
    """

    def __init__(self, index: Index, least: float, probes: int | None = None) -> None:
        self._index = index
        self._lowest = proposed_from(least)
        many = PROBES if least >= HIGH else MANY_PROBES
        self._deep = 1 if least >= HIGH else DEEP
        self._probes = probes or (0 if index.info().way == "scan" else many)

    def of_text(self, text: bytes) -> Found:
        """Documents, the most similar first, and whether there were more than the core looks at;
        none where the text is too short.
        """
        ask = partial(lib.pocket_query, self._index._core, text, len(text))
        found = _asked(self._index, ask, self._probes, self._lowest, self._deep, bare=True)
        return found.documents, found.capped


def of_document(index: Index, number: int, probes: int, least: float) -> list[tuple[int, float]]:
    """Other documents that are similar to a stored one by least or more, and how much, best
    first.
    """
    ask = partial(lib.pocket_query_document, index._core, number)
    found = _asked(index, ask, probes, least, 1)
    columns = (found.documents.tolist(), found.similarities.tolist())
    return [pair for pair in zip(*columns, strict=True) if pair[0] != number]


class _Asked(NamedTuple):
    documents: Numbers
    similarities: npt.NDArray[np.float64]
    capped: bool


def _asked(
    index: Index,
    ask: Callable[..., int],
    probes: int,
    least: float,
    deep: int,
    *,
    bare: bool = False,
) -> _Asked:
    """Hits at least so similar, best first, and whether there may be more. bare: only hits by
    sketches, so none of a text that has none.

    Few hits are asked for, and eight times as many where those that are so similar are not fewer
    than one in deep: for all that there may be the core would score everything.
    """
    count, report = ffi.new("uint32_t *"), ffi.new("pocket_report *")
    error = ffi.new("pocket_error *")
    options = query_options(probes, report, sketches_alone=True)
    room = FEW
    while True:
        hits = ffi.new("pocket_hit[]", room)
        count[0] = room
        status = ask(options, hits, count, error)
        if status != lib.POCKET_TEXT_TOO_SHORT:
            check(status, error, index.path)
        table = np.frombuffer(ffi.buffer(hits), "<u4").reshape(room, -1)[: count[0]]
        similar = table[table[:, 1] / 10_000 >= least]
        if bare:
            similar = similar[similar[:, 0] < index._sketched]
        if deep * len(similar) < room or room >= min(ROOM, len(index)):
            capped = bool(report.capped) or len(similar) == ROOM < len(index)
            return _Asked(similar[:, 0].astype(np.int64), similar[:, 1] / 10_000, capped)
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
