"""A chunk of documents, which is a finished file of the work folder.

It has the texts, then the ids, titles, urls, languages and labels, then the ends of both, then the
hashes of the ids as a sorted file (sorted_files.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.chunks.document_batch import SIZES
from pocketindex.builder.spill.sorted_files import SortedFile, exactly
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.interrupt import go_on

_BATCH, _BATCH_BYTES = 256, 1 << 20  # texts read at once

Ends = npt.NDArray[np.uint64]
Rows = tuple[bytes, Ends]  # one after the other, and where each ends
Flags = npt.NDArray[np.bool_]


class Details(NamedTuple):
    """The fields of a document other than its text, in UTF-8."""

    id: bytes
    title: bytes
    url: bytes
    language: bytes
    labels: bytes  # each with its bytes before it


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of documents in the work folder. count: the number of documents; first: the number of
    the first one; texts, details: the bytes of these.
    """

    path: Path
    first: int
    count: int
    texts: int
    details: int

    @property
    def hashes(self) -> SortedFile:
        """The sorted hashes of the ids, with the numbers of the documents."""
        return SortedFile(
            self.path, self.texts + self.details + 16 * self.count, self.count, self.first
        )

    def text_ends(self) -> Ends:
        return self._ends(0)

    def details_of(self, own: Flags) -> Iterator[Details]:
        """Yield the details of those documents that have a flag, in order."""
        content, ends = self.all_details()
        for start, end in zip(
            np.append(np.uint64(0), ends[:-1])[own].tolist(), ends[own].tolist(), strict=True
        ):
            yield unpacked_details(content[start:end])

    def details_at(self, number: int) -> Details:
        """Return the details of one document."""
        place = number - self.first
        with self.path.open("rb") as file:
            at = self.texts + self.details + 8 * (self.count + place)
            before = exactly(file, at - 8, 8) if place else bytes(8)
            start = int.from_bytes(before, "little")
            end = int.from_bytes(exactly(file, at, 8), "little")
            return unpacked_details(exactly(file, self.texts + start, end - start))

    def all_texts(self) -> Iterator[bytes]:
        """Yield the texts of all documents, in order."""
        for texts, ends in self.blocks(_BATCH, _BATCH_BYTES):
            for start, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
                yield texts[start:end]

    def blocks(self, documents: int, size: int) -> Iterator[Rows]:
        """Yield joined texts with their ends, in batches. documents: the most texts of a batch;
        size: its most bytes, unless it has a single text.
        """
        ends = self.text_ends()
        sizes = np.diff(ends, prepend=np.uint64(0)).tolist()
        start = 0
        with self.path.open("rb") as file:
            for places in batches(range(self.count), sizes.__getitem__, documents, size):
                own = ends[places[0] : places[-1] + 1]
                end = int(own[-1])
                go_on()
                yield exactly(file, start, end - start), own - np.uint64(start)
                start = end

    def all_details(self) -> Rows:
        """Return all details, joined, and their ends."""
        return self.details_content(), self.detail_ends()

    def details_content(self) -> bytes:
        with self.path.open("rb") as file:
            return exactly(file, self.texts, self.details)

    def detail_ends(self) -> Ends:
        return self._ends(1)

    def _ends(self, which: int) -> Ends:
        with self.path.open("rb") as file:
            return np.frombuffer(
                exactly(file, self.texts + self.details + 8 * which * self.count, 8 * self.count),
                "<u8",
            )


def document_records(details: bytes, ends: Ends) -> Rows:
    """Return the joined records of the documents section (docs/format.md, section 5) for these
    details, and their ends.
    """
    out, out_ends = np.empty(len(details), np.uint8), np.empty(len(ends), np.uint64)
    results = [ffi.from_buffer("uint8_t[]", out), ffi.from_buffer("uint64_t[]", out_ends)]
    lib.pocket_document_records(details, ffi.from_buffer("uint64_t[]", ends), len(ends), *results)
    return out[: int(out_ends[-1]) if len(out_ends) else 0].tobytes(), out_ends


def chosen(content: bytes, ends: Ends, own: Flags) -> Rows:
    """Return the joined values that have a flag, and their ends. content: all values, joined; ends:
    their ends; own: a flag for each.
    """
    if own.all():
        return content, np.ascontiguousarray(ends)
    starts, own_ends = np.append(np.uint64(0), ends[:-1])[own], ends[own]
    bounds = zip(starts.tolist(), own_ends.tolist(), strict=True)
    parts = [content[start:end] for start, end in bounds]
    return b"".join(parts), np.cumsum(own_ends - starts, dtype=np.uint64)


def unpacked_details(details: bytes) -> Details:
    """Unpack the details of a document from the bytes of the spool."""
    fields, at = [], SIZES.size
    for size in SIZES.unpack_from(details):
        fields.append(details[at : at + size])
        at += size
    return Details(*fields)
