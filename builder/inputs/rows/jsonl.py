"""Read JSON Lines: one object on each line with id, title, text and optionally url and lang. Fields
may give these other names, and names the field with a label or a list of labels.

A JSON array of such objects, or objects over several lines, are read as if each were on a line of
its own (json_values.py). The file may be compressed (see Stream); "-" is standard input. A byte
order mark and blank lines are ignored. Bytes that are not UTF-8 become U+FFFD, as in the term
stream (docs/format.md section 7), which is reported to skip, and the record counts like any other.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pocketindex.builder.document import (
    Document,
    Notice,
    Skip,
    Unfit,
    beyond_memory,
    most_of_record,
)
from pocketindex.builder.inputs.fields import (
    MOST_QUOTED,
    NUMBERS_TOO,
    OWN_NAMES,
    Fields,
    quoted,
    value_at,
)
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.opening.json_values import as_lines
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.source import (
    MEASURE_EVERY,
    STDIN,
    OnBytes,
    OnSkip,
    Place,
    shown,
    unmeasured,
)
from pocketindex.errors import TEXT_BYTES

# Room for a text of the largest size of which every character is written as \uXXXX: six bytes for
# two.
LINE_BYTES = 3 * TEXT_BYTES + (1 << 20)

BOM = b"\xef\xbb\xbf"


class Number(str):
    """A number as it was written: an id may have more digits than int() takes."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number)


@dataclass(slots=True)
class Line:
    """A line that holds a document.

    number: from 1, counting blank lines; line: its bytes, with its end; fields: all of its
    object's; problem: with its encoding; numbered: whether the id is a number because the record
    has none.
    """

    number: int
    line: bytes
    document: Document
    fields: dict[str, Any]
    problem: str
    numbered: bool


