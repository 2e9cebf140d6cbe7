"""Merge files of one profile into one file, without the texts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np
import pocketindex
from pocketindex.arguments import path_of
from pocketindex.builder.changed import NAMED, Changed, named_ids
from pocketindex.builder.changing.old_settings import settings_of, with_labels
from pocketindex.builder.changing.reused import Flags, reuse
from pocketindex.builder.passes.context import Context
from pocketindex.builder.passes.finishing import finish, plan
from pocketindex.builder.passes.writing import SECTIONS
from pocketindex.builder.pipeline import making
from pocketindex.builder.progress import Progress
from pocketindex.builder.schemes.inherited import inherited
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import Tally
from pocketindex.builder.write.words import same_counts
from pocketindex.errors import PocketError, spelled
from pocketindex.wording.counted import have

# What the index, --profile and the first file decide.
_COMPARED_ELSEWHERE = {"profile", "keys_per_part", "index"}
_INDEXES = [own for own in SECTIONS if own.index]
_BELONGS = {name: own.name for own in _INDEXES for name in own.told}


class NotMerged(PocketError):
    """Files that have different profiles, or were built with different settings."""


def merge(
    paths: Iterable[str | Path],
    output: str | Path,
    settings: Settings = DEFAULTS,
    *,
    newest: bool = False,
    refuse_replace: bool = False,
    keys_per_part: int | None = None,
    progress: Progress | None = None,
    resume: bool = False,
) -> Tally:
    """Merge two or more files at paths to output, which may be one of them. If documents have the
    same id, that of the last file is kept.

    The bytes are those of a build of the kept documents, in the order of the files, with the first
    file as profile and the same settings. refuse_replace: whether two documents with the same id
    are an error (NotMerged) instead of a note; newest: whether the files are ordered by the times
    of their last changes, the newest last; settings: only the limits of the work count. Raises
    NotMerged, what opening an Index does, Busy, NotResumed, NoSpace, OSError.
    """
    names = [path_of("one of paths", path) for path in paths]
    if len(names) < 2:
        raise ValueError("two files or more are merged; give the others, too")
    if newest:
        names.sort(key=lambda name: Path(name).stat().st_mtime_ns)
    report, progress = Tally(), progress or Progress()
    with ExitStack() as stack:
        files = [stack.enter_context(PocketFile(name)) for name in names]
        chosen = _settings(files, settings, keys_per_part)
        begin = {
            "the version of pocketindex": pocketindex.__version__,
            "what is done": "merge",
            **chosen.deciding(),
            **{f"size and time of {name}": _state(name) for name in names},
            "the list of files": ", ".join(names),
        }
        made, work = stack.enter_context(making(output, report, begin, chosen, resume))
        with Threads(chosen.thread_count) as threads:
            context = Context(chosen, work, report, progress, threads)
            _merge(files, made, context, refuse_replace)
        report.size = made.stat().st_size
    progress.end()
    report.seconds, report.processor = progress.seconds, progress.processor
    return report


def _state(name: str) -> list[int]:
    status = Path(name).stat()
    return [status.st_size, status.st_mtime_ns]


def _settings(files: Sequence[PocketFile], given: Settings, keys_per_part: int | None) -> Settings:
    """Return the settings of the files. Raises NotMerged if a file has other settings than the
    first one.
    """
    first, *others = files
    chosen = settings_of(first, with_labels(first, given, False), keys_per_part)
    for other in others:
        own = settings_of(other, with_labels(other, given, False), keys_per_part)
        settings = _other_settings(first.path, chosen, own)
        fixed = _other_fixed(first, other)
        if settings or fixed:
            parts = [f"it has {fixed.format(first.path)}"] if fixed else []
            parts += [
                f"it is built with other settings than {first.path}: {', '.join(settings)}"
            ] * bool(settings)
            with_same = [f"with {spelled('profile', first.path)}"] if fixed else []
            with_same += ["with the same settings" if fixed else "with the same"] * bool(settings)
            raise NotMerged(f"{other.path}: {'; '.join(parts)}; build it {' and '.join(with_same)}")
        if chosen.words and not same_counts(first.index, other.index):
            raise NotMerged(
                f"{other.path}: the {chosen.words} heaviest words of its documents were chosen by "
                f"other counts of words than those of {first.path}; build it with "
                f"{spelled('profile', first.path)}"
            )
    return chosen


def _other_settings(path: str, first: Settings, other: Settings) -> list[str]:
    """Return the settings of a file that differ from those of the first one, of this path."""
    found = list[str]()
    one, two = (
        {kind.partition(":")[0]: kind for kind in settings.index} for settings in (first, other)
    )
    for kind in (own.name for own in _INDEXES):
        if (kind in one) != (kind in two):
            has, lacks = ("it", path) if kind in two else (path, "it")
            found.append(f"{has} has {kind}, and {lacks} has none")
        elif one.get(kind) != two.get(kind):
            found.append(f"index has {two[kind]}, not {one[kind]}")
    for field in dataclasses.fields(Settings):
        belongs = _BELONGS.get(field.name)
        if field.name in _COMPARED_ELSEWHERE:
            continue
        if belongs and not (belongs in one and belongs in two):
            continue
        before, now = getattr(first, field.name), getattr(other, field.name)
        if before != now:
            named = field.name if field.name != "fields" else "labels"
            found.append(f"{named} is {_said(now)}, not {_said(before)}")
    return found


def _other_fixed(first: PocketFile, other: PocketFile) -> str:
    """Return what two files inherited differently from whole collections, as a phrase in which {}
    stands for the first file; empty if nothing differs.
    """
    if other.profile != first.profile:
        return "another profile than {}, so their sketches cannot be compared"
    one, two = inherited(first), inherited(other)
    # A file in which no document has a sketch has no cells, whatever its profile.
    if other.with_sketch and (one.cells, one.centroids) != (two.cells, two.centroids):
        return "other cells than {}"
    if one.probes != two.probes:
        return "another default number of probes than {}"
    if None not in (one.average, two.average) and one.average != two.average:
        return "another average length of documents than {}, which `search` counts with"
    if None not in (one.shingles, two.shingles) and one.shingles != two.shingles:
        return "passages with another range of keys than {}"
    return ""


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    label = getattr(value, "label", value)
    return "none" if label is None else repr(label)


def _merge(
    files: Sequence[PocketFile], target: Path, context: Context, refuse_replace: bool
) -> None:
    profile = Profile(files[0].profile, files[0].path)
    made = plan(len(files[0]), profile, context.settings)
    context.progress.phase("looking for duplicates", documents=sum(map(len, files)))
    stays = [_stay(file, files[number + 1 :], context) for number, file in enumerate(files)]
    _say_replaced(files, stays, context.report, refuse_replace)
    count, kept = sum(int(stay.sum()) for stay in stays), int(stays[0].sum())
    context.report.changed = Changed(count - len(files[0]), len(files[0]) - kept, 0, kept)
    olds = [
        reuse(file, stay, profile, context, number)
        for number, (file, stay) in enumerate(zip(files, stays, strict=True))
    ]
    finish(target, [], made, context, olds)


def _say_replaced(
    files: Sequence[PocketFile], stays: Sequence[Flags], report: Tally, refuse: bool
) -> None:
    """Note how many documents are replaced by a document of a later file with the same id. Raises
    NotMerged if refuse is set.
    """
    count = sum(int((~stay).sum()) for stay in stays)
    if not count:
        return
    places = (
        (file, int(at))
        for file, stay in zip(files, stays, strict=True)
        for at in (~stay).nonzero()[0]
    )
    ids = [file.index.record(at).id for file, at in islice(places, NAMED + 1)]
    said = f"{have(count, 'document')} the id of a document of a later file"
    if refuse:
        raise NotMerged(
            f"{said}: {named_ids(ids)}; nothing is written: change the ids of one file, or "
            f"omit {spelled('refuse_replace')} to keep the later documents"
        )
    report.notes.append(
        f"{said}, which takes {'its' if count == 1 else 'their'} place: {named_ids(ids)}; "
        f"{spelled('refuse_replace', True)} makes this an error"
    )


def _stay(file: PocketFile, later: Sequence[PocketFile], context: Context) -> Flags:
    """Return a flag for each document of a file: whether its id is not among the ids of later
    files.
    """
    stay = np.ones(len(file), np.bool_)
    for number in range(len(file) if later else 0):
        id = file.index.record(number).id
        stay[number] = not any(id in other.index for other in later)
    context.progress.add(len(file))
    return stay
