"""Estimate the disk space that the temporary files of a build need, from what is read so far."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from pocketindex.builder.spill.journal import NoSpace
from pocketindex.kinds import PACKED

# bytes a document: sketches and keys in the work folder, then the sections, then the file itself
_LATER = 250
_PACKED = (*PACKED, ".parquet", ".zim", ".zip")
_EXPANDED = 4
_TELLS = 0.01  # the share of the sources from which the whole is told


class DiskSpace:
    """The free space of a folder. sizes: the bytes of each source, None if unknown; expected: the
    bytes of temporary files, None while unknown.
    """

    def __init__(self, folder: Path, sources: Sequence[str], sizes: Sequence[int | None]) -> None:
        self._folder = folder
        known = [size for size in sizes if size is not None]
        self._total = sum(known) if len(known) == len(sizes) else None
        self.expected = sum(map(_content, sources, known)) if self._total is not None else None

    def begin(self, note: Callable[[str], None]) -> None:
        """Warn, before anything is read, if disk space may be short. Only the documents read show
        it for sure.
        """
        free = self._free()
        if self.expected is not None and self.expected > free:
            note(
                f"{self._folder}: temporary files may take about {self.expected:,} bytes, "
                f"{free:,} are free"
            )

    def check(self, written: int, documents: int, read: int) -> None:
        """Raise NoSpace if the disk space will not suffice. written: the bytes of the documents so
        far; read: the bytes of the sources that these came from.
        """
        if not self._total or read < _TELLS * self._total:
            return
        share = min(read / self._total, 1.0)
        self.expected = int((written + _LATER * documents) / share)
        free = self._free()
        if self.expected - written > free:
            raise NoSpace(
                f"{self._folder}: about {self.expected - written:,} bytes more of temporary files "
                f"are needed, {free:,} are free; "
                "free space there, or build on another disk"
            )

    def _free(self) -> int:
        return shutil.disk_usage(self._folder).free


def _content(source: str, size: int) -> int:
    return size * _EXPANDED if source.lower().endswith(_PACKED) else size
