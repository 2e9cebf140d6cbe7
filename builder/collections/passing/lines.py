"""JSON Lines of which some are passed through, byte for byte."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pocketindex.arguments import is_file
from pocketindex.builder.collections.corpus import Flags
from pocketindex.builder.collections.keep import Preferences
from pocketindex.builder.collections.passing.columns import Columns, rows_of
from pocketindex.builder.collections.passing.marks import Marks, check_mark, unmarked
from pocketindex.builder.collections.passing.named import Ids
from pocketindex.builder.collections.passing.packing import packing
from pocketindex.builder.collections.passing.rewritten import Rewritten
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields, value_at
from pocketindex.builder.inputs.rows import jsonl
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    shown,
    unmeasured,
)
from pocketindex.builder.out.rows import schema
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import Tally

_CODECS = {".zst": "zstd", ".gz": "gzip"}  # of Parquet, by how lines are packed


@dataclass
class Lines:
    """The lines of a source that hold documents, read twice.

    A source that can be read only once is copied to folder.

    Attributes by document: numbers (of lines, from 1), ids; preferences gets each of them. mark: a
    field that lines get when they are written; none may have it; there: the fields of the first;
    columns: learn what the fields are, where the lines become rows; encoding: of the source, None
    for the one that its first bytes tell; lines are in UTF-8 when they are written. checksum: of
    the lines that hold documents. notes: none.
    """

    source: str
    folder: Path
    preferences: Preferences
    fields: Fields = OWN_NAMES
    mark: str | None = None
    columns: Columns | None = None
    encoding: str | None = None
    numbers: array[int] = field(default_factory=lambda: array("q"))
    ids: Ids = field(default_factory=Ids)
    there: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    checksum: int = 0

    def documents(self, report: Tally, progress: Progress) -> Iterator[Document]:
        """The first time: tells report of what is left out."""
        progress.phase(f"reading {self.source}")
        wanted = self.preferences.field
        copy = None if self._is_file() else open(self._copy, "wb")
        try:
            for line in self._lines(self.source, report.reject, progress.measure):
                report.arrive()
                check_mark(self.mark, line.fields, self.source)
                self.checksum = zlib.crc32(line.line, self.checksum)
                if copy:
                    copy.write(line.line)
                self.numbers.append(line.number)
                self.ids.append(line.document.id)
                value = value_at(line.fields, wanted) if wanted else None
                self.preferences.add(line.document.text, value)
                if self.columns:
                    self.columns.look(line.fields, self.source, line.number)
                self.there = self.there or tuple(line.fields)
                yield line.document
        finally:
            if copy:
                copy.close()

    def again(self) -> Iterator[bytes]:
        """The same lines. Raises SourceError where the source is no longer what it was."""
        source = self.source if self._is_file() else str(self._copy)
        checksum = count = 0
        for line in self._lines(source, lambda skip: None, unmeasured):
            checksum = zlib.crc32(line.line, checksum)
            count += 1
            if count <= len(self.numbers):
                yield line.line
        if (checksum, count) != (self.checksum, len(self.numbers)):
            raise SourceError(
                self.source,
                (
                    "it changed while it was read; nothing is written: run again when nobody "
                    "writes "
                    "to it"
                ),
            )

    def lines(self, stays: Flags, marks: Marks = unmarked) -> Iterator[bytes]:
        """Yield the lines of the documents that stay."""
        for document, (line, stay) in enumerate(zip(self.again(), stays, strict=True)):
            if stay:
                yield self._marked(line, marks(document)) if self.mark else line

    def write(self, stays: Flags, out: Rewritten, marks: Marks = unmarked) -> None:
        """Write the lines of the documents that stay as rows, behind those of other sources."""
        arrow = needed("pyarrow", "parquet", shown(self.source), "it is to become a table")
        types = dict(self.columns.types) if self.columns else {}
        if self.mark:
            types[self.mark] = ["string"]
        columns = schema(arrow, types)
        codec = _CODECS.get(packing(self.source))
        out.begin(self.source, columns, {"parquet": codec})
        for batch in rows_of(self.lines(stays, marks), columns, self.source, arrow):
            out.add(batch)

    def _lines(self, source: str, skip: OnSkip, measure: OnBytes) -> Iterator[jsonl.Line]:
        encoding = self.encoding if source == self.source else None  # a copy is in UTF-8
        return jsonl.lines(source, skip, measure, self.fields, encoding=encoding)

    def _marked(self, line: bytes, values: list[str]) -> bytes:
        """Return a line with one field more, and all else as it was."""
        end = line.rindex(b"}")
        field = json.dumps({self.mark: values}, ensure_ascii=False)[1:-1]
        return b"%b, %b%b" % (line[:end].rstrip(), field.encode("utf-8", "replace"), line[end:])

    @property
    def _copy(self) -> Path:
        return self.folder / "lines.jsonl"

    def _is_file(self) -> bool:
        return is_file(self.source)
