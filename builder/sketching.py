"""The second pass: each chunk of the spool becomes a chunk of sketches and of sorted keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.document import Skip
from pocketindex.builder.job import Job
from pocketindex.builder.profile import Profile, Sketches
from pocketindex.builder.report import Report
from pocketindex.builder.runs import PAIR_BYTES, Run, exactly, sorted_run
from pocketindex.builder.same_ids import Duplicates, Flags
from pocketindex.builder.spool import Chunk, Ends, Spool
from pocketindex.builder.work import Entry, Work, Written

BATCH, BATCH_BYTES = 1_024, 1 << 22  # documents sketched at once, and their bytes

Done = tuple[str, Written, int]  # a file that is written: its name, and the documents that are kept
Records = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Sketched:
    """A chunk whose documents are sketched: count of them are kept, and numbered from first on.

    In its file: the terms of all documents, the records of those that are kept, then a run of their
    keys for each table, and of their ids, then their steps, where the documents are placed in
    cells.
    """

    chunk: Chunk
    duplicates: Duplicates
    least_terms: int
    path: Path
    first: int
    count: int
    stride: int
    tables: int

    def terms(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """Of each document, stop words not counted."""
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, 0, 4 * self.chunk.count), "<u4")

    def too_short(self) -> Flags:
        return (self.terms() < self.least_terms) & ~self.duplicates.among(
            self.chunk.first, self.chunk.count
        )

    def kept(self) -> Flags:
        return (self.terms() >= self.least_terms) & ~self.duplicates.among(
            self.chunk.first, self.chunk.count
        )

    def places(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Where those that are kept lie in the chunk."""
        return np.flatnonzero(self.kept())

    def steps(self, components: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        """(count, components)"""
        offset = self.run(self.tables + 1).offset
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, offset, self.count * components), np.int8).reshape(
                self.count, components
            )

    def records(self) -> Records:
        """(count, stride)"""
        with self.path.open("rb") as file:
            content = exactly(file, 4 * self.chunk.count, self.count * self.stride)
        return np.frombuffer(content, np.uint8).reshape(self.count, self.stride)

    def run(self, column: int) -> Run:
        """Of a table; that of the ids comes after those of the tables."""
        offset = 4 * self.chunk.count + self.count * self.stride + column * PAIR_BYTES * self.count
        return Run(self.path, offset, self.count, self.first)


def sketch(
    spool: Spool, duplicates: Duplicates, profile: Profile, job: Job, steps: bool = False
) -> list[Sketched]:
    """Sketch every chunk that is not sketched yet, and report what is too short.

    steps: whether they are kept, for cells.
    """
    work, beside = job.work, job.settings.beside
    done, found = work.of("sketches"), list[Sketched]()
    stride = profile.sketch_bytes + sum(beside) // 8

    def take(entry: Entry) -> None:
        chunk, first = spool.chunks[len(found)], found[-1].first + found[-1].count if found else 0
        found.append(
            Sketched(
                chunk,
                duplicates,
                profile.least_terms,
                work.path(entry),
                first,
                entry["count"],
                stride,
                profile.tables,
            )
        )
        _report(found[-1], job.report)

    for entry in done:
        take(entry)
        job.progress.add(found[-1].chunk.count)
    waiting: Callable[[], Done] | None = None

    def finish(name: str, file: Written, count: int) -> None:
        take(work.record("sketches", (name, file), count=count))

    for number, batches in groupby(
        _batches(spool.chunks, len(done), profile, job, steps), itemgetter(0)
    ):
        sketches, chunk = [sketches for _, sketches in batches], spool.chunks[number]
        if waiting:
            finish(*waiting())
        candidates = ~duplicates.among(chunk.first, chunk.count)
        waiting = job.workers.start(
            partial(
                _write,
                f"sketches-{number:06}",
                sketches,
                chunk,
                candidates,
                profile.least_terms,
                work,
            )
        )
    if waiting:
        finish(*waiting())
    return found


def _batches(
    chunks: Sequence[Chunk], first: int, profile: Profile, job: Job, steps: bool
) -> Iterator[tuple[int, Sketches]]:
    """The numbers of the chunks from the first on, with sketches of some of their documents: so no
    thread waits where a chunk ends.
    """

    def one(batch: tuple[int, tuple[bytes, Ends]]) -> tuple[int, Sketches]:
        number, texts = batch
        return number, profile.sketch_many(*texts, *job.settings.beside, steps)

    pieces = (
        (number, batch)
        for number in range(first, len(chunks))
        for batch in chunks[number].batches(BATCH, BATCH_BYTES)
    )
    for number, sketches in job.workers.map(one, pieces):
        job.progress.add(len(sketches.terms))
        yield number, sketches


def _write(
    name: str,
    batches: Sequence[Sketches],
    chunk: Chunk,
    candidates: Flags,
    least_terms: int,
    work: Work,
) -> Done:
    """A chunk of sketches, while the next is sketched."""
    terms = np.concatenate([batch.terms for batch in batches])
    kept = (terms >= least_terms) & candidates
    keys = np.concatenate([batch.keys for batch in batches])[kept]
    with work.file(name) as file:
        file.write(terms.astype("<u4").tobytes())
        file.write(np.concatenate([batch.records for batch in batches])[kept].tobytes())
        for table in range(keys.shape[1]):
            file.write(sorted_run(np.ascontiguousarray(keys[:, table])))
        hashes, numbers = chunk.hashes.read(0, chunk.count)
        numbers = numbers - np.uint32(chunk.first)
        own, place = kept[numbers], np.cumsum(kept) - 1
        file.write(
            hashes[own].astype("<u8").tobytes() + place[numbers[own]].astype("<u4").tobytes()
        )
        file.write(np.concatenate([batch.steps for batch in batches])[kept].tobytes())
    return name, file, len(keys)


def _report(sketched: Sketched, report: Report) -> None:
    short = sketched.too_short()
    if short.any():
        for head, terms in zip(
            sketched.chunk.heads_of(short), sketched.terms()[short].tolist(), strict=True
        ):
            detail = f"{terms} terms besides stop words, expected at least {sketched.least_terms}"
            report.skip(Skip(head.id.decode(), "too short", detail))
    report.index(sketched.count)
