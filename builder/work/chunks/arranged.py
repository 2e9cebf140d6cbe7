"""The documents in the order of the file: that of their cells, or that in which they came.

What lies in chunks is read in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.work.chunks.chunk import (
    Details,
    Ends,
    Rows,
    document_records,
    unpacked_details,
)
from pocketindex.builder.work.chunks.sketched import Records as Sketches
from pocketindex.builder.work.chunks.sketched import Sketched
from pocketindex.builder.work.sorted_files import exactly
from pocketindex.cbits import ffi, lib

AT_ONCE, BYTES_AT_ONCE = 1 << 19, 1 << 26  # documents of a batch, and its bytes
_SHARE = 32  # one part in so many of the memory is what a batch may have: it is copied some times

Numbers = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]


class Arranged:
    """The documents that are kept.

    cells: of each, in the order in which they came; None where they stay in it; memory: bytes that
    a build may take.
    """

    def __init__(
        self, sketched: Sequence[Sketched], cells: Numbers | None = None, memory: int = 1 << 31
    ) -> None:
        self._most_bytes = min(BYTES_AT_ONCE, memory // _SHARE)
        self.sketched, self.count = sketched, sum(part.count for part in sketched)
        self._firsts = np.array([part.first for part in sketched], np.int64)
        self._order = (
            np.arange(self.count, dtype=np.uint32)
            if cells is None
            else np.argsort(cells, kind="stable").astype(np.uint32)
        )
        self.numbers: Numbers | None = None
        """Of each document in the order in which they came; None where it is the same."""
        if cells is not None:
            self.numbers = np.empty(self.count, np.uint32)
            self.numbers[self._order] = np.arange(self.count, dtype=np.uint32)

    def sketches(self) -> Iterator[Sketches]:
        """Yield the records of the sketches section, some at a time."""
        stride = self.sketched[0].stride if self.sketched else 1
        for places in self._batches(max(1, min(AT_ONCE, self._most_bytes // stride))):
            out = np.empty((len(places), self.sketched[0].stride), np.uint8)
            for part, own in self._by_chunk(places):
                out[own] = part.records()[places[own] - part.first]
            yield out

    def records(self, step: int) -> Iterator[Rows]:
        """Yield every so many of the records of the documents section, some at a time, before they
        are packed.
        """
        for places in self._batches(AT_ONCE, step):
            for content, ends in self._details(places):
                yield document_records(content, ends)

    def details(self) -> Iterator[Details]:
        """Yield id, title, url and language of each."""
        for places in self._batches(AT_ONCE):
            for content, ends in self._details(places):
                for start, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
                    yield unpacked_details(content[start:end])

    def texts(self) -> Iterator[bytes]:
        """Yield the text of each, in UTF-8."""
        size = sum(part.chunk.texts for part in self.sketched)
        about = BYTES_AT_ONCE * self.count // max(size, 1)
        for many in self._batches(max(1, min(AT_ONCE, about))):
            for places in self._within(many, self._bounds(many, texts=True)):
                found = dict[int, bytes]()
                for part, own in self._by_chunk(places):
                    starts, ends = _bounds(part, places[own], texts=True)
                    bounds = zip(own.tolist(), starts.tolist(), ends.tolist(), strict=True)
                    with part.chunk.path.open("rb") as file:
                        for place, start, end in bounds:
                            found[place] = exactly(file, start, end - start)
                for place in range(len(places)):
                    yield found.pop(place)

    def _batches(self, size: int, step: int = 1) -> Iterator[Places]:
        order = self._order[::step]
        for start in range(0, len(order), size):
            yield order[start : start + size].astype(np.int64)

    def _by_chunk(self, places: Places) -> Iterator[tuple[Sketched, Places]]:
        """Yield the chunks of documents that came at these places, and which are in each."""
        of = np.searchsorted(self._firsts, places, "right") - 1
        by_chunk = np.argsort(of, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(of[by_chunk]) != 0))
        for own in np.split(by_chunk, starts[1:]):
            yield self.sketched[of[own[0]]], own

    def _bounds(self, places: Places, texts: bool = False) -> tuple[Ends, Ends]:
        """Return where the details, or the texts, of documents start and end in their chunks."""
        starts, ends = np.empty(len(places), np.uint64), np.empty(len(places), np.uint64)
        for part, own in self._by_chunk(places):
            starts[own], ends[own] = _bounds(part, places[own], texts)
        return starts, ends

    def _within(self, places: Places, bounds: tuple[Ends, Ends]) -> Iterator[Places]:
        """Yield the places in pieces that have no more bytes than a batch may have, if not of a
        single document.
        """
        totals, first = np.cumsum(bounds[1] - bounds[0]), 0
        while first < len(places):
            before = int(totals[first - 1]) if first else 0
            last = int(np.searchsorted(totals, np.uint64(before + self._most_bytes), "right"))
            last = max(last, first + 1)
            yield places[first:last]
            first = last

    def _details(self, places: Places) -> Iterator[Rows]:
        """Yield the details one after the other, and where each ends, some at a time."""
        for some in self._within(places, self._bounds(places)):
            starts, ends = self._bounds(some)
            totals = np.cumsum(ends - starts)
            out, targets = np.empty(int(totals[-1]), np.uint8), totals - (ends - starts)
            for part, own in self._by_chunk(some):
                _copy(part.chunk.details_content(), starts[own], ends[own], out, targets[own])
            yield out.tobytes(), totals


def _bounds(part: Sketched, places: Places, texts: bool) -> tuple[Ends, Ends]:
    """Return where the details, or the texts, of documents that came at these places start and end
    in their chunk.
    """
    ends = np.append(np.uint64(0), part.chunk.text_ends() if texts else part.chunk.detail_ends())
    own = part.places()[places - part.first]
    return ends[own], ends[own + 1]


def _copy(content: bytes, starts: Any, ends: Any, out: Any, targets: Any) -> None:
    to = ffi.from_buffer("uint8_t[]", out, require_writable=True)
    lib.pocket_copy_pieces(
        content,
        ffi.from_buffer("uint64_t[]", np.ascontiguousarray(starts, np.uint64)),
        ffi.from_buffer("uint64_t[]", np.ascontiguousarray(ends, np.uint64)),
        len(targets),
        to,
        ffi.from_buffer("uint64_t[]", np.ascontiguousarray(targets)),
    )
