"""The third pass: chunks of sketches and keys become the sections of the file, and these the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numpy as np
from pocketindex.builder import container
from pocketindex.builder.container import Section
from pocketindex.builder.documents import Records, write_documents
from pocketindex.builder.job import Job
from pocketindex.builder.profile import Profile
from pocketindex.builder.replace import replacing
from pocketindex.builder.runs import fewer
from pocketindex.builder.sketching import Records as Sketches
from pocketindex.builder.sketching import Sketched
from pocketindex.builder.tables import write_tables
from pocketindex.builder.texts import write_texts
from pocketindex.builder.titles import TitlesWriter

SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check


def write_file(target: Path, profile: Profile, sketched: Sequence[Sketched], job: Job) -> None:
    """Make the sections, and of them target, which is replaced when all is there."""
    kinds = [container.PROFILE, container.TABLES, container.SKETCHES, container.DOCUMENTS, container.IDS]
    with ExitStack() as stack:
        sections = [stack.enter_context(Section(kind, job.work.folder)) for kind in kinds]
        if job.settings.keep != "none":
            sections.append(stack.enter_context(Section(container.TEXTS, job.work.folder, flags=0)))
        if job.settings.titles:
            sections.append(stack.enter_context(Section(container.TITLES, job.work.folder, flags=0)))
        _write(sections, profile, sketched, job)
        job.progress.phase("writing the file")
        job.report.temporary = job.work.size + sum(map(len, sections))
        with replacing(target) as out:
            container.write(out, sections)


def _write(sections: Sequence[Section], profile: Profile, sketched: Sequence[Sketched], job: Job) -> None:
    own, tables, sketches, documents, ids, *more = sections
    settings, progress, each = job.settings, job.progress, job.workers.map
    count, stride = sum(chunk.count for chunk in sketched), profile.sketch_bytes + sum(settings.beside) // 8
    own.parameters = profile.data
    write_sketches(sketches, (chunk.records() for chunk in sketched), count, stride, *settings.beside)
    progress.phase("writing documents", documents=count)
    write_documents(documents, partial(_records, sketched), count, settings.url_template, each, progress.add)
    for section in more:
        if section.kind == container.TEXTS:
            progress.phase("writing texts", documents=count)
            write_texts(section, _texts(sketched, job), count, settings.keep, settings.snippet, each)
        else:
            _write_titles(section, sketched, count, job)
    progress.phase("writing tables", documents=count * (profile.tables + 1), unit="postings")
    runs = [
        fewer([chunk.run(table) for chunk in sketched], job.work.folder / f"keys-{table}", job.merging)
        for table in range(profile.tables + 1)
    ]
    write = partial(
        write_tables,
        documents=count,
        workers=job.workers,
        memory=job.merging,
        keys_per_part=settings.keys_per_part,
        done=progress.add,
    )
    write(tables, runs[:-1], mph=settings.mph, checksum_bits=settings.checksums, default_probes=settings.default_probes)
    write(ids, runs[-1:], checksum_bits=8)


def _records(sketched: Sequence[Sketched]) -> Iterator[Records]:
    for chunk in sketched:
        yield chunk.chunk.records(chunk.kept())


def _texts(sketched: Sequence[Sketched], job: Job) -> Iterator[bytes]:
    for chunk in sketched:
        for text, kept in zip(chunk.chunk.all_texts(), chunk.kept().tolist(), strict=True):
            if kept:
                yield text
                job.progress.add()


def _write_titles(section: Section, sketched: Sequence[Sketched], count: int, job: Job) -> None:
    job.progress.phase("writing titles", documents=count)
    with TitlesWriter(section, job.work.folder, job.merging) as writer:
        for chunk in sketched:
            for head in chunk.chunk.heads_of(chunk.kept()):
                writer.add(head.title)
            job.progress.add(chunk.count)
        writer.finish()


def write_sketches(section: Section, records: Iterable[Sketches], count: int, stride: int, identity_bits: int, shared_bits: int) -> None:
    """The sketches section (docs/format.md, section 4) of count records, (n, stride) at a time."""
    block, first, waiting = max(1, SKETCH_BLOCK // stride), 0, np.zeros((0, stride), np.uint8)
    beside = [shared_bits, 0] if shared_bits else []
    section.parameters = np.array([count, stride, identity_bits, block, *beside], "<u4").tobytes()
    for some in records:
        waiting = np.concatenate([waiting, some])
        whole = len(waiting) // block * block
        for start in range(0, whole, block):
            section.add(first + start, waiting[start : start + block].tobytes())
        first, waiting = first + whole, waiting[whole:]
    if len(waiting):
        section.add(first, waiting.tobytes())
