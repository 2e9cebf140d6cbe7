"""Parquet or Arrow of which some rows are passed through, with all of their columns."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from pocketindex.builder.collections.corpus import Flags
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.passing.marks import Marks, check_mark, unmarked
from pocketindex.builder.collections.passing.named import Ids
from pocketindex.builder.collections.passing.plain import PlainRows
from pocketindex.builder.collections.passing.rewritten import Rewritten
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.rows.parquet import opened, told
from pocketindex.builder.inputs.source import Place, SourceError, needed
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import Tally
from pocketindex.wording.counted import counted


@dataclass
class TableRows:
    """The rows of a file that hold documents, read twice.

    fields: the date is what preferences ask for. Attributes by document, as those of Lines: numbers
    (of rows, from 1), ids. mark: a column that rows get when they are written; there: all columns;
    checksum: of ids and texts; notes: what people should know of what was written.
    """

    source: str
    preferences: Preferences
    fields: Fields = OWN_NAMES
    mark: str | None = None
    numbers: array[int] = field(default_factory=lambda: array("q"))
    ids: Ids = field(default_factory=Ids)
    there: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    _texts: Sequence[str] = ()
    checksum: int = 0
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
            self._texts = rows.names
            for batch, done in reader.batches(rows.names):
                for document in rows.documents(batch, report.reject, place):
                    report.arrive()
                    self.numbers.append(place.lines)
                    self.ids.append(document.id)
                    own = f"{document.id}\0{document.text}\0"
                    self.checksum = zlib.crc32(own.encode("utf-8", "surrogatepass"), self.checksum)
                    self.preferences.add(document.text, document.date or None)
                    yield document
                progress.measure(int(size * done), size)

    def write(self, stays: Flags, out: Rewritten, marks: Marks = unmarked) -> None:
        """Write the rows of the documents that stay. They follow the rows of earlier sources, which
        must have the same columns. Raises SourceError if the source has changed since it was read.
        """

        def begin(schema: Any, reader: Any) -> None:
            out.begin(self.source, schema, reader.codecs, reader.rows)

        for batch in self._again(stays, marks, begin):
            out.add(batch)

    def lines(self, stays: Flags, marks: Marks = unmarked) -> Iterator[bytes]:
        """Yield the rows of the documents that stay as lines of JSON. Raises as write does."""
        made = list[PlainRows]()

        def begin(schema: Any, _: Any) -> None:
            made.append(PlainRows(_arrow(self.source), self.source, schema, self._texts))

        for batch in self._again(stays, marks, begin):
            yield from made[0].lines(batch)
        if made[0].unsaid:
            self.notes.append(
                f"{self.source}: {counted(made[0].unsaid, 'number')} became null, as JSON has no "
                "word for what is infinite or no number"
            )

    def _again(
        self, stays: Flags, marks: Marks, begin: Callable[[Any, Any], None]
    ) -> Iterator[Any]:
        """Yield the rows of the documents that stay. begin: is called before, with their schema and
        the reader of the file.
        """
        arrow, place = _arrow(self.source), Place()
        wanted = np.zeros(max(self.numbers, default=0), bool)
        wanted[np.array(self.numbers, np.int64)[stays] - 1] = True
        staying = iter(np.flatnonzero(stays).tolist())
        with told(arrow, self.source, place), seekable(self.source) as file:
            reader = opened(arrow, self.source, file)
            schema = reader.schema
            if self.mark:
                schema = schema.append(arrow.field(self.mark, arrow.list_(arrow.string())))
            begin(schema, reader)
            for batch, _ in reader.batches(reader.schema.names):
                own = wanted[place.lines : place.lines + batch.num_rows]
                place.lines += batch.num_rows
                mask = np.concatenate([own, np.zeros(batch.num_rows - len(own), bool)])
                kept = _filtered(arrow, batch, mask)
                if self.mark:
                    values = [marks(document) for document in islice(staying, kept.num_rows)]
                    column = arrow.array(values, schema.field(self.mark).type)
                    kept = arrow.RecordBatch.from_arrays([*kept.columns, column], schema=schema)
                yield kept
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


def _filtered(arrow: Any, batch: Any, mask: Flags) -> Any:
    """Return the rows of a batch whose flag is set."""
    try:
        return batch.filter(arrow.array(mask))
    except arrow.ArrowNotImplementedError:  # as of views of strings; slices are there of all types
        edges = np.flatnonzero(np.diff(mask, prepend=False, append=False)).reshape(-1, 2).tolist()
        pieces = [batch.slice(first, end - first) for first, end in edges]
        if len(pieces) < 2:
            return pieces[0] if pieces else batch.slice(0, 0)
        return arrow.Table.from_batches(pieces).combine_chunks().to_batches()[0]


def _arrow(source: str) -> Any:
    return needed("pyarrow", "parquet", source, "it is a Parquet or Arrow file")
