"""Rows of a table as JSON Lines, with what JSON has no type for as strings."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Collection, Iterator
from typing import Any

from pocketindex.builder.inputs.opening.encoding import decoded
from pocketindex.builder.out.lines import line

_Plain = Callable[[Any], Any]


class PlainRows:
    """Writes the rows of batches as JSON Lines, each an object with all columns.

    Dates and times become strings in ISO 8601, decimal numbers strings of their digits, bytes
    base64, maps objects, and durations numbers of their unit. texts: columns whose bytes are UTF-8;
    unsaid: how many numbers became null so far because JSON cannot express them (NaN, infinity).
    """

    def __init__(self, arrow: Any, schema: Any, texts: Collection[str]) -> None:
        self.unsaid = 0
        self._arrow = arrow
        self._types = [_plain_type(arrow, one.type) for one in schema]
        self._makers = [
            self._maker(type, one.name in texts)
            for one, type in zip(schema, self._types, strict=True)
        ]

    def lines(self, batch: Any) -> Iterator[bytes]:
        """Yield the rows of a batch as lines."""
        columns = []
        for column, type, make in zip(batch.columns, self._types, self._makers, strict=True):
            if hasattr(column, "storage"):
                column = column.storage
            values = column.cast(type).to_pylist()
            if make:
                values = [None if one is None else make(one) for one in values]
            columns.append(values)
        for row in zip(*columns, strict=True):
            yield line(dict(zip(batch.schema.names, row, strict=True)))

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
            return lambda value: {
                str(of_key(name)): None if one is None else of_item(one) for name, one in value
            }
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


def _struct(value: dict[str, Any], makers: dict[str, _Plain]) -> dict[str, Any]:
    return {
        name: makers[name](one) if name in makers and one is not None else one
        for name, one in value.items()
    }


def _plain_type(arrow: Any, type: Any) -> Any:
    """Return the type that the values of a column are cast to."""
    types = arrow.types
    if hasattr(type, "storage_type"):
        type = type.storage_type
    if types.is_dictionary(type):
        return _plain_type(arrow, type.value_type)
    if types.is_duration(type):
        return arrow.int64()
    if types.is_temporal(type) or types.is_decimal(type):
        return arrow.string()
    if str(type) == "halffloat":
        return arrow.float32()
    if "binary" in str(type).partition("<")[0].partition("[")[0]:
        return arrow.large_binary()
    if types.is_struct(type):
        own = [type.field(place) for place in range(type.num_fields)]
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
    return type
