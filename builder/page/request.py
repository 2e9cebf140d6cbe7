"""What a request says: whom it names, the fields of its address, and the range of bytes that it
asks for.
"""

from __future__ import annotations

import re
from http.client import HTTP_PORT
from urllib.parse import SplitResult, parse_qs

from pocketindex.builder.page.api import Refused

MOST_FIELDS = 9  # of an address


def fields(address: SplitResult) -> dict[str, list[str]]:
    """Return the fields after the ? of an address. Raises Refused."""
    try:
        return parse_qs(address.query, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, f"expected at most {MOST_FIELDS} fields after the ?") from None


def asked_range(asked: str, size: int) -> tuple[int, int]:
    """Start and end of the range that a header asks for, in a file of size bytes; nothing where it
    is none, or several.
    """
    found = re.fullmatch(r"bytes=(\d{0,19})-(\d{0,19})", asked, re.ASCII)
    first, last = found.groups() if found else ("", "")
    if first:
        return int(first), min(int(last) + 1, size) if last else size
    return (max(size - int(last), 0), size) if last else (size, size)


def hosts(port: int) -> set[str]:
    """Return the Host headers that name this server: on port 80 they have no port."""
    return {
        f"{name}{end}"
        for name in ("127.0.0.1", "localhost")
        for end in (f":{port}", *([""] if port == HTTP_PORT else []))
    }
