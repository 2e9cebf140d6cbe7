"""Documents that a program has: texts, pairs of id and text, mappings, and objects with attributes,
of which each is a document.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from pocketindex.addresses import is_address
from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.fields import (
    NUMBERS_TOO,
    OWN_NAMES,
    Fields,
    quoted,
    value_at,
)
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.source import OnBytes, OnSkip, Place, unmeasured

NAME = "<documents>"  # in messages


class _Kept(NamedTuple):
    """The names of the attributes of a document that have its text, its id, and its metadata."""

    text: str
    id: str
    rest: str


_LIBRARIES = (
    _Kept("page_content", "id", "metadata"),  # LangChain
    _Kept("text", "node_id", "metadata"),  # LlamaIndex
    _Kept("content", "id", "meta"),  # Haystack
)

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
    """Yield the given records as documents, in order; place.lines: how many have been passed, which
    is updated.

    A missing id becomes the number of the document, counted from place.lines, but not if a mapping
    lacks the field that is named. Skipped: "bad record" (a value of another type), "no id", "no
    text", "empty", "too long". Raises TypeError for a value that is not a record at all.
    """
    place, is_said = place or Place(), False
    for number, one in enumerate(given, place.lines):
        place.lines = number + 1
        try:
            if isinstance(one, Document):
                yield one
                continue
            values, labels = _values(one, number, fields)
            is_numbered = values.get("id") is None
            if is_numbered:
                values["id"] = str(number)
            document = of_values(fields, values, labels)
        except Unfit as unfit:
            skip(Skip(f"{NAME}:{number}", unfit.reason, unfit.detail))
            continue
        if is_numbered and not is_said and (notice := numbered(fields, one)):
            skip(notice)
            is_said = True
        yield document


def numbered(fields: Fields, one: Any) -> Notice | None:
    """Return what is said once of what has no ids, of which this is one; nothing of texts alone,
    which have none by nature. Raises SourceError where ids are needed.
    """
    is_mapping = isinstance(one, Mapping)
    there = [str(name) for name in one] if is_mapping else []
    notice = fields.numbered(NAME, "their number, from 0", there)
    return notice if is_mapping else None


def _values(one: Any, number: int, fields: Fields) -> tuple[dict[str, str | None], list[str]]:
    """Return the values of a record by part, and its labels. Raises Unfit, TypeError."""
    if isinstance(one, str):
        return {"text": one}, []
    if _is_nothing(one):
        raise Unfit("no text", f"expected a text, found {one!r}")
    if isinstance(one, Mapping):
        get: Callable[[str], Any] = partial(value_at, one)
        if missing := fields.lacking(one):
            detail = fields.missing(missing, [str(name) for name in one])
            raise Unfit(f"no {missing[0]}", detail)
    elif isinstance(one, tuple) and not hasattr(one, "_fields"):
        if len(one) != 2:
            raise TypeError(f"document {number} is a tuple of {len(one)}; {_EXPECTED}")
        get = dict(zip((fields.of("id"), fields.of("text")), one, strict=True)).get
    elif kept := _kept(one):
        get = partial(_value_of, one, kept)
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
    return values, labels


def _kept(one: Any) -> _Kept | None:
    """Return where a document of a library has its parts, or None for another object."""
    for kept in _LIBRARIES:
        if all(hasattr(one, name) for name in kept):
            return kept if isinstance(getattr(one, kept.rest), Mapping) else None
    return None


def _value_of(one: Any, kept: _Kept, name: str) -> Any:
    """Return a value from an attribute of a library's document, or from its metadata."""
    rest = getattr(one, kept.rest)
    value = getattr(one, {"text": kept.text, "id": kept.id}.get(name, name), None)
    if value is None:
        value = value_at(rest, name)
    if value is None and name == "url" and is_address(source := rest.get("source")):
        return source
    return value


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
                f"expected a string, a number or a list of them as {quoted(name)}, found a value "
                f"of type {type(one).__name__}",
            )
    return [str(one) for one in given if not _is_nothing(one)]


def _string(part: str, name: str, value: Any) -> str | None:
    """Return the string that a value stands for which is none, or is of a type of its own."""
    if _is_nothing(value):
        return None
    if isinstance(value, str):
        return str(value)
    if part == "date" and isinstance(value, np.datetime64):
        return None if np.isnat(value) else str(value)
    if part in NUMBERS_TOO and type(value) is not bool and isinstance(value, Integral):
        return str(int(value))
    if part in NUMBERS_TOO and isinstance(value, float | np.floating):
        # pandas makes floats of whole numbers where one is missing.
        return str(int(value) if part == "id" and value.is_integer() else value)
    if part == "date" and isinstance(value, datetime.date):
        return value.isoformat()
    expected = "a string or a number" if part in NUMBERS_TOO else "a string"
    expected = "a string, a number or a date" if part == "date" else expected
    raise Unfit(
        "bad record",
        f"expected {expected} as {quoted(name)}, found a value of type {type(value).__name__}",
    )
