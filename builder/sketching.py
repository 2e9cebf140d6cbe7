"""The second pass: each chunk of the spool becomes a chunk of sketches and of sorted keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
from pocketindex.builder.work import Entry, Work

BATCH, BATCH_BYTES = 1_024, 1 << 22  # documents sketched at once, and their bytes

Records = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Sketched:
    """A chunk whose documents are sketched: count of them are kept, and numbered from first on.

    In its file: the terms of all documents, the records of those that are kept, then a run of their keys for each table, and of their ids.
    """

    chunk: Chunk
    duplicates: Duplicates
    least_terms: int
    path: Path
    first: int
    count: int
    stride: int

    def terms(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """Of each document, stop words not counted."""
        with self.path.open("rb") as file:
            return np.frombuffer(exactly(file, 0, 4 * self.chunk.count), "<u4")

    def too_short(self) -> Flags:
        return (self.terms() < self.least_terms) & ~self.duplicates.among(self.chunk.first, self.chunk.count)

    def kept(self) -> Flags:
        return (self.terms() >= self.least_terms) & ~self.duplicates.among(self.chunk.first, self.chunk.count)

    def records(self) -> Records:
        """(count, stride)"""
        with self.path.open("rb") as file:
            content = exactly(file, 4 * self.chunk.count, self.count * self.stride)
        return np.frombuffer(content, np.uint8).reshape(self.count, self.stride)

    def run(self, column: int) -> Run:
        """Of a table; that of the ids comes after those of the tables."""
        offset = 4 * self.chunk.count + self.count * self.stride + column * PAIR_BYTES * self.count
        return Run(self.path, offset, self.count, self.first)


def sketch(spool: Spool, duplicates: Duplicates, profile: Profile, job: Job) -> list[Sketched]:
    """Sketch every chunk that is not sketched yet, and report what is too short."""
    work, beside = job.work, job.settings.beside
    done, found, first = work.of("sketches"), list[Sketched](), 0
    stride = profile.sketch_bytes + sum(beside) // 8
    for number, chunk in enumerate(spool.chunks):
        if number < len(done):
            entry = done[number]
            job.progress.add(chunk.count)
        else:
            batches = _batches(chunk, profile, beside, job)
            name = f"sketches-{number:06}"
            entry = _write(name, batches, chunk, ~duplicates.among(chunk.first, chunk.count), profile.least_terms, work)
        sketched = Sketched(chunk, duplicates, profile.least_terms, work.path(entry), first, entry["count"], stride)
        _report(sketched, job.report)
        found.append(sketched)
        first += sketched.count
    return found


def _batches(chunk: Chunk, profile: Profile, beside: tuple[int, int], job: Job) -> Iterable[Sketches]:
    def one(batch: tuple[bytes, Ends]) -> Sketches:
        return profile.sketch_many(*batch, *beside)

    for sketches in job.workers.map(one, chunk.batches(BATCH, BATCH_BYTES)):
        job.progress.add(len(sketches.terms))
        yield sketches


def _write(name: str, batches: Iterable[Sketches], chunk: Chunk, candidates: Flags, least_terms: int, work: Work) -> Entry:
    whole = list(batches)
    terms = np.concatenate([batch.terms for batch in whole])
    kept = (terms >= least_terms) & candidates
    keys = np.concatenate([batch.keys for batch in whole])[kept]
    with work.file(name) as file:
        file.write(terms.astype("<u4").tobytes())
        file.write(np.concatenate([batch.records for batch in whole])[kept].tobytes())
        for table in range(keys.shape[1]):
            file.write(sorted_run(np.ascontiguousarray(keys[:, table])))
        hashes, numbers = chunk.hashes.read(0, chunk.count)
        numbers = numbers - np.uint32(chunk.first)
        own, place = kept[numbers], np.cumsum(kept) - 1
        file.write(hashes[own].astype("<u8").tobytes() + place[numbers[own]].astype("<u4").tobytes())
    return work.record("sketches", (name, file), count=len(keys))


def _report(sketched: Sketched, report: Report) -> None:
    short = sketched.too_short()
    if short.any():
        for head, terms, is_short in zip(sketched.chunk.all_heads(), sketched.terms().tolist(), short.tolist(), strict=True):
            if is_short:
                detail = f"{terms} terms besides stop words, expected at least {sketched.least_terms}"
                report.skip(Skip(head.id.decode(), "too short", detail))
    report.index(sketched.count)
