"""Parquet or Arrow of which some rows are passed through, with all of their columns."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Any

import numpy as np
from pocketindex.builder.collections.corpus import Flags
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.passing.marks import Marks, check_mark, unmarked
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.rows.parquet import opened, told
from pocketindex.builder.inputs.source import Place, SourceError, needed
from pocketindex.builder.out.rows import form_of, table_writer
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import Tally

_ROWS, _BYTES = 65_536, 1 << 26  # of a row group, at most


class Rewritten:
    """A table that is written from the batches of one or several files."""

    def __init__(self, out: IO[bytes], output: str) -> None:
        self._out, self._output = out, output
        self._writer: Any = None
        self._schema: Any = None
        self._waiting = list[Any]()

    def begin(self, source: str, schema: Any, codec: str | None) -> None:
        """Say which columns the batches have that follow. Raises SourceError where they are not
        those of the files before.
        """
        if self._writer is None:
            self._schema = schema
            form = form_of(self._output)
            self._writer = table_writer(form, self._output, self._out, schema, codec)
        elif not self._schema.equals(schema):
            raise SourceError(
                source,
                "its columns are not those of the files before it, so that one table cannot have "
                "all rows; give a folder as the output, for a file of each",
            )

    def add(self, batch: Any) -> None:
        """Add a batch; row groups have ROWS or BYTES."""
        self._waiting.append(batch)
        if (
            sum(one.num_rows for one in self._waiting) >= _ROWS
            or sum(one.nbytes for one in self._waiting) >= _BYTES
        ):
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            arrow = _arrow(self._output)
            self._writer.write_table(arrow.Table.from_batches(self._waiting))
            self._waiting = []

    def __enter__(self) -> Rewritten:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._writer is not None:
            if kind is None:
                self._flush()
            self._writer.close()


@dataclass
class TableRows:
    """The rows of a file that hold documents, read twice.

    fields: the date is what preferences ask for. Attributes by document, as those of Lines: numbers
    (of rows, from 1), ids. mark: a column that rows get when they are written; there: all columns.
    """

    source: str
    preferences: Preferences
    fields: Fields = OWN_NAMES
    mark: str | None = None
    numbers: array[int] = field(default_factory=lambda: array("q"))
    ids: list[str] = field(default_factory=list)
    there: tuple[str, ...] = ()
    _state: tuple[object, object] = (0, 0)

    def documents(self, report: Tally, progress: Progress) -> Iterator[Document]:
        """The first time: tells report of what is left out."""
        progress.phase(f"reading {self.source}")
        arrow = _arrow(self.source)
        place = Place()
        self._state = self._now()
        with told(arrow, self.source, place), seekable(self.source) as file:
            size = file.seek(0, os.SEEK_END)
            reader = opened(arrow, self.source, file)
            check_mark(self.mark, reader.schema.names, self.source)
            self.there = tuple(reader.schema.names)
            rows = Rows(arrow, self.source, reader.schema, self.fields, numbered=True, first=1)
            for batch, done in reader.batches(rows.names):
                for document in rows.documents(batch, report.reject, place):
                    report.arrive()
                    self.numbers.append(place.lines)
                    self.ids.append(document.id)
                    self.preferences.add(document.text, document.date or None)
                    yield document
                progress.measure(int(size * done), size)

    def write(self, stays: Flags, out: IO[bytes], output: str, marks: Marks = unmarked) -> None:
        """Write the rows of the documents that stay, with all of their columns, as the suffix of
        output says; Parquet in the codec of the source.

        Raises SourceError where the source is no longer what it was.
        """
        with Rewritten(out, output) as to:
            self.write_to(stays, to, marks)

    def write_to(self, stays: Flags, out: Rewritten, marks: Marks = unmarked) -> None:
        """Write the rows behind those of other files, which must have the same columns."""
        arrow, place = _arrow(self.source), Place()
        wanted = np.zeros(max(self.numbers, default=0), bool)
        wanted[np.array(self.numbers, np.int64)[stays] - 1] = True
        staying = iter(np.flatnonzero(stays).tolist())
        with told(arrow, self.source, place), seekable(self.source) as file:
            reader = opened(arrow, self.source, file)
            schema = reader.schema
            if self.mark:
                schema = schema.append(arrow.field(self.mark, arrow.list_(arrow.string())))
            out.begin(self.source, schema, reader.codec)
            for batch, _ in reader.batches(reader.schema.names):
                own = wanted[place.lines : place.lines + batch.num_rows]
                place.lines += batch.num_rows
                mask = np.concatenate([own, np.zeros(batch.num_rows - len(own), bool)])
                kept = batch.filter(arrow.array(mask))
                if self.mark:
                    values = [marks(document) for document in islice(staying, kept.num_rows)]
                    column = arrow.array(values, schema.field(self.mark).type)
                    kept = arrow.RecordBatch.from_arrays([*kept.columns, column], schema=schema)
                out.add(kept)
        if self._now() != self._state:
            raise SourceError(
                self.source,
                "it changed while it was read; nothing is written: run again when nobody writes "
                "to it",
            )

    def _now(self) -> tuple[object, object]:
        if isinstance(self.source, Elsewhere):
            self.source.refresh()
            return self.source.size, self.source.tag
        status = os.stat(self.source)
        return status.st_size, status.st_mtime_ns


def _arrow(source: str) -> Any:
    return needed("pyarrow", "parquet", source, "it is a Parquet or Arrow file")
