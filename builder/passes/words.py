"""The pass for words: which documents of each chunk have a word, and how often, as a file a chunk
(docs/format.md 6.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.work.chunks.chunk import Flags, Rows, chosen
from pocketindex.builder.work.chunks.chunk_words import ChunkWords, WordArrays
from pocketindex.builder.work.chunks.document_batch import SIZES
from pocketindex.builder.work.chunks.sketched import Sketched
from pocketindex.builder.work.journal import Written
from pocketindex.calls.status import check
from pocketindex.cbits import ffi, lib

BATCH, BATCH_BYTES = 1_024, 1 << 22  # documents that are read at once, and their bytes

Ends = npt.NDArray[np.uint64]


def collect_words(sketched: Sequence[Sketched], context: Context) -> list[ChunkWords]:
    """Collect the words of every chunk of which it is not done yet. Returns a file a chunk."""
    work, settings = context.work, context.settings
    done = work.of("words")
    context.progress.phase("collecting words", documents=sum(part.count for part in sketched))
    found = [
        ChunkWords.of(work.path(entry), entry, part.first)
        for entry, part in zip(done, sketched, strict=False)
    ]
    context.progress.add(sum(part.count for part in sketched[: len(done)]))

    def one(numbered: tuple[int, Sketched]) -> tuple[str, Written, dict[str, int], Sketched]:
        number, part = numbered
        name = f"words-{number:06}"
        with work.file(name) as file:
            titles = titles_of(*part.chunk.all_details()) if settings.title_weight else None
            blocks = part.chunk.blocks(BATCH, BATCH_BYTES)
            arrays = words_of(blocks, part.kept(), titles, settings.title_weight)
            sizes = arrays.write(file)
        return name, file, sizes, part

    rest = list(enumerate(sketched))[len(done) :]
    for name, file, sizes, part in context.threads.map(one, rest):
        entry = work.enter("words", (name, file), **sizes)
        found.append(ChunkWords.of(work.path(entry), entry, part.first))
        context.progress.add(part.count)
    return found


def words_of(
    blocks: Iterable[Rows], kept: Flags, titles: Sequence[bytes] | None, title_weight: int
) -> WordArrays:
    """Return the words of those of some documents that are kept. titles: of all of them, None
    without.
    """
    words, chunk = ffi.new("pocket_words **"), ffi.new("pocket_chunk_words *")
    check(lib.pocket_words_begin(title_weight, lib.pocket_asked, words), ffi.NULL, "words")
    try:
        at = 0
        for texts, ends in blocks:
            own = kept[at : at + len(ends)]
            texts, ends = chosen(texts, ends, own)
            own_titles = titles[at : at + len(own)] if titles else [b""] * len(own)
            kept_titles = [title for title, keep in zip(own_titles, own, strict=True) if keep]
            title_ends = np.cumsum([len(title) for title in kept_titles], dtype=np.uint64)
            check(
                lib.pocket_words_add(
                    words[0],
                    texts,
                    ffi.from_buffer("uint64_t[]", ends),
                    b"".join(kept_titles),
                    ffi.from_buffer("uint64_t[]", title_ends),
                    len(ends),
                ),
                ffi.NULL,
                "words",
            )
            at += len(own)
        check(lib.pocket_words_finish(words[0], chunk), ffi.NULL, "words")
        return WordArrays.copied(chunk)
    finally:
        lib.pocket_words_free(words[0])


def titles_of(details: bytes, ends: Ends) -> list[bytes]:
    """Return the titles of documents whose details lie one after the other."""
    return list(_each_title(details, [0, *ends.tolist()[:-1]]))


def _each_title(details: bytes, starts: Sequence[int]) -> Iterator[bytes]:
    for start in starts:
        id_size, title_size, *_ = SIZES.unpack_from(details, start)
        begin = start + SIZES.size + id_size
        yield details[begin : begin + title_size]
