"""The pass for words: which documents of each chunk have a word, and how often, as a file a chunk
(docs/format.md 6.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.spill.chunks.chunk import Flags, Rows, chosen
from pocketindex.builder.spill.chunks.chunk_words import ChunkWords, WordArrays
from pocketindex.builder.spill.chunks.document_batch import SIZES
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.journal import Written
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

BATCH, BATCH_BYTES = 1_024, 1 << 22  # documents that are read at once, and their bytes
PLACES = 1 << 16  # documents whose words the core collects together

Ends = npt.NDArray[np.uint64]
Sizes = dict[str, int]


def collect_words(sketched: Sequence[Sketched], stream: int, context: Context) -> list[ChunkWords]:
    """Collect the words of every chunk of which it is not done yet, a file a chunk. A chunk of very
    short documents may have more of them than the core takes together: it makes several. stream: of
    the profile.
    """
    work, settings = context.work, context.settings
    done = work.of("words")
    context.progress.phase("collecting words", documents=sum(part.count for part in sketched))
    found = [
        words
        for entry, part in zip(done, sketched, strict=False)
        for words in ChunkWords.all_of(work.path(entry), entry["pieces"], part.first)
    ]
    context.progress.add(sum(part.count for part in sketched[: len(done)]))

    def one(numbered: tuple[int, Sketched]) -> tuple[str, Written, list[Sizes], Sketched]:
        number, part = numbered
        name = f"words-{number:06}"
        with work.file(name) as file:
            titles = titles_of(*part.chunk.all_details()) if settings.title_weight else None
            blocks = part.chunk.blocks(BATCH, BATCH_BYTES)
            collected = words_of(blocks, part.kept(), titles, settings.title_weight, stream)
            pieces = [arrays.write(file) for arrays in collected]
        return name, file, pieces, part

    rest = list(enumerate(sketched))[len(done) :]
    for name, file, pieces, part in context.threads.map(one, rest):
        entry = work.enter("words", (name, file), pieces=pieces)
        found += ChunkWords.all_of(work.path(entry), pieces, part.first)
        context.progress.add(part.count)
    return found


def words_of(
    blocks: Iterable[Rows],
    kept: Flags,
    titles: Sequence[bytes] | None,
    title_weight: int,
    stream: int,
) -> Iterator[WordArrays]:
    """Yield the words of those of some documents that are kept, of PLACES of them at most at once.

    titles: of all of them, None without. stream: of the profile.
    """
    collecting = _Collecting(title_weight, stream)
    try:
        at = 0
        for texts, ends in blocks:
            own = kept[at : at + len(ends)]
            texts, ends = chosen(texts, ends, own)
            if collecting.documents + len(ends) > PLACES:
                yield collecting.finish()
                collecting.close()
                collecting = _Collecting(title_weight, stream)
            own_titles = titles[at : at + len(own)] if titles else [b""] * len(own)
            kept_titles = [title for title, keep in zip(own_titles, own, strict=True) if keep]
            collecting.add(texts, ends, kept_titles)
            at += len(own)
        yield collecting.finish()
    finally:
        collecting.close()


class _Collecting:
    """The core while it collects the words of some documents. documents: so many."""

    def __init__(self, title_weight: int, stream: int) -> None:
        words = ffi.new("pocket_words **")
        status = lib.pocket_words_begin(title_weight, stream, lib.pocket_asked, words)
        check(status, None, "words")
        self._words, self.documents = words[0], 0

    def add(self, texts: bytes, ends: Ends, titles: Sequence[bytes]) -> None:
        """Add documents, whose texts lie one after the other, and their titles."""
        title_ends = np.cumsum([len(title) for title in titles], dtype=np.uint64)
        status = lib.pocket_words_add(
            self._words,
            texts,
            ffi.from_buffer("uint64_t[]", ends),
            b"".join(titles),
            ffi.from_buffer("uint64_t[]", title_ends),
            len(ends),
        )
        check(status, None, "words")
        self.documents += len(ends)

    def finish(self) -> WordArrays:
        """Return what was collected."""
        chunk = ffi.new("pocket_chunk_words *")
        check(lib.pocket_words_finish(self._words, chunk), None, "words")
        return WordArrays.copied(chunk)

    def close(self) -> None:
        lib.pocket_words_free(self._words)
        self._words = ffi.NULL


def titles_of(details: bytes, ends: Ends) -> list[bytes]:
    """Return the titles of documents whose details lie one after the other."""
    return list(_each_title(details, [0, *ends.tolist()[:-1]]))


def _each_title(details: bytes, starts: Sequence[int]) -> Iterator[bytes]:
    for start in starts:
        id_size, title_size, *_ = SIZES.unpack_from(details, start)
        begin = start + SIZES.size + id_size
        yield details[begin : begin + title_size]
