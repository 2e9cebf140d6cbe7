"""What people know a document by."""

from __future__ import annotations

from array import array
from typing import NamedTuple


class Named(NamedTuple):
    """The id of a document, its source, and the number of its line or row there, counted from 1,
    or None where that is not known.
    """

    id: str
    source: str
    line: int | None


class Ids:
    """The ids of documents, in a third of the memory that a list of strings takes."""

    def __init__(self) -> None:
        self._data, self._ends = bytearray(), array("Q", [0])

    def append(self, id: str) -> None:
        self._data += id.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._data))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, document: int) -> str:
        own = self._data[self._ends[document] : self._ends[document + 1]]
        return own.decode("utf-8", "surrogatepass")
