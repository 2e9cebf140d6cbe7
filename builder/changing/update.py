"""The pipeline of an update: new documents are read and sketched, documents of the old file that
stay are reused, and the last passes of a build make the new file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pocketindex
from pocketindex.arguments import is_stdio
from pocketindex.builder import inputs
from pocketindex.builder.changed import Changed, named_ids, not_there
from pocketindex.builder.changing.moved import moved
from pocketindex.builder.changing.old_settings import settings_of, with_labels
from pocketindex.builder.changing.reused import Flags, reuse
from pocketindex.builder.conventions import crc32c
from pocketindex.builder.passes import reading
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import finish, plan
from pocketindex.builder.passes.reading import Found
from pocketindex.builder.passes.sketching import sketch
from pocketindex.builder.pipeline import making, paths, report_repeated
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.chunks.repeated_ids import repeated_ids
from pocketindex.builder.spill.chunks.sample import Sample
from pocketindex.builder.spill.chunks.sketched import Sketched
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import NoDocument, Tally
from pocketindex.errors import PocketError


class NothingLeft(PocketError):
    """Raised if an update would leave no document."""


class NothingToRemove(PocketError):
    """An update would only remove documents, and the file has none of them. ids: the given ones."""

    def __init__(self, path: str, ids: Sequence[str]) -> None:
        super().__init__(path, ids)
        self.path, self.ids = path, ids

    def __str__(self) -> str:
        if len(self.ids) == 1:
            return f"{not_there(self.ids)}; nothing was written"
        return (
            f"none of the {len(self.ids):,} ids is in {self.path}; nothing was written: "
            f"{named_ids(self.ids)}"
        )


def update(
    path: str | Path,
    sources: str | Path | Iterable[str | Path] = (),
    remove: Iterable[str] = (),
    output: str | Path | None = None,
    settings: Settings = DEFAULTS,
    *,
    keys_per_part: int | None = None,
    progress: Progress | None = None,
    resume: bool = False,
    skipped: str | Path | None = None,
    spares: Sequence[str] = (),
) -> Tally:
    """Update the file at path: add the documents of sources, which replace those with the same ids,
    and remove the documents whose ids are in remove, whether old or new. The old texts are not
    needed.

    The bytes are those of a build with the profile path and the same settings of the documents that
    stay, in the order of the file, followed by the new ones. output: the new file, None for path,
    which is replaced only by a whole file; settings: only those of reading and the limits of the
    work count; keys_per_part: None for those that the file seems to have; spares: files that are
    read and must not be replaced.

    Raises NothingLeft, NothingToRemove (there are no sources, and the file has none of the ids),
    SourceError for a record without an id, and what build() does.
    """
    sources = paths(sources)
    fields = replace(settings.fields, needs_id=True)
    found = inputs.find_all(sources, replace(settings.reading, fields=fields))
    return update_found(
        path,
        found,
        sources,
        remove,
        output,
        settings,
        keys_per_part=keys_per_part,
        progress=progress,
        resume=resume,
        skipped=skipped,
        spares=spares,
    )


def update_found(
    path: str | Path,
    found: Found,
    sources: Sequence[str],
    remove: Iterable[str] = (),
    output: str | Path | None = None,
    settings: Settings = DEFAULTS,
    *,
    keys_per_part: int | None = None,
    progress: Progress | None = None,
    resume: bool = False,
    skipped: str | Path | None = None,
    spares: Sequence[str] = (),
) -> Tally:
    """Update the file at path as update() does, from sources with the inputs that read them."""
    target, ids = path if output is None else output, list(dict.fromkeys(remove))
    if not found and not ids:
        raise ValueError("neither a source nor an id to remove is given")
    read = [source for source, _ in found]
    report, progress = Tally(settings.strict), progress or Progress()
    with PocketFile(path) as file:
        if not found:
            _check_removed(file, ids)
        settings = settings_of(file, with_labels(file, settings, bool(found)), keys_per_part)
        begin = {
            "the version of pocketindex": pocketindex.__version__,
            "what is done": "update",
            **settings.deciding(),
            **reading.state_of(found),
            "whether what is skipped is listed": str(skipped is not None),
            "the ids to remove": f"{len(ids)}, {crc32c(chr(0).join(ids).encode()):08x}",
        }
        making_it = making(target, report, begin, settings, resume, skipped, read, [path, *spares])
        with making_it as (made, work):
            with Threads(settings.thread_count) as threads:
                context = Context(settings, work, report, progress, threads)
                others = inputs.sparing(found, path, target, work.folder, skipped)
                _update(file, made, others, sources, ids, context)
            report.size = made.stat().st_size
    return report.finish(progress)


def _update(
    file: PocketFile,
    target: Path,
    found: Found,
    sources: Sequence[str],
    ids: Sequence[str],
    context: Context,
) -> None:
    spool = Spool(context.work, context.settings.max_memory, context.threads)
    reading.read(found, spool, context)
    if found and not spool.count:
        raise NoDocument(context.report.report(), sources)
    context.report.check_bad(sources, context.settings.keep_going)
    context.progress.phase("looking for duplicates")
    repeated = repeated_ids(spool, context.work.folder, context.merging, Sample(0))
    report_repeated(repeated, lambda number: spool.details_at(number).id, context.report)
    profile = Profile(file.profile, file.path)
    made = plan(len(file), profile, context.settings)
    context.progress.phase("sketching", documents=spool.count)
    new = sketch(spool, repeated, profile, context, made.cells > 0)
    context.progress.phase("looking for what changes", documents=spool.count)
    stay, changed = _changed(file, new, ids)
    context.report.changed = replace(changed, moved=moved(profile, new))
    if not stay.any() and not any(part.count for part in new):
        raise NothingLeft(
            f"{file.path}: no document would be left; nothing is written: check what is removed"
        )
    old = reuse(file, stay, profile, context)
    finish(target, [part for part in new if part.count], made, context, [old])


def _changed(
    file: PocketFile, new: Sequence[Sketched], ids: Sequence[str]
) -> tuple[Flags, Changed]:
    """Return a flag for each document of the file, whether it stays, and the counts of changes."""
    stay, missing = np.ones(len(file), np.bool_), list[str]()
    replacing = [number for id in _ids(new) if (number := file.index.find(id)) is not None]
    stay[replacing] = False
    for id in ids:
        if (number := file.index.find(id)) is not None:
            stay[number] = False
    missing = [id for id in ids if file.index.find(id) is None]
    indexed = sum(p.count for p in new)
    replaced = len(replacing)
    kept = int(stay.sum())
    removed = len(file) - kept - replaced
    return stay, Changed(indexed - replaced, replaced, removed, kept, missing)


def _check_removed(file: PocketFile, ids: Sequence[str]) -> None:
    """Raise NothingToRemove if the file has no document with one of these ids."""
    if not any(file.index.find(id) is not None for id in ids):
        raise NothingToRemove(file.path, ids)


def _ids(new: Sequence[Sketched]) -> Iterator[str]:
    """Yield the ids of the new documents."""
    for part in new:
        for details in part.chunk.details_of(part.kept()):
            yield details.id.decode()


def read_ids(path: str | os.PathLike[str]) -> list[str]:
    """Read ids, one on each line; - is standard input. Empty lines are ignored. Raises OSError,
    ValueError.
    """
    try:
        data = sys.stdin.buffer.read() if is_stdio(path) else Path(path).read_bytes()
    except FileNotFoundError:
        raise ValueError(
            f"--remove takes a file with one id per line; there is no file {os.fspath(path)!r}. "
            f"For single ids: --remove-id {os.fspath(path)}"
        ) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{path}: line {line} is no UTF-8; write the ids as UTF-8, one a line"
        ) from None
    return [id for line in text.split("\n") if (id := line.removesuffix("\r"))]
