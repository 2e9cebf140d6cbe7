"""Read WARC files, as web crawlers write them. A document is a page or text that was returned with
success, was saved as a resource, or was converted from one, as in WET files.

A record is a line with the version, headers, an empty line, and a block whose length the headers
have (https://iipc.github.io/warc-specifications/).
"""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.archives import http_response, typed
from pocketindex.builder.inputs.archives.archive import OTHER_KIND, check_size
from pocketindex.builder.inputs.archives.http_response import HEAD_BYTES, media_type, parameter
from pocketindex.builder.inputs.opening.compression import BUFFER
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, unmeasured

_VERSION = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n", re.IGNORECASE)
# A record inside the block of another, which is where one begins if the length of the other is
# wrong.
_INSIDE = re.compile(
    rb"(?<=\n)\r?\n(?=WARC/\d{1,9}\.\d{1,9}[ \t]{0,9}\r?\n(?:WARC-|Content-))", re.IGNORECASE
)
_LENGTH = re.compile(r"\d{1,18}")
_LINE, _MOST_HEADERS = 1 << 16, 1 << 20
_AGAIN = 1 << 26  # bytes that may be read again, or as many as the file has so far
_BLOCKS = ("", "response", "resource", "conversion")  # types of records that have a document
_RESPONSE, _REQUEST = re.compile(rb"HTTP/\d", re.IGNORECASE), re.compile(rb"[A-Z]+ \S+ HTTP/\d")


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, options: Options = DEFAULTS
) -> Iterator[Document]:
    """Yield the documents of a WARC file, in its order.

    The id and the url are the address, and the date is that of the crawl. The encoding of the
    options is for texts that declare none.

    Every record counts. Skipped: other types and kinds ("other kind: request record", "other kind:
    image/png"), "revisit", "http status" (no success), "no id" (no address), "unreadable" (a length
    or an encoding that is missing, damaged or unknown; what is no record between two), "bomb", "too
    long", "empty" and what the kinds skip. Noticed: "truncated". Raises SourceError where the file
    is cut short or is none.
    """
    with Stream(source, text=False) as stream:
        records = _Records(stream)
        for record in records.all(skip):
            try:
                document = _document(record, stream.name, skip, options)
            except Unfit as unfit:
                skip(Skip(record.shown(stream.name), unfit.reason, unfit.detail))
            else:
                yield document
            measure(stream.read, stream.total)
        measure(stream.read, stream.total)


@dataclass
class _Record:
    """A record. number: from 1; block: all of it, or its first HEAD_BYTES where it has no document;
    head: of the response in it; unfit: why it has no document, if that is known from its head.
    """

    number: int
    headers: dict[str, str]
    length: int = 0
    block: bytes = b""
    head: http_response.Head | None = None
    unfit: Unfit | None = None

    @property
    def url(self) -> str:
        url = self.headers.get("warc-target-uri", "")
        return url.removeprefix("<").removesuffix(">")  # as some wrote it after WARC 1.0

    @property
    def content_type(self) -> str:
        """What is known of the type of its content."""
        said = (self.head or self).headers.get("content-type", "")
        return said or self.headers.get("warc-identified-payload-type", "")

    def shown(self, source: str) -> str:
        """Return the place of the record for messages."""
        return f"{source}:{self.url or self.number}"

    def look(self) -> None:
        """Set `head` and `unfit` from the beginning of the block."""
        self.head = self.unfit = None
        try:
            self._look()
        except Unfit as unfit:
            self.unfit = unfit

    def _look(self) -> None:
        kind = self.headers.get("warc-type", "").lower()
        if kind == "revisit":
            before = self.headers.get("warc-refers-to-date", "an earlier visit")
            raise Unfit("revisit", f"the response is that of {before}, whose record has it")
        if kind not in _BLOCKS or (not kind and _REQUEST.match(self.block)):
            kind = kind[:40] or "request"
            raise Unfit(f"{OTHER_KIND}{kind} record", "a record of this type has no document")
        http = media_type(self.headers.get("content-type", "")) == "application/http"
        if kind in ("", "response") and (http or _RESPONSE.match(self.block)):
            self.head = http_response.head(self.block)
            if not 200 <= self.head.status < 300:
                raise Unfit(
                    "http status", f"the answer was {self.head.status}, expected 200 to 299"
                )
        typed.check_type(media_type(self.content_type))
        check_size(self.length)


def _document(record: _Record, source: str, skip: OnSkip, options: Options) -> Document:
    if record.unfit:
        raise record.unfit
    place, url, content, missing = record.shown(source), record.url, record.block, ""
    if record.head:
        content, missing = http_response.body(record.head, content[record.head.size :], place)
    if "warc-segment-number" in record.headers:
        missing = "it is one of several segments, which are not joined"
    if why := record.headers.get("warc-truncated", ""):
        missing = f"the crawler cut it off: {why}"
    type = record.content_type
    document = typed.document(
        content, media_type(type), parameter(type, "charset"), url, url, place, skip, options
    )
    if missing:
        skip(Notice(place, "truncated", missing))
    return dataclasses.replace(document, url=url, date=record.headers.get("warc-date", ""))


