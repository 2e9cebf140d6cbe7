"""List every record that was left out or not read exactly as it is, and every page that lost more
than a fifth of its words, as JSON Lines.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.out.lines import check_line_name, line
from pocketindex.builder.out.written import rows_of
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.kept_lines import KeptLines
from pocketindex.builder.spill.output import Output
from pocketindex.errors import PocketError


class SkippedList(KeptLines):
    """The list of skipped records of one build."""

    def __init__(self, work: WorkFolder) -> None:
        super().__init__(work, "skipped")

    def note(self, skip: Skip | Notice) -> None:
        """Add a record that is left out, or not read exactly as it is."""
        self.add(line({"place": skip.place, "reason": skip.reason, "detail": skip.detail}))


def skipped_output(path: str | Path, spares: Iterable[str | Path], force: bool) -> Output:
    """Return the output of the list. Raises ValueError, OSError."""
    what = "the list of what was skipped"
    check_line_name(path, what)
    kind = rows_of("json", ("place", "reason", "detail"))
    return Output(path, kind, what=what, spares=spares, force=force)


@contextlib.contextmanager
def skipped_list(work: WorkFolder, target: Output | None) -> Iterator[SkippedList | None]:
    """Open a list for a block. It is written to target at the end of the block, even after a
    PocketError, because it then says what is wrong.
    """
    if target is None:
        yield None
        return
    found = SkippedList(work)
    try:
        yield found
    except PocketError:
        _write(found, target)
        raise
    _write(found, target)


def _write(found: SkippedList, target: Output) -> None:
    with target.open() as out:
        out.writelines(found)
