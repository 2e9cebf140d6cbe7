"""List every record that was left out or not read exactly as it is, and every page that lost more
than a fifth of its words, as JSON Lines.

During a build the list is in its work folder, so that a resumed build has all of it.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.out.lines import check_line_name, line
from pocketindex.builder.out.written import rows_of
from pocketindex.builder.work.journal import WorkFolder
from pocketindex.builder.work.output import Output
from pocketindex.errors import PocketError

_MOST = 1 << 22  # bytes in memory


class SkippedList:
    """The list of one build, in pieces that are finished files of the work folder, and the rest."""

    def __init__(self, work: WorkFolder) -> None:
        self._work = work
        self._pieces = list[str]()
        self._rest = bytearray()

    def add(self, skip: Skip | Notice) -> None:
        """Add a record that is left out, or not read exactly as it is."""
        self._rest += line({"place": skip.place, "reason": skip.reason, "detail": skip.detail})
        if len(self._rest) >= _MOST:
            self.keep()

    def keep(self) -> list[str]:
        """Put what there is on the disc. Returns the names of all pieces, for restore()."""
        if self._rest:
            name = f"skipped-{len(self._work.of('skipped')):06}"
            with self._work.file(name) as file:
                file.write(self._rest)
            self._work.enter("skipped", (name, file))
            self._pieces.append(name)
            self._rest.clear()
        return list(self._pieces)

    def restore(self, pieces: list[str]) -> None:
        """Go on after these pieces, as a resumed build does. What came later comes again."""
        self._pieces, self._rest = list(pieces), bytearray()

    def write(self, out: IO[bytes]) -> None:
        """Write the whole list."""
        for name in self._pieces:
            with (self._work.folder / name).open("rb") as piece:
                shutil.copyfileobj(piece, out)
        out.write(self._rest)


def skipped_output(path: str | Path, spares: Iterable[str | Path], force: bool) -> Output:
    """Return where the list goes. Raises ValueError, OSError."""
    what = "the list of what was skipped"
    check_line_name(path, what)
    kind = rows_of("json", ("place", "reason", "detail"))
    return Output(path, kind, what=what, spares=spares, force=force)


@contextlib.contextmanager
def skipped_list(work: WorkFolder, target: Output | None) -> Iterator[SkippedList | None]:
    """Open a list for a block.

    It goes to target at the end of the block, also after a PocketError, because it then says what
    is wrong.
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
        found.write(out)
