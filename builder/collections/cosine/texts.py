"""Texts by number, in a temporary file without a name."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterable
from pathlib import Path


class Texts:
    """Texts 0, 1, ...

    in UTF-8: add() them, then ask for any. The file is gone with close() or with the process,
    however that ends.
    """

    def __init__(self, folder: Path) -> None:
        self._file, self._ends = tempfile.TemporaryFile(dir=folder), array("Q", [0])

    def add(self, texts: Iterable[bytes]) -> None:
        """Append texts."""
        for text in texts:
            self._file.write(text)
            self._ends.append(self._ends[-1] + len(text))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> bytes:
        start, end = self._ends[number], self._ends[number + 1]
        self._file.seek(start)
        return self._file.read(end - start)

    def close(self) -> None:
        self._file.close()
