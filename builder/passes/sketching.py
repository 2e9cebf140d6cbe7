"""The second pass: make a chunk of sketches and sorted keys from each chunk of the spool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

import numpy as np
from pocketindex.builder.passes.context import Context
from pocketindex.builder.schemes.profile import Profile, Sketches
from pocketindex.builder.spill.chunks.chunk import Chunk, Ends
from pocketindex.builder.spill.chunks.repeated_ids import Flags, RepeatedIds
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.journal import Entry, WorkFolder, Written
from pocketindex.builder.spill.sorted_files import sorted_bytes
from pocketindex.cbits import lib

BATCH, BATCH_BYTES = 1_024, 1 << 22  # documents sketched at once, and their bytes

Done = tuple[str, Written, Entry]  # a file that is written: its name, and what is entered of it


def sketch(
    spool: Spool, repeated: RepeatedIds, profile: Profile, context: Context, steps: bool = False
) -> list[Sketched]:
    """Sketch every chunk that is not sketched yet, and report the number of documents.

    steps: whether steps are kept, for cells.
    """
    work = context.work
    done, found = work.of("sketches"), list[Sketched]()
    stride = profile.sketch_bytes + context.settings.identity_bits // 8

    def take(entry: Entry) -> None:
        chunk, first = spool.chunks[len(found)], found[-1].first + found[-1].count if found else 0
        found.append(
            Sketched(
                chunk,
                repeated,
                work.path(entry),
                first,
                entry["count"],
                entry["with_sketch"],
                stride,
                profile.tables,
            )
        )
        short = entry["count"] - entry["with_sketch"]
        context.report.index(entry["count"], short, entry["without_text"])

    for entry in done:
        take(entry)
        context.progress.add(found[-1].chunk.count)
    waiting: Callable[[], Done] | None = None

    def finish(name: str, file: Written, counts: Entry) -> None:
        take(work.enter("sketches", (name, file), **counts))

    for number, batches in groupby(
        _batches(spool.chunks, len(done), profile, context, steps), itemgetter(0)
    ):
        sketches, chunk = [sketches for _, sketches in batches], spool.chunks[number]
        if waiting:
            finish(*waiting())
        candidates = ~repeated.among(chunk.first, chunk.count)
        waiting = context.threads.start(
            partial(
                _write,
                f"sketches-{number:06}",
                sketches,
                chunk,
                candidates,
                work,
            )
        )
    if waiting:
        finish(*waiting())
    return found


def _batches(
    chunks: Sequence[Chunk], first: int, profile: Profile, context: Context, steps: bool
) -> Iterator[tuple[int, Sketches]]:
    """Yield the numbers of chunks, from the first on, with sketches of batches of their documents,
    so that no thread waits at the end of a chunk.
    """

    def one(batch: tuple[int, tuple[bytes, Ends]]) -> tuple[int, Sketches]:
        number, texts = batch
        return number, profile.sketch_many(*texts, context.settings.identity_bits, steps)

    pieces = (
        (number, batch)
        for number in range(first, len(chunks))
        for batch in chunks[number].blocks(BATCH, BATCH_BYTES)
    )
    for number, sketches in context.threads.map(one, pieces):
        context.progress.add(len(sketches.copies))
        yield number, sketches


def _write(
    name: str, batches: Sequence[Sketches], chunk: Chunk, kept: Flags, work: WorkFolder
) -> Done:
    """Write a chunk of sketches, while the next is sketched."""
    copies = np.concatenate([batch.copies for batch in batches])
    sketched = kept & (copies == 0)
    keys = np.concatenate([batch.keys for batch in batches])[sketched]
    place = np.cumsum(kept) - 1
    with work.file(name) as file:
        file.write(copies.astype("<u8").tobytes())
        file.write(np.concatenate([batch.records for batch in batches])[sketched].tobytes())
        for table in range(keys.shape[1]):
            file.write(sorted_bytes(np.ascontiguousarray(keys[:, table]), place[sketched]))
        hashes, numbers = chunk.hashes.read(0, chunk.count)
        numbers = numbers - np.uint32(chunk.first)
        own = kept[numbers]
        file.write(
            hashes[own].astype("<u8").tobytes() + place[numbers[own]].astype("<u4").tobytes()
        )
        file.write(np.concatenate([batch.steps for batch in batches])[sketched].tobytes())
    counts: Entry = {
        "count": int(np.count_nonzero(kept)),
        "with_sketch": len(keys),
        "without_text": int(np.count_nonzero(copies[kept] == lib.POCKET_WITHOUT_TEXT)),
    }
    return name, file, counts
