"""JSON Lines as a table: the types that their fields have, and batches of rows of these types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pocketindex.builder.inputs.fields import quoted
from pocketindex.builder.inputs.opening.encoding import decoded
from pocketindex.builder.inputs.rows.jsonl import BOM, Number
from pocketindex.builder.inputs.source import SourceError, shown
from pocketindex.builder.out.rows import Type
from pocketindex.builder.spill.batches import batches

_NULL = "null"  # a field that has had no value yet
_ROWS, _BYTES = 4_096, 1 << 22  # of lines that become a batch, if not a single one
_SURROGATE = re.compile("[\ud800-\udfff]")


class Columns:
    """The fields of records in the order in which they come, with the type that all values of a
    field have: types.
    """

    def __init__(self) -> None:
        self.types = dict[str, Type]()

    def look(self, record: Mapping[str, Any], source: str, number: int) -> None:
        """Take the fields of a line into account. Raises SourceError where a value is of another
        type than those before it.
        """
        types = self.types
        for name, value in record.items():
            known = types.get(name)
            if known != "string" or type(value) is not str:
                try:
                    types[name] = _joined(known, value, name)
                except ValueError as error:
                    raise SourceError(
                        shown(source),
                        f"line {number}: {error}; correct it, or give the output a name that ends "
                        "in .jsonl",
                    ) from None


def _joined(known: Type | None, value: Any, name: str) -> Type:
    """Return the type of a field that has had values of another one. Raises ValueError where there
    is none; name: of the field.
    """
    if known == _NULL:
        known = None
    if value is None:
        return _NULL if known is None else known
    if isinstance(value, list):
        within = known[0] if isinstance(known, list) else _NULL
        for one in value:
            within = _joined(within, one, f"{name}[]")
        own: Type = [within]
    elif isinstance(value, dict):
        own = {**known} if isinstance(known, dict) else {}
        for part, one in value.items():
            own[part] = _joined(own.get(part), one, f"{name}.{part}")
    else:
        own = _scalar(value, name)
    if known is None or known == own or type(known) is type(own) is not str:
        return own
    if {str(known), str(own)} == {"int64", "double"}:
        return "double"
    raise ValueError(
        f"the field {quoted(name)} is {_said(own)} here and {_said(known)} before, and a column "
        "of a table has one type"
    )


def _scalar(value: Any, name: str) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, float):  # NaN
        return "double"
    if not isinstance(value, Number):
        return "string"
    if not value.lstrip("-").isdigit():
        return "double"
    if len(value) > 18 and (len(value) > 20 or not -(1 << 63) <= int(value) < 1 << 63):
        raise ValueError(f"the number in {quoted(name)} has more than 64 bits")
    return "int64"


def _said(type: Type) -> str:
    if isinstance(type, list):
        return "a list"
    if isinstance(type, dict):
        return "an object"
    return {"bool": "true or false", "string": "a string"}.get(type, "a number")


def rows_of(lines: Iterable[bytes], schema: Any, source: str, arrow: Any) -> Iterator[Any]:
    """Yield lines as batches of a schema that they fit. source: for messages."""
    for some in batches(lines, most=_ROWS, most_bytes=_BYTES):
        records = list(map(_record, some))
        try:
            columns = [
                arrow.array([record.get(field.name) for record in records], field.type)
                for field in schema
            ]
        except (arrow.ArrowInvalid, OverflowError) as error:
            raise SourceError(
                shown(source),
                f"its values do not fit into a table ({error}); give the output a name that ends "
                "in .jsonl",
            ) from None
        yield arrow.RecordBatch.from_arrays(columns, schema=schema)


def _record(line: bytes) -> dict[str, Any]:
    text, _ = decoded(line.removeprefix(BOM))
    record: dict[str, Any] = json.loads(text)
    return _whole(record) if "\\ud" in text.lower() else record


def _whole(value: Any) -> Any:
    """Return a value with U+FFFD for halves of surrogate pairs, which no table may have."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return list(map(_whole, value))
    if isinstance(value, dict):
        return {_whole(name): _whole(one) for name, one in value.items()}
    return value
