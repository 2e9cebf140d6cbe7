"""WARC files, as web crawlers write them: a document for each HTML page that was answered with
success, with fastwarc and resiliparse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.archives import http_response
from pocketindex.builder.inputs.archives.archive import check_size
from pocketindex.builder.inputs.opening.stream import Content, Stream
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    unmeasured,
)

_HTML = ("text/html", "application/xhtml+xml")


def documents(source: str, skip: OnSkip, measure: OnBytes = unmeasured) -> Iterator[Document]:
    """Yield the pages of a WARC file, in its order.

    The id and the url are the address, the date is the crawl's.

    Only responses of an HTML type count as records. Skipped: "http status" (no success), "no id"
    (no address), "unreadable" (an encoding that is damaged or unknown), "bomb", "too long",
    "empty". Raises SourceError where the file is cut short or damaged.
    """
    with Stream(source, text=False) as stream:
        warc = needed("fastwarc.warc", "warc", stream.name, "it is a WARC file")
        needed("resiliparse.parse.html", "warc", stream.name, "it is a WARC file")
        number, place = 0, 0
        try:
            for record in warc.ArchiveIterator(
                Content(stream), parse_http=False, stream_detect=False
            ):
                number, place = number + 1, record.stream_pos
                yield from _read(stream, record, number, skip)
                measure(stream.read, stream.total)
        except OSError as error:
            raise _broken(stream, f"damaged or no WARC file ({error})", number, place) from error
        measure(stream.read, stream.total)


def _read(stream: Stream, record: Any, number: int, skip: OnSkip) -> Iterator[Document]:
    url = (record.headers.get("WARC-Target-URI") or "").strip().removeprefix("<").removesuffix(">")
    place = f"{stream.name}:{url or number}"
    begin = record.reader.read(http_response.HEAD_BYTES)
    seen = len(begin)
    head = http_response.head(begin) if record.headers.get("WARC-Type") == "response" else None
    try:
        if head is not None and head.media_type in _HTML:
            if not 200 <= head.status < 300:
                raise Unfit("http status", f"the answer was {head.status}, expected 200 to 299")
            check_size(record.content_length)
            content = begin + record.reader.read(record.content_length)
            seen = len(content)
            _check_whole(stream, record, seen, number)
            page = html.read(
                http_response.body(head, content[head.size :], stream.name),
                stream.name,
                head.charset,
            )
            yield Document(
                url,
                page.title,
                page.text,
                url,
                page.lang,
                record.headers.get("WARC-Date") or "",
                name=url,
            )
    except Unfit as unfit:
        skip(Skip(place, unfit.reason, unfit.detail))
    _check_whole(stream, record, seen + record.consume(), number)


def _check_whole(stream: Stream, record: Any, seen: int, number: int) -> None:
    """Check the end: the library takes the end of the file for the end of a record."""
    length = (record.headers.get("Content-Length") or "").strip(" \t")
    if not (length.isascii() and length.isdecimal()):
        raise _broken(
            stream,
            f"cut short or damaged (a record has the Content-Length {length!r})",
            number,
            record.stream_pos,
        )
    if seen < int(length):
        raise _broken(
            stream,
            f"cut short (a record has {seen:,} of {int(length):,} bytes)",
            number,
            record.stream_pos,
        )


def _broken(stream: Stream, problem: str, number: int, place: int) -> SourceError:
    where = (
        f"at record {number:,}, which begins at byte {place:,} of the content"
        if number
        else "at its begin"
    )
    return SourceError(stream.name, f"{problem} {where}; copy or download the file again")
