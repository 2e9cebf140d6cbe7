"""The first pass: read the sources into the spool, from the place at which a stopped build was."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from pocketindex.arguments import is_file
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.document import Document, Notice, Skip, records_within
from pocketindex.builder.inputs import Input
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere, size_of
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, SourceError
from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch, packed_details
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.disk_space import DiskSpace
from pocketindex.builder.spill.journal import Entry, NotResumed

Found = Sequence[tuple[str, Input]]


@dataclass
class Position:
    """How far the sources are read: all sources before number source, and some documents and
    skipped records of that one.

    crc: the checksum of these documents; offset, lines: where the next record begins, for inputs
    that can continue there.
    """

    source: int = 0
    documents: int = 0
    skips: int = 0
    crc: int = 0
    offset: int = 0
    lines: int = 0


def state_of(found: Sequence[tuple[str, object]]) -> Entry:
    """Return the sizes and times of files, and what servers say about theirs, to tell whether
    sources have changed.
    """
    state: Entry = {"the list of sources": [source for source, _ in found]}
    for source, _ in found:
        if is_file(source):
            status = os.stat(source)
            state[f"size and time of {source}"] = [status.st_size, status.st_mtime_ns]
        elif isinstance(source, Elsewhere) and not source.is_folder and source.tag:
            state[f"size and version of {source}"] = [source.size, source.tag]
    return state


def read(found: Found, spool: Spool, context: Context) -> None:
    """Spool the documents of the sources. Raises SourceError, and what the work folder raises."""
    with records_within(context.settings.max_memory):
        _read(found, spool, context)


def _read(found: Found, spool: Spool, context: Context) -> None:
    work = context.work
    report = context.report
    progress = context.progress
    finished = work.of("read") or work.of("documents")[-1:]
    position = Position()
    if finished:
        report.restore(finished[-1]["report"])
        position = Position(**finished[-1]["position"])
    if work.of("read"):
        return
    sources = [source for source, _ in found]
    sizes = list(map(size_of, sources))
    measured, space = _Measured(sizes, progress), DiskSpace(work.folder, sources, sizes)
    space.begin(report.notes.append)
    progress.phase("reading")
    for number, (source, kind) in enumerate(found):
        if number < position.source:
            continue
        if number > position.source:
            position = Position(number)
        measured.begin(number)
        try:
            for some in _Source(source, kind, context, measured).documents(position):
                count = len(some) if isinstance(some, DocumentBatch) else 1
                report.arrive(count)
                if spool.add(some):
                    spool.finish(position=asdict(position), report=report.state())
                    space.check(spool.size, spool.added, measured.read)
                progress.add(count)
        except SourceError as error:
            if not context.settings.keep_going:
                raise
            report.end(error)
    spool.end(position=asdict(position), report=report.state())
    work.enter("read", position=asdict(position), report=report.state())
    if report.ended and not spool.count:
        raise report.ended[0]  # nothing is kept, and an empty file is not what was asked for


class _Source:
    """The records of one source, from a position on, which is updated."""

    def __init__(self, source: str, kind: Input, context: Context, measure: OnBytes) -> None:
        self._source = source
        self._kind = kind
        self._measure = measure
        self._work = context.work
        self._report = context.report
        self._each = context.threads.map

    def documents(self, position: Position) -> Iterator[Document | DocumentBatch]:
        if self._kind.placed and is_file(self._source):
            yield from self._from_place(position)
        else:
            yield from self._from_count(position)

    def _from_place(self, position: Position) -> Iterator[Document | DocumentBatch]:
        """Yield documents, if the input can continue in the middle."""
        place = Place(position.offset, position.lines)
        for some in self._documents(self._report.reject, place=place):
            position.offset, position.lines = place.offset, place.lines
            yield some

    def _from_count(self, position: Position) -> Iterator[Document | DocumentBatch]:
        """Yield documents, if the input cannot continue in the middle: documents that are already
        spooled are read again, compared and dropped.
        """
        known, crc = Position(**asdict(position)), 0
        position.documents = position.skips = position.crc = 0

        def reject(skip: Skip | Notice) -> None:
            position.skips += 1
            if position.skips > known.skips:
                self._report.reject(skip)

        for some in self._documents(reject):
            before, count = position.documents, len(some) if isinstance(some, DocumentBatch) else 1
            for part in (
                (some.details, some.texts)
                if isinstance(some, DocumentBatch)
                else (packed_details(some), some.text.encode())
            ):
                crc = crc32c(part, crc)
            position.documents, position.crc = before + count, crc
            if before >= known.documents:
                yield some
            elif position.documents >= known.documents and (position.documents, crc) != (
                known.documents,
                known.crc,
            ):
                break
        else:
            if position.documents >= known.documents:
                return
        raise NotResumed(
            f"{self._work.folder}: cannot go on: what was read of {self._source} is no longer the "
            "same; give what was given then, or omit {spelled('resume')} to begin again"
        )

    def _documents(self, reject: OnSkip, **place: Place) -> Iterator[Document | DocumentBatch]:
        documents: Callable[..., Iterator[Document | DocumentBatch]] = self._kind.documents
        if self._kind.batches:
            documents = functools.partial(self._kind.batches, each=self._each)
        return documents(self._source, reject, self._measure, **place)


class _Measured:
    """An OnBytes for the bytes read of all sources, from the measure of each of them."""

    def __init__(self, sizes: Sequence[int | None], progress: Progress) -> None:
        self._total = None if None in sizes else sum(size or 0 for size in sizes)
        self._sizes = [size or 0 for size in sizes]
        self._progress = progress
        self._before = 0
        self.read = 0

    def begin(self, source: int) -> None:
        """Count what follows for the source with this number."""
        self._before = sum(self._sizes[:source])

    def __call__(self, read: int, total: int | None) -> None:
        self.read = self._before + read
        self._progress.measure(self.read, total if self._total is None else self._total)
