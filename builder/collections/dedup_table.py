"""A collection without its near-duplicates: Parquet or Arrow in, the rows that stay out."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np
from pocketindex.builder.collections.dedup import KEPT, Decision
from pocketindex.builder.collections.keep import preference
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.rows.parquet import opened, told
from pocketindex.builder.inputs.source import Place, SourceError, needed
from pocketindex.builder.out.rows import form_of, table_writer
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report

_ROWS, _BYTES = 65_536, 1 << 26  # of a row group, at most


@dataclass
class TableRows:
    """The rows of a file that hold documents, read twice.

    fields: date may be named. Attributes by document, as those of Lines: numbers (of rows, from 1),
    ids, preferences.
    """

    source: str
    policy: str
    fields: Fields = OWN_NAMES
    numbers: array[int] = field(default_factory=lambda: array("q"))
    preferences: array[float] = field(default_factory=lambda: array("d"))
    ids: list[str] = field(default_factory=list)
    undated: int = 0
    _state: tuple[object, object] = (0, 0)

    def documents(self, report: Report, progress: Progress) -> Iterator[Document]:
        """The first time: tells report of what is left out."""
        progress.phase(f"reading {self.source}")
        arrow = _arrow(self.source)
        place = Place()
        self._state = self._now()
        with told(arrow, self.source, place), seekable(self.source) as file:
            size = file.seek(0, os.SEEK_END)
            reader = opened(arrow, self.source, file)
            rows = Rows(arrow, self.source, reader.schema, self.fields, numbered=True, first=1)
            for batch, done in reader.batches(rows.names):
                for document in rows.documents(batch, report.reject, place):
                    report.arrive()
                    self.numbers.append(place.lines)
                    self.ids.append(document.id)
                    date = document.date or None
                    self.preferences.append(preference(self.policy, document.text, date))
                    self.undated += self.preferences[-1] == float("inf")
                    yield document
                progress.measure(int(size * done), size)

    def write(self, decision: Decision, out: IO[bytes], output: str) -> None:
        """Write the rows that stay, with all of their columns, as the suffix of output says.

        Raises SourceError where the source is no longer what it was.
        """
        arrow, place = _arrow(self.source), Place()
        stays = np.zeros(max(self.numbers, default=0), bool)
        stays[np.array(self.numbers, np.int64)[decision.verdicts == KEPT] - 1] = True
        with told(arrow, self.source, place), seekable(self.source) as file:
            reader = opened(arrow, self.source, file)
            writer = table_writer(form_of(output), output, out, reader.schema)
            waiting = list[Any]()
            for batch, _ in reader.batches(reader.schema.names):
                own = stays[place.lines : place.lines + batch.num_rows]
                place.lines += batch.num_rows
                mask = np.concatenate([own, np.zeros(batch.num_rows - len(own), bool)])
                waiting.append(batch.filter(arrow.array(mask)))
                if (
                    sum(one.num_rows for one in waiting) >= _ROWS
                    or sum(one.nbytes for one in waiting) >= _BYTES
                ):
                    writer.write_table(arrow.Table.from_batches(waiting))
                    waiting = []
            if waiting:
                writer.write_table(arrow.Table.from_batches(waiting))
            writer.close()
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
