"""Texts that are no UTF-8: said where nobody has named their encoding, turned into UTF-8 where
somebody has.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
from typing import Any

from pocketindex.errors import spelled

WRONG_ENCODING = "wrong encoding"  # the reason of a Notice
# In this order: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LONGEST_MARK = 4  # bytes
LOOKED_AT = 1 << 16  # bytes
_LEAST_ZEROS = 0.4  # of the bytes at even or odd places, in UTF-16 of a Latin script
_FEW_ZEROS = 0.02  # of the other bytes
# Of the characters of a text: spaces, ends of lines, digits.
_LEAST_PLAIN, _FEW_PLAIN = 0.02, 3
_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]")
# Python has these codecs among those of texts: they are escapes, or read nothing at all.
_NO_CHARSETS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
_BUFFER = 1 << 18
_ESCAPED = re.compile("[\udc80-\udcff]")


def decoded(content: bytes, encoding: str = "utf-8") -> tuple[str, str]:
    """Decode a text.

    Returns it, with U+FFFD for what is not in the encoding, and a sentence that says where that
    begins, or "".
    """
    try:
        return content.decode(encoding), ""
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1:,} is 0x{content[error.start]:02x}"
        problem = (
            f"expected {encoding.upper()}, {found}: U+FFFD stands for what cannot be read; "
            f"name the encoding, such as {spelled('encoding', 'cp1252')}"
        )
        return content.decode(encoding, "replace"), problem


def marked(content: bytes) -> tuple[str, int]:
    """Return the encoding that the byte order mark of a text says, or "", and the mark's length."""
    return next(
        ((encoding, len(mark)) for mark, encoding in _MARKS if content.startswith(mark)), ("", 0)
    )


def guessed(content: bytes) -> str:
    """Return UTF-32 or UTF-16 of the byte order that the zero bytes of a text without a mark tell,
    or "".
    """
    begin = content[:LOOKED_AT]
    if b"\0" not in begin:
        return ""
    for encoding in ("utf-32-le", "utf-32-be"):
        if _is_text(begin, encoding):
            return encoding
    half = len(begin) // 2
    for encoding, high, low in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        zeros = [begin[place : 2 * half : 2].count(0) for place in (high, low)]
        if half > 1 and zeros[0] > _LEAST_ZEROS * half and zeros[1] <= _FEW_ZEROS * half:
            return encoding
    # Of another script only spaces, punctuation and digits have zero bytes.
    return next((one for one in ("utf-16-le", "utf-16-be") if _is_text(begin, one)), "")


def _is_text(begin: bytes, encoding: str) -> bool:
    """Return whether bytes are a text in an encoding, with as much of ASCII as texts have."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(begin)
    except UnicodeDecodeError:
        return False
    plain = sum(char < "\x80" for char in text)
    return plain > max(_FEW_PLAIN, _LEAST_PLAIN * len(text)) and not _CONTROL.search(text)


def of_guess(encoding: str) -> str:
    """Return what is said of a text whose encoding is guessed by its zero bytes."""
    return (
        f"it has zero bytes and no byte order mark; {encoding.upper()} is a guess; name the "
        f"encoding, such as {spelled('encoding', 'utf-16-le')}"
    )


def is_charset(name: str) -> bool:
    """Return whether texts may be in an encoding of this name."""
    try:
        io.TextIOWrapper(io.BytesIO(), name)
    except (LookupError, ValueError):
        return False
    return codecs.lookup(name).name.replace("_", "-") not in _NO_CHARSETS


def believable(content: bytes, charset: str) -> str | None:
    """Return the encoding of a text, None if it is UTF-8 or unknown. A text that is valid UTF-8
    beyond ASCII counts as UTF-8, whatever is declared.
    """
    if not charset or not is_charset(charset):
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return charset
    return charset if content.isascii() else None


def name_of(name: bytes, *encodings: str) -> str:
    """Return the name of a file: in UTF-8, else in the first of the encodings that fits.

    If none fits, escapes such as %E9 stand for the bytes that are not UTF-8, so that names which
    differ only in these bytes stay distinct.
    """
    for encoding in ("utf-8", *encodings):
        with contextlib.suppress(UnicodeDecodeError):
            return name.decode(encoding)
    whole = name.decode("utf-8", "surrogateescape")
    return _ESCAPED.sub(lambda char: f"%{ord(char[0]) - 0xDC00:02X}", whole)


class Recoded(io.RawIOBase):
    """A text in UTF-8 that is in another encoding in the file. What it is not is a UnicodeError."""

    def __init__(self, file: io.BufferedReader, encoding: str) -> None:
        self._file, self._decoder = file, codecs.getincrementaldecoder(encoding)()
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._rest:
            content = self._file.read1(_BUFFER)
            self._rest = memoryview(self._decoder.decode(content, not content).encode())
            if not content and not self._rest:
                return 0
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
