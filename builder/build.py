"""The pipeline: sources -> documents -> spool -> sketches -> tables -> file. docs/design.md draws it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
from pocketindex.builder import container, inputs, shipped
from pocketindex.builder.container import Section
from pocketindex.builder.document import Document, Skip
from pocketindex.builder.documents import DocumentsWriter
from pocketindex.builder.inputs import OWN_NAMES, Fields, SourceError
from pocketindex.builder.mph import MPHS
from pocketindex.builder.profile import Profile, murmur
from pocketindex.builder.progress import Progress
from pocketindex.builder.replace import replacing
from pocketindex.builder.report import Report
from pocketindex.builder.sample import Sample
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.rff import Learned
from pocketindex.builder.schemes.tuning import DEFAULT_TARGET, Target, choose
from pocketindex.builder.spool import Spool, Spooled
from pocketindex.builder.tables import MOST_KEYS_PER_PART, write_tables
from pocketindex.builder.texts import TextsWriter
from pocketindex.snippet import CHARACTERS, MOST_CHARACTERS
from pocketindex.texts import KEPT

SAMPLE = 20_000  # documents that a profile is learned from; more move no border that matters (bench/README.md)
TUNED = 100_000  # documents among which sampled ones look for what is like them
LEARN_FROM = 2_000  # documents: a smaller collection says less of its language than a shipped profile does
BATCH = 1_024  # documents sketched at once
SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check
URL_TEMPLATE_BYTES = 1_024


@dataclass(frozen=True)
class Settings:
    """Choices of a build; together with the input they decide every byte of the file.

    format: of the sources, None to find out; fields: the names of their records' fields; drop: what is left out of
    the texts of a format that has it ("tables", "references"); scheme: `rff`, `ff`;
    scheme_settings: its choices, used when the profile is learned (None: its defaults);
    profile: "auto" (learned from 2,000 documents on, else shipped), "learn", a shipped one ("en", "de"), or the path of a .profile or
    .pocket file;
    mph: minimal perfect hash; checksum_bits: 0, 8, 16 or 32; identity_bits: 0, 8, 16 or 32, of the hash that tells byte-identical texts;
    shared_bits: 0, 64, 128 or 256, to estimate how much text two documents share;
    keys_per_part: ~60,000 where the file will sit in memory, ~2,000 where it is read cold; probes: the file's default (None: by target
    where a profile of scheme rff is learned, else the scheme's); target: recall=R@C, what queries should find;
    sample: documents that a profile is learned from, those with the smallest hash of their id;
    keep: of each text `none`, a `snippet` of at most that many characters, or the whole `text`;
    url_template: with {id} and {title}; strict: the first skipped record is an error (see Report);
    keep_going: a source that cannot be read to its end is none, what was read of it is kept.
    """

    format: str | None = None
    fields: Fields = OWN_NAMES
    drop: Sequence[str] = ()
    scheme: str = "rff"
    scheme_settings: Any = None
    profile: str = "auto"
    mph: str = "pilot"
    checksum_bits: int = 16
    identity_bits: int = 8
    shared_bits: int = 0
    keys_per_part: int = 60_000
    probes: int | None = None
    target: str = DEFAULT_TARGET
    sample: int = SAMPLE
    keep: str = "none"
    snippet: int = CHARACTERS
    url_template: str = ""
    strict: bool = False
    keep_going: bool = False

    @property
    def default_probes(self) -> int:
        """Those of the file: the ones asked for, or the scheme's."""
        scheme = SCHEMES[self.scheme]
        return self.probes or int(scheme.probes(self.scheme_settings or scheme.settings()))

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("scheme", self.scheme, tuple(SCHEMES)),
            ("mph", self.mph, tuple(MPHS)),
            ("checksum_bits", self.checksum_bits, (0, 8, 16, 32)),
            ("identity_bits", self.identity_bits, (0, 8, 16, 32)),
            ("keep", self.keep, tuple(KEPT.values())),
            ("shared_bits", self.shared_bits, (0, 64, 128, 256)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(str, allowed))}")
        if not 1 <= self.keys_per_part <= MOST_KEYS_PER_PART:
            raise ValueError(f"keys_per_part is {self.keys_per_part}; it must be 1 .. {MOST_KEYS_PER_PART}")
        if self.scheme_settings is not None and not isinstance(self.scheme_settings, SCHEMES[self.scheme].settings):
            raise ValueError(f"scheme_settings are {type(self.scheme_settings).__name__}; scheme {self.scheme} has others")
        Target.parse(self.target)
        if self.probes is not None and not 1 <= self.probes <= 65_536:
            raise ValueError(f"probes is {self.probes}; it must be 1 .. 65536")
        if not 1 <= self.snippet <= MOST_CHARACTERS:
            raise ValueError(f"snippet is {self.snippet}; it must be 1 .. {MOST_CHARACTERS} characters")
        if len(self.url_template.encode()) > URL_TEMPLATE_BYTES:
            raise ValueError(f"the url template has {len(self.url_template.encode())} bytes; it may have {URL_TEMPLATE_BYTES}")


