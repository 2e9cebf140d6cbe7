"""Read CSV and TSV: each row is a document, and the first row names the fields. A first line sep=;
as Excel writes it names the separator. Lines may end in carriage returns alone.

Rows follow RFC 4180: a field may be in double quotes, and may then contain separators, line ends
and doubled quotes. The file may be compressed (see Stream). Bytes that are not UTF-8 become U+FFFD,
which is reported to skip for each row.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator
from typing import Any

from pocketindex.builder.document import (
    Document,
    Notice,
    Skip,
    Unfit,
    beyond_memory,
    most_of_record,
)
from pocketindex.builder.inputs.fields import OWN_NAMES, PARTS, Fields
from pocketindex.builder.inputs.fields import document as of_values
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.source import (
    MEASURE_EVERY,
    OnBytes,
    OnSkip,
    Place,
    SourceError,
    unmeasured,
)

# The parser holds a field with four bytes a character, and a quote that nobody closes makes a field
# of all that follows.
FIELD_CHARACTERS = 1 << 24
LINE_BYTES = 1 << 26

_LOOKED_AT = 1 << 16  # bytes
_BOM = "\ufeff"
_SEPARATOR = re.compile('"?sep=(.)"?[\r\n]*', re.IGNORECASE)


def documents(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    fields: Fields = OWN_NAMES,
    place: Place | None = None,
    encoding: str | None = None,
    separators: str = ",;\t|",
) -> Iterator[Document]:
    """Yield the documents of a file of comma-separated values, in its order, from place on, which
    goes along.

    The separator is the first of separators with which the first row has the fields that are asked
    for. A document without an id has the number of the line where its row begins. Skipped: "bad
    row" (another number of fields than in the first row, except for empty ones at its end, or wrong
    quotes), "too long" (also a field of more than FIELD_CHARACTERS, a line of more than
    LINE_BYTES), "empty". Raises SourceError if the first row lacks a field, with the fields that it
    has, and if a quote is open at the end.
    """
    place = place or Place()
    # The limit is one for the process; raised, it takes nothing from anybody.
    csv.field_size_limit(max(csv.field_size_limit(), FIELD_CHARACTERS))
    with Stream(source, encoding=encoding) as stream:
        stream.guess(skip, place)
        begin = stream.begin(_LOOKED_AT)
        if _has_returns_alone(begin):
            stream.convert(_Returns)
        lines = _Lines(stream)
        head = next(lines, "").removeprefix(_BOM)
        if found := _SEPARATOR.fullmatch(head):
            separators, head = found[1], next(lines, "")
        separator, names = _header(stream.name, head, lines, fields, separators)
        places = _places(stream.name, names, fields)
        is_said = False
        fields = fields.apart("id" in places)
        stream.go(place)
        lines.number = max(lines.number, place.lines)
        rows = csv.reader(lines, delimiter=separator, strict=True)
        first = lines.number + 1
        for number, row in enumerate(_rows(rows, lines, stream.name)):
            place.offset, place.lines = stream.tell(), lines.number
            problem, lines.problem = lines.problem, ""
            if row:
                try:
                    values = _values(row, len(names), places)
                    if is_numbered := not values.get("id"):
                        values["id"] = f"{fields.before}{first}"
                    document = of_values(fields, values)
                except Unfit as unfit:
                    skip(Skip(f"{stream.name}:{first}", unfit.reason, unfit.detail))
                else:
                    if is_numbered and not is_said:
                        skip(fields.numbered(stream.name, "the number of their line", names))
                        is_said = True
                    if problem:
                        skip(Notice(f"{stream.name}:{first}", WRONG_ENCODING, problem))
                    yield document
            first = lines.number + 1
            if number % MEASURE_EVERY == 0:
                measure(stream.read, stream.total)
        measure(stream.read, stream.total)


def _places(source: str, names: list[str], fields: Fields) -> dict[str, int]:
    try:
        return fields.places(source, names, needs_id=False)
    except SourceError as error:
        if any(fields.of(part) in names or fields.meant(part, names) for part in PARTS):
            raise
        problem = f"{error.problem}; if its first row is a document, add a row of names before it"
        raise SourceError(source, problem) from None


def _has_returns_alone(begin: bytes) -> bool:
    """Return whether lines end in carriage returns alone, as old programs on a Macintosh write."""
    return b"\r" in begin[:-1] and b"\n" not in begin


class _Returns(io.RawIOBase):
    """A text with line feeds instead of its carriage returns."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        content = self._file.read1(len(buffer)).replace(b"\r", b"\n")
        buffer[: len(content)] = content
        return len(content)


