"""Documents between the two passes of a build: read once from their source, kept compactly in a temporary file."""

from __future__ import annotations

import struct
import tempfile
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pocketindex.builder.document import Document

_HEAD = struct.Struct("<HHHI")  # bytes of id, title, url, text: the bounds of builder/document.py fit


@dataclass(frozen=True, slots=True)
class Spooled:
    """A document's fields in UTF-8."""

    id: bytes
    title: bytes
    url: bytes
    text: bytes


class Spool:
    """An append-only temporary file of documents in folder; it has no name and goes with the process.

    ids, places: of all of them, where each lies.
    """

    def __init__(self, folder: Path) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)
        self._end = 0
        self.ids: set[str] = set()
        self.places = array("Q")

    @property
    def count(self) -> int:
        return len(self.ids)

    def add(self, document: Document) -> int:
        """Append a document and return where it lies, for at()."""
        place = self._end
        fields = [field.encode() for field in (document.id, document.title, document.url, document.text)]
        data = _HEAD.pack(*map(len, fields)) + b"".join(fields)
        self._file.write(data)
        self._end += len(data)
        self.places.append(place)
        self.ids.add(document.id)
        return place

    def at(self, place: int) -> Spooled:
        """The document that add() put at place."""
        self._file.seek(place)
        spooled = self._next()
        if spooled is None:
            raise IndexError(f"nothing is spooled at {place}")
        return spooled

    def __iter__(self) -> Iterator[Spooled]:
        self._file.seek(0)
        while (spooled := self._next()) is not None:
            yield spooled

    def _next(self) -> Spooled | None:
        head = self._file.read(_HEAD.size)
        if not head:
            return None
        id, title, url, text = (self._file.read(size) for size in _HEAD.unpack(head))
        return Spooled(id, title, url, text)

    def close(self) -> None:
        self._file.close()
