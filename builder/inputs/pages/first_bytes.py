"""What the first bytes of a text say about it: UTF-16 and UTF-32, and whether it is text at all."""

from __future__ import annotations

import codecs
import re

from pocketindex.builder.document import Unfit

_LOOKED_AT = 1 << 16  # bytes
# In this order: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# No text has them. A form feed parts pages, an escape begins the colours of a terminal, and
# ISO-2022 shifts out and in.
_CONTROL = re.compile("[\0-\x07\x10-\x1a\x1c-\x1f]")
# A file may have holes, and some programs fill its last block with zeros.
_HOLE = re.compile("\0{16,}")
_MOST_CONTROL = 1 / 20  # of the characters; random bytes have a tenth
_FEW = 8  # characters of control that a short text may have
_LEAST_ZEROS = 0.4  # of the bytes at even or odd places, in UTF-16 of a Latin script
_FEW_ZEROS = 0.02  # of the other bytes


def marked(content: bytes) -> tuple[str, int]:
    """Return the encoding that the byte order mark of a text says, or "", and the mark's length."""
    return next(
        ((encoding, len(mark)) for mark, encoding in _MARKS if content.startswith(mark)), ("", 0)
    )


def guessed(content: bytes) -> str:
    """Return UTF-16 of the byte order that the zero bytes of a text without a mark tell, or ""."""
    begin = content[: min(_LOOKED_AT, len(content) // 2 * 2)]
    for encoding, high, low in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        zeros, others = begin[high::2].count(0), begin[low::2].count(0)
        half = len(begin) // 2
        if half > 1 and zeros > _LEAST_ZEROS * half and others <= _FEW_ZEROS * half:
            return encoding
    return ""


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
            "expected a text, found binary data; rename it by its kind, or name its encoding with "
            "--encoding, as utf-16-le",
        )
