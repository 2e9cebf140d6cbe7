"""Read rows of Arrow tables, each of them a document, with pyarrow. Values may be strings, bytes in
UTF-8, string views, dictionaries of them (as of pandas' Categorical), and fields of structs.

Only the columns that are used are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.fields import NUMBERS_TOO, Fields, quoted, shortened
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.rows.sharing import ROWS
from pocketindex.builder.inputs.source import OnSkip, Place, SourceError, needed


class _Mended(str):
    """A value with U+FFFD for what is no UTF-8."""

    __slots__ = ()


class Rows:
    """A reader of rows of one schema.

    names: of the columns that are read. Ids, titles, texts, dates and labels may be numbers, dates
    may be dates, labels may be lists.
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
        self.numbered = numbered
        self.first = first
        self._is_said = False
        paths = {name: _path(arrow, list(schema), name) for _, name in fields.given if "." in name}
        within = [name for name, path in paths.items() if path and name not in schema.names]
        self._there = [*schema.names, *within]
        places = fields.places(source, self._there, needs_id=not numbered)
        self._fields = fields.apart(numbered and "id" in places)
        names = {part: self._there[place] for part, place in places.items()}
        self._columns = {
            part: paths[name] if name in within else [name] for part, name in names.items()
        }
        self._readings = {
            part: _reading(arrow, source, part, names[part], _type(schema, path), fields)
            for part, path in self._columns.items()
        }

    @property
    def names(self) -> list[str]:
        """The columns that are needed, each once."""
        return list(dict.fromkeys(path[0] for path in self._columns.values()))

    @property
    def parts(self) -> Sequence[str]:
        """The parts of documents that there are columns for."""
        return list(self._columns)

    def number(self, row: int) -> str:
        """Return the id of a row that has none, where rows are numbered."""
        return f"{self._fields.before}{row}"

    def tell_numbered(self, skip: OnSkip) -> None:
        """Report once that ids are missing."""
        if not self._is_said:
            self._is_said = True
            skip(self._fields.numbered(self._source, "the number of their row", self._there))

    def column(self, batch: Any, part: str) -> Any:
        """Return the column of a part of documents."""
        name, *within = self._columns[part]
        values = batch.column(batch.schema.get_field_index(name))
        if within:
            values.validate(full=True)
            compute = needed("pyarrow.compute", "parquet", self._source, "it has nested columns")
            for name in within:
                values = compute.struct_field(values, name)
        return values

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
                if self.numbered and record.get("id") is None:
                    record["id"] = self.number(number)
                    self.tell_numbered(skip)
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
                        f"expected UTF-8 in the column {quoted('.'.join(self._columns[part]))}: "
                        "other bytes became U+FFFD; write it as strings"
                    )
                    skip(Notice(f"{self._source}:{number}", WRONG_ENCODING, detail))
                yield document


def _path(arrow: Any, columns: Sequence[Any], name: str) -> list[str]:
    """Return the names of a column and of the nested fields that a name with dots stands for, or
    nothing.
    """
    for column in columns:
        if column.name == name:
            return [name]
    for column in columns:
        if name.startswith(f"{column.name}.") and arrow.types.is_struct(column.type):
            own = [column.type.field(place) for place in range(column.type.num_fields)]
            if inner := _path(arrow, own, name[len(column.name) + 1 :]):
                return [column.name, *inner]
    return []


def _type(schema: Any, path: Sequence[str]) -> Any:
    type = schema.field(path[0]).type
    for name in path[1:]:
        type = type.field(name).type
    return type


def _reading(
    arrow: Any, name: str, part: str, column: str, type: Any, fields: Fields
) -> Callable[[Any], list[Any]]:
    """Return what turns a column of this type into strings, one of labels into lists, too."""
    types = arrow.types
    if part == "label" and (types.is_list(type) or types.is_large_list(type)):
        reading = _reading(arrow, name, part, column, type.value_type, fields)
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
    is_number = types.is_integer(value) or types.is_floating(value)
    may_be_number = part in (*NUMBERS_TOO, "label")
    if (may_be_number and is_number) or (part == "date" and types.is_temporal(value)):
        return lambda values: _written(values, arrow.string())
    expected = "strings or numbers" if may_be_number else "strings"
    expected += {"date": " or dates", "label": " or lists of them"}.get(part, "")
    raise SourceError(
        name,
        f"expected {expected} in the column {quoted(column)}, found {shortened(str(type))}; name "
        f"another with {fields.option(part)}",
    )


def _written(values: Any, type: Any) -> list[str | None]:
    """Return numbers and times as strings; NaN counts as a missing value, as in pandas."""
    values.validate(full=True)
    return [None if value == "nan" else value for value in values.cast(type).to_pylist()]


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
