"""A table that is written from the batches of one or several sources, in row groups."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import IO, Any

from pocketindex.builder.inputs.source import SourceError, needed, shown
from pocketindex.builder.out.rows import table_writer
from pocketindex.errors import spelled

_ROWS, _BYTES = 65_536, 1 << 26  # of a row group, where no source has any
_SHARE = 8  # of the memory: rows wait as they are, and lie there once more while they are written


class Rewritten:
    """A table that is written as a form of rows.py. Its row groups have the rows of those of the
    first source, or fewer where these exceed a share of memory, in bytes.

    notes: what people should know of it.
    """

    def __init__(self, out: IO[bytes], output: str, form: str, memory: int) -> None:
        self._out, self._output, self._form = out, output, form
        self._most_bytes = memory // _SHARE
        self._rows = _ROWS
        self._writer: Any = None
        self._schema: Any = None
        self._waiting = list[Any]()
        self._count = self._bytes = 0
        self.notes = list[str]()

    def begin(
        self,
        source: str,
        schema: Any,
        codecs: Mapping[str, str | None] = MappingProxyType({}),
        rows: int | None = None,
    ) -> None:
        """Say which columns the batches have that follow, the codec that their source has for each
        form of a table, and the rows of a row group of it. Raises SourceError where the columns are
        not those of the files before.
        """
        if self._writer is None:
            self._schema = schema
            if rows is None:
                self._most_bytes = min(self._most_bytes, _BYTES)
            self._is_given, self._rows = rows is not None, rows or _ROWS
            arrow = needed("pyarrow", "parquet", self._output, "it is to be Parquet or Arrow")
            try:
                codec = codecs.get(self._form)
                self._writer = table_writer(self._form, self._output, self._out, schema, codec)
            except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError) as error:
                raise SourceError(
                    shown(source),
                    f"{self._output} cannot have its columns ({error}); give a name that ends in "
                    ".jsonl",
                ) from None
        elif not self._schema.equals(schema):
            raise SourceError(
                source,
                "its columns are not those of the files before it, so that one table cannot have "
                "all rows; give a folder as the output, for a file of each",
            )

    def add(self, batch: Any) -> None:
        """Add a batch of rows."""
        self._waiting.append(batch)
        self._count += batch.num_rows
        self._bytes += batch.nbytes
        while self._count >= self._rows:
            self._flush(self._rows)
        if self._bytes >= self._most_bytes:
            if self._is_given and not self.notes:
                self.notes.append(
                    f"{self._output}: row groups have fewer rows than the {self._rows:,} of the "
                    f"source, to stay within {spelled('max_memory')}"
                )
            self._flush(self._count)

    def _flush(self, rows: int) -> None:
        if not rows:
            return
        arrow = needed("pyarrow", "parquet", self._output, "it is to be Parquet or Arrow")
        table = arrow.Table.from_batches(self._waiting)
        own = table.slice(0, rows)
        # Parquet takes the pieces as they are; of Arrow each piece would become a batch.
        own = own if self._form == "parquet" else own.combine_chunks()
        self._writer.write_table(own, rows)
        self._waiting = table.slice(rows).to_batches()
        self._count -= rows
        self._bytes = sum(one.nbytes for one in self._waiting)

    def __enter__(self) -> Rewritten:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._writer is not None:
            if kind is None:
                self._flush(self._count)
            self._writer.close()