def build(
    sources: Sequence[str],
    target: str | Path,
    settings: Settings = Settings(),
    progress: Progress | None = None,
) -> Report:
    """Build target from sources (or patterns), read in order; documents are numbered in that order. target is replaced only by a whole
    file.

    Raises SourceError (a source cannot be read), Refused (strict), ValueError (settings), OSError.
    """
    target = Path(target)
    report, progress = Report(settings.strict), progress or Progress()
    if not sources:
        raise ValueError("no source is given")
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "the folder of the output does not exist", str(target.parent))
    found = inputs.find_all(sources, settings.format, settings.fields, settings.drop)
    with replacing(target) as out, closing(Spool(target.parent)) as spool:
        profile = _read(found, spool, settings, report, progress)
        _write(out, profile, spool, target.parent, settings, report, progress)
    report.check()
    return report


def build_spooled(
    documents: Iterable[Document], spool: Spool, target: Path, settings: Settings, report: Report, progress: Progress
) -> None:
    """Build target from documents that the caller reads, and tell his report of them; they stay in his empty spool."""
    sample, languages = Sample(settings.sample), Counter[str]()
    with replacing(target) as out:
        _take_in(documents, spool, sample, languages, report, progress)
        profile = _choose_profile(settings, spool, sample, languages, report, progress)
        _write(out, profile, spool, target.parent, settings, report, progress)


def plan(sources: Sequence[str], settings: Settings = Settings(), progress: Progress | None = None) -> Report:
    """Read sources and learn as build would, and write nothing: report.expectation says what the file would find.

    Raises what build does.
    """
    report = Report(settings.strict)
    found = inputs.find_all(sources, settings.format, settings.fields, settings.drop)
    with tempfile.TemporaryDirectory() as folder, closing(Spool(Path(folder))) as spool:
        _read(found, spool, settings, report, progress or Progress())
    return report


def _read(found: Sequence[tuple[str, Any]], spool: Spool, settings: Settings, report: Report, progress: Progress) -> Profile:
    """Spool the documents, and choose the profile."""
    sample = Sample(max(settings.sample, TUNED))
    languages: Counter[str] = Counter()
    for source, kind in found:
        progress.phase(f"reading {source}")
        stream = kind.documents(source, report.reject, progress.measure)
        try:
            _take_in(stream, spool, sample, languages, report, progress)
        except SourceError as error:
            if not settings.keep_going:
                raise
            report.end(error)
    if report.ended and not spool.count:
        raise report.ended[0]  # nothing is kept, and an empty file is not what was asked for
    return _choose_profile(settings, spool, sample, languages, report, progress)


def _take_in(
    documents: Iterable[Document], spool: Spool, sample: Sample, languages: Counter[str], report: Report, progress: Progress
) -> None:
    seen = spool.ids
    for document in documents:
        report.arrive()
        if document.id in seen:
            report.skip(Skip(document.id, "duplicate id", "an earlier document has this id; the first one is kept"))
            continue
        place = spool.add(document)
        sample.add(murmur(document.id.encode()), place)
        languages[document.lang] += 1
        progress.add()


