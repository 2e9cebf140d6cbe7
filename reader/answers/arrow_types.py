"""Arrow tables from dataclasses. The types of the columns follow from those of the fields."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_NAMES = {str: "string", int: "int64", float: "double", bool: "bool"}


def item_of(results: type) -> type:
    """Return the class of the items of a class of Results."""
    first = fields(results)[0].name
    item: type = get_args(get_type_hints(results)[first])[0]
    return item


def table(arrow: Any, row: type, rows: Sequence[Any]) -> Any:
    """Return a pyarrow.Table; arrow: the module; row: the class of the rows, a dataclass."""
    schema = arrow.schema([*_fields(arrow, row, ())])
    columns = []
    for field in schema:
        values = [getattr(one, field.name) for one in rows]
        if arrow.types.is_nested(field.type):
            values = [_plain(value, arrow.types.is_map(field.type)) for value in values]
        columns.append(arrow.array(values, field.type))
    return arrow.Table.from_arrays(columns, schema=schema)


def _fields(arrow: Any, row: type, within: tuple[type, ...]) -> Any:
    """Yield the names and types of a dataclass's fields. A field whose class contains it again is
    left out below the first level, because an Arrow type cannot be recursive.
    """
    hints = get_type_hints(row)
    for field in fields(row):
        found = _type(arrow, hints[field.name], (*within, row))
        if found is not None:
            yield field.name, found


def _type(arrow: Any, hint: Any, within: tuple[type, ...]) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _NAMES:
        return arrow.type_for_alias(_NAMES[hint])
    if origin is Literal:
        return _type(arrow, type(arguments[0]), within)
    if origin in (Union, types.UnionType):
        (inner,) = (one for one in arguments if one is not type(None))
        return _type(arrow, inner, within)
    if origin in (tuple, list) or origin is Sequence:
        inner = _type(arrow, arguments[0], within)
        return inner and arrow.list_(inner)
    if origin in (dict, Mapping):
        return arrow.map_(_type(arrow, arguments[0], within), _type(arrow, arguments[1], within))
    if isinstance(hint, type) and is_dataclass(hint):
        if within.count(hint) > 1:
            return None
        return arrow.struct([*_fields(arrow, hint, within)])
    raise TypeError(f"a field of {within[-1].__name__} is of the type {hint}, which Arrow has not")


def _plain(value: Any, is_map: bool) -> Any:
    if is_map:
        return list(value.items())
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, tuple | list):
        return [_plain(one, False) for one in value]
    return value
