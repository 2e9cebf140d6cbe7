"""The third pass: the chunks of documents, sketches and keys become the sections of the file, and
these the file.

SECTIONS declares each kind of section once: a build, an update, a merge and Spark follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pocketindex.builder.passes.content import Content
from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.sections import pocket_file
from pocketindex.builder.settings import Settings
from pocketindex.builder.work.replace import replacing
from pocketindex.builder.write import container
from pocketindex.builder.write.container import OPTIONAL, REQUIRED, Section
from pocketindex.builder.write.copies import write_copies
from pocketindex.builder.write.documents import template_of, write_documents
from pocketindex.builder.write.labels import write_labels
from pocketindex.builder.write.sketches import beside_of, write_sketches
from pocketindex.builder.write.tables import hash_of
from pocketindex.builder.write.texts import kept_of, write_texts
from pocketindex.builder.write.titles import TitlesWriter
from pocketindex.builder.write.words import write_words
from pocketindex.constants import SectionKind
from pocketindex.errors import section_name
from pocketindex.index import Index


@dataclass(frozen=True, slots=True)
class Declaration:
    """A kind of section, as a build knows it.

    write: fills a section, None for tables and ids, which are written together; wanted: whether a
    file has it; flags: REQUIRED if a reader that does not know it must refuse the file.

    An update and a merge keep what a file was built with: settings are the names of those that its
    section tells, and told gives their values, in the same order; index is its name in
    Settings.index, with its own choice behind a colon. Where a file lacks the section they have
    their defaults. What lies in a section follows from the documents that are taken over
    (changing/taking_over.py) and the keys and words of the old file (passes/finishing.py).
    """

    kind: SectionKind
    write: Callable[[Section, Content, Context], None] | None
    wanted: Callable[[Content, Settings], bool] = lambda content, settings: True
    flags: int = REQUIRED
    settings: tuple[str, ...] = ()
    told: Callable[[pocket_file.Section], tuple[Any, ...]] = lambda old: ()
    index: Callable[[pocket_file.Section], str] | None = None

    @property
    def name(self) -> str:
        return section_name(self.kind)


def write_file(target: Path, content: Content, context: Context) -> None:
    """Make the sections, and of them target, which is replaced when all is there."""
    with ExitStack() as stack:
        sections = {
            own.kind: stack.enter_context(Section(own.kind, context.work.folder, own.flags))
            for own in SECTIONS
            if own.wanted(content, context.settings)
        }
        for own in SECTIONS:
            if own.write and own.kind in sections:
                own.write(sections[own.kind], content, context)
        tables, ids = sections[SectionKind.TABLES], sections[SectionKind.IDS]
        content.keys.write_tables(tables, ids, content.probes)
        context.progress.phase("writing the file")
        context.report.temporary = context.work.size + sum(map(len, sections.values()))
        with replacing(target) as out:
            container.write(out, list(sections.values()))


def _write_profile(section: Section, content: Content, context: Context) -> None:
    section.parameters = content.profile.data


def _write_sketches(section: Section, content: Content, context: Context) -> None:
    beside, arranged = context.settings.beside, content.documents
    stride = content.profile.sketch_bytes + sum(beside) // 8
    write_sketches(section, arranged.sketches(), arranged.with_sketch, stride, *beside)


def _write_documents(section: Section, content: Content, context: Context) -> None:
    records, count = content.documents.records, content.documents.count
    template, each, add = context.settings.url_template, context.threads.map, context.progress.add
    context.progress.phase("writing documents", documents=count)
    write_documents(section, records, count, template, each, add)


def _write_cells(section: Section, content: Content, context: Context) -> None:
    assert content.cells
    content.cells.write(section)


def _write_copies(section: Section, content: Content, context: Context) -> None:
    write_copies(section, content.documents.copy_keys, content.documents.count)


def _write_texts(section: Section, content: Content, context: Context) -> None:
    count, settings = content.documents.count, context.settings
    context.progress.phase("writing texts", documents=count)
    texts = _counted(content.texts(), context.progress)
    write_texts(section, texts, count, settings.keep, settings.snippet, context.threads.map)


def _counted(texts: Iterable[bytes], progress: Progress) -> Iterator[bytes]:
    for text in texts:
        yield text
        progress.add()


def _write_titles(section: Section, content: Content, context: Context) -> None:
    arranged = content.documents
    context.progress.phase("writing titles", documents=arranged.count)
    with TitlesWriter(section, context.work.folder, context.merging) as writer:
        for details in arranged.details():
            writer.add(details.title)
            context.progress.add()
        writer.finish()


def _write_passages(section: Section, content: Content, context: Context) -> None:
    content.keys.write_passages(section)


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


def _write_labels(section: Section, content: Content, context: Context) -> None:
    arranged, field = content.documents, context.settings.fields.label or ""
    context.progress.phase("writing labels", documents=arranged.count)

    def labels() -> Iterator[bytes]:
        return (details.labels for details in arranged.details())

    write_labels(section, labels, arranged.count, field, context.threads.map)


def _words_index(old: pocket_file.Section) -> str:
    (heaviest,) = old.numbers(24, 1)
    return f"words:{heaviest}" if heaviest else "words"


# In the order of the file.
SECTIONS = (
    Declaration(SectionKind.PROFILE, _write_profile),
    Declaration(SectionKind.TABLES, None, settings=("mph", "checksum_bits"), told=hash_of),
    Declaration(
        SectionKind.SKETCHES,
        _write_sketches,
        settings=("identity_bits", "shared_bits"),
        told=beside_of,
    ),
    Declaration(
        SectionKind.DOCUMENTS, _write_documents, settings=("url_template",), told=template_of
    ),
    Declaration(SectionKind.IDS, None),
    Declaration(
        SectionKind.CELLS, _write_cells, lambda content, settings: content.cells is not None
    ),
    Declaration(
        SectionKind.COPIES,
        _write_copies,
        lambda content, settings: content.documents.with_sketch < content.documents.count,
    ),
    Declaration(
        SectionKind.TEXTS,
        _write_texts,
        lambda content, settings: settings.keep != "none",
        OPTIONAL,
        ("keep", "snippet"),
        kept_of,
    ),
    Declaration(
        SectionKind.TITLES,
        _write_titles,
        lambda content, settings: settings.titles,
        OPTIONAL,
        ("titles",),
        lambda old: (True,),
    ),
    Declaration(
        SectionKind.PASSAGES,
        _write_passages,
        lambda content, settings: "passages" in settings.index,
        OPTIONAL,
        ("run_terms", "run_window", "run_documents"),
        lambda old: old.numbers(48, 3),
        lambda old: "passages",
    ),
    Declaration(
        SectionKind.WORDS,
        _write_words,
        lambda content, settings: settings.words is not None,
        OPTIONAL,
        ("title_weight",),
        lambda old: old.numbers(32, 1),
        _words_index,
    ),
    # changing/old_settings.py takes the field of labels over: a file does not say its name.
    Declaration(
        SectionKind.LABELS,
        _write_labels,
        lambda content, settings: bool(settings.fields.label),
        OPTIONAL,
    ),
)