class _Lines:
    """The decoded lines of a stream; unlike a generator it goes on after an error.

    number: of the last one; problem: what is wrong with the bytes of the last one that was not as
    it should be; ended: whether there are no more.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream, self._lines = stream, stream.lines(LINE_BYTES)
        self.number, self.problem, self.ended = 0, "", False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        try:
            line = next(self._lines)
        except StopIteration:
            self.ended = True
            raise
        self.number += 1
        if line is None:
            size, most = self._stream.too_long, most_of_record(LINE_BYTES)
            found = f"{size:,} bytes, expected at most {most:,}"
            if most < LINE_BYTES:
                found = beyond_memory(size, most)
            raise Unfit("too long", f"line {self.number} has {found}")
        text, problem = decoded(line)
        self.problem = problem or self.problem
        return text


def _header(
    name: str, head: str, lines: _Lines, fields: Fields, separators: str
) -> tuple[str, list[str]]:
    """Return the separator, and the names in the first row."""
    found = []
    problem: Exception | None = None
    # Further lines are needed only by a name with a line end.
    seen = [head]
    for separator in separators:
        taken: list[str] = []
        try:
            rows = csv.reader(_once(seen, lines, taken), delimiter=separator, strict=True)
            names = [one.strip() for one in next(rows, [])]
        except (csv.Error, Unfit) as error:
            # Names in quotes stand behind each other only with the separator that the file has.
            problem = problem or error
            continue
        if len(taken) < len(seen):
            continue  # a line that another separator has asked for would be lost
        found.append((separator, names))
    if not found:
        raise SourceError(
            name, f"its first row cannot be read ({problem}); expected the names of the fields"
        )
    if not any(names for _, names in found):
        what = "it" if next(lines, None) is None else "its first row"
        raise SourceError(
            name, f"{what} is empty; expected a first row with the names of the fields"
        )

    def fits(one: tuple[str, list[str]]) -> tuple[bool, bool, int]:
        return fields.of("text") in one[1], fields.of("id") in one[1], len(one[1])

    return max(found, key=fits)


def _once(seen: list[str], lines: _Lines, taken: list[str]) -> Iterator[str]:
    """Yield the lines that are seen already, then further ones, which are seen from then on; what
    was yielded goes to taken.
    """
    for number in itertools.count():
        if number == len(seen):
            if (line := next(lines, None)) is None:
                return
            seen.append(line)
        taken.append(seen[number])
        yield seen[number]


def _rows(rows: Iterator[list[str]], lines: _Lines, source: str) -> Iterator[list[str] | Unfit]:
    while True:
        first = lines.number + 1
        try:
            yield next(rows)
        except StopIteration:
            return
        except Unfit as unfit:
            yield unfit
        except csv.Error as error:
            if lines.ended:
                raise SourceError(
                    source,
                    f"the row in line {first} opens a quote that is not closed: all up to line "
                    f"{lines.number}, the last one, would be one field; close the quote, or write "
                    "quotes within a field twice",
                ) from None
            reason = "too long" if "field limit" in str(error) else "bad row"
            detail = f"{error}, in line {lines.number}"
            if lines.number > first:
                detail += (
                    f"; lines {first} to {lines.number} are left out as one row: look for a quote "
                    f"in line {first} that is not closed"
                )
            yield Unfit(reason, detail)


def _values(row: list[str] | Unfit, expected: int, places: dict[str, int]) -> dict[str, str | None]:
    if isinstance(row, Unfit):
        raise row
    if len(row) != expected and (len(row) < expected or any(row[expected:])):
        raise Unfit("bad row", f"expected {expected} fields as in the first row, found {len(row)}")
    return {part: row[place] for part, place in places.items()}
