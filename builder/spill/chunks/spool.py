"""Store the documents of a build, which are read once from their source, in chunks, each a finished
file of the work folder.
"""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pocketindex.builder.conventions import murmur
from pocketindex.builder.document import Document
from pocketindex.builder.spill.chunks.chunk import Chunk, Details
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch, packed_details
from pocketindex.builder.spill.journal import Entry, WorkFolder, Written
from pocketindex.builder.spill.sorted_files import exactly, sorted_bytes
from pocketindex.builder.spill.threads import Threads
from pocketindex.errors import PocketError

MOST_DOCUMENTS = 2**32  # a posting has 32 bits
CHUNK_BYTES, CHUNK_DOCUMENTS = 1 << 25, 1 << 16  # of a chunk at most


def _nothing() -> None:
    """Do nothing, because there is no chunk to finish."""


class Filling:
    """The chunk to which documents are added. size: the bytes of its texts."""

    def __init__(self) -> None:
        self.texts = list[bytes | memoryview]()
        self.size = 0
        self.details = bytearray()
        self.text_ends = array("Q")
        self.detail_ends = array("Q")
        self.hashes = array("Q")

    def add(self, document: Document) -> None:
        text = document.text.encode()
        self.details += packed_details(document)
        self.texts.append(text)
        self.size += len(text)
        self.text_ends.append(self.size)
        self.detail_ends.append(len(self.details))
        self.hashes.append(murmur(document.id.encode()))

    def add_many(self, batch: DocumentBatch) -> None:
        for own, ends, before in (
            (self.text_ends, batch.text_ends, self.size),
            (self.detail_ends, batch.detail_ends, len(self.details)),
        ):
            own.frombytes((ends + np.uint64(before)).tobytes())
        self.hashes.frombytes(batch.hashes.tobytes())
        self.texts.append(batch.texts)
        self.size += len(batch.texts)
        self.details += batch.details

    def __len__(self) -> int:
        return len(self.hashes)

    def batch(self) -> DocumentBatch:
        """Return the added documents as a batch."""
        text_ends, detail_ends, hashes = (
            np.frombuffer(own, np.uint64) for own in (self.text_ends, self.detail_ends, self.hashes)
        )
        texts = memoryview(b"".join(self.texts))
        return DocumentBatch(texts, memoryview(self.details), text_ends, detail_ends, hashes)

    def write(self, file: Written) -> None:
        for part in (*self.texts, self.details):
            file.write(part)
        for ends in (self.text_ends, self.detail_ends):
            file.write(np.frombuffer(ends, np.uint64).astype("<u8").tobytes())
        file.write(sorted_bytes(np.frombuffer(self.hashes, np.uint64)))


class Spool:
    """Collects documents in the order in which they arrive, including duplicates.

    chunks: the finished chunks; count: the documents in these; added: the documents in these and in
    the chunk that is being filled; size: the bytes of all of these.
    """

    def __init__(self, work: WorkFolder, memory: int, threads: Threads) -> None:
        """memory: the bytes that a build may take. A chunk takes a small part of these."""
        self._work, self._threads = work, threads
        self._most_bytes = min(memory // 32, CHUNK_BYTES)
        self._most = min(memory >> 14, CHUNK_DOCUMENTS)
        self.chunks: list[Chunk] = []
        self.count = 0
        for entry in work.of("documents"):
            self._take(entry)
        self.added, self.size = self.count, work.size
        self._filling, self._finish = Filling(), _nothing

    def add(self, some: Document | DocumentBatch) -> bool:
        """Append a document or a batch. Returns whether the chunk is full and must be finished."""
        filling = self._filling
        if isinstance(some, DocumentBatch):
            filling.add_many(some)
        else:
            filling.add(some)
        return (
            len(filling.hashes) >= self._most
            or filling.size + len(filling.details) >= self._most_bytes
        )

    def finish(self, **more: Any) -> None:
        """Finish the chunk in a thread, while documents are added to the next one. more: further
        fields of its entry in the journal.
        """
        self._finish()
        full, name = self._filling, f"documents-{len(self.chunks):06}"
        sizes = {"count": len(full.hashes), "texts": full.size, "details": len(full.details)}
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
            self._take(self._work.enter("documents", (name, file), **sizes, **more))

        self._filling, self._finish = Filling(), finish
        self.added = self.added + sizes["count"]
        self.size = self.size + sizes["texts"] + sizes["details"]
        written = self._threads.start(write)

    def end(self, **more: Any) -> None:
        """Finish the last chunk, if it has documents, and wait for all chunks."""
        if self._filling.hashes:
            self.finish(**more)
        self._finish()

    def _take(self, entry: Entry) -> None:
        self.chunks.append(
            Chunk(
                self._work.path(entry), self.count, entry["count"], entry["texts"], entry["details"]
            )
        )
        self.count += entry["count"]

    def details_at(self, number: int) -> Details:
        """Return the details of the document with this number."""
        return self._of(number).details_at(number)

    def lengths(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return the bytes of the texts of documents. numbers: those of the documents."""
        return {
            number: end - start
            for _, places in self._places(numbers)
            for number, start, end in places
        }

    def texts(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return the texts of documents. numbers: those of the documents."""
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
        """Yield for each chunk the number, start and end of each of these texts in it."""
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
