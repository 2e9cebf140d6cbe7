"""Documents that a program has: texts, pairs of id and text, mappings, and objects with attributes,
of which each is a document.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from numbers import Integral, Real
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields, listed
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, unmeasured

NAME = "<documents>"  # in messages

_EXPECTED = (
    "expected a text, a pair of id and text, a mapping, an object with attributes, or a Document"
)


def documents(
    given: Iterable[Any],
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    place: Place | None = None,
) -> Iterator[Document]:
    """Yield what is given as documents, in its order; place.lines: how many are passed, which goes
    along.

    A missing id is the number of the document, from place.lines, unless the id has a name.
    Skipped: "bad record" (a value of another type), "no id", "no text", "empty", "too long". Raises
    TypeError for what is no record at all.
    """
    place = place or Place()
    for number, one in enumerate(given, place.lines):
        place.lines = number + 1
        try:
            yield one if isinstance(one, Document) else _document(one, number, fields)
        except Unfit as unfit:
            skip(Skip(f"{NAME}:{number}", unfit.reason, unfit.detail))


def _document(one: Any, number: int, fields: Fields) -> Document:
    values, labels = _values(one, number, fields)
    if values.get("id") is None and fields.id is None:
        values["id"] = str(number)
    return of_values(fields, values, labels)


def _values(one: Any, number: int, fields: Fields) -> tuple[dict[str, str | None], list[str]]:
    """Return the values of a record by part, and its labels. Raises Unfit, TypeError."""
    if isinstance(one, str):
        return {"text": one}, []
    if _is_nothing(one):
        raise Unfit("no text", f"expected a text, found {one!r}")
    if isinstance(one, Mapping):
        get: Callable[[str], Any] = one.get
        if get(fields.of("text")) is None:
            if fields.of("text") in one:
                raise Unfit("no text", f'the value of "{fields.of("text")}" is None')
            found = listed([str(name) for name in one])
            raise Unfit("no text", _missing("text", fields, found))
    elif isinstance(one, tuple) and not hasattr(one, "_fields"):
        if len(one) != 2:
            raise TypeError(f"document {number} is a tuple of {len(one)}; {_EXPECTED}")
        get = dict(zip((fields.of("id"), fields.of("text")), one, strict=True)).get
    elif hasattr(one, fields.of("text")):

        def get(name: str) -> Any:
            return getattr(one, name, None)
    else:
        raise TypeError(
            f"document {number} is of type {type(one).__name__}, and has no attribute "
            f"{fields.of('text')!r}; {_EXPECTED}"
        )
    values, labels = dict[str, str | None](), list[str]()
    for part, name in fields.given:
        value = get(name)
        if part == "label":
            labels = _labels(name, value)
            continue
        values[part] = value if type(value) is str else _string(part, name, value)
    if values["id"] is None and fields.id is not None:
        raise Unfit("no id", _missing("id", fields, "none"))
    return values, labels


def _missing(part: str, fields: Fields, found: str) -> str:
    name = fields.of(part)
    return f'expected a value of "{name}" for the {part}, found {found}; name it with {part}=...'


def _is_nothing(value: Any) -> bool:
    """Return whether it is None, or no number, as a column of pandas has it."""
    return value is None or (isinstance(value, float) and value != value)


def _labels(name: str, value: Any) -> list[str]:
    """Return the labels of a field: a string, a number, or a list or an array of these.

    Raises Unfit.
    """
    value = value.tolist() if hasattr(value, "tolist") else value
    given = value if isinstance(value, list | tuple) else [value]
    for one in given:
        if isinstance(one, bool) or not (_is_nothing(one) or isinstance(one, str | Real)):
            raise Unfit(
                "bad record",
                f'expected a string, a number or a list of them as "{name}", found a value of '
                f"type {type(one).__name__}",
            )
    return [str(one) for one in given if not _is_nothing(one)]


def _string(part: str, name: str, value: Any) -> str | None:
    """Return the string that a value stands for which is none, or is of a type of its own."""
    if _is_nothing(value):
        return None
    if isinstance(value, str):
        return str(value)
    if part in ("id", "date") and type(value) is not bool and isinstance(value, Integral):
        return str(int(value))
    if part == "date" and isinstance(value, datetime.date):
        return value.isoformat()
    if part == "date" and isinstance(value, float):
        return str(value)
    expected = {"id": "a string or a whole number", "date": "a string, a number or a date"}.get(
        part, "a string"
    )
    raise Unfit(
        "bad record",
        f'expected {expected} as "{name}", found a value of type {type(value).__name__}',
    )
