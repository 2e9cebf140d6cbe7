"""An HTTP response as a crawl keeps it: status, headers, and the body as it was before it was
encoded for the way.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from pocketindex.builder.document import Unfit, most_of_record
from pocketindex.builder.inputs.archives.archive import LEAST_BOMB, check_expansion, check_size
from pocketindex.builder.inputs.opening.stream import EXPANSION
from pocketindex.builder.inputs.pages.single import FILE_BYTES
from pocketindex.builder.inputs.source import SourceError, needed

HEAD_BYTES = 1 << 16

_STATUS = re.compile(rb"HTTP/\d[.\d]*[ \t]+(\d{3})\b", re.IGNORECASE)
_KNOWN = {"content-type", "content-length", "date", "server"}  # some response has each of them
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_GZIP_OR_ZLIB = 47  # zlib's number for either, told by the first bytes
_RAW = -15


def parameter(content_type: str, name: str) -> str:
    """Return a parameter of a Content-Type, nothing where it has none of this name."""
    found = re.search(rf";\s*{name}\s*=\s*[\"']?([^\s\"';,]+)", content_type, re.IGNORECASE)
    return found[1] if found else ""


def media_type(content_type: str) -> str:
    """Return the media type of a Content-Type, as "text/html"."""
    return re.split(r"[;,\s]", content_type.strip(), maxsplit=1)[0].lower()


def headers(lines: bytes) -> dict[str, str]:
    """Return the headers in these lines by their names in lower case, the first of each; a line
    that begins with white space goes on with the one before.
    """
    found: dict[str, str] = {}
    for line in _FOLD.sub(b" ", lines).split(b"\n"):
        name, colon, value = line.partition(b":")
        if colon:
            found.setdefault(_text(name).lower(), _text(value))
    return found


def _text(value: bytes) -> str:
    try:
        return value.decode().strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


@dataclass(frozen=True)
class Head:
    """The head of a response. status: a number; headers: by names in lower case, the first of each;
    size: in bytes.
    """

    status: int
    headers: dict[str, str]
    size: int


def head(begin: bytes) -> Head:
    """Return the head of a response, given its first HEAD_BYTES, or all of it.

    One that has headers and no status line, as some crawlers keep it, counts as a success.

    Raises Unfit "unreadable" where these are none.
    """
    status, end = _STATUS.match(begin), _HEAD_ENDS.search(begin)
    lines = begin[: end.start()] if end else begin
    found = headers(lines.partition(b"\n")[2] if status else lines)
    if not status and not (end and _KNOWN & found.keys()):
        line = begin.split(b"\n", 1)[0][:40].decode("latin-1").strip()
        raise Unfit("unreadable", f"expected a response such as HTTP/1.1 200 OK, found {line!r}")
    if not end and len(begin) >= HEAD_BYTES:
        raise Unfit("unreadable", f"its response has headers of more than {HEAD_BYTES:,} bytes")
    return Head(int(status[1]) if status else 200, found, end.end() if end else len(begin))


def body(head: Head, content: bytes, name: str) -> tuple[bytes, str]:
    """Return the body out of what follows the head, and what is wrong with it, if anything: its end
    is missing. What says it is chunked or compressed and is not, as some crawlers keep it, stays as
    it is.

    Raises Unfit "unreadable" for an encoding that is damaged, unknown or needs a package, "bomb"
    for one that expands as no text does, "too long".
    """
    if "chunked" in head.headers.get("transfer-encoding", "").lower():
        content = _unchunked(content)
    missing = ""
    for encoding in reversed(head.headers.get("content-encoding", "").lower().split(",")):
        content, whole = _unpacked(encoding.strip(), content, name)
        missing = missing if whole else f"the end of its {encoding.strip()} data is missing"
    return content, missing


def _unchunked(content: bytes) -> bytes:
    """Return the chunks together.

    What follows where a chunk is expected, and is none, stays: its sizes are wrong.
    """
    parts, place = list[bytes](), 0
    while size := _CHUNK.match(content, place):
        length = int(size[1], 16)
        end = size.end() + length
        if length and end < len(content) and content[end : end + 1] not in (b"\r", b"\n"):
            break
        parts.append(content[size.end() : end])
        if not length:
            return b"".join(parts)
        place = end + (2 if content.startswith(b"\r\n", end) else 1)
    return b"".join(parts) + content[place:]


def _unpacked(encoding: str, content: bytes, name: str) -> tuple[bytes, bool]:
    """Return the content without an encoding, and whether its end is there."""
    limit = min(max(LEAST_BOMB, EXPANSION * len(content)), most_of_record(FILE_BYTES)) + 1
    whole = True
    try:
        if encoding in ("gzip", "x-gzip") and content.startswith(b"\x1f\x8b"):
            plain, whole = _gunzipped(content, limit)
        elif encoding == "deflate":
            plain, whole = _inflated(content, limit)
        elif encoding == "br":
            decoder = needed("brotli", "warc", name, "a page is compressed with brotli")
            one = decoder.Decompressor()
            plain = one.process(content, output_buffer_limit=limit)
            whole = one.is_finished() or len(plain) >= limit
        elif encoding == "zstd":
            plain = (
                needed("zstandard", "zst", name, "a page is compressed with zstd")
                .ZstdDecompressor()
                .stream_reader(content, read_across_frames=True)
                .read(limit)
            )
        elif encoding in ("", "identity", "none", "gzip", "x-gzip"):
            return content, True
        else:
            raise Unfit("unreadable", f"its content encoding {encoding!r} is not known")
    except (Unfit, SourceError) as error:
        raise Unfit(
            "unreadable", error.problem if isinstance(error, SourceError) else error.detail
        ) from None
    except Exception as error:  # each library has its own
        raise Unfit("unreadable", f"its content encoding {encoding} is damaged: {error}") from None
    check_expansion(len(content), len(plain))
    check_size(len(plain))
    return plain, whole


def _gunzipped(content: bytes, limit: int) -> tuple[bytes, bool]:
    """Return the content of all members of a gzip file; what is none and follows them is left."""
    plain = b""
    while content.startswith(b"\x1f\x8b") and len(plain) < limit:
        member = zlib.decompressobj(_GZIP_OR_ZLIB)
        plain += member.decompress(content, limit - len(plain))
        if not member.eof:
            return plain, len(plain) >= limit
        content = member.unused_data
    return plain, True


def _inflated(content: bytes, limit: int) -> tuple[bytes, bool]:
    """Return the content of what calls itself deflate: it is mostly zlib, and sometimes deflate."""
    try:
        one = zlib.decompressobj(_GZIP_OR_ZLIB)
        plain = one.decompress(content, limit)
    except zlib.error:
        one = zlib.decompressobj(_RAW)
        plain = one.decompress(content, limit)
    return plain, one.eof or len(plain) >= limit
