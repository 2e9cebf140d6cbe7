"""Rows of a table as JSON Lines, with what JSON has no type for as strings."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from pocketindex.builder.inputs.fields import quoted, shortened
from pocketindex.builder.inputs.opening.encoding import decoded
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.out.lines import line

_Plain = Callable[[Any], Any]


class PlainRows:
    """Writes the rows of batches as JSON Lines, each an object with all columns.

    Dates and times become strings in ISO 8601, decimal numbers strings of their digits, bytes
    base64, maps objects, and durations numbers of their unit. texts: columns whose bytes are UTF-8;
    unsaid: how many numbers became null so far because JSON cannot express them (NaN, infinity).
    """

    def __init__(self, arrow: Any, source: str, schema: Any, texts: Collection[str]) -> None:
        """source: for messages. Raises SourceError for a column that no object of JSON can have."""
        self.unsaid = 0
        self._arrow, self._source = arrow, source
        self._types = list[Any]()
        for one in schema:
            with self._told(one):
                if schema.names.count(one.name) > 1:
                    raise ValueError("another column has the same name")
                self._types.append(_plain_type(arrow, one.type))
        self._makers = [
            self._maker(type, one.name in texts)
            for one, type in zip(schema, self._types, strict=True)
        ]

    def lines(self, batch: Any) -> Iterator[bytes]:
        """Yield the rows of a batch as lines. Raises SourceError for what JSON cannot have."""
        columns = []
        for own, column, type, make in zip(
            batch.schema, batch.columns, self._types, self._makers, strict=True
        ):
            if hasattr(column, "storage"):
                column = column.storage
            with self._told(own):
                values = column.cast(type).to_pylist()
                if make:
                    values = [None if one is None else make(one) for one in values]
            columns.append(values)
        for row in zip(*columns, strict=True):
            yield line(dict(zip(batch.schema.names, row, strict=True)))

    @contextmanager
    def _told(self, column: Any) -> Iterator[None]:
        """Make what is wrong with a column a SourceError."""
        try:
            yield
        except (ValueError, NotImplementedError) as error:
            raise SourceError(
                self._source,
                f"the column {quoted(column.name)} ({shortened(str(column.type))}) cannot be "
                f"written as JSON: {str(error).splitlines()[0]}; give the output a name that ends "
                "in .parquet or .arrow",
            ) from None

    def _maker(self, type: Any, is_text: bool) -> _Plain | None:
        """Return a function that converts values of an Arrow type to values of JSON, or None if
        they need no conversion. is_text: are they of the field of the text or the id?
        """
        types = self._arrow.types
        if types.is_floating(type):
            return self._number
        if types.is_binary(type) or types.is_large_binary(type):
            return _text if is_text else _encoded
        if types.is_map(type):
            of_key, of_item = (
                self._maker(one, is_text) or _same for one in (type.key_type, type.item_type)
            )
            return lambda value: _map(value, of_key, of_item)
        if types.is_struct(type):
            parts = [type.field(place) for place in range(type.num_fields)]
            makers = {one.name: make for one in parts if (make := self._maker(one.type, is_text))}
            return (lambda value: _struct(value, makers)) if makers else None
        if hasattr(type, "value_type") and (make := self._maker(type.value_type, is_text)):
            return lambda value: [None if one is None else make(one) for one in value]
        return None

    def _number(self, value: float) -> float | None:
        if math.isfinite(value):
            return value
        self.unsaid += 1
        return None


def _text(value: bytes) -> str:
    return decoded(value)[0]


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _same(value: Any) -> Any:
    return value


def _map(value: Collection[tuple[Any, Any]], of_key: _Plain, of_item: _Plain) -> dict[str, Any]:
    found = {str(of_key(name)): None if one is None else of_item(one) for name, one in value}
    if len(found) < len(value):
        raise ValueError("a map has the same key twice")
    return found


def _struct(value: dict[str, Any], makers: dict[str, _Plain]) -> dict[str, Any]:
    return {
        name: makers[name](one) if name in makers and one is not None else one
        for name, one in value.items()
    }


def _plain_type(arrow: Any, type: Any) -> Any:
    """Return the type that the values of a column are cast to. Raises ValueError for one of which
    JSON has no values.
    """
    types = arrow.types
    if hasattr(type, "storage_type"):
        type = type.storage_type
    kind = str(type).partition("<")[0].partition("[")[0]
    if types.is_dictionary(type):
        return _plain_type(arrow, type.value_type)
    if types.is_duration(type):
        return arrow.int64()
    if types.is_decimal(type) or (types.is_temporal(type) and not types.is_interval(type)):
        return arrow.string()
    if str(type) == "halffloat":
        return arrow.float32()
    if "binary" in kind:
        return arrow.large_binary()
    if types.is_struct(type):
        own = [type.field(place) for place in range(type.num_fields)]
        if len({one.name for one in own}) < len(own):
            raise ValueError("two fields have the same name")
        return arrow.struct([(one.name, _plain_type(arrow, one.type)) for one in own])
    if types.is_map(type):
        key, item = (_plain_type(arrow, one) for one in (type.key_type, type.item_type))
        return arrow.map_(key, item)
    if types.is_fixed_size_list(type):
        return arrow.list_(_plain_type(arrow, type.value_type), type.list_size)
    if types.is_large_list(type):
        return arrow.large_list(_plain_type(arrow, type.value_type))
    if types.is_list(type):
        return arrow.list_(_plain_type(arrow, type.value_type))
    if kind.endswith("list_view") and _plain_type(arrow, type.value_type) == type.value_type:
        return type  # pyarrow 26 does not cast views of lists rightly
    if kind not in ("null", "bool", "float", "double", "string", "large_string", "string_view"):
        if not types.is_integer(type):
            raise ValueError("JSON has no such type")
    return type
