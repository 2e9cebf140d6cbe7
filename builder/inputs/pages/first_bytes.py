"""What the first bytes of a text say about it: whether it is text at all."""

from __future__ import annotations

import re

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.opening.encoding import guessed, marked
from pocketindex.errors import spelled

_LOOKED_AT = 1 << 16  # bytes
# No text has them. A form feed parts pages, an escape begins the colours of a terminal, and
# ISO-2022 shifts out and in.
_CONTROL = re.compile("[\0-\x07\x10-\x1a\x1c-\x1f]")
# A file may have holes, and some programs fill its last block with zeros.
_HOLE = re.compile("\0{16,}")
_MOST_CONTROL = 1 / 20  # of the characters; random bytes have a tenth
_FEW = 8  # characters of control that a short text may have


def check_page(content: bytes) -> None:
    """Raise Unfit "unreadable" where a page of HTML in a bytewise encoding is binary data."""
    begin = content[:_LOOKED_AT]
    if begin[:2] not in (b"<\0", b"\0<") and not (marked(begin)[0] or guessed(begin)):
        check_text(begin.decode("latin-1"))


def check_text(text: str) -> None:
    """Raise Unfit "unreadable" where something has as many control characters as no text has."""
    begin = _HOLE.sub("", text)[:_LOOKED_AT]
    count = len(_CONTROL.findall(begin))
    if count > max(_FEW, int(_MOST_CONTROL * len(begin))) or count == len(begin) < len(text):
        raise Unfit(
            "unreadable",
            "expected a text, found binary data; rename it by its kind, or name its encoding, such "
            f"as {spelled('encoding', 'utf-16-le')}",
        )
