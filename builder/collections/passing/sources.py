"""Several sources as one collection: read as documents, and written again without some of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from pocketindex.builder.collections.corpus import Flags
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.passing.columns import Columns
from pocketindex.builder.collections.passing.lines import Lines
from pocketindex.builder.collections.passing.marks import Marks, after, unmarked
from pocketindex.builder.collections.passing.named import Named
from pocketindex.builder.collections.passing.packing import packed
from pocketindex.builder.collections.passing.rewritten import Rewritten
from pocketindex.builder.collections.passing.table import TableRows
from pocketindex.builder.document import Document
from pocketindex.builder.inputs import INPUTS, find
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.options import MEMORY
from pocketindex.builder.out.rows import TABLES
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import Tally

_Part = tuple[Lines | TableRows, Flags, Marks]  # a source, and what is said of its documents


def is_table(source: str) -> bool:
    """Return whether a source is Parquet or Arrow."""
    return find(source) is INPUTS["parquet"]


class Sources:
    """Files of JSON Lines, or of Parquet and Arrow, whose documents are one collection.

    preferences: gets each document; fields: names; folder: for copies of what can be read only
    once; mark: a field that the records get when they are written, and that none of them may have;
    memory: bytes that writing may take a share of; as_table: whether lines are written as one
    table; encoding: of the lines, None for UTF-8 or what their first bytes tell. notes: what people
    should know of what was written.
    """

    def __init__(
        self,
        sources: Sequence[str],
        folder: Path,
        preferences: Preferences,
        fields: Fields,
        mark: str | None = None,
        memory: int = MEMORY,
        as_table: bool = False,
        encoding: str | None = None,
    ) -> None:
        self.sources = sources
        self._memory = memory
        columns = Columns() if as_table else None
        self._parts = list[Lines | TableRows]()
        self._starts, self.notes = list[int](), list[str]()
        for number, source in enumerate(sources):
            if is_table(source):
                self._parts.append(TableRows(source, preferences, fields, mark))
            else:
                own = folder / f"source-{number}"
                own.mkdir()
                named = replace(fields, date=None)
                self._parts.append(Lines(source, own, preferences, named, mark, columns, encoding))

    def documents(self, report: Tally, progress: Progress) -> Iterator[Document]:
        """Yield the documents of all sources, and tell report of what is left out."""
        for part in self._parts:
            self._starts.append(len(self))
            yield from part.documents(report, progress)

    @property
    def there(self) -> list[str]:
        """Return the names of fields that records have."""
        return list(dict.fromkeys(name for part in self._parts for name in part.there))

    def checksums(self) -> dict[str, str]:
        """Return a checksum of the documents of each source."""
        return {str(part.source): f"{part.checksum:08x}" for part in self._parts}

    def __len__(self) -> int:
        return sum(len(part.ids) for part in self._parts)

    def named(self, document: int) -> Named:
        """Return what people know a document by, which was read."""
        number = bisect_right(self._starts, document) - 1
        part = self._parts[number]
        own = document - self._starts[number]
        return Named(part.ids[own], str(part.source), part.numbers[own])

    def write(
        self, stays: Flags, out: IO[bytes], output: str, form: str, marks: Marks = unmarked
    ) -> None:
        """Write what stays of all sources to one file: "json" lines, packed as its name says, or
        the form of a table.
        """
        self._write(list(self._each(stays, marks)), out, output, form)

    def write_one(
        self,
        number: int,
        stays: Flags,
        out: IO[bytes],
        output: str,
        form: str,
        marks: Marks = unmarked,
    ) -> None:
        """Write what stays of one source."""
        self._write([list(self._each(stays, marks))[number]], out, output, form)

    def _write(self, parts: Sequence[_Part], out: IO[bytes], output: str, form: str) -> None:
        if form in TABLES:
            with Rewritten(out, output, form, self._memory) as table:
                for part, own, marked in parts:
                    part.write(own, table, marked)
            self.notes += table.notes
        else:
            with packed(out, output) as to:
                for part, own, marked in parts:
                    for line in part.lines(own, marked):
                        to.write(line)
                    self.notes += part.notes

    def _each(self, stays: Flags, marks: Marks) -> Iterator[_Part]:
        """Yield the sources, with what is said of their own documents."""
        for start, part in zip(self._starts, self._parts, strict=True):
            yield part, stays[start : start + len(part.ids)], after(marks, start)
