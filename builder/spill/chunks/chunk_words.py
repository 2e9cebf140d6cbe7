"""The words of a chunk in the work folder, as arrays that the core reads and makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.journal import Entry, Written
from pocketindex.cbits import ffi

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class WordArrays:
    """Words in the order of their bytes (cbits/build/pocket_build.h, pocket_chunk_words)."""

    lengths: Numbers
    word_ends: Numbers
    posting_ends: Numbers
    postings: Numbers
    content: npt.NDArray[np.uint8]

    @classmethod
    def copied(cls, chunk: Any) -> WordArrays:
        """Copy the words that the core has collected."""
        own = chunk[0]
        postings = own.posting_ends[own.words - 1] if own.words else 0
        size = own.word_ends[own.words - 1] if own.words else 0

        def array(pointer: Any, count: int, kind: Any = np.uint32) -> Any:
            size = count * np.dtype(kind).itemsize
            return np.frombuffer(ffi.buffer(pointer, size), kind).copy() if count else kind([])

        return cls(
            array(own.lengths, own.documents),
            array(own.word_ends, own.words),
            array(own.posting_ends, own.words),
            array(own.postings, postings),
            array(own.bytes, size, np.uint8),
        )

    def write(self, file: Written | IO[bytes]) -> dict[str, int]:
        """Write the arrays to a file. Returns their sizes."""
        for own in (self.lengths, self.word_ends, self.posting_ends, self.postings):
            file.write(own.astype("<u4").tobytes())
        file.write(self.content.tobytes())
        return {
            "documents": len(self.lengths),
            "words": len(self.word_ends),
            "postings": len(self.postings),
            "bytes": len(self.content),
        }


@dataclass(frozen=True)
class ChunkWords:
    """The words of a chunk, or of some of its documents, in a file from offset on. first: the
    number of the first document.
    """

    path: Path
    offset: int
    first: int
    documents: int
    words: int
    postings: int
    size: int

    @classmethod
    def all_of(cls, path: Path, pieces: Iterable[Entry], first: int) -> Iterator[ChunkWords]:
        """Yield all pieces of a file. pieces: the sizes of the arrays of each piece."""
        offset = 0
        for piece in pieces:
            sizes = (piece["documents"], piece["words"], piece["postings"], piece["bytes"])
            found = cls(path, offset, first, *sizes)
            offset += sum(found._array_sizes())
            first += found.documents
            yield found

    def _array_sizes(self) -> list[int]:
        numbers = (self.documents, self.words, self.words, self.postings)
        return [*(4 * number for number in numbers), self.size]

    def arrays(self) -> WordArrays:
        """Return the arrays, mapped into memory."""
        sizes = self._array_sizes()
        whole = (
            np.memmap(self.path, np.uint8, "r", self.offset, (sum(sizes),))
            if sum(sizes)
            else np.zeros(0)
        )
        parts = np.split(np.asarray(whole, np.uint8), np.cumsum(sizes)[:-1])
        lengths, word_ends, posting_ends, postings = (part.view("<u4") for part in parts[:4])
        return WordArrays(lengths, word_ends, posting_ends, postings, parts[4])


class Chunks:
    """Chunks of words for the core: an array of pocket_chunk_words, which keeps alive what it
    points to. having: for each word of each chunk, the number of documents of the collection that
    have it.
    """

    def __init__(
        self,
        chunks: Sequence[ChunkWords],
        arrays: Sequence[WordArrays],
        having: Sequence[Numbers] | None = None,
    ) -> None:
        self._given = chunks, arrays, having
        self.count = len(chunks)
        self.core = ffi.new("pocket_chunk_words[]", len(chunks))
        self._alive: list[Any] = []
        for i, (chunk, own) in enumerate(zip(chunks, arrays, strict=True)):
            core = self.core[i]
            core.bytes = self._pointer("uint8_t[]", own.content)
            core.word_ends = self._pointer("uint32_t[]", own.word_ends)
            core.posting_ends = self._pointer("uint32_t[]", own.posting_ends)
            core.postings = self._pointer("uint32_t[]", own.postings)
            core.lengths = self._pointer("uint32_t[]", own.lengths)
            core.having = self._pointer("uint32_t[]", having[i]) if having else ffi.NULL
            core.words, core.documents = len(own.word_ends), len(own.lengths)
            core.first = chunk.first

    def with_words(self, words: Sequence[bytes]) -> Chunks:
        """Return these chunks together with words that no document has, sorted by their bytes."""
        chunks, arrays, having = self._given
        content, none = np.frombuffer(b"".join(words), np.uint8), np.zeros(0, np.uint32)
        ends = np.cumsum([len(word) for word in words], dtype=np.uint32)
        own = WordArrays(none, ends, np.zeros(len(words), np.uint32), none, content)
        chunk = ChunkWords(Path(), 0, 0, 0, len(words), 0, len(content))
        counted = [*having, np.zeros(len(words), np.uint32)] if having else None
        return Chunks([*chunks, chunk], [*arrays, own], counted)

    def _pointer(self, kind: str, array: Any) -> Any:
        pointer = ffi.from_buffer(kind, np.ascontiguousarray(array))
        self._alive.append(pointer)
        return pointer
