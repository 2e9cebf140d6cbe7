"""An HTTP response as a crawl keeps it: status, headers, and the body as it was before it was
encoded for the way.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.archives.archive import LEAST_BOMB, check_expansion, check_size
from pocketindex.builder.inputs.opening.stream import EXPANSION
from pocketindex.builder.inputs.pages.single import FILE_BYTES
from pocketindex.builder.inputs.source import SourceError, needed

HEAD_BYTES = 1 << 16

_STATUS = re.compile(rb"HTTP/\d[.\d]*[ \t]+(\d{3})\b")
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[^\r\n]*\r?\n")
_GZIP_OR_ZLIB = 47  # zlib's number for either, told by the first bytes
_RAW = -15


@dataclass(frozen=True)
class Head:
    """The head of a response. status: a number; headers: by names in lower case, the first of each;
    size: in bytes.
    """

    status: int
    headers: dict[str, str]
    size: int

    @property
    def media_type(self) -> str:
        """As "text/html"."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """What the content type says of it."""
        found = re.search(
            r";\s*charset\s*=\s*[\"']?([^\s\"';]+)",
            self.headers.get("content-type", ""),
            re.IGNORECASE,
        )
        return found[1] if found else ""


def head(begin: bytes) -> Head | None:
    """Return the head of a response, given its first HEAD_BYTES; None where they are none."""
    status, end = _STATUS.match(begin), _HEAD_ENDS.search(begin)
    if not status or not end:
        return None
    headers: dict[str, str] = {}
    for line in begin[: end.start()].split(b"\n")[1:]:
        name, _, value = line.decode("latin-1").partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return Head(int(status[1]), headers, end.end())


def body(head: Head, content: bytes, name: str) -> bytes:
    """Return the body out of what follows the head; what says it is chunked or compressed and is
    not, as some crawlers keep it, stays as it is.

    Raises Unfit "unreadable" for an encoding that is damaged, unknown or needs a package, "bomb"
    for one that expands as no text does, "too long".
    """
    if "chunked" in head.headers.get("transfer-encoding", "").lower():
        content = _unchunked(content)
    for encoding in reversed(head.headers.get("content-encoding", "").lower().split(",")):
        content = _unpacked(encoding.strip(), content, name)
    return content


def _unchunked(content: bytes) -> bytes:
    parts, place = [], 0
    while size := _CHUNK.match(content, place):
        length = int(size[1], 16)
        parts.append(content[size.end() : size.end() + length])
        place = size.end() + length
        if not length:
            break
        place += 2 if content.startswith(b"\r\n", place) else content.startswith(b"\n", place)
    return b"".join(parts) if parts else content


def _unpacked(encoding: str, content: bytes, name: str) -> bytes:
    limit = min(max(LEAST_BOMB, EXPANSION * len(content)), FILE_BYTES) + 1
    try:
        if encoding in ("gzip", "x-gzip") and content.startswith(b"\x1f\x8b"):
            whole = zlib.decompressobj(_GZIP_OR_ZLIB).decompress(content, limit)
        elif encoding == "deflate":
            whole = _inflated(content, limit)
        elif encoding == "br":
            whole = (
                needed("brotli", "warc", name, "a page is compressed with brotli")
                .Decompressor()
                .process(content, output_buffer_limit=limit)
            )
        elif encoding == "zstd":
            whole = (
                needed("zstandard", "zst", name, "a page is compressed with zstd")
                .ZstdDecompressor()
                .stream_reader(content)
                .read(limit)
            )
        elif encoding in ("", "identity", "none", "gzip", "x-gzip"):
            return content
        else:
            raise Unfit("unreadable", f"its content encoding {encoding!r} is not known")
    except (Unfit, SourceError) as error:
        raise Unfit(
            "unreadable", error.problem if isinstance(error, SourceError) else error.detail
        ) from None
    except Exception as error:  # each library has its own
        raise Unfit("unreadable", f"its content encoding {encoding} is damaged: {error}") from None
    check_expansion(len(content), len(whole))
    check_size(len(whole))
    return whole


def _inflated(content: bytes, limit: int) -> bytes:
    """Return the content of what calls itself deflate: it is mostly zlib, and sometimes deflate."""
    try:
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress(content, limit)
    except zlib.error:
        return zlib.decompressobj(_RAW).decompress(content, limit)
