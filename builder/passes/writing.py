"""The third pass: the chunks of documents, sketches and keys become the sections of the file, and
these the file.

SECTIONS declares each kind of section once: a build, an update, a merge and Spark follow it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from pocketindex.builder.passes.context import Context
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections import pocket_file
from pocketindex.builder.sections.copies import CopyKeys
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.chunk import Details, Rows
from pocketindex.builder.spill.chunks.chunk_words import ChunkWords
from pocketindex.builder.spill.replace import replacing
from pocketindex.builder.write import container
from pocketindex.builder.write.cells import Cells
from pocketindex.builder.write.container import OPTIONAL, REQUIRED, Section
from pocketindex.builder.write.copies import write_copies
from pocketindex.builder.write.documents import write_documents
from pocketindex.builder.write.labels import with_language, write_labels
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.builder.write.sketches import Records, write_sketches
from pocketindex.builder.write.texts import write_texts
from pocketindex.builder.write.titles import TitlesWriter
from pocketindex.builder.write.words import TakenWords, write_words
from pocketindex.constants import SectionKind
from pocketindex.contents.texts import KEPT
from pocketindex.errors import section_name, spelled
from pocketindex.index import Index
from pocketindex.wording.snippet import CHARACTERS


class Arrangement(Protocol):
    """The documents in the order of the file (spill/chunks/arranged.py)."""

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

    probes: default of the tables. texts: gives what is kept of them. cells: centroids and the cell
    of each with a sketch, in the order in which they came, None without cells. words: those of the
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


@dataclass(frozen=True, slots=True)
class Declaration:
    """A kind of section, as a build knows it.

    write: fills a section, None for tables and ids, which are written together; wanted: whether a
    file has it; flags: REQUIRED if a reader that does not know it must refuse the file; told: the
    settings that an update or a merge takes from a section: where the number of each stands in its
    parameters, or what reads it there (a file without the section has the defaults); index: what
    stands for it in Settings.index.

    What else a file that is updated has to give comes with its documents (changing/reused.py)
    and with its shingles and words (finishing.py).
    """

    kind: SectionKind
    write: Callable[[Section, Content, Context], None] | None
    wanted: Callable[[Content, Settings], bool] = lambda content, settings: True
    flags: int = REQUIRED
    told: Mapping[str, int | Callable[[pocket_file.Section], Any]] = field(default_factory=dict)
    index: Callable[[pocket_file.Section], str] | None = None

    @property
    def name(self) -> str:
        return section_name(self.kind)

    def settings_of(self, old: pocket_file.Section) -> dict[str, Any]:
        """Return the settings that a section tells."""
        return {
            name: old.number(how) if isinstance(how, int) else how(old)
            for name, how in self.told.items()
        }


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
    identity_bits, arranged = context.settings.identity_bits, content.documents
    stride = content.profile.sketch_bytes + identity_bits // 8
    write_sketches(section, arranged.sketches(), arranged.with_sketch, stride, identity_bits)


def _write_documents(section: Section, content: Content, context: Context) -> None:
    records, count = content.documents.records, content.documents.count
    template, each, add = context.settings.url_template, context.threads.map, context.progress.add
    context.progress.phase("writing documents", documents=count)
    write_documents(section, records, count, template, each, add)


def _write_cells(section: Section, content: Content, context: Context) -> None:
    assert content.cells
    content.cells.write(section)


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


def _write_words(section: Section, content: Content, context: Context) -> None:
    settings, arranged = context.settings, content.documents
    context.progress.phase("writing words", unit="bytes")
    with Index(content.counted) if content.counted else nullcontext() as counted:
        forms = write_words(
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
            stem=settings.stem,
            lemmas=settings.lemmas,
            stated=lambda: Counter(own.language.decode() for own in arranged.details()),
            done=context.progress.add,
        )
    context.report.forms = forms
    if settings.lemmas and "simplemma-" not in forms:
        context.report.notes.append(
            f"the language of the words is not sure: no lemmas; {spelled('stem')} names it"
        )


def _write_labels(section: Section, content: Content, context: Context) -> None:
    arranged, field = content.documents, context.settings.fields.label or ""
    context.progress.phase("writing labels", documents=arranged.count)

    def labels() -> Iterator[bytes]:
        return (with_language(own.labels, own.language) for own in arranged.details())

    write_labels(section, labels, arranged.count, field, context.threads.map)


def _hash_of(old: pocket_file.Section) -> str:
    return next(name for name, number in MPHS.items() if number == old.number(4))


def _forms_of(old: pocket_file.Section) -> str:
    return old.parameters[44 : 44 + (old.number(40) & 0xFFFF)].decode()


def _stem_of(old: pocket_file.Section) -> str:
    return _forms_of(old).split(" ")[0] or "none"


def _template_of(old: pocket_file.Section) -> str:
    return old.parameters[16 : 16 + old.number(4)].decode()


# In the order of the file.
SECTIONS = (
    Declaration(SectionKind.PROFILE, _write_profile),
    Declaration(SectionKind.TABLES, None, told={"mph": _hash_of, "checksum_bits": 8}),
    Declaration(SectionKind.SKETCHES, _write_sketches, told={"identity_bits": 8}),
    Declaration(SectionKind.DOCUMENTS, _write_documents, told={"url_template": _template_of}),
    Declaration(SectionKind.IDS, None),
    Declaration(SectionKind.CELLS, _write_cells, lambda content, _: bool(content.cells)),
    Declaration(
        SectionKind.COPIES,
        lambda section, of, _: write_copies(section, of.documents.copy_keys, of.documents.count),
        lambda content, _: content.documents.with_sketch < content.documents.count,
    ),
    Declaration(
        SectionKind.TEXTS,
        _write_texts,
        lambda _, settings: settings.keep != "none",
        OPTIONAL,
        {
            "keep": lambda old: KEPT[old.number(4)],
            "snippet": lambda old: old.number(8) or CHARACTERS,
        },
    ),
    Declaration(
        SectionKind.TITLES,
        _write_titles,
        lambda _, settings: settings.titles,
        OPTIONAL,
        {"titles": lambda old: True},
    ),
    Declaration(
        SectionKind.PASSAGES,
        lambda section, content, _: content.keys.write_passages(section),
        lambda _, settings: "passages" in settings.index,
        OPTIONAL,
        {"run_terms": 72, "run_window": 76, "run_documents": 80},
        lambda old: "passages",
    ),
    Declaration(
        SectionKind.WORDS,
        _write_words,
        lambda _, settings: settings.words is not None,
        OPTIONAL,
        {
            "title_weight": 32,
            "stem": _stem_of,
            "lemmas": lambda old: "simplemma-" in _forms_of(old),
        },
        lambda old: f"words:{old.number(24)}".removesuffix(":0"),
    ),
    # A file does not tell the field of its labels: changing/old_settings.py asks for it.
    Declaration(
        SectionKind.LABELS, _write_labels, lambda _, settings: bool(settings.fields.label), OPTIONAL
    ),
)
