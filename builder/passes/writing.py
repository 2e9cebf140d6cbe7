"""The third pass: the chunks of documents, sketches and keys become the sections of the file, and
these the file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.work.arranged import Arranged
from pocketindex.builder.work.chunk_words import ChunkWords
from pocketindex.builder.work.replace import replacing
from pocketindex.builder.work.sorted_files import Merged, Rare, SortedFile, fewer
from pocketindex.builder.write import container
from pocketindex.builder.write.cells import Cells
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.documents import write_documents
from pocketindex.builder.write.labels import write_labels
from pocketindex.builder.write.sketches import write_sketches
from pocketindex.builder.write.tables import write_tables
from pocketindex.builder.write.texts import write_texts
from pocketindex.builder.write.titles import TitlesWriter
from pocketindex.builder.write.words import TakenWords, write_words

# Runs of a text are anywhere among all runs: of a cold file each loads a part. These parts take
# .3 % more bytes than those of 60,000 keys, and a text of 1,000 words .15 more time in memory.
RUNS_PER_PART = 4_000


@dataclass(frozen=True)
class Content:
    """What a file is made of.

    cells: centres and the cell of each document, in the order in which they came, None without
    cells. run_keys: the runs of the documents, nothing without passages. words: those of the
    chunks, nothing without words; average: length of a document for them, None to count it; taken:
    the files whose words are taken along.
    """

    profile: Profile
    documents: Arranged
    probes: int
    cells: Cells | None
    run_keys: Sequence[SortedFile]
    words: Sequence[ChunkWords]
    average: int | None = None
    taken: Sequence[TakenWords] = ()


def write_file(target: Path, content: Content, context: Context) -> None:
    """Make the sections, and of them target, which is replaced when all is there."""
    kinds = [
        container.PROFILE,
        container.TABLES,
        container.SKETCHES,
        container.DOCUMENTS,
        container.IDS,
    ]
    with ExitStack() as stack:
        sections = [stack.enter_context(Section(kind, context.work.folder)) for kind in kinds]
        if content.cells:
            sections.append(stack.enter_context(Section(container.CELLS, context.work.folder)))
        if context.settings.keep != "none":
            sections.append(
                stack.enter_context(Section(container.TEXTS, context.work.folder, flags=0))
            )
        if context.settings.titles:
            sections.append(
                stack.enter_context(Section(container.TITLES, context.work.folder, flags=0))
            )
        if "passages" in context.settings.index:
            sections.append(
                stack.enter_context(Section(container.PASSAGES, context.work.folder, flags=0))
            )
        if context.settings.words is not None:
            sections.append(
                stack.enter_context(Section(container.WORDS, context.work.folder, flags=0))
            )
        if context.settings.fields.label:
            sections.append(
                stack.enter_context(Section(container.LABELS, context.work.folder, flags=0))
            )
        _write(sections, content, context)
        context.progress.phase("writing the file")
        context.report.temporary = context.work.size + sum(map(len, sections))
        with replacing(target) as out:
            container.write(out, sections)


def _write(sections: Sequence[Section], content: Content, context: Context) -> None:
    own, tables, sketches, documents, ids, *more = sections
    settings = context.settings
    progress = context.progress
    each = context.threads.map
    arranged = content.documents
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
        elif section.kind == container.PASSAGES:
            _write_passages(section, content, context)
        elif section.kind == container.WORDS:
            _write_words(section, content, context)
        elif section.kind == container.LABELS:
            progress.phase("writing labels", documents=count)
            write_labels(
                section,
                lambda: (details.labels for details in arranged.details()),
                count,
                settings.fields.label or "",
                each,
            )
        else:
            _write_titles(section, arranged, context)
    _write_tables(tables, ids, content, context)


def _write_tables(tables: Section, ids: Section, content: Content, context: Context) -> None:
    arranged = content.documents
    settings = context.settings
    count = content.profile.tables
    context.progress.phase(
        "writing tables", documents=arranged.count * (count + 1), unit="postings"
    )
    files = [
        Merged(
            fewer(
                [part.sorted_keys(table) for part in arranged.sketched],
                context.work.folder / f"keys-{table}",
                context.merging,
            ),
            context.merging,
        )
        for table in range(count + 1)
    ]
    write = partial(
        write_tables,
        documents=arranged.count,
        threads=context.threads,
        keys_per_part=settings.keys_per_part,
        numbers=arranged.numbers,
        done=context.progress.add,
    )
    write(
        tables,
        files[:-1],
        mph=settings.mph,
        checksum_bits=settings.checksums,
        default_probes=content.probes,
    )
    write(ids, files[-1:], checksum_bits=8)


def _write_passages(section: Section, content: Content, context: Context) -> None:
    """Write which documents have a run (docs/format.md 6.3), without those that many have."""
    settings, arranged = context.settings, content.documents
    context.progress.phase(
        "writing passages", documents=sum(file.count for file in content.run_keys), unit="runs"
    )
    files = fewer(content.run_keys, context.work.folder / "runs", context.merging)
    runs = Rare(Merged(files, context.merging), settings.run_documents)
    write_tables(
        section,
        [runs],
        documents=arranged.count,
        threads=context.threads,
        checksum_bits=8,
        keys_per_part=min(settings.keys_per_part, RUNS_PER_PART),
        numbers=arranged.numbers,
        done=context.progress.add,
    )
    section.parameters += struct.pack(
        "<IIIIQ",
        settings.run_terms,
        settings.run_window,
        settings.run_documents,
        0,
        runs.left_out,
    )


def _write_words(section: Section, content: Content, context: Context) -> None:
    settings, arranged = context.settings, content.documents
    context.progress.phase("writing words", unit="bytes")
    write_words(
        section,
        content.words,
        arranged.count,
        context.threads,
        context.work.folder,
        heaviest=settings.words or 0,
        title_weight=settings.title_weight,
        numbers=arranged.numbers,
        average=content.average,
        taken=content.taken,
        done=context.progress.add,
    )


def _counted(texts: Iterable[bytes], progress: Progress) -> Iterator[bytes]:
    for text in texts:
        yield text
        progress.add()


def _write_titles(section: Section, arranged: Arranged, context: Context) -> None:
    context.progress.phase("writing titles", documents=arranged.count)
    with TitlesWriter(section, context.work.folder, context.merging) as writer:
        for details in arranged.details():
            writer.add(details.title)
            context.progress.add()
        writer.finish()