class _Records:
    """The records of a stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._held = b""  # a line that was read to see what it is
        self._ahead = io.BytesIO()  # what was taken for a block, and is read again
        self._again = 0  # bytes that came to this
        self._number = self._place = 0
        self._failed: SourceError | None = None

    def all(self, skip: OnSkip) -> Iterator[_Record]:
        """Yield each record. Bytes that belong to no record are skipped. Raises SourceError."""
        while line := self._begin():
            if not _VERSION.fullmatch(line):
                self._pass_over(line, skip)
                continue
            self._number += 1
            record = _Record(self._number, http_response.headers(self._headers()))
            length = record.headers.get("content-length", "")
            if not _LENGTH.fullmatch(length):
                record.unfit = Unfit(
                    "unreadable",
                    f"expected a number as its Content-Length, found {length[:40]!r}; nothing says "
                    "where it ends",
                )
                yield record
                self._to_next()
                continue
            record.length = int(length)
            self._read_block(record)
            yield record
            if self._failed:
                raise self._failed

    def _read_block(self, record: _Record) -> None:
        record.block = self._take(min(record.length, HEAD_BYTES))
        record.look()
        seen = len(record.block)
        if not record.unfit:
            record.block += self._take(record.length - seen)
            seen = len(record.block)
        while seen < record.length and (more := self._take(min(record.length - seen, BUFFER))):
            seen += len(more)
        if seen < record.length:
            raise self._broken(f"cut short (a record has {seen:,} of {record.length:,} bytes)")
        try:
            line = self._begin()
        except SourceError as error:  # this record is whole
            line, self._failed = b"", error
        self._held = line
        if line and not _VERSION.fullmatch(line) and seen == len(record.block):
            self._shorten(record)

    def _shorten(self, record: _Record) -> None:
        """End a block where another record begins within it, because the length of the record is
        wrong.
        """
        taken = record.block + self._held + self._take(_LINE)
        self._held = b""
        found = _INSIDE.search(taken)
        end = len(record.block)
        block = taken[: found.start()].rstrip(b"\r\n") if found else taken
        if found and len(block) < end and self._again < max(_AGAIN, self._stream.tell()):
            record.block = block
            record.look()
            end = found.end()
        self._again += len(taken) - end
        self._ahead = io.BytesIO(taken[end:] + self._ahead.read())

    def _begin(self) -> bytes:
        """Return the next line that is not empty; nothing at the end of the file."""
        line = b"\n"
        while line and not line.strip():
            ahead = self._ahead.getbuffer().nbytes - self._ahead.tell()
            self._place = self._stream.tell() - ahead - len(self._held)
            line = self._line()
        return line

    def _headers(self) -> bytes:
        lines = bytearray()
        while (line := self._line()) not in (b"\r\n", b"\n"):
            if not line:
                raise self._broken("cut short (a record ends in its headers)")
            lines += line if len(lines) < _MOST_HEADERS else b""
        return bytes(lines)

    def _pass_over(self, line: bytes, skip: OnSkip) -> None:
        found, begin = repr(line[:40].decode("latin-1").strip()), self._place
        if not self._number:
            raise self._broken(f"damaged or not a WARC file (expected WARC/1.0, found {found})")
        size = len(line) + self._to_next()
        skip(
            Skip(
                f"{self._stream.name}:byte {begin:,}",
                "unreadable",
                f"{size:,} bytes after record {self._number:,} are not a record (expected "
                f"WARC/1.0, found {found}): the length of a record is wrong, or the file is "
                "damaged",
            )
        )

    def _to_next(self) -> int:
        """Go to the next line with a version. Returns the number of bytes passed over."""
        passed = 0
        while (line := self._line()) and not _VERSION.fullmatch(line):
            passed += len(line)
        self._held = line
        return passed

    def _line(self) -> bytes:
        line, self._held = self._held or self._ahead.readline(_LINE), b""
        return line if line.endswith(b"\n") else line + self._stream.line(_LINE)

    def _take(self, size: int) -> bytes:
        part = self._ahead.read(size)
        return part + self._stream.take(size - len(part)) if len(part) < size else part

    def _broken(self, problem: str) -> SourceError:
        where = (
            f"at record {self._number:,}, which begins at byte {self._place:,} of the content"
            if self._number
            else "at its beginning"
        )
        return SourceError(self._stream.name, f"{problem} {where}; copy or download the file again")