def _choose_profile(
    settings: Settings, spool: Spool, sample: Sample, languages: Counter[str], report: Report, progress: Progress
) -> Profile:
    """The profile that the settings name, or the one that suits the collection."""
    scheme, choice = SCHEMES[settings.scheme], settings.profile
    if choice == "auto":
        choice = "learn" if spool.count >= LEARN_FROM else shipped.for_languages(languages) or scheme.otherwise
    if choice != "learn":
        profile = shipped.load(choice, settings.scheme)
        return Profile(scheme.fit(profile.data, spool.count), choice) if choice in shipped.SHIPPED else profile
    progress.phase("learning the profile")
    looked_at = [spool.at(place).text for place in sample.places()]
    texts = looked_at[: settings.sample]
    name = "learned from this collection"
    choices = settings.scheme_settings or scheme.settings()
    if settings.scheme != "rff" or not texts:
        return Profile(scheme.learn(name, texts, spool.count, choices), name)
    learned = Learned(name, texts, spool.count, choices)
    progress.phase("choosing tables, probes and sketch")
    beside = settings.identity_bits, settings.shared_bits
    data, report.expectation = choose(learned, looked_at, Target.parse(settings.target), settings.probes, *beside)
    return Profile(data, name)


def _write(out: IO[bytes], profile: Profile, spool: Spool, folder: Path, settings: Settings, report: Report, progress: Progress) -> None:
    progress.phase("sketching")
    sections = _write_sections(profile, spool, folder, settings, report, progress)
    container.write(out, sections)
    for section in sections:
        section.close()


def _write_sections(profile: Profile, spool: Spool, folder: Path, settings: Settings, report: Report, progress: Progress) -> list[Section]:
    kinds = (container.PROFILE, container.TABLES, container.SKETCHES, container.DOCUMENTS, container.IDS)
    sections = [Section(kind, folder) for kind in kinds]
    own, tables, sketches, documents, ids = sections
    own.parameters = profile.data
    identity, shared = settings.identity_bits, settings.shared_bits
    stride = profile.sketch_bytes + (identity + shared) // 8
    records, keys, id_keys = [], [], []
    writer = DocumentsWriter(documents)
    texts = None
    if settings.keep != "none":
        sections.append(Section(container.TEXTS, folder, flags=0))
        texts = TextsWriter(sections[-1], settings.keep, settings.snippet)
    for batch in _batches(spool):
        ends = np.cumsum([len(d.text) for d in batch], dtype=np.uint64)
        sketched = profile.sketch_many(b"".join(d.text for d in batch), ends, identity, shared)
        kept = sketched.terms >= profile.least_terms
        for document, terms, keep in zip(batch, sketched.terms, kept, strict=True):
            progress.add()
            if keep:
                writer.add(document.id, document.title, document.url)
                id_keys.append(murmur(document.id))
                if texts:
                    texts.add(document.text)
            else:
                detail = f"{terms} terms besides stop words, expected at least {profile.least_terms}"
                report.skip(Skip(document.id.decode(), "too short", detail))
        records.append(sketched.records[kept])
        keys.append(sketched.keys[kept])
    writer.finish(settings.url_template)
    if texts:
        texts.finish()
    report.index(writer.count)
    progress.phase("writing tables")
    all_keys = np.concatenate(keys) if keys else np.zeros((0, profile.tables), np.uint64)
    columns = [np.ascontiguousarray(all_keys[:, t]) for t in range(profile.tables)]
    options: dict[str, Any] = {"keys_per_part": settings.keys_per_part}
    write_tables(
        tables,
        columns,
        mph=settings.mph,
        checksum_bits=settings.checksum_bits,
        default_probes=report.expectation.probes if report.expectation else settings.default_probes,
        **options,
    )
    write_tables(ids, [np.array(id_keys, np.uint64)], checksum_bits=8, **options)
    write_sketches(sketches, np.concatenate(records) if records else np.zeros((0, stride), np.uint8), identity, shared)
    return sections


def write_sketches(section: Section, records: np.ndarray[Any, np.dtype[np.uint8]], identity_bits: int, shared_bits: int) -> None:
    """The sketches section (docs/format.md, section 4): records (n, stride)."""
    count, stride = records.shape
    block = max(1, SKETCH_BLOCK // stride)
    beside = [shared_bits, 0] if shared_bits else []
    section.parameters = np.array([count, stride, identity_bits, block, *beside], "<u4").tobytes()
    for first in range(0, count, block):
        section.add(first, records[first : first + block].tobytes())


def _batches(spool: Spool) -> Iterator[list[Spooled]]:
    documents = iter(spool)
    while batch := list(islice(documents, BATCH)):
        yield batch
