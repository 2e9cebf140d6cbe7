"""The pass for passages: find the shingles of each chunk, and write them to a sorted file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.spill.chunks.chunk import Flags, Rows
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.journal import Written
from pocketindex.builder.spill.sorted_files import Pairs, SortedFile, order_of
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

BATCH, BATCH_BYTES = (
    1_024,
    1 << 22,
)  # the most documents, and bytes, whose shingles are found at once


def shingle_keys(sketched: Sequence[Sketched], stream: int, context: Context) -> list[SortedFile]:
    """Find the shingles of all chunks that have none yet. Returns a sorted file for each chunk.
    stream: of the profile.
    """
    work, settings = context.work, context.settings
    done = work.of("passages")
    context.progress.phase("finding shingles", documents=sum(part.count for part in sketched))
    found = [
        SortedFile(work.path(entry), 0, entry["count"], part.first)
        for entry, part in zip(done, sketched, strict=False)
    ]
    context.progress.add(sum(part.count for part in sketched[: len(done)]))

    def one(numbered: tuple[int, Sketched]) -> tuple[str, Written, int, Sketched]:
        number, part = numbered
        blocks = part.chunk.blocks(BATCH, BATCH_BYTES)
        shape = settings.run_terms, settings.run_window
        keys, places = shingles_of(blocks, part.kept(), stream, *shape)
        name = f"passages-{number:06}"
        with work.file(name) as file:
            file.write(keys.astype("<u8").tobytes())
            file.write(places.astype("<u4").tobytes())
        return name, file, len(keys), part

    rest = list(enumerate(sketched))[len(done) :]
    for name, file, count, part in context.threads.map(one, rest):
        entry = work.enter("passages", (name, file), count=count)
        found.append(SortedFile(work.path(entry), 0, count, part.first))
        context.progress.add(part.count)
    return found


def shingles_of(blocks: Iterable[Rows], kept: Flags, stream: int, terms: int, window: int) -> Pairs:
    """Return the sorted shingles of the documents that are kept, and for each shingle the place of
    its document among these. kept: a flag for each document of blocks.
    """
    at = 0
    place = np.cumsum(kept) - 1
    keys, places = list[npt.NDArray[np.uint64]](), list[npt.NDArray[np.uint32]]()
    for texts, ends in blocks:
        own, key_ends = keys_of_texts(texts, ends, stream, terms, window)
        counts = (key_ends - np.append(np.uint64(0), key_ends[:-1])).astype(np.int64)
        numbers = np.repeat(np.arange(at, at + len(ends)), counts)
        chosen = kept[numbers]
        keys.append(own[chosen])
        places.append(place[numbers[chosen]].astype(np.uint32))
        at += len(ends)
    all_keys = np.concatenate(keys) if keys else np.zeros(0, np.uint64)
    all_places = np.concatenate(places) if places else np.zeros(0, np.uint32)
    order = order_of(all_keys)  # places rise already
    return all_keys[order], all_places[order]


def keys_of_texts(
    texts: bytes, ends: npt.NDArray[np.uint64], stream: int, terms: int, window: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return the shingles that winnowing keeps of each text, in rising order, and where the
    shingles of each text end (docs/format.md 6.3). texts: all texts, of which ends has the ends;
    stream: of the profile.
    """
    key_ends, out = np.zeros(len(ends), np.uint64), ffi.new("uint64_t **")
    status = lib.pocket_shingle_keys(
        texts,
        ffi.from_buffer("uint64_t[]", np.ascontiguousarray(ends, np.uint64)),
        len(ends),
        stream,
        terms,
        window,
        ffi.from_buffer("uint64_t[]", key_ends),
        out,
        lib.pocket_asked,
    )
    check(status, None, "shingles")
    try:
        count = int(key_ends[-1]) if len(ends) else 0
        keys = np.frombuffer(ffi.buffer(out[0], 8 * count), np.uint64).copy()
    finally:
        lib.pocket_release(out[0])
    return keys, key_ends
