"""The pipeline: sources -> documents -> spool -> sketches -> cells, tables -> file.

docs/design.md draws it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pocketindex
from pocketindex.arguments import as_text, check_type, is_file, is_stdio, path_of
from pocketindex.builder import inputs
from pocketindex.builder.document import Document, Skip
from pocketindex.builder.language import detector
from pocketindex.builder.options import SAMPLE
from pocketindex.builder.out.skipped import skipped_list, skipped_output
from pocketindex.builder.passes import choosing, reading
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import finish, plan
from pocketindex.builder.passes.measuring import measure
from pocketindex.builder.passes.reading import Found
from pocketindex.builder.passes.sketching import sketch
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import EXAMPLES, Report
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.chunks.arranged import Arranged
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds, repeated_ids
from pocketindex.builder.spill.chunks.sample import Sample
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.folder import work_folder
from pocketindex.builder.spill.journal import Entry, WorkFolder
from pocketindex.builder.spill.output import POCKET, Output, check_stdout_once
from pocketindex.builder.spill.replace import sweep
from pocketindex.builder.spill.shrinking import look_at_old
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.constants import MAGIC
from pocketindex.errors import spelled

__all__ = ["SAMPLE", "Settings", "build"]


def build(
    sources: str | Path | Iterable[str | Path],
    target: str | Path,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
    resume: bool = False,
    skipped: str | Path | None = None,
) -> Report:
    """Build target from sources (paths or patterns, one or many), read in order.

    Documents are numbered in that order, or, in a large collection, by their cells, those of a cell
    in that order (docs/format.md 4.2). target is replaced only by a whole file.

    Temporary files are in the folder TARGET.work, which goes in the end, whatever the end is; a
    build that is killed leaves it behind, and with resume the next one goes on from it, to the same
    bytes.

    skipped: a file of JSON Lines for every record that is left out, {"place", "reason", "detail"};
    also written when the build ends with a PocketError, of what was read by then.

    Raises SourceError (a source cannot be read), Refused (strict), NoDocument (there is no
    document: no record, or none that can be one), Shrunk (settings.refuse_shrink), ValueError
    (settings), TypeError (a source is no path), Busy (another process builds target), NotResumed
    (with resume: settings or sources are not those of the stopped build), NoSpace, OSError.
    """
    return build_sources(sources, target, settings, progress, resume, skipped).report()


def build_sources(
    sources: str | Path | Iterable[str | Path],
    target: str | Path,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
    resume: bool = False,
    skipped: str | Path | None = None,
) -> Tally:
    """Build target as build() does, and return the report with every page that lost words."""
    check_type("settings", settings, Settings, "Settings")
    target = path_of("target", target)
    sources = paths(sources)
    if not sources:
        raise ValueError("no source is given")
    found = inputs.find_all(sources, settings.reading)
    return build_found(found, sources, target, settings, progress, resume, skipped)


def build_found(
    found: Found,
    sources: Sequence[str],
    target: str | Path,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
    resume: bool = False,
    skipped: str | Path | None = None,
) -> Tally:
    """Build target as build() does, from sources with the inputs that read them.

    sources: as messages name them.
    """
    report, progress = Tally(settings.strict), progress or Progress()
    choosing.check(settings)
    begin = {
        "the version of pocketindex": pocketindex.__version__,
        **settings.deciding(),
        **reading.state_of(found),
    }
    begin["whether what is skipped is listed"] = str(skipped is not None)
    read = [source for source, _ in found]
    with making(target, report, begin, settings, resume, skipped, read) as (path, work):
        with Threads(settings.thread_count) as threads:
            context = Context(settings, work, report, progress, threads)
            spool = _read(inputs.sparing(found, target, work.folder, skipped), context)
            if not spool.count:
                raise NoDocument(report.report(), sources)
            report.check_bad(sources, settings.keep_going)
            check = partial(check_count, sources, path, context)
            documents = _write(path, spool, context, check)
            if settings.measure:
                report.measured = measure(path, spool, documents, context)
        report.size = path.stat().st_size
    return report.finish(progress)


@contextmanager
def making(
    target: str | Path,
    report: Tally,
    begin: Entry,
    settings: Settings,
    resume: bool = False,
    skipped: str | Path | None = None,
    read: Sequence[str] = (),
    spares: Sequence[str | Path] = (),
    is_folder: bool = False,
) -> Iterator[tuple[Path, WorkFolder]]:
    """Give the path at which a pocket file is made, with the work folder beside it, and open the
    list of what is skipped.

    target, skipped: their final places, which are settled before any work is done; begin: what the
    file depends on, for the work folder; read: the sources; spares: other files that neither may
    replace; is_folder: whether the target is a folder of shards, which the caller checks. Raises
    what Output and work_folder do, SourceError where a source would be replaced.
    """
    check_stdout_once(output=target, skipped=skipped)
    with ExitStack() as stack:
        check_sources_stay(read, target)
        output = None
        if not is_folder:
            output = stack.enter_context(Output(target, POCKET, force=settings.force))
        listed = None
        if skipped is not None:
            named = [*read, *spares, *([] if is_stdio(target) else [target])]
            listed = stack.enter_context(skipped_output(skipped, named, settings.force))
        if resume and output and not output.path:
            raise ValueError(
                f"{output.name}: {spelled('resume', True)} needs a regular file, and this is "
                "not one; give the name of a file"
            )
        path = stack.enter_context(output.made()) if output else Path(target)
        sweep(path)
        work = stack.enter_context(work_folder(path, begin, resume, report.notes.append))
        report.pages.keep_in(work)
        report.skipped_list = stack.enter_context(skipped_list(work, listed))
        yield path, work


def build_spooled(
    documents: Iterable[Document], target: Path, spool: Spool, context: Context
) -> list[int]:
    """Build target from documents that the caller reads, which stay in its spool, empty at first.

    Returns which of them have too few terms for a sketch, in the order of arrival. The file has
    these after all others.
    """
    for document in documents:
        context.report.arrive()
        if spool.add(document):
            spool.finish()
        context.progress.add()
    spool.end()
    written = _write(target, spool, context)
    return [
        chunk.chunk.first + place
        for chunk in written.sketched
        for place in np.flatnonzero(chunk.short()).tolist()
    ]


def check_sources_stay(sources: Iterable[str], target: str | Path) -> None:
    """Raise SourceError where target would replace a source, or a file in a folder that is one: an
    older pocket file there is none.
    """
    if not is_file(target):
        return
    target = Path(target)
    for source in sources:
        if is_stdio(source) or not os.path.exists(source):
            continue
        if os.path.samefile(source, target):
            raise inputs.SourceError(
                source,
                "it is the output, too, which would replace it; give the output another name",
            )
        inside = os.path.isdir(source) and Path(source).resolve() in target.resolve().parents
        if not inside:
            continue
        with target.open("rb") as file:
            old = file.read(len(MAGIC))
        if old != MAGIC:
            raise inputs.SourceError(
                source,
                f"the output would replace {target}, which is in it; give the output another name",
            )


def paths(sources: str | Path | Iterable[str | Path]) -> list[str]:
    """Return the sources, which may be a generator, as a list."""
    check_type("sources", sources, str | os.PathLike | Iterable, "the path of a source, or a list")
    given = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    for source in given:
        if not isinstance(source, str | os.PathLike):
            raise TypeError(
                f"a source is of type {type(source).__name__}; expected the path of a file or "
                "folder, an address or a pattern; write documents to a file of JSON Lines, and "
                "give its path"
            )
    return [inputs.located(as_text(source)) for source in given]


def check_count(sources: Sequence[str], target: Path, context: Context, documents: int) -> None:
    """Raise NoDocument or Shrunk before a file of so many documents takes the place of a better
    one.
    """
    if not documents:
        raise NoDocument(context.report.report(), sources)
    look_at_old(target, documents, context.settings.refuse_shrink, context.report.notes.append)


def _read(found: Found, context: Context) -> Spool:
    """Spool the documents."""
    if context.settings.detect_language:
        detector()  # to say what is missing before anything is read
    spool = Spool(context.work, context.settings.max_memory, context.threads)
    reading.read(found, spool, context)
    return spool


def _write(
    target: Path,
    spool: Spool,
    context: Context,
    check: Callable[[int], None] = lambda documents: None,
) -> Arranged:
    """Find the duplicates, choose the profile, sketch, and write the file, unless check refuses so
    many documents.
    """
    sample = Sample(context.settings.sample)
    context.progress.phase("looking for duplicates")
    repeated = repeated_ids(spool, context.work.folder, context.merging, sample)
    report_repeated(repeated, lambda number: spool.details_at(number).id, context.report)
    profile = choosing.profile(
        spool.count - repeated.count,
        partial(sample.texts, spool),
        partial(_in_languages, spool, repeated),
        context,
    )
    context.progress.phase("sketching", documents=spool.count)
    made = plan(spool.count - repeated.count, profile, context.settings)
    sketched = sketch(spool, repeated, profile, context, made.cells > 0)
    check(sum(part.count for part in sketched))
    return finish(target, sketched, made, context)


def _in_languages(spool: Spool, repeated: RepeatedIds) -> Iterator[tuple[str, bytes]]:
    """Yield language and text of each document that is not repeated."""
    for chunk in spool.chunks:
        own = ~repeated.among(chunk.first, chunk.count)
        texts = (text for text, kept in zip(chunk.all_texts(), own.tolist(), strict=True) if kept)
        for details, text in zip(chunk.details_of(own), texts, strict=True):
            yield details.language.decode(), text


def report_repeated(repeated: RepeatedIds, id_of: Callable[[int], bytes], report: Tally) -> None:
    """Count documents with the id of an earlier one as skipped."""
    said = repeated.count if report.skipped_list else min(EXAMPLES, repeated.count)
    for number in repeated.first(said):
        detail = "an earlier document has this id; the first one is kept"
        if report.has_numbers:
            detail += " (a record without an id has a number, which may be the id of another)"
        report.skip(Skip(id_of(number).decode(), "duplicate id", detail))
    report.skip_more("duplicate id", repeated.count - said)
