"""The third pass: the chunks of documents, sketches and keys become the sections of the file, and
these the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.copies import CopyKeys
from pocketindex.builder.work.chunks.chunk import Details, Rows
from pocketindex.builder.work.chunks.chunk_words import ChunkWords
from pocketindex.builder.work.replace import replacing
from pocketindex.builder.write import container
from pocketindex.builder.write.cells import Cells
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.copies import write_copies
from pocketindex.builder.write.documents import write_documents
from pocketindex.builder.write.labels import write_labels
from pocketindex.builder.write.sketches import Records, write_sketches
from pocketindex.builder.write.texts import write_texts
from pocketindex.builder.write.titles import TitlesWriter
from pocketindex.builder.write.words import TakenWords, write_words
from pocketindex.index import Index


class Arrangement(Protocol):
    """The documents in the order of the file (work/chunks/arranged.py)."""

    count: int
    with_sketch: int
    copy_keys: CopyKeys
    numbers: npt.NDArray[np.uint32] | None

    def sketches(self) -> Iterable[Records]: ...
    def records(self, step: int) -> Iterable[Rows]: ...
    def details(self) -> Iterable[Details]: ...


class Keys(Protocol):
    """What writes the sections that are looked up by keys."""

    def write_tables(self, tables: Section, ids: Section, probes: int) -> None: ...
    def write_passages(self, section: Section) -> None: ...


@dataclass(frozen=True)
class Content:
    """What a file is made of.

    probes: default of the tables. texts: gives what is kept of them. cells: centres and the cell of
    each with a sketch, in the order in which they came, None without cells. words: those of the
    chunks, nothing without words; average: length of a document for them, None to count it;
    counted: the file by whose counts the heaviest are chosen, None to count them; taken: the files
    whose words are taken along.
    """

    profile: Profile
    documents: Arrangement
    texts: Callable[[], Iterable[bytes]]
    probes: int
    cells: Cells | None
    keys: Keys
    words: Sequence[ChunkWords]
    average: int | None = None
    counted: str | None = None
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
        if content.documents.with_sketch < content.documents.count:
            sections.append(stack.enter_context(Section(container.COPIES, context.work.folder)))
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
    count, stride = arranged.count, content.profile.sketch_bytes + settings.identity_bits // 8
    own.parameters = content.profile.data
    sketched = arranged.with_sketch
    write_sketches(sketches, arranged.sketches(), sketched, stride, settings.identity_bits)
    progress.phase("writing documents", documents=count)
    write_documents(documents, arranged.records, count, settings.url_template, each, progress.add)
    for section in more:
        if section.kind == container.CELLS and content.cells:
            content.cells.write(section)
        elif section.kind == container.COPIES:
            write_copies(section, arranged.copy_keys, count)
        elif section.kind == container.TEXTS:
            progress.phase("writing texts", documents=count)
            write_texts(
                section,
                _counted(content.texts(), progress),
                count,
                settings.keep,
                settings.snippet,
                each,
            )
        elif section.kind == container.PASSAGES:
            content.keys.write_passages(section)
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
    content.keys.write_tables(tables, ids, content.probes)


def _write_words(section: Section, content: Content, context: Context) -> None:
    settings, arranged = context.settings, content.documents
    context.progress.phase("writing words", unit="bytes")
    with Index(content.counted) if content.counted else nullcontext() as counted:
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
            counted=counted,
            taken=content.taken,
            done=context.progress.add,
        )


def _counted(texts: Iterable[bytes], progress: Progress) -> Iterator[bytes]:
    for text in texts:
        yield text
        progress.add()


def _write_titles(section: Section, arranged: Arrangement, context: Context) -> None:
    context.progress.phase("writing titles", documents=arranged.count)
    with TitlesWriter(section, context.work.folder, context.merging) as writer:
        for details in arranged.details():
            writer.add(details.title)
            context.progress.add()
        writer.finish()
