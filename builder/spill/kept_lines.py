"""Keep lines that a build collects in its work folder, so that a resumed build has all of them."""

from __future__ import annotations

import io
from collections.abc import Iterator

from pocketindex.builder.spill.journal import WorkFolder

_MOST = 1 << 22  # bytes in memory


class KeptLines:
    """The lines of one kind: finished files of the work folder, and the latest lines in memory."""

    def __init__(self, work: WorkFolder, kind: str) -> None:
        self._work, self._kind = work, kind
        self._pieces = list[str]()
        self._rest = bytearray()

    def add(self, line: bytes) -> None:
        """Add a line, including its newline."""
        self._rest += line
        if len(self._rest) >= _MOST:
            self.keep()

    def keep(self) -> list[str]:
        """Write all lines to the disk. Returns the names of all files, for restore()."""
        if self._rest:
            name = f"{self._kind}-{len(self._work.of(self._kind)):06}"
            with self._work.file(name) as file:
                file.write(self._rest)
            self._work.enter(self._kind, (name, file))
            self._pieces.append(name)
            self._rest.clear()
        return list(self._pieces)

    def restore(self, pieces: list[str]) -> None:
        """Continue after these files, for a resumed build, which collects all later lines again."""
        self._pieces, self._rest = list(pieces), bytearray()

    def __iter__(self) -> Iterator[bytes]:
        """Yield all lines."""
        for name in self._pieces:
            with (self._work.folder / name).open("rb") as piece:
                yield from piece
        yield from io.BytesIO(self._rest)
