"""The third pass: the chunks of documents, sketches and keys become the sections of the file, and
these the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from pocketindex.builder import container
from pocketindex.builder.arranged import Arranged
from pocketindex.builder.cells import Cells
from pocketindex.builder.container import Section
from pocketindex.builder.documents import write_documents
from pocketindex.builder.job import Job
from pocketindex.builder.profile import Profile
from pocketindex.builder.progress import Progress
from pocketindex.builder.replace import replacing
from pocketindex.builder.runs import fewer
from pocketindex.builder.sketching import Records as Sketches
from pocketindex.builder.tables import write_tables
from pocketindex.builder.texts import write_texts
from pocketindex.builder.titles import TitlesWriter

SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check


@dataclass(frozen=True)
class Content:
    """What a file is made of.

    cells: centres and the cell of each document, in the order in which they came, None without
    cells.
    """

    profile: Profile
    documents: Arranged
    probes: int
    cells: Cells | None


def write_file(target: Path, content: Content, job: Job) -> None:
    """Make the sections, and of them target, which is replaced when all is there."""
    kinds = [
        container.PROFILE,
        container.TABLES,
        container.SKETCHES,
        container.DOCUMENTS,
        container.IDS,
    ]
    with ExitStack() as stack:
        sections = [stack.enter_context(Section(kind, job.work.folder)) for kind in kinds]
        if content.cells:
            sections.append(stack.enter_context(Section(container.CELLS, job.work.folder)))
        if job.settings.keep != "none":
            sections.append(stack.enter_context(Section(container.TEXTS, job.work.folder, flags=0)))
        if job.settings.titles:
            sections.append(
                stack.enter_context(Section(container.TITLES, job.work.folder, flags=0))
            )
        _write(sections, content, job)
        job.progress.phase("writing the file")
        job.report.temporary = job.work.size + sum(map(len, sections))
        with replacing(target) as out:
            container.write(out, sections)


def _write(sections: Sequence[Section], content: Content, job: Job) -> None:
    own, tables, sketches, documents, ids, *more = sections
    settings, progress, each, arranged = (
        job.settings,
        job.progress,
        job.workers.map,
        content.documents,
    )
    count, stride = arranged.count, content.profile.sketch_bytes + sum(settings.beside) // 8
    own.parameters = content.profile.data
    write_sketches(sketches, arranged.sketches(), count, stride, *settings.beside)
    progress.phase("writing documents", documents=count)
    write_documents(documents, arranged.records, count, settings.url_template, each, progress.add)
    for section in more:
        if section.kind == container.CELLS and content.cells:
            content.cells.write(section)
        elif section.kind == container.TEXTS:
            progress.phase("writing texts", documents=count)
            write_texts(
                section,
                _counted(arranged.texts(), progress),
                count,
                settings.keep,
                settings.snippet,
                each,
            )
        else:
            _write_titles(section, arranged, job)
    _write_tables(tables, ids, content, job)


def _write_tables(tables: Section, ids: Section, content: Content, job: Job) -> None:
    arranged, settings, count = content.documents, job.settings, content.profile.tables
    job.progress.phase("writing tables", documents=arranged.count * (count + 1), unit="postings")
    runs = [
        fewer(
            [part.run(table) for part in arranged.sketched],
            job.work.folder / f"keys-{table}",
            job.merging,
        )
        for table in range(count + 1)
    ]
    write = partial(
        write_tables,
        documents=arranged.count,
        workers=job.workers,
        memory=job.merging,
        keys_per_part=settings.keys_per_part,
        numbers=arranged.numbers,
        done=job.progress.add,
    )
    write(
        tables,
        runs[:-1],
        mph=settings.mph,
        checksum_bits=settings.checksums,
        default_probes=content.probes,
    )
    write(ids, runs[-1:], checksum_bits=8)


def _counted(texts: Iterable[bytes], progress: Progress) -> Iterator[bytes]:
    for text in texts:
        yield text
        progress.add()


def _write_titles(section: Section, arranged: Arranged, job: Job) -> None:
    job.progress.phase("writing titles", documents=arranged.count)
    with TitlesWriter(section, job.work.folder, job.merging) as writer:
        for head in arranged.heads():
            writer.add(head.title)
            job.progress.add()
        writer.finish()


def write_sketches(
    section: Section,
    records: Iterable[Sketches],
    count: int,
    stride: int,
    identity_bits: int,
    shared_bits: int,
) -> None:
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
