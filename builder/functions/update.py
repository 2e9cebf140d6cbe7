"""Change a pocket file with documents that a program has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from pocketindex.arguments import check_type, path_of, paths_of
from pocketindex.builder.changing.merge import merge as merge_files
from pocketindex.builder.changing.update import update_found
from pocketindex.builder.functions.choices import Resumed, Shown, Skipped, Updating, settings_of
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.inputs.fields import shortened
from pocketindex.builder.options import ForceOption, Path, WorkOptions, keys_per_part_option
from pocketindex.builder.report import Report
from pocketindex.keywords import Keywords, takes
from pocketindex.options import Options, option


@dataclass(frozen=True, kw_only=True)
class KeysPerPart(Options):
    """The size of the parts of a file that is made of others."""

    keys_per_part: int | None = keys_per_part_option(None, "60000 or 2000, whichever fits the file")


@dataclass(frozen=True, kw_only=True)
class Update(Updating, Shown, Skipped, Resumed, KeysPerPart):
    """The arguments of update."""

    path: Path = field(kw_only=False)
    documents: Documents = field(default=(), kw_only=False)
    remove: Iterable[str | int] = field(default=(), kw_only=False)
    output: Path | None = None


@takes(Update)
def update(call: Update) -> Report:
    """Add documents to the pocket file at path, and remove those whose ids are in remove.

    documents: what [Documents][pocketindex.Documents] says. Each needs an id, and replaces
    the document with that id. output: the new file, None for path, which is replaced only by a
    whole file. The other arguments are the options of `pocketindex update`, with _ for -; all else
    is as in the build of the file. Report.changed says how many documents were added, replaced,
    removed and kept. The bytes are those of the command.

    Raises NothingLeft, NothingToRemove (no documents are given, and the file has none of the ids),
    SourceError for a record without an id, and what [build][pocketindex.build] does.

    >>> import pocketindex
    >>> report = pocketindex.update("x.pocket", [("id", "a text")], ["gone"])  # doctest: +SKIP
    """
    settings, ids, documents = settings_of(call), _ids(call.remove), call.documents
    is_nothing = isinstance(documents, tuple | list) and not documents
    found = () if is_nothing else found_of(documents, settings, needs_id=True)
    with looked_at(call.progress) as shown:
        report = update_found(
            path_of("path", call.path),
            found,
            [source for source, _ in found],
            ids,
            None if call.output is None else path_of("output", call.output),
            settings,
            keys_per_part=call.keys_per_part,
            progress=shown,
            resume=call.resume,
            skipped=None if call.skipped is None else path_of("skipped", call.skipped),
        )
    log(report)
    return report.report()


def _ids(given: Any) -> list[str]:
    """Return ids as strings, as a build takes them. Raises TypeError for a single one."""
    if isinstance(given, str | bytes):
        raise TypeError(f"remove is {shortened(repr(given))}; expected a list of ids")
    check_type("remove", given, Iterable, "a list of ids")
    ids = list(given)
    for one in ids:
        if type(one) is bool or not isinstance(one, str | Integral):
            raise TypeError(
                f"an id to remove is of type {type(one).__name__}; expected strings or whole "
                "numbers"
            )
    return [one if isinstance(one, str) else str(int(one)) for one in ids]


@dataclass(frozen=True, kw_only=True)
class MergeOptions(WorkOptions, ForceOption, KeysPerPart, Resumed):
    """How files are merged."""

    newest: bool = option(
        False, "take the files in the order of the times when they were last changed"
    )
    refuse_replace: bool = option(
        False, "fail, and write nothing, if two documents have the same id"
    )


@dataclass(frozen=True, kw_only=True)
class Merge(Keywords, MergeOptions, Shown):
    """The arguments of merge."""

    paths: Iterable[Path] = field(kw_only=False)
    output: Path = field(kw_only=False)


@takes(Merge)
def merge(call: Merge) -> Report:
    """Merge pocket files of one profile to output. If documents have the same id, that of the last
    file is kept, or with newest that of the file that was changed last; with refuse_replace this is
    an error. The other arguments are the options of `pocketindex merge`, with _ for -.

    Raises NotMerged (different profiles or settings, or refuse_replace), ValueError, Busy,
    NotResumed, NoSpace, OSError, and what [open][pocketindex.open] does.

    >>> import pocketindex
    >>> report = pocketindex.merge(["a.pocket", "b.pocket"], "c.pocket")  # doctest: +SKIP
    """
    with looked_at(call.progress) as shown:
        return merge_files(
            paths_of("paths", call.paths),
            path_of("output", call.output),
            settings_of(call),
            newest=call.newest,
            refuse_replace=call.refuse_replace,
            keys_per_part=call.keys_per_part,
            progress=shown,
            resume=call.resume,
        ).report()
