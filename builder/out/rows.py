"""Write rows of commands and functions as JSON Lines, CSV, Parquet or Arrow."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias

from pocketindex.arguments import is_stdio
from pocketindex.builder.inputs.source import needed
from pocketindex.builder.out.lines import check_line_name, line
from pocketindex.builder.out.written import rows_of
from pocketindex.builder.spill.output import Output
from pocketindex.rows import csv_rows

# The type of a column: the name of one of Arrow's, [type] for lists, {name: type} for structures.
Type: TypeAlias = "str | list[Any] | dict[str, Any]"
Types: TypeAlias = Mapping[str, Type]

_TOGETHER = 8_192  # rows of a batch
_FORMS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".arrows": "stream",
    ".csv": "csv",
}
TABLES = ("parquet", "arrow", "stream")  # forms that pyarrow writes


class RowsOut:
    """A file of rows, whose values are in the order of the columns. count: the number of rows
    written.
    """

    def __init__(self, types: Types) -> None:
        self._names, self.count = list(types), 0

    def write(self, row: Sequence[Any]) -> None:
        """Write a row."""
        self.count += 1
        self._write(row)

    def _write(self, row: Sequence[Any]) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """Write the remaining rows."""


class _Lines(RowsOut):
    """JSON Lines, without values that are None."""

    def __init__(self, types: Types, out: _Encoded | _Printed) -> None:
        super().__init__(types)
        self._out = out

    def _write(self, row: Sequence[Any]) -> None:
        fields = zip(self._names, row, strict=True)
        record = line({name: value for name, value in fields if value is not None})
        self._out.write(record.decode())


class _Csv(RowsOut):
    """CSV with a first row of names. Lists and structures are written as JSON."""

    def __init__(self, types: Types, out: _Encoded | _Printed) -> None:
        super().__init__(types)
        self._row = csv_rows(self._names, out)

    def _write(self, row: Sequence[Any]) -> None:
        self._row(row)


class _Table(RowsOut):
    """Parquet or Arrow."""

    def __init__(self, types: Types, form: str, name: str, out: IO[bytes]) -> None:
        super().__init__(types)
        self._arrow = needed("pyarrow", "parquet", name, "it is to be Parquet or Arrow")
        self._schema, self._rows = schema(self._arrow, types), list[Sequence[Any]]()
        self._writer = table_writer(form, name, out, self._schema)

    def _write(self, row: Sequence[Any]) -> None:
        self._rows.append(row)
        if len(self._rows) == _TOGETHER:
            self._flush()

    def _flush(self) -> None:
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(self._names)
        arrays = [
            self._arrow.array(list(column), field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_batch(self._arrow.record_batch(arrays, schema=self._schema))
        self._rows = []

    def end(self) -> None:
        self._flush()
        self._writer.close()


def form_of(path: str | Path) -> str:
    """Return the format of a file of rows by its suffix: "parquet", "arrow", "stream", "csv" or
    "json".
    """
    return _FORMS.get(Path(path).suffix.lower(), "json")


def schema(arrow: Any, types: Types) -> Any:
    """Return a schema of pyarrow for columns of these types."""
    return arrow.schema([(name, _type(arrow, type)) for name, type in types.items()])


def table_writer(
    form: str, name: str, out: IO[bytes], schema: Any, codec: str | None = None
) -> Any:
    """Return a writer of batches of this schema, which must be closed. name: that of the file;
    codec: None for none in Arrow, and for the one that pyarrow takes in Parquet.
    """
    if form == "parquet":
        parquet = needed("pyarrow.parquet", "parquet", name, "it is to be a Parquet file")
        return parquet.ParquetWriter(out, schema, compression=codec or "snappy")
    ipc = needed("pyarrow.ipc", "parquet", name, "it is to be an Arrow file")
    options = ipc.IpcWriteOptions(compression=codec)
    return (ipc.new_file if form == "arrow" else ipc.new_stream)(out, schema, options=options)


@contextlib.contextmanager
def rows_out(
    output: str | None,
    types: Types,
    as_csv: bool = False,
    others: Iterable[str] = (),
    what: str = "the output",
    force: bool = False,
    alike: Sequence[Types] = (),
) -> Iterator[RowsOut]:
    """Open a writer of rows. It replaces output only when the new file is whole, or writes row by
    row to standard output, if output is "-" or None.

    The suffix of output gives the format; without one it is CSV with as_csv, or else JSON Lines.
    others: files that output must not be; what: the output, for messages; force: whether it may
    replace a file of another kind; alike: the columns of other files that it may replace. Raises
    ValueError, OSError.
    """
    if output is None or is_stdio(output):
        yield _Csv(types, _Printed()) if as_csv else _Lines(types, _Printed())
        return
    form = "csv" if as_csv else form_of(output)
    if as_csv and form_of(output) in TABLES:
        raise ValueError(
            f"{output}: --csv writes CSV, but the name has the suffix of another format "
            f"({Path(output).suffix}); give a name that ends in .csv, or omit --csv"
        )
    if form == "json":
        check_line_name(output, what)
    place = Output(output, rows_of(form, types, alike), what=what, spares=others, force=force)
    with place, place.open() as file:
        if form == "json":
            rows: RowsOut = _Lines(types, _Encoded(file))
        elif form == "csv":
            rows = _Csv(types, _Encoded(file))
        else:
            rows = _Table(types, form, output, file)
        try:
            yield rows
        except BaseException:  # the file goes; what writes it is closed before
            with contextlib.suppress(Exception):
                rows.end()
            raise
        rows.end()


class _Encoded:
    """A binary file that takes text."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, text: str, /) -> int:
        return self._out.write(text.encode(errors="backslashreplace"))


class _Printed:
    """Standard output at the time of each write."""

    def write(self, text: str, /) -> int:
        return sys.stdout.write(text)


def _type(arrow: Any, type: Type) -> Any:
    if isinstance(type, list):
        return arrow.list_(_type(arrow, type[0]))
    if isinstance(type, dict):
        return arrow.struct([(name, _type(arrow, one)) for name, one in type.items()])
    return arrow.type_for_alias(type)
