"""Documents between the passes of a build: read once from their source, kept in chunks, each a
finished file of the work folder.

A chunk has its texts one after the other, then their ids, titles, urls and languages, then where
each ends, then the hashes of the ids as a sorted run (runs.py).
"""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pocketindex.builder.bundle import HEAD, Bundle, head_of
from pocketindex.builder.document import Document
from pocketindex.builder.profile import murmur
from pocketindex.builder.runs import Run, exactly, sorted_run
from pocketindex.builder.work import Entry, Work, Written
from pocketindex.builder.workers import Workers
from pocketindex.cbits import ffi, lib
from pocketindex.errors import PocketError

_BATCH, _BATCH_BYTES = 256, 1 << 20  # texts read at once
MOST_DOCUMENTS = 2**32  # a posting has 32 bits
CHUNK_BYTES, CHUNK_DOCUMENTS = 1 << 25, 1 << 16  # of a chunk at most


def _nothing() -> None:
    """There is no chunk to be finished."""


Ends = np.ndarray[Any, np.dtype[np.uint64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


class Spooled(NamedTuple):
    """What a document has beside its text, in UTF-8."""

    id: bytes
    title: bytes
    url: bytes
    language: bytes


@dataclass(frozen=True, slots=True)
class Chunk:
    """count documents, the first of them numbered first; texts and heads have so many bytes."""

    path: Path
    first: int
    count: int
    texts: int
    heads: int

    @property
    def hashes(self) -> Run:
        """Of the ids, with the documents' numbers."""
        return Run(self.path, self.texts + self.heads + 16 * self.count, self.count, self.first)

    def text_ends(self) -> Ends:
        return self._ends(0)

    def heads_of(self, own: Flags) -> Iterator[Spooled]:
        """Of those documents that have a flag, in order."""
        content, ends = self.heads_content()
        for start, end in zip(
            np.append(np.uint64(0), ends[:-1])[own].tolist(), ends[own].tolist(), strict=True
        ):
            yield spooled(content[start:end])

    def head(self, number: int) -> Spooled:
        """Of one document."""
        place = number - self.first
        with self.path.open("rb") as file:
            at = self.texts + self.heads + 8 * (self.count + place)
            before = exactly(file, at - 8, 8) if place else bytes(8)
            start, end = (
                int.from_bytes(before, "little"),
                int.from_bytes(exactly(file, at, 8), "little"),
            )
            return spooled(exactly(file, self.texts + start, end - start))

    def all_texts(self) -> Iterator[bytes]:
        """Of all documents, in order."""
        for texts, ends in self.batches(_BATCH, _BATCH_BYTES):
            for start, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
                yield texts[start:end]

    def batches(self, documents: int, size: int) -> Iterator[tuple[bytes, Ends]]:
        """The texts one after the other with their ends, some at a time: at most so many, and size
        bytes if not a single one.
        """
        ends, first, start = self.text_ends(), 0, 0
        with self.path.open("rb") as file:
            while first < self.count:
                last = max(int(np.searchsorted(ends, np.uint64(start + size), "right")), first + 1)
                last = min(last, first + documents)
                yield (
                    exactly(file, start, int(ends[last - 1]) - start),
                    ends[first:last] - np.uint64(start),
                )
                first, start = last, int(ends[last - 1])

    def heads_content(self) -> tuple[bytes, Ends]:
        """All heads, one after the other, and where each ends."""
        with self.path.open("rb") as file:
            return exactly(file, self.texts, self.heads), self.head_ends()

    def head_ends(self) -> Ends:
        return self._ends(1)

    def _ends(self, which: int) -> Ends:
        with self.path.open("rb") as file:
            return np.frombuffer(
                exactly(file, self.texts + self.heads + 8 * which * self.count, 8 * self.count),
                "<u8",
            )


class _Filling:
    """The chunk that documents are added to."""

    def __init__(self) -> None:
        self.texts, self.size, self.heads = list[bytes | memoryview](), 0, bytearray()
        self.text_ends, self.head_ends, self.hashes = array("Q"), array("Q"), array("Q")

    def add(self, document: Document) -> None:
        text = document.text.encode()
        self.heads += head_of(document)
        self.texts.append(text)
        self.size += len(text)
        self.text_ends.append(self.size)
        self.head_ends.append(len(self.heads))
        self.hashes.append(murmur(document.id.encode()))

    def add_many(self, bundle: Bundle) -> None:
        for own, ends, before in (
            (self.text_ends, bundle.text_ends, self.size),
            (self.head_ends, bundle.head_ends, len(self.heads)),
        ):
            own.frombytes((ends + np.uint64(before)).tobytes())
        self.hashes.frombytes(bundle.hashes.tobytes())
        self.texts.append(bundle.texts)
        self.size += len(bundle.texts)
        self.heads += bundle.heads

    def write(self, file: Written) -> None:
        for part in (*self.texts, self.heads):
            file.write(part)
        for ends in (self.text_ends, self.head_ends):
            file.write(np.frombuffer(ends, np.uint64).astype("<u8").tobytes())
        file.write(sorted_run(np.frombuffer(self.hashes, np.uint64)))


class Spool:
    """The documents in the order they came, duplicates too.

    chunks: the finished ones; count: documents in them; added: documents in them and in the one
    being written; size: bytes of these.
    """

    def __init__(self, work: Work, memory: int, workers: Workers) -> None:
        """memory: bytes that a build may take; what a chunk has is a small part of it."""
        self._work, self._workers = work, workers
        self._most_bytes, self._most = (
            min(memory // 32, CHUNK_BYTES),
            min(memory >> 14, CHUNK_DOCUMENTS),
        )
        self.chunks: list[Chunk] = []
        self.count = 0
        for entry in work.of("documents"):
            self._take(entry)
        self.added, self.size = self.count, work.size
        self._filling, self._finish = _Filling(), _nothing

    def add(self, some: Document | Bundle) -> bool:
        """Append a document, or many; whether the chunk is full, and to be finished."""
        filling = self._filling
        if isinstance(some, Bundle):
            filling.add_many(some)
        else:
            filling.add(some)
        return (
            len(filling.hashes) >= self._most
            or filling.size + len(filling.heads) >= self._most_bytes
        )

    def finish(self, **more: Any) -> None:
        """Make a chunk of what was added since the last time, which others can be added beside;
        more: for its entry in the journal.
        """
        self._finish()
        full, name = self._filling, f"documents-{len(self.chunks):06}"
        sizes = {"count": len(full.hashes), "texts": full.size, "heads": len(full.heads)}
        if self.count + sizes["count"] > MOST_DOCUMENTS:
            raise PocketError(
                f"there are more than {MOST_DOCUMENTS:,} documents, which is what a file "
                "holds; "
                "build several"
            )

        def write() -> Written:
            with self._work.file(name) as file:
                full.write(file)
            return file

        def finish() -> None:
            file = written()
            self._finish = _nothing
            self._take(self._work.record("documents", (name, file), **sizes, **more))

        self._filling, self._finish = _Filling(), finish
        self.added, self.size = (
            self.added + sizes["count"],
            self.size + sizes["texts"] + sizes["heads"],
        )
        written = self._workers.start(write)

    def end(self, **more: Any) -> None:
        """The same with what is left, if anything is; then all is finished."""
        if self._filling.hashes:
            self.finish(**more)
        self._finish()

    def _take(self, entry: Entry) -> None:
        self.chunks.append(
            Chunk(
                self._work.path(entry), self.count, entry["count"], entry["texts"], entry["heads"]
            )
        )
        self.count += entry["count"]

    def head(self, number: int) -> Spooled:
        """What the document of this number has beside its text."""
        return self._of(number).head(number)

    def lengths(self, numbers: Sequence[int]) -> dict[int, int]:
        """The bytes of these texts, by number."""
        return {
            number: end - start
            for _, places in self._places(numbers)
            for number, start, end in places
        }

    def texts(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """These texts, by number."""
        found: dict[int, bytes] = {}
        for chunk, places in self._places(numbers):
            with chunk.path.open("rb") as file:
                found.update(
                    (number, exactly(file, start, end - start)) for number, start, end in places
                )
        return found

    def _of(self, number: int) -> Chunk:
        return self.chunks[
            bisect.bisect_right(self.chunks, number, key=lambda chunk: chunk.first) - 1
        ]

    def _places(self, numbers: Sequence[int]) -> Iterator[tuple[Chunk, list[tuple[int, int, int]]]]:
        """By chunk: number, start and end of each of these texts in it."""
        rising = np.sort(np.array(numbers, np.int64))
        for chunk in self.chunks:
            own = rising[
                np.searchsorted(rising, chunk.first) : np.searchsorted(
                    rising, chunk.first + chunk.count
                )
            ]
            if len(own):
                bounds = np.concatenate([np.zeros(1, np.uint64), chunk.text_ends()])
                places = own - chunk.first
                yield (
                    chunk,
                    list(
                        zip(
                            own.tolist(),
                            bounds[places].tolist(),
                            bounds[places + 1].tolist(),
                            strict=True,
                        )
                    ),
                )


def document_records(heads: bytes, ends: Ends) -> tuple[bytes, Ends]:
    """The records of the documents section (docs/format.md, section 5) of these heads, one after
    the other, and where each ends.
    """
    out, out_ends = np.empty(len(heads), np.uint8), np.empty(len(ends), np.uint64)
    results = [ffi.from_buffer("uint8_t[]", out), ffi.from_buffer("uint64_t[]", out_ends)]
    lib.pocket_document_records(heads, ffi.from_buffer("uint64_t[]", ends), len(ends), *results)
    return out[: int(out_ends[-1]) if len(out_ends) else 0].tobytes(), out_ends


def spooled(head: bytes) -> Spooled:
    """What a document has beside its text, of the bytes that the spool has for it."""
    fields, at = [], HEAD.size
    for size in HEAD.unpack_from(head):
        fields.append(head[at : at + size])
        at += size
    return Spooled(*fields)
