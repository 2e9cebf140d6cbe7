"""Change a pocket file with documents that a program has."""

from __future__ import annotations

import os
from collections.abc import Iterable
from numbers import Integral
from typing import TYPE_CHECKING, Any

from pocketindex.arguments import check_type, path_of, paths_of
from pocketindex.builder.changing.merge import merge as merge_files
from pocketindex.builder.changing.update import update_found
from pocketindex.builder.functions.choices import Updating, settings_of
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.functions.looked_at import log, looked_at
from pocketindex.builder.inputs.fields import shortened
from pocketindex.builder.report import Report
from pocketindex.builder.settings import MEMORY, Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = str | os.PathLike[str]


def update(
    path: Path,
    documents: Documents = (),
    remove: Iterable[str | int] = (),
    *,
    output: Path | None = None,
    keys_per_part: int | None = None,
    resume: bool = False,
    skipped: Path | None = None,
    progress: bool | None = None,
    **choices: Unpack[Updating],
) -> Report:
    """Add documents to the pocket file at path, and remove those whose ids are in remove.

    documents: what [Documents][pocketindex.builder.Documents] says. Each needs an id, and replaces
    the document with that id. output: the new file, None for path, which is replaced only by a
    whole file. choices: how documents are read (names of fields, format, encoding, drop, add,
    strict, keep_going), force, max_memory and threads; all else is as in the build of the file.
    Report.changed says how many documents were added, replaced, removed and kept. The bytes are
    those of the command.

    Raises NothingLeft, NothingToRemove (no documents are given, and the file has none of the ids),
    SourceError for a record without an id, and what [build][pocketindex.build] does.

    >>> import pocketindex
    >>> report = pocketindex.update("x.pocket", [("id", "a text")], ["gone"])  # doctest: +SKIP
    """
    settings, ids = settings_of(choices, Updating), _ids(remove)
    is_nothing = isinstance(documents, tuple | list) and not documents
    found = () if is_nothing else found_of(documents, settings, needs_id=True)
    with looked_at(progress) as shown:
        report = update_found(
            path_of("path", path),
            found,
            [source for source, _ in found],
            ids,
            None if output is None else path_of("output", output),
            settings,
            keys_per_part=keys_per_part,
            progress=shown,
            resume=resume,
            skipped=None if skipped is None else path_of("skipped", skipped),
        )
    log(report)
    return report


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


def merge(
    paths: Iterable[Path],
    output: Path,
    *,
    newest: bool = False,
    refuse_replace: bool = False,
    force: bool = False,
    keys_per_part: int | None = None,
    resume: bool = False,
    progress: bool | None = None,
    max_memory: int = MEMORY,
    threads: int | None = None,
) -> Report:
    """Merge pocket files of one profile to output. If documents have the same id, that of the last
    file is kept, or with newest that of the file that was changed last; with refuse_replace this is
    an error. force: whether output may replace a file that is not a pocket file.

    Raises NotMerged (different profiles or settings, or refuse_replace), ValueError, Busy,
    NotResumed, NoSpace, OSError, and what [open][pocketindex.open] does.

    >>> import pocketindex
    >>> report = pocketindex.merge(["a.pocket", "b.pocket"], "c.pocket")  # doctest: +SKIP
    """
    settings = Settings(threads=threads, max_memory=max_memory, force=force)
    with looked_at(progress) as shown:
        return merge_files(
            paths_of("paths", paths),
            path_of("output", output),
            settings,
            newest=newest,
            refuse_replace=refuse_replace,
            keys_per_part=keys_per_part,
            progress=shown,
            resume=resume,
        )
