"""Rows of Arrow tables: a document a row, with pyarrow.

Only the columns that become something are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.source import OnSkip, Place, SourceError

ROWS = 256  # at once: a text may be large


class _Mended(str):
    """A value with U+FFFD for what is no UTF-8."""

    __slots__ = ()


class Rows:
    """A reader of rows of one schema.

    names: of the columns that it needs, which hold strings or bytes in UTF-8; ids may be whole
    numbers, dates may be dates, labels may be whole numbers or lists.
    """

    def __init__(
        self,
        arrow: Any,
        source: str,
        schema: Any,
        fields: Fields,
        numbered: bool = False,
        first: int = 1,
    ) -> None:
        """Choose the columns.

        source: for messages; first: the number of the first row; numbered: whether the number of a
        row is the id that is missing. Raises SourceError for a missing column, with the names of
        those there are, and for one of another type.
        """
        self._source = source
        self._fields = fields
        self._numbered = numbered
        self.first = first
        places = fields.places(source, schema.names, needs_id=not numbered)
        self._columns = {part: schema.names[place] for part, place in places.items()}
        self._readings = {
            part: _reading(arrow, source, part, column, schema.field(column).type)
            for part, column in self._columns.items()
        }

    @property
    def names(self) -> list[str]:
        return list(self._columns.values())

    @property
    def parts(self) -> Sequence[str]:
        """The parts of documents that there are columns for."""
        return list(self._columns)

    @property
    def numbers_ids(self) -> bool:
        """Whether the number of a row is its id where that is missing."""
        return self._numbered and self._fields.id is None

    def column(self, batch: Any, part: str) -> Any:
        """Return the column of a part of documents."""
        return batch.column(batch.schema.get_field_index(self._columns[part]))

    def documents(self, batch: Any, skip: OnSkip, place: Place) -> Iterator[Document]:
        """Yield the documents of a batch, ROWS at once; place.lines: rows passed, which goes along.

        Skipped: "no id", "no text", "empty", "too long", "too many labels". Bytes that are no
        UTF-8 become U+FFFD, which skip is told.
        """
        for first in range(0, batch.num_rows, ROWS):
            some = batch.slice(first, ROWS)
            values = {part: self._readings[part](self.column(some, part)) for part in self._columns}
            for row in range(some.num_rows):
                record = {part: column[row] for part, column in values.items()}
                number = place.lines + self.first
                place.lines += 1
                if self.numbers_ids and record.get("id") is None:
                    record["id"] = str(number)
                labels = record.pop("label", None)
                if isinstance(labels, str):
                    labels = [labels]
                try:
                    document = of_values(self._fields, record, labels or ())
                except Unfit as unfit:
                    skip(Skip(f"{self._source}:{number}", unfit.reason, unfit.detail))
                    continue
                for part in (part for part, value in record.items() if isinstance(value, _Mended)):
                    detail = (
                        f'expected UTF-8 in the column "{self._columns[part]}": U+FFFD '
                        "stands for what is none; write it as strings"
                    )
                    skip(Notice(f"{self._source}:{number}", WRONG_ENCODING, detail))
                yield document


def _reading(
    arrow: Any, name: str, part: str, column: str, type: Any
) -> Callable[[Any], list[Any]]:
    """Return what turns a column of this type into strings, one of labels into lists, too."""
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
        # Not to the large type at once: to widen the offsets of a slice takes as long as the whole.
        small = types.is_string(type) or types.is_binary(type)
        content = arrow.binary() if small else arrow.large_binary()
        return lambda values: _decoded(values, content, checked)
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
    """Return the strings of a column's lists; null is an empty one."""
    values.validate(full=True)
    own = iter(reading(values.flatten()))
    sizes = [size or 0 for size in values.value_lengths().to_pylist()]
    return [[one for one in islice(own, size) if one is not None] for size in sizes]


def _decoded(values: Any, type: Any, checked: bool) -> list[str | None]:
    values.validate(full=checked)
    content = values.cast(type)
    content.validate(full=True)
    return [None if value is None else _text(value) for value in content.to_pylist()]


def _text(content: bytes) -> str:
    text, problem = decoded(content)
    return _Mended(text) if problem else text
