"""Lines that a build collects while it reads, in its work folder, so that a resumed build has all
of them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from pocketindex.builder.spill.journal import WorkFolder

_MOST = 1 << 22  # bytes in memory


class KeptLines:
    """The lines of one kind, in pieces that are finished files of the work folder, and the rest."""

    def __init__(self, work: WorkFolder, kind: str) -> None:
        self._work, self._kind = work, kind
        self._pieces = list[str]()
        self._rest = bytearray()

    def add(self, line: bytes) -> None:
        """Add a line with its end."""
        self._rest += line
        if len(self._rest) >= _MOST:
            self.keep()

    def keep(self) -> list[str]:
        """Put what there is on the disc. Returns the names of all pieces, for restore()."""
        if self._rest:
            name = f"{self._kind}-{len(self._work.of(self._kind)):06}"
            with self._work.file(name) as file:
                file.write(self._rest)
            self._work.enter(self._kind, (name, file))
            self._pieces.append(name)
            self._rest.clear()
        return list(self._pieces)

    def restore(self, pieces: list[str]) -> None:
        """Go on after these pieces, as a resumed build does. What came later comes again."""
        self._pieces, self._rest = list(pieces), bytearray()

    def __iter__(self) -> Iterator[bytes]:
        """Yield all lines."""
        for name in self._pieces:
            with (self._work.folder / name).open("rb") as piece:
                yield from piece
        yield from io.BytesIO(self._rest)
