"""What a request says: the fields of its address, and the range of bytes that it asks for."""

from __future__ import annotations

import re
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
