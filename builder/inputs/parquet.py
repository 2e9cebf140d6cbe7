"""Parquet, Arrow and Feather files: a document a row, with pyarrow.

Only the columns that become something are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import IO, Any

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    shown,
    unmeasured,
)
from pocketindex.builder.inputs.stream import seekable

_ROWS = 256  # at once: a text may be large
_BUFFER = 1 << 20
_PARQUET, _ARROW = b"PAR1", b"ARROW1"


class _Mended(str):
    """A value with U+FFFD for what is no UTF-8."""

    __slots__ = ()


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, fields: Fields = OWN_NAMES
) -> Iterator[Document]:
    """The documents of a Parquet file, of an Arrow (Feather) file or of an Arrow stream, in their
    order.

    Columns hold strings or bytes in UTF-8 (other bytes become U+FFFD, which skip is told), ids may
    be whole numbers, dates may be dates, labels may be whole numbers or lists. Skipped: "no id",
    "no text", "empty", "too long", "too many labels". Raises
    SourceError for a missing column, with the names of those there are, for one of another type,
    and where the file is cut short or damaged.
    """
    name = shown(source)
    arrow = needed("pyarrow", "parquet", name, "it is a Parquet or Arrow file")
    errors = (
        arrow.ArrowException,
        OSError,
        ValueError,
        LookupError,
        MemoryError,
    )  # of a size that a damaged file claims
    with seekable(source) as file:
        size = file.seek(0, 2)
        file.seek(0)
        begin = file.read(len(_ARROW))
        file.seek(0)
        number = 0
        try:
            reader: Any = (
                _Parquet(name, file)
                if begin.startswith(_PARQUET)
                else _Arrow(arrow, file, begin == _ARROW)
            )
            places = fields.places(name, reader.schema.names)
            columns = {part: reader.schema.names[place] for part, place in places.items()}
            readings = {
                part: _reading(arrow, name, part, column, reader.schema.field(column).type)
                for part, column in columns.items()
            }
            for batch, done in reader.batches(list(columns.values())):
                values = {
                    part: readings[part](batch.column(batch.schema.get_field_index(column)))
                    for part, column in columns.items()
                }
                for row in range(batch.num_rows):
                    number += 1
                    record = {part: column[row] for part, column in values.items()}
                    labels = record.pop("label", None)
                    if isinstance(labels, str):
                        labels = [labels]
                    try:
                        document = of_values(fields, record, labels or ())
                    except Unfit as unfit:
                        skip(Skip(f"{name}:{number}", unfit.reason, unfit.detail))
                    else:
                        for part in (
                            part for part, value in record.items() if isinstance(value, _Mended)
                        ):
                            detail = (
                                f'expected UTF-8 in the column "{columns[part]}": U+FFFD '
                                "stands for what is none; write it as strings"
                            )
                            skip(Notice(f"{name}:{number}", WRONG_ENCODING, detail))
                        yield document
                measure(int(size * done), size)
        except errors as error:
            problem = (
                "cut short, damaged or no Parquet or Arrow file "
                f"({str(error).splitlines()[0] if str(error) else type(error).__name__})"
            )
            raise SourceError(
                name, f"{problem}: it stops after {number:,} rows; copy or download the file again"
            ) from error


class _Parquet:
    def __init__(self, name: str, file: IO[bytes]) -> None:
        parquet = needed("pyarrow.parquet", "parquet", name, "it is a Parquet file")
        self._file = parquet.ParquetFile(file, buffer_size=_BUFFER)
        self.schema: Any = self._file.schema_arrow

    def batches(self, columns: list[str]) -> Iterator[tuple[Any, float]]:
        """Batches of rows, each with the share of the file that is read."""
        count, total = 0, self._file.metadata.num_rows
        for batch in self._file.iter_batches(batch_size=_ROWS, columns=columns, use_threads=False):
            count += batch.num_rows
            yield batch, count / max(total, 1)
        if count != total:
            raise ValueError(f"expected {total:,} rows, found {count:,}")


class _Arrow:
    def __init__(self, arrow: Any, file: IO[bytes], whole: bool) -> None:
        self._file, self._size, self._whole = file, file.seek(0, 2), whole
        file.seek(0)
        self._reader = (arrow.ipc.open_file if whole else arrow.ipc.open_stream)(
            arrow.PythonFile(file, "r")
        )
        self.schema: Any = self._reader.schema

    def batches(self, columns: list[str]) -> Iterator[tuple[Any, float]]:
        """Batches of rows, each with the share of the file that is read."""
        for batch in (
            map(self._reader.get_batch, range(self._reader.num_record_batches))
            if self._whole
            else self._reader
        ):
            chosen = batch.select(columns)
            chosen.validate()
            for first in range(0, batch.num_rows, _ROWS):
                yield chosen.slice(first, _ROWS), self._file.tell() / max(self._size, 1)


def _reading(
    arrow: Any, name: str, part: str, column: str, type: Any
) -> Callable[[Any], list[Any]]:
    """What turns a column of this type into strings; one of labels into lists of them, too."""
    types = arrow.types
    if part == "label" and (types.is_list(type) or types.is_large_list(type)):
        reading = _reading(arrow, name, part, column, type.value_type)
        return lambda values: _lists(values, reading)
    value = type.value_type if types.is_dictionary(type) else type
    tests = (
        "string",
        "large_string",
        "binary",
        "large_binary",
        "string_view",
        "binary_view",
        "null",
    )
    if any(getattr(types, f"is_{test}", lambda _: False)(value) for test in tests):
        # An offset in a hostile file may point anywhere: checked before anything follows it, as far
        # as no UTF-8 is asked for.
        checked = types.is_dictionary(type) or str(type).endswith("_view")
        return lambda values: _decoded(arrow, values, checked)
    numbers, times = types.is_integer(value), types.is_temporal(value)
    if (part in ("id", "date", "label") and numbers) or (part == "date" and times):
        return lambda values: values.cast(arrow.string()).to_pylist()
    expected = {
        "id": "strings or whole numbers",
        "date": "strings, whole numbers or dates",
        "label": "strings, whole numbers or lists of them",
    }.get(part, "strings")
    raise SourceError(
        name,
        (
            f'expected {expected} in the column "{column}", found {type}; name another with '
            f"--{part} "
            "FIELD"
        ),
    )


def _lists(values: Any, reading: Callable[[Any], list[str | None]]) -> list[list[str]]:
    """The strings of a column's lists; null is an empty one."""
    values.validate(full=True)
    own = iter(reading(values.flatten()))
    sizes = [size or 0 for size in values.value_lengths().to_pylist()]
    return [[one for one in islice(own, size) if one is not None] for size in sizes]


def _decoded(arrow: Any, values: Any, checked: bool) -> list[str | None]:
    values.validate(full=checked)
    content = values.cast(arrow.large_binary())
    content.validate(full=True)
    return [None if value is None else _text(value) for value in content.to_pylist()]


def _text(content: bytes) -> str:
    text, problem = decoded(content)
    return _Mended(text) if problem else text
