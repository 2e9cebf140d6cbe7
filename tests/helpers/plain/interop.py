"""docs/format.md, 7.2: the term stream `interop`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from plain.terms import TERM_BYTES, tables

OTHER, WORD, LETTER, REMOVED = range(4)
# URLs and identifiers.
NAME = re.compile(
    r"""(?<![a-z0-9])
    ( ( [a-z0-9]+:// | www\. | (arxiv|doi|hdl|mailto|urn): | 10\.[0-9]{4,9}/ ) [a-z0-9\-._~:/?\#\[\]@!$&'()*+,;=%]+
    | ( [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} | [0-9][0-9-]{7,17}x ) (?![a-z0-9])
    )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def tokens(text: bytes) -> Iterator[bytes]:
    """Yield the tokens of a text in UTF-8, in its order, as they stand there. Any bytes will do."""
    token: list[tuple[str, int]] = []
    for character in NAME.sub(" ", text.decode("utf-8", "replace")) + " ":
        kind = class_of(ord(character))
        if kind in (WORD, LETTER):
            token.append((character, kind))
        elif kind == OTHER:
            yield from kept(token)
            token = []


def class_of(code: int) -> int:
    ranges = tables().ranges
    return ranges[bisect_right(ranges, code, key=lambda entry: entry >> 2) - 1] & 3


def kept(token: list[tuple[str, int]]) -> Iterator[bytes]:
    """Yield a token cut to its first 128 bytes, if they hold a letter."""
    size = 0
    letter = False
    found = b""
    for character, kind in token:
        size += len(character.encode())
        if size > TERM_BYTES:
            break
        found += character.encode()
        letter |= kind == LETTER
    if letter:
        yield found
