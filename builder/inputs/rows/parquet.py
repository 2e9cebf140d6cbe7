"""Parquet, Arrow and Feather files: a document a row, with pyarrow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import IO, Any

from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.opening.stream import seekable
from pocketindex.builder.inputs.rows import arrow_batches
from pocketindex.builder.inputs.rows.arrow import Rows
from pocketindex.builder.inputs.rows.arrow_codec import codec_of
from pocketindex.builder.inputs.rows.sharing import ROWS, at_once, rows_of, slices
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    Place,
    SourceError,
    needed,
    shown,
    unmeasured,
)
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Each, one_by_one

_BUFFER = 1 << 20
_PARQUET, _ARROW = b"PAR1", b"ARROW1"
_BEGIN = 8  # where the messages of an Arrow file begin


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
) -> Iterator[Document]:
    """Yield the documents of a Parquet file, of an Arrow (Feather) file or of an Arrow stream, in
    their order.

    arrow.py says what columns may hold and what is skipped. A document without an id gets the
    number of its row, from 1. Raises SourceError as arrow.py does, and if the file is cut short or
    damaged.
    """
    arrow, place = _arrow(source), Place()
    with told(arrow, shown(source), place):
        for rows, batch in _rows(arrow, source, measure, fields):
            yield from rows.documents(batch, skip, place)


def batches(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    each: Each = one_by_one,
) -> Iterator[Document | DocumentBatch]:
    """Yield the same, many at a time."""
    arrow, place = _arrow(source), Place()
    with told(arrow, shown(source), place):
        for rows, batch in _rows(arrow, source, measure, fields):
            yield from arrow_batches.batches(arrow, rows, batch, skip, place)


def _arrow(source: str) -> Any:
    return needed("pyarrow", "parquet", shown(source), "it is a Parquet or Arrow file")


def _rows(arrow: Any, source: str, measure: OnBytes, fields: Fields) -> Iterator[tuple[Rows, Any]]:
    """Yield the batches of a file, and what reads their rows."""
    name = shown(source)
    with seekable(source) as file:
        size = file.seek(0, 2)
        reader = opened(arrow, name, file)
        rows = Rows(arrow, name, reader.schema, fields, numbered=True)
        for batch, done in reader.batches(rows.names):
            yield rows, batch
            measure(int(size * done), size)


@contextlib.contextmanager
def told(arrow: Any, name: str, place: Place) -> Iterator[None]:
    """Make what pyarrow raises of a damaged file a SourceError that says how far it went."""
    errors = (
        arrow.ArrowException,
        OSError,
        ValueError,
        LookupError,
        MemoryError,
    )  # of a size that a damaged file claims
    try:
        yield
    except errors as error:
        problem = (
            "cut short, damaged or no Parquet or Arrow file "
            f"({str(error).splitlines()[0] if str(error) else type(error).__name__})"
        )
        raise SourceError(
            name,
            f"{problem}: it stops after {place.lines:,} rows; copy or download the file again",
        ) from error


def opened(arrow: Any, name: str, file: IO[bytes]) -> _Parquet | _Arrow:
    """Return the reader of a file, by its first bytes."""
    file.seek(0)
    begin = file.read(len(_ARROW))
    file.seek(0)
    if begin.startswith(_PARQUET):
        return _Parquet(name, file)
    return _Arrow(arrow, name, file, begin == _ARROW)


class _Parquet:
    def __init__(self, name: str, file: IO[bytes]) -> None:
        parquet = needed("pyarrow.parquet", "parquet", name, "it is a Parquet file")
        self._name = name
        # Not a whole column of a row group at once, which is what pyarrow reads ahead.
        self._open = partial(parquet.ParquetFile, file, buffer_size=_BUFFER, pre_buffer=False)
        self._file = self._open()
        self.schema: Any = self._file.schema_arrow
        of_file = self._file.schema
        self._paths = [of_file.column(number).path for number in range(len(of_file))]
        of_rows = self._file.metadata
        groups = of_rows.num_row_groups and of_rows.num_columns
        # As the writer has it; of several, which nobody writes, the first one.
        codec = of_rows.row_group(0).column(0).compression if groups else None
        self.codecs = {"parquet": "none" if codec == "UNCOMPRESSED" else codec}
        # Of the largest row group, which all have but the last one.
        numbers = map(of_rows.row_group, range(of_rows.num_row_groups))
        self.rows: int | None = max((group.num_rows for group in numbers), default=0) or None

    def batches(self, columns: list[str]) -> Iterator[tuple[Any, float]]:
        """Yield batches of rows, each with the share of the file that is read."""
        count, total = 0, self._file.metadata.num_rows
        for group in range(self._file.num_row_groups):
            for batch in self._read(self._file, group, self._at_once(group, columns), columns):
                count += batch.num_rows
                yield batch, count / max(total, 1)
        if count != total:
            raise ValueError(f"expected {total:,} rows, found {count:,}")

    def _at_once(self, group: int, columns: list[str]) -> int:
        """Return how many rows of a group are read at once. Rows that share a text have a copy of
        it each when they are read.
        """
        paths = {
            number: path
            for number, path in enumerate(self._paths)
            if any(f"{path}.".startswith(f"{name}.") for name in columns)
        }
        file = self._open(read_dictionary=list(paths.values()), metadata=self._file.metadata)
        least, is_known = ROWS, True
        try:
            first = next(self._read(file, group, 1, columns), None)
            least = at_once(self._name, first) if first else 1
        except (OSError, ValueError, NotImplementedError):  # not every encoding gives a dictionary
            first, is_known = next(self._read(self._file, group, 1, columns), None), False
        if not first:
            return least
        # Only of columns that could be read: pyarrow aborts where a damaged file describes others.
        chunks = map(self._file.metadata.row_group(group).column, paths)
        # The other texts are stored as what they have in common with the one before.
        sizes = [
            one.total_uncompressed_size
            for one in chunks
            if not is_known or "DELTA_BYTE_ARRAY" in one.encodings
        ]
        return min(least, rows_of(max(sizes, default=0)))

    @staticmethod
    def _read(file: Any, group: int, rows: int, columns: list[str]) -> Iterator[Any]:
        found: Iterator[Any] = file.iter_batches(
            batch_size=rows, row_groups=[group], columns=columns, use_threads=False
        )
        return found


class _Arrow:
    rows: int | None = None

    def __init__(self, arrow: Any, name: str, file: IO[bytes], whole: bool) -> None:
        self._name = name
        self._file = file
        self._size = file.seek(0, 2)
        self._whole = whole
        file.seek(0)
        self._reader = (arrow.ipc.open_file if whole else arrow.ipc.open_stream)(
            arrow.PythonFile(file, "r")
        )
        self.schema: Any = self._reader.schema

    @property
    def codecs(self) -> dict[str, str | None]:
        """The codec that a file made of this one gets, by its form."""
        place = self._file.tell()
        codec = codec_of(self._file, _BEGIN if self._whole else 0)
        self._file.seek(place)
        return dict.fromkeys(("parquet", "arrow", "stream"), codec)

    def batches(self, columns: list[str]) -> Iterator[tuple[Any, float]]:
        """Yield batches of rows, each with the share of the file that is read."""
        for batch in (
            map(self._reader.get_batch, range(self._reader.num_record_batches))
            if self._whole
            else self._reader
        ):
            # By their places: a name may be that of several columns.
            names = batch.schema.names
            chosen = batch.select([i for i, name in enumerate(names) if name in columns])
            chosen.validate()
            for some in slices(self._name, chosen):
                yield some, self._file.tell() / max(self._size, 1)
