"""Read the documents of chunks in the order of the file: first those with a sketch, by their cells
or as they came, then the short ones, by their copy keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.chunks.chunk import (
    Details,
    Ends,
    Rows,
    document_records,
    unpacked_details,
)
from pocketindex.builder.spill.chunks.sketched import Copies, Sketched
from pocketindex.builder.spill.chunks.sketched import Records as Sketches
from pocketindex.builder.spill.sorted_files import exactly
from pocketindex.cbits import ffi, lib

AT_ONCE, BYTES_AT_ONCE = 1 << 19, 1 << 26  # documents of a batch, and its bytes
_SHARE = 32  # one part in so many of the memory is what a batch may have: it is copied some times

Numbers = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]


class FileOrder:
    """The order of the documents of a file (docs/format.md 4.2, 4.3).

    order: for each document of the file, its place among the kept documents as they came; numbers:
    for each such place, the number in the file, None if it is the same; with_sketch: the number of
    documents with a sketch, which come first; copy_keys: those of the documents after these that
    have one.
    """

    def __init__(self, copies: Iterable[Copies], cells: Numbers | None) -> None:
        """copies: those of the documents, as they came; cells: those of the documents with a
        sketch, None without cells.
        """
        sketched, short = [np.zeros(0, np.uint32)], [np.zeros(0, np.uint32)]
        keys, count = [np.zeros(0, np.uint64)], 0
        for some in copies:
            sketched.append((count + np.flatnonzero(some == 0)).astype(np.uint32))
            short.append((count + np.flatnonzero(some)).astype(np.uint32))
            keys.append(some[some > 0])
            count += len(some)
        own, last, all_keys = np.concatenate(sketched), np.concatenate(short), np.concatenate(keys)
        if cells is not None:
            own = own[np.argsort(cells, kind="stable")]
        by_key = np.argsort(all_keys, kind="stable")
        all_keys = all_keys[by_key]
        self.with_sketch = len(own)
        self.copy_keys = all_keys[all_keys < lib.POCKET_WITHOUT_TEXT] - np.uint64(lib.POCKET_SHORT)
        self.order = np.concatenate([own, last[by_key]])
        self.numbers: Numbers | None = None
        if (self.order[1:] < self.order[:-1]).any():
            self.numbers = np.empty(count, np.uint32)
            self.numbers[self.order] = np.arange(count, dtype=np.uint32)


class Arranged:
    """The kept documents, in the order of the file.

    cells: the cell of each document with a sketch, as they came; None without cells, so that this
    order stays. memory: the bytes that a build may take.
    """

    def __init__(
        self, sketched: Sequence[Sketched], cells: Numbers | None = None, memory: int = 1 << 31
    ) -> None:
        self._most_bytes = min(BYTES_AT_ONCE, memory // _SHARE)
        self.sketched, self.count = sketched, sum(part.count for part in sketched)
        self._firsts = np.array([part.first for part in sketched], np.int64)
        found = FileOrder((part.copies() for part in sketched), cells)
        self.with_sketch, self.copy_keys = found.with_sketch, found.copy_keys
        self._order = found.order
        self.numbers = found.numbers
        """Of each document in the order in which they came; None where it is the same."""

    def sketches(self) -> Iterator[Sketches]:
        """Yield the records of the sketches section, in batches."""
        stride = self.sketched[0].stride if self.sketched else 1
        most = max(1, min(AT_ONCE, self._most_bytes // stride))
        for places in self._batches(most, end=self.with_sketch):
            out = np.empty((len(places), self.sketched[0].stride), np.uint8)
            for part, own in self._by_chunk(places):
                at = np.searchsorted(part.sketch_places(), places[own] - part.first)
                out[own] = part.records()[at]
            yield out

    def records(self, step: int) -> Iterator[Rows]:
        """Yield every step-th record of the documents section, in batches, before packing."""
        for places in self._batches(AT_ONCE, step):
            for content, ends in self._details(places):
                yield document_records(content, ends)

    def details(self) -> Iterator[Details]:
        """Yield the id, title, url and language of each document."""
        for places in self._batches(AT_ONCE):
            for content, ends in self._details(places):
                for start, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
                    yield unpacked_details(content[start:end])

    def texts(self) -> Iterator[bytes]:
        """Yield the text of each document, in UTF-8."""
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

    def _batches(self, size: int, step: int = 1, end: int | None = None) -> Iterator[Places]:
        order = self._order[:end:step]
        for start in range(0, len(order), size):
            yield order[start : start + size].astype(np.int64)

    def _by_chunk(self, places: Places) -> Iterator[tuple[Sketched, Places]]:
        """Yield the chunks that have the documents at these places, and for each chunk which ones
        it has.
        """
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
        """Yield places in pieces that have at most the bytes of a batch, unless they have a single
        document.
        """
        totals, first = np.cumsum(bounds[1] - bounds[0]), 0
        while first < len(places):
            before = int(totals[first - 1]) if first else 0
            last = int(np.searchsorted(totals, np.uint64(before + self._most_bytes), "right"))
            last = max(last, first + 1)
            yield places[first:last]
            first = last

    def _details(self, places: Places) -> Iterator[Rows]:
        """Yield the joined details and their ends, in batches."""
        for some in self._within(places, self._bounds(places)):
            starts, ends = self._bounds(some)
            totals = np.cumsum(ends - starts)
            out, targets = np.empty(int(totals[-1]), np.uint8), totals - (ends - starts)
            for part, own in self._by_chunk(some):
                _copy(part.chunk.details_content(), starts[own], ends[own], out, targets[own])
            yield out.tobytes(), totals


def _bounds(part: Sketched, places: Places, texts: bool) -> tuple[Ends, Ends]:
    """Return where the details, or the texts, of the documents at these places start and end in
    their chunk.
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
