"""Records of WARC files, as they are or odd."""

from __future__ import annotations

DATE = "2024-05-01T10:00:00Z"


def warc(
    block: bytes,
    kind: str = "response",
    url: str = "http://a/",
    type: str = "application/http; msgtype=response",
    more: str = "",
    version: str = "WARC/1.0",
    length: str | None = None,
    end: str = "\r\n",
) -> bytes:
    """Return a record of this block; a header without a value is left out."""
    said = str(len(block)) if length is None else length
    headers = {
        "WARC-Type": kind,
        "WARC-Target-URI": url,
        "WARC-Date": DATE,
        "Content-Type": type,
        "Content-Length": said,
    }
    lines = [version, *(f"{name}: {value}" for name, value in headers.items() if value)]
    lines += [more] if more else []
    return (end.join(lines) + 2 * end).encode() + block + 2 * end.encode()


def http(body: bytes, type: str = "text/html", status: str = "HTTP/1.1 200 OK") -> bytes:
    """Return a response."""
    lines = [status, *([f"Content-Type: {type}"] if type else []), "Server: s"]
    return "\r\n".join(filter(None, lines)).encode() + b"\r\n\r\n" + body
