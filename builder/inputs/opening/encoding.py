"""Texts that are no UTF-8: said where nobody has named their encoding, turned into UTF-8 where
somebody has.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
from typing import Any

WRONG_ENCODING = "wrong encoding"  # the reason of a Notice
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
            "name the encoding with --encoding, such as cp1252"
        )
        return content.decode(encoding, "replace"), problem


def believable(content: bytes, charset: str) -> str | None:
    """Return the encoding of a text, None if it is UTF-8 or unknown. A text that is valid UTF-8
    beyond ASCII counts as UTF-8, whatever is declared.
    """
    if not charset:
        return None
    try:
        io.TextIOWrapper(io.BytesIO(), charset)
    except (LookupError, ValueError):  # there is no such encoding, or it is none of texts
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