class Unseen:
    """The parts of a document for which a field is named that no record has had yet.

    Told from a source's begin on.
    """

    def __init__(self, fields: Fields, place: Place) -> None:
        self._fields = fields
        self.parts = (
            set()
            if place.offset
            else {part for part in fields.named() if part not in ("id", "text") and fields.of(part)}
        )

    def look(self, record: dict[str, Any]) -> None:
        """Strike out what a record has."""
        self.parts -= {
            part for part in self.parts if value_at(record, self._fields.of(part)) is not None
        }

    def tell(self, skip: OnSkip, source: str) -> None:
        """Say, at the end of the source, which named fields no record had."""
        for part in sorted(self.parts):
            detail = (
                f"no record has a field {quoted(self._fields.of(part))} for the {part}; correct "
                f"{self._fields.argument(part)}, or omit it"
            )
            skip(Notice(source, "no such field", detail))


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    place: Place | None = None,
    encoding: str | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file of JSON Lines, in its order, from place on, which goes along.

    A number as id, title or text becomes the string that is written there. A document without a
    title gets its id as title, and one without an id gets the number of its line, or its place in
    an array. Skipped: "bad line" (not JSON, not an object, or a field of another type), "no id"
    (the field that is named is missing), "no text", "empty" and "too long" (see Document; also a
    line above LINE_BYTES).
    """
    for line in lines(source, skip, measure, fields, place=place, encoding=encoding):
        yield line.document


def lines(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    place: Place | None = None,
    encoding: str | None = None,
) -> Iterator[Line]:
    """Yield the same with their lines."""
    place = place or Place()
    unseen, is_said = Unseen(fields, place), False
    with Stream(source, encoding=encoding) as stream:
        stream.guess(skip, place)
        number_is, has_ids = as_lines(stream, fields.of("id"))
        fields = fields.apart(has_ids)
        stream.go(place)
        for number, line in enumerate(stream.lines(LINE_BYTES), place.lines + 1):
            place.offset, place.lines = stream.tell(), number
            if line is None or not is_blank(line):
                try:
                    if line is None:
                        raise too_long(stream.too_long)
                    found = parsed(line, number, fields, stream.name)
                except Unfit as unfit:
                    skip(Skip(f"{stream.name}:{number}", unfit.reason, unfit.detail))
                else:
                    unseen.look(found.fields)
                    if found.numbered and not is_said:
                        skip(fields.numbered(stream.name, number_is, found.fields))
                        is_said = True
                    if found.problem:
                        skip(Notice(f"{stream.name}:{number}", WRONG_ENCODING, found.problem))
                    yield found
            if number % MEASURE_EVERY == 0:
                measure(stream.read, stream.total)
        unseen.tell(skip, stream.name)
        measure(stream.read, stream.total)


def is_blank(line: bytes) -> bool:
    """Return whether it is no record."""
    return not line.removeprefix(BOM).strip()


def too_long(size: int) -> Unfit:
    """Return what is wrong with a line that has this many bytes."""
    if size > LINE_BYTES:
        return Unfit("too long", f"the line has {size:,} bytes, expected at most {LINE_BYTES:,}")
    most = most_of_record(LINE_BYTES)
    return Unfit("too long", f"the line has {beyond_memory(size, most)}")


def parsed(line: bytes, number: int, fields: Fields, source: str) -> Line:
    """Return a line with its document; source: its name, for messages. Raises Unfit."""
    text, problem = decoded(line.removeprefix(BOM))
    record = _object(text)
    numbered = value_at(record, fields.of("id")) is None
    _check(record, fields, source)
    values, labels = dict[str, str | None](), list[str]()
    for part, name in fields.given:
        value = value_at(record, name)
        if part == "label":
            labels = _labels(name, value)
            continue
        values[part] = value if type(value) is str else _string(part, name, value)
    if numbered:
        values["id"] = f"{fields.before}{number}"
    document = of_values(fields, values, labels)
    return Line(number, line, document, record, problem, numbered)


def _check(record: dict[str, Any], fields: Fields, source: str) -> None:
    """Raise Unfit if a record of a source has no text, or lacks the field that is named as its
    id.
    """
    if missing := fields.lacking(record):
        lists = [
            name
            for name, value in record.items()
            if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value)
        ]
        detail = fields.missing(missing, record)
        if len(lists) == 1 and "text" in missing and len(lists[0]) < MOST_QUOTED:
            filter = shlex.quote(f".[{json.dumps(lists[0])}][]")
            file = "" if source == shown(STDIN) else f" {shlex.quote(source)}"
            detail = (
                f"the object has no text but an array of records, {quoted(lists[0])}; take the "
                f"records out: jq -c {filter}{file}"
            )
        raise Unfit(f"no {missing[0]}", detail)


def _object(text: str) -> dict[str, Any]:
    try:
        record, end = _DECODER.raw_decode(text) if text.startswith("{") else (None, 0)
        if text[end:] != "\n":  # white space around it, or more than that
            record = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # of control characters
        if what == "Extra data" and text[error.pos :].strip() == ",":
            what = "a comma after the object"
        raise Unfit("bad line", f"not JSON: {what} at character {error.pos + 1}") from None
    except RecursionError:
        raise Unfit("bad line", "not JSON of a reasonable depth") from None
    if not isinstance(record, dict):
        raise Unfit("bad line", f"expected an object, found {_kind(record)}")
    return record


def _string(part: str, name: str, value: object) -> str | None:
    """Return the string that a value stands for which is none."""
    if value is None:
        return None
    if part in NUMBERS_TOO and isinstance(value, Number):
        return str(value)
    expected = "a string or a number" if part in NUMBERS_TOO else "a string"
    raise Unfit("bad line", f"expected {expected} as {quoted(name)}, found {_kind(value)}")


def _labels(name: str, value: object) -> list[str]:
    """Return the labels that a value stands for: a string, a number, or a list of these."""
    given = value if isinstance(value, list) else [value]
    for one in given:
        if one is not None and not isinstance(one, str):
            where = "in the list " if isinstance(value, list) else ""
            expected = "strings or numbers" if where else "a string, a number or a list of them"
            raise Unfit(
                "bad line", f"expected {expected} {where}as {quoted(name)}, found {_kind(one)}"
            )
    return [str(one) for one in given if one is not None]


def _kind(value: object) -> str:
    if isinstance(value, (Number, float)):
        return "a number"
    return {dict: "an object", list: "a list", str: "a string", bool: "true or false"}.get(
        type(value), "null"
    )
