"""Read JSON that has no line for each record: an array of records, or objects over several lines.

Each record becomes a line, so that all other code reads JSON Lines. Only what surrounds the records
is parsed here. The records are parsed by those who read the lines.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any

from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.source import SourceError
from pocketindex.wording.counted import counted

_BUFFER = 1 << 18
_LOOKED_AT = 1 << 16  # bytes
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_SPACES = re.compile(rb"[ \t\r\n]+")
_STRUCTURE = re.compile(rb'[\[\]{},"]')
_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)


def as_lines(stream: Stream, name: str) -> tuple[str, bool]:
    """Turn the records of a stream into lines, unless they are lines already. No byte of the stream
    may have been read.

    name: of the field with the ids. Returns what the number of a line means, for messages, and
    whether a record in the first bytes has an id.
    """
    begin = stream.begin(_LOOKED_AT).removeprefix(_BOM).lstrip(_SPACE)
    field = re.escape(json.dumps(name.rpartition(".")[2]).encode())
    has_ids = re.search(rb"%b\s*:\s*[\"\d-]" % field, begin) is not None
    if _is_array(begin):
        stream.convert(lambda content: _Values(content, stream.name, 1))
        return "their number in the array", has_ids
    if _is_spread(begin):
        stream.convert(lambda content: _Values(content, stream.name, 0))
        return "their number", has_ids
    return "the number of their line", has_ids


def _is_array(begin: bytes) -> bool:
    """Return whether content that begins so is an array of records. Lines that are arrays of
    something else are not.
    """
    if not begin.startswith(b"["):
        return False
    first, _, rest = begin.partition(b"\n")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return True
    return isinstance(value[0], dict) if value else not rest.strip()


def _is_spread(begin: bytes) -> bool:
    """Return whether content that begins so has objects over several lines: the first line ends
    within one, and the next goes on there. A line that is cut off is followed by another object.
    """
    first, _, rest = begin.partition(b"\n")
    first, rest = first.rstrip(_SPACE), rest.lstrip(_SPACE)
    if not first.startswith(b"{") or not first.endswith((b"{", b"[", b",", b":")):
        return False
    return rest[:1] in (b'"', b"]", b"}", b"") or not first.endswith((b"{", b","))


class _Values(io.RawIOBase):
    """The values of an array, or values that follow each other, a line each."""

    def __init__(self, content: Any, name: str, outside: int) -> None:
        """outside: the depth between two values, 1 in an array, else 0; name: for messages."""
        self._content, self._name, self._outside = content, name, outside
        self._depth = self._count = 0
        self._is_string = self._is_begun = self._is_ended = self._is_behind_comma = False
        self._held = b""  # a backslash of which the next byte is not here yet
        self._line = 1
        self._out = bytearray()
        self._error: SourceError | None = None
        self._is_first = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._out:
            if self._error:
                raise self._error
            chunk = self._content.read1(_BUFFER)
            if not chunk:
                if self._depth or not (self._is_ended or not self._outside):
                    raise self._cut_short()
                return 0
            try:
                self._take(chunk)
            except SourceError as error:  # what is whole comes first
                self._error = error
        count = min(len(buffer), len(self._out))
        buffer[:count] = self._out[:count]
        del self._out[:count]
        return count

    def _take(self, chunk: bytes) -> None:
        if self._is_first:
            chunk = chunk.removeprefix(_BOM)
            self._is_first = False
        chunk, self._held, at = self._held + chunk, b"", 0
        while at < len(chunk):
            if self._is_string:
                match = _STRING.match(chunk, at)
                assert match
                end = match.end()
                self._line += chunk.count(b"\n", at, end)
                # A string has no line end. One that it has anyway is still an error as \r.
                self._out += chunk[at:end].replace(b"\n", b"\r")
                if chunk[end : end + 1] == b"\\":
                    self._held = b"\\"
                elif end < len(chunk):
                    self._out += b'"'
                    self._is_string = False
                at = end + 1
                continue
            found = _STRUCTURE.search(chunk, at)
            end = found.start() if found else len(chunk)
            if end > at:
                self._between(chunk[at:end])
            if found:
                self._structure(found[0])
            at = end + 1

    def _between(self, content: bytes) -> None:
        """Take what is no string and no structure."""
        self._line += content.count(b"\n")
        content = _SPACES.sub(b" ", content)
        if not self._is_begun:
            content = content.lstrip()
        if content:
            self._begin()
            self._out += content

    def _begin(self) -> None:
        """Take the first byte of a value, or a further one."""
        if self._is_ended or self._depth < self._outside:
            raise self._wrong("there is more after the end of the array")
        self._is_begun = True

    def _structure(self, byte: bytes) -> None:
        if byte in b"[{" and self._depth < self._outside and not self._is_ended:
            self._depth = 1  # of the array
        elif byte in b"]}" and self._depth == self._outside:
            self._close(byte)
        elif byte == b"," and self._depth == self._outside:
            self._finish("a comma")
            self._is_behind_comma = True
        else:
            self._begin()
            self._is_string = byte == b'"'
            self._depth += (byte in b"[{") - (byte in b"]}")
            self._out += byte
            if self._depth == 0 and byte in b"]}":
                self._finish(byte.decode())

    def _close(self, byte: bytes) -> None:
        """Take the end of the array."""
        if byte != b"]" or not self._outside:
            raise self._wrong(f"there is an unmatched {byte.decode()}")
        if self._is_begun or self._is_behind_comma:
            self._finish("the end of the array")
        self._depth, self._is_ended = 0, True

    def _finish(self, found: str) -> None:
        """End a value."""
        if not self._is_begun:
            raise self._wrong(f"expected a record, found {found}")
        self._out += b"\n"
        self._count += 1
        self._is_begun = self._is_behind_comma = False

    def _wrong(self, problem: str) -> SourceError:
        return SourceError(
            self._name,
            f"not JSON: {problem}, in line {self._line:,}, after "
            f"{counted(self._count, 'record')}; correct it, or write the file again",
        )

    def _cut_short(self) -> SourceError:
        what = "array" if self._outside else "last object"
        return SourceError(
            self._name,
            f"cut short: its {what} is not closed; it ends after "
            f"{counted(self._count, 'record')}; copy, download or write the file again",
        )
