"""Build a pocket file of a DataFrame: the pipeline of builder/pipeline.py in stages of Spark.

Tasks read, sketch, sort and build parts. The driver learns the profile from the sample, trains the
centroids of cells, merges the words, and writes the file of what the tasks give, part by part.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pocketindex
from pocketindex.arguments import file_of, path_of
from pocketindex.builder.functions.choices import BuildChoices, Shown, Skipped, settings_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.language import detector
from pocketindex.builder.passes import choosing
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import plan
from pocketindex.builder.passes.writing import Content, write_file
from pocketindex.builder.pipeline import check_count, making
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.chunks.repeated_ids import RepeatedIds
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.errors import PocketError
from pocketindex.keywords import takes
from pocketindex.manifest import read_manifest
from pocketindex.opening.file import MANIFEST
from pocketindex.options import option
from pocketindex.spark.arranging import Arranged, place
from pocketindex.spark.frames import check_frame
from pocketindex.spark.keys import Keys
from pocketindex.spark.reading import SOURCE, Read, read
from pocketindex.spark.repeats import in_languages, repeated_ids, sampled_texts
from pocketindex.spark.shards import write_shards
from pocketindex.spark.sketching import sketch, words


@dataclass(frozen=True, kw_only=True)
class Build(BuildChoices, Shown, Skipped):
    """The arguments of build."""

    frame: Any = field(kw_only=False)
    path: str | os.PathLike[str] = field(kw_only=False)
    order: str | None = None
    shards: int | None = option(None, "files of a folder; None for one file", least=1)
    partitions: int | None = option(None, "partitions to read; None for Spark's", least=1)


@takes(Build)
def build(call: Build) -> Report:
    """Build a pocket file at path from a DataFrame of Spark, a document a row.

    The documents are in the order of their ids as strings, or of the column order and then of their
    ids; rows that are equal so far, in that of their other columns. The bytes are those that
    [build][pocketindex.build] makes of the same documents in this order, whatever the partitions.

    shards: None for one file; else path is a folder of so many files, made of equal runs of the
    documents, with a manifest, which [open_many][pocketindex.open_many] opens. partitions: that the
    documents are read in, None for what Spark chooses. The other arguments are as build has them;
    id, title, text, url, lang and label name columns; threads and max_memory are the
    driver's. What only sources have, keep_going and measure are not for a DataFrame.

    The driver writes the files; path is on its disk. Executors need the package, and no disk but
    their own. docs/spark.md says what they hold.

    Raises what build does, TypeError (no DataFrame of Spark), and ValueError (order is no column,
    shards or partitions below 1, a choice that is not for a DataFrame).

    >>> report = pocketindex.spark.build(frame, "docs.pocket")  # doctest: +SKIP
    """
    check_frame(call.frame)
    settings = settings_of(call)
    choosing.check(settings)
    for name in ("keep_going", "measure"):
        if getattr(settings, name):
            raise ValueError(f"{name} is for a build on one machine: omit it")
    target = Path(file_of("path", call.path, "the output of Spark", "a file or folder"))
    with looked_at(call.progress) as shown:
        report = build_file(
            call.frame,
            target,
            settings,
            shown,
            call.order,
            call.shards,
            call.partitions,
            call.skipped,
        )
    log(report)
    return report.report()


def build_file(
    frame: Any,
    target: Path,
    settings: Settings,
    shown: Progress,
    order: str | None = None,
    shards: int | None = None,
    partitions: int | None = None,
    skipped: str | os.PathLike[str] | None = None,
) -> Tally:
    """Build a file, or shards, without a word in the log."""
    with ExitStack() as stack:
        context, path = stack.enter_context(_context(target, shards, settings, shown, skipped))
        shown.phase("reading")
        documents = read(frame, settings, context.report, stack, order, partitions)
        if not documents.count:
            raise NoDocument(context.report.report(), [SOURCE])
        shown.phase("looking for duplicates")
        repeated = repeated_ids(documents, context.report)
        profile = _profile(documents, repeated, context)
        if shards:
            write_shards(target, documents, repeated, profile, shards, context)
        else:
            _write(path, documents, repeated, profile, context, stack)
        shown.end()
    return context.report.finish(shown)


@contextmanager
def _context(
    target: Path,
    shards: int | None,
    settings: Settings,
    progress: Progress,
    skipped: str | os.PathLike[str] | None,
) -> Iterator[tuple[Context, Path]]:
    """A build under way, with its work folder beside target, and where its file is made."""
    if shards is not None and target.exists() and not target.is_dir():
        raise NotADirectoryError(
            20, "the output of shards is a folder; give the name of one", str(target)
        )
    if shards is not None and target.is_dir() and any(target.iterdir()) and not settings.force:
        _check_shards(target)
    if settings.detect_language:
        detector()  # to say what is missing before anything is read
    report = Tally(settings.strict)
    begin = {"the version of pocketindex": pocketindex.__version__, **settings.deciding()}
    listed = None if skipped is None else path_of("skipped", skipped)
    made = making(target, report, begin, settings, skipped=listed, is_folder=shards is not None)
    with made as (path, work), Threads(settings.thread_count) as threads:
        yield Context(settings, work, report, progress, threads), path


def _check_shards(folder: Path) -> None:
    """Raise ValueError where a folder has something else than shards."""
    try:
        read_manifest(str(folder / MANIFEST))
    except (PocketError, OSError):
        raise ValueError(
            f"{folder}: the folder is not empty and has no shards; choose another name or give "
            "force=True"
        ) from None


def _profile(documents: Read, repeated: RepeatedIds, context: Context) -> Profile:
    return choosing.profile(
        documents.count - repeated.count,
        partial(sampled_texts, documents, repeated, context.settings.sample),
        partial(in_languages, documents, repeated),
        context,
    )


def _write(
    target: Path,
    documents: Read,
    repeated: RepeatedIds,
    profile: Profile,
    context: Context,
    stack: ExitStack,
) -> None:
    settings, progress = context.settings, context.progress
    made = plan(documents.count - repeated.count, profile, settings)
    progress.phase("sketching", documents=documents.count)
    sketched = sketch(documents, repeated, profile, made.cells > 0, context, stack)
    check_count([SOURCE], target, context, sketched.count)
    cells = place(sketched, made, context) if made.cells and sketched.with_sketch else None
    stride = profile.sketch_bytes + settings.identity_bits // 8
    kept = documents.size if settings.keep != "none" else 0
    progress.phase("arranging documents", documents=sketched.count)
    arranged = Arranged(sketched, stride, cells, kept, stack)
    keys = Keys(sketched, profile.tables, arranged.numbers, made.inherited, context, stack)
    found = words(sketched, context) if settings.words is not None else []
    average = made.inherited.average if made.inherited else None
    content = Content(
        profile, arranged, arranged.texts, made.probes, cells, keys, found, average, made.counted
    )
    write_file(target, content, context)
