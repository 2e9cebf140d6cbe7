"""A report of what was dropped and why, with what could not be read."""

from __future__ import annotations

from typing import Any

from pocketindex.builder.document import Skip
from pocketindex.builder.out.rows import RowsOut, Types
from pocketindex.builder.tally import Tally

# The kind of a row for a record that holds no document, and for a source.
SKIPPED, SOURCE = "skipped", "source"


class Listing(Tally):
    """Counts what is read, and writes what is skipped to the file of the report, if there is one.

    types: the columns of the file, with place, kind, reason and detail among them; strict: as of a
    Tally.
    """

    def __init__(self, out: RowsOut | None, types: Types, strict: bool = False) -> None:
        super().__init__(strict)
        self._out, self._types = out, types

    def skip(self, skip: Skip) -> None:
        super().skip(skip)
        self.write(kind=SKIPPED, place=skip.place, reason=skip.reason, detail=skip.detail)

    def write(self, **row: Any) -> None:
        """Write a row; a column that is not given is empty."""
        if self._out:
            self._out.write([row.get(name) for name in self._types])
