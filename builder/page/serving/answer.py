"""The answers of `pocketindex serve`: JSON, the page, or a range of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CHUNK = 1 << 20


@dataclass(frozen=True)
class Answer:
    """An answer whose bytes are data, followed by those of a file from start up to end."""

    status: int
    kind: str
    data: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    descriptor: int = -1
    start: int = 0
    end: int = 0

    @property
    def length(self) -> int:
        """The number of its bytes."""
        return len(self.data) + self.end - self.start

    def pieces(self) -> Iterator[bytes]:
        """Yield its bytes; less than length where the file was shortened. Raises OSError."""
        yield self.data
        start = self.start
        while start < self.end:
            data = os.pread(self.descriptor, min(CHUNK, self.end - start), start)
            if not data:
                return
            yield data
            start += len(data)


def as_json(data: dict[str, Any], status: int = 200) -> Answer:
    """Return an answer in JSON. It is ASCII without "<", so no browser mistakes it for a page."""
    text = json.dumps(data).replace("<", "\\u003c")
    headers = {"Content-Security-Policy": "default-src 'none'"}
    if status == 503:
        headers["Retry-After"] = "1"
    return Answer(status, "application/json", text.encode("ascii"), headers)


def of_file(descriptor: int, start: int, end: int, status: int, headers: dict[str, str]) -> Answer:
    """Return an answer with the bytes of a file from start up to end. Raises OSError where the
    first of them cannot be read.
    """
    first = os.pread(descriptor, min(CHUNK, end - start), start)
    return Answer(
        status,
        "application/octet-stream",
        first,
        headers,
        descriptor,
        start + len(first),
        end,
    )
