"""The pipeline: sources -> documents -> spool -> sketches -> tables -> file. docs/design.md draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pocketindex
from pocketindex.builder import container, inputs, learning, reading, same_ids
from pocketindex.builder.container import Section
from pocketindex.builder.document import Document
from pocketindex.builder.documents import DocumentsWriter
from pocketindex.builder.profile import Profile
from pocketindex.builder.progress import Progress
from pocketindex.builder.reading import Found
from pocketindex.builder.replace import replacing, sweep
from pocketindex.builder.report import Report
from pocketindex.builder.runs import fewer
from pocketindex.builder.same_ids import Duplicates
from pocketindex.builder.sample import Sample
from pocketindex.builder.settings import DEFAULTS, SAMPLE, Settings
from pocketindex.builder.sketching import Records, Sketched, sketch
from pocketindex.builder.space import Space
from pocketindex.builder.spool import Spool
from pocketindex.builder.tables import write_tables
from pocketindex.builder.texts import TextsWriter
from pocketindex.builder.work import Work, without_target, working
from pocketindex.builder.workers import Workers

__all__ = ["SAMPLE", "Sample", "Settings", "build", "plan"]

TUNED = 100_000  # documents among which sampled ones look for what is like them
SKETCH_BLOCK = 4_096  # bytes: what one look at a stored sketch has to check
MERGED = 8  # one part in so many of the memory is for merging


def build(
    sources: Sequence[str],
    target: str | Path,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
    resume: bool = False,
) -> Report:
    """Build target from sources (or patterns), read in order; documents are numbered in that order. target is replaced only by a whole
    file.

    Temporary files are in the folder TARGET.work, which goes in the end, whatever the end is; a build that is killed leaves it behind, and
    with resume the next one goes on from it, to the same bytes.

    Raises SourceError (a source cannot be read), Refused (strict), ValueError (settings), Busy (another process builds target), NotResumed
    (with resume: settings or sources are not those of the stopped build), NoSpace, OSError.
    """
    target = Path(target)
    report, progress = Report(settings.strict), progress or Progress()
    if not sources:
        raise ValueError("no source is given")
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "the folder of the output does not exist", str(target.parent))
    found = inputs.find_all(sources, settings.format, settings.fields, settings.drop)
    begin = {"the version of pocketindex": pocketindex.__version__, **settings.deciding(), **reading.state_of(found)}
    sweep(target)
    with working(target, begin, resume, report.notes.append) as work, Workers(settings.thread_count) as workers:
        spool = _read(found, work, settings, report, progress)
        again, profile = _learn(spool, Sample(max(settings.sample, TUNED)), work, settings, report, progress, workers)
        _write(target, spool, again, profile, work, settings, report, progress, workers)
    progress.end()
    report.seconds = progress.seconds
    report.check()
    return report


def build_spooled(
    documents: Iterable[Document], spool: Spool, work: Work, target: Path, settings: Settings, report: Report, progress: Progress
) -> list[int]:
    """Build target from documents that the caller reads, and tell his report of them; they stay in his empty spool.

    Returns the numbers of those with too few terms for a sketch.
    """
    for document in documents:
        report.arrive()
        if spool.add(document):
            spool.finish()
        progress.add()
    if spool.waiting:
        spool.finish()
    with Workers(settings.thread_count) as workers:
        again, profile = _learn(spool, Sample(settings.sample), work, settings, report, progress, workers)
        sketched = _write(target, spool, again, profile, work, settings, report, progress, workers)
    return [chunk.chunk.first + place for chunk in sketched for place in np.flatnonzero(chunk.too_short()).tolist()]


def plan(sources: Sequence[str], settings: Settings = DEFAULTS, progress: Progress | None = None) -> Report:
    """Read sources and learn as build would, and write nothing: report.expectation says what the file would find.

    Raises what build does.
    """
    report, progress = Report(settings.strict), progress or Progress()
    found = inputs.find_all(sources, settings.format, settings.fields, settings.drop)
    with without_target() as work, Workers(settings.thread_count) as workers:
        spool = _read(found, work, settings, report, progress)
        _learn(spool, Sample(max(settings.sample, TUNED)), work, settings, report, progress, workers)
        report.temporary = work.size
    progress.end()
    report.seconds = progress.seconds
    return report


def _read(found: Found, work: Work, settings: Settings, report: Report, progress: Progress) -> Spool:
    """Spool the documents."""
    spool, space = Spool(work, settings.max_memory), Space(work.folder, [source for source, _ in found])
    space.begin(report.notes.append)
    reading.read(found, spool, work, report, settings.keep_going, progress, space)
    return spool


def _learn(
    spool: Spool, sample: Sample, work: Work, settings: Settings, report: Report, progress: Progress, workers: Workers
) -> tuple[Duplicates, Profile]:
    """Find the duplicates, choose the profile; sample: an empty one."""
    progress.phase("looking for duplicates")
    again = same_ids.find(spool, work.folder, settings.max_memory // MERGED, sample)
    same_ids.report_them(again, spool, report)
    return again, learning.profile(settings, spool, again, sample, work, report, progress, workers)


def _write(
    target: Path,
    spool: Spool,
    again: Duplicates,
    profile: Profile,
    work: Work,
    settings: Settings,
    report: Report,
    progress: Progress,
    workers: Workers,
) -> Sequence[Sketched]:
    kinds = (container.PROFILE, container.TABLES, container.SKETCHES, container.DOCUMENTS, container.IDS)
    progress.phase("sketching", documents=spool.count)
    beside = settings.identity_bits, settings.shared_bits
    sketched = sketch(spool, again, profile, beside, work, report, progress, workers)
    with ExitStack() as stack:
        sections = [stack.enter_context(Section(kind, work.folder)) for kind in kinds]
        if settings.keep != "none":
            sections.append(stack.enter_context(Section(container.TEXTS, work.folder, flags=0)))
        _write_sections(sections, profile, sketched, work, settings, report, progress, workers)
        progress.phase("writing the file")
        report.temporary = work.size + sum(map(len, sections))
        with replacing(target) as out:
            container.write(out, sections)
    return sketched


def _write_sections(
    sections: Sequence[Section],
    profile: Profile,
    sketched: Sequence[Sketched],
    work: Work,
    settings: Settings,
    report: Report,
    progress: Progress,
    workers: Workers,
) -> None:
    own, tables, sketches, documents, ids, *texts = sections
    count, memory = sum(chunk.count for chunk in sketched), settings.max_memory // MERGED
    stride = profile.sketch_bytes + (settings.identity_bits + settings.shared_bits) // 8
    own.parameters = profile.data
    write_sketches(sketches, (chunk.records() for chunk in sketched), count, stride, settings.identity_bits, settings.shared_bits)
    progress.phase("writing documents", documents=count)
    writer = DocumentsWriter(documents)
    for chunk in sketched:
        for head, kept in zip(chunk.chunk.all_heads(), chunk.kept().tolist(), strict=True):
            if kept:
                writer.add(head.id, head.title, head.url)
        progress.add(chunk.count)
    writer.finish(settings.url_template)
    for section in texts:
        _write_texts(section, sketched, count, settings, progress)
    progress.phase("writing tables", documents=count * (profile.tables + 1), unit="postings")
    runs = [fewer([chunk.run(t) for chunk in sketched], work.folder / f"keys-{t}", memory) for t in range(profile.tables + 1)]
    write_tables(
        tables,
        runs[:-1],
        count,
        workers,
        memory,
        mph=settings.mph,
        checksum_bits=settings.checksum_bits,
        keys_per_part=settings.keys_per_part,
        default_probes=report.expectation.probes if report.expectation else settings.default_probes,
        done=progress.add,
    )
    write_tables(ids, runs[-1:], count, workers, memory, checksum_bits=8, keys_per_part=settings.keys_per_part, done=progress.add)


def _write_texts(section: Section, sketched: Sequence[Sketched], count: int, settings: Settings, progress: Progress) -> None:
    progress.phase("writing texts", documents=count)
    writer = TextsWriter(section, settings.keep, settings.snippet)
    for chunk in sketched:
        for text, kept in zip(chunk.chunk.all_texts(), chunk.kept().tolist(), strict=True):
            if kept:
                writer.add(text)
                progress.add()
    writer.finish()


def write_sketches(section: Section, records: Iterable[Records], count: int, stride: int, identity_bits: int, shared_bits: int) -> None:
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
