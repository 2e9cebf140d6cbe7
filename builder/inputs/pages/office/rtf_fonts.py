"""The fonts of an RTF file, which say by which code page bytes are read."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from pocketindex.builder.inputs.pages.office import symbols

_USUAL = "cp1252"
_SYMBOLS = 2
_DEFAULT = 1
_BY_CHARSET = {
    0: "cp1252",
    77: "mac_roman",
    78: "cp932",
    79: "cp949",
    80: "cp936",
    81: "cp950",
    85: "mac_greek",
    86: "mac_turkish",
    88: "mac_latin2",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "cp936",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_BY_WORD = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
NO_FONT = -2  # of text beside the document, which is in the code page of the file
_MACINTOSH = 10_000  # the number of its code page
_PICTURES = ("wingdings", "webdings", "zapfdingbats", "monotype sorts", "marlett")


@dataclass
class _Font:
    name: str = ""
    charset: int = _DEFAULT
    codec: str = ""  # of \cpg


class Fonts:
    """Learns the fonts of the table, and the code page of the file."""

    def __init__(self) -> None:
        self._codec = _USUAL
        self._fonts: dict[int, _Font] = {}
        self._last = _Font()
        self._usual = 0
        self._wrong = 0
        self._first_wrong = ""

    def begin(self, number: int) -> None:
        """Begin the description of a font."""
        self._last = self._fonts[number] = _Font()

    def name(self, text: bytes) -> None:
        """Take the next letters of the name of the font."""
        self._last.name += text.decode("latin-1")

    def said(self, word: str, number: int | None, in_table: bool) -> None:
        """Take a control word of rtf_words.PROPERTIES."""
        if word == "fcharset":
            self._last.charset = number or 0
        elif word == "cpg" and in_table:
            self._last.codec = _page(number)
        elif word == "ansicpg":
            self._codec = _page(number) or self._codec
        elif word == "deff":
            self._usual = number or 0
        elif word in _BY_WORD:
            self._codec = _BY_WORD[word]

    def family(self, number: int) -> str:
        """Return the name of a font, -1 for the usual one; symbols.FONT for each of that family."""
        font = self._of(number)
        name = font.name.partition(";")[0].strip()
        return symbols.FONT if name.lower().startswith(symbols.FONT.lower()) else name

    @property
    def problem(self) -> str:
        """What was wrong with bytes; nothing where nothing was."""
        return (
            f"{self._wrong:,} characters became U+FFFD; the first, {self._first_wrong}"
            if self._wrong
            else ""
        )

    def decoded(self, content: bytes, number: int) -> str:
        """Return the characters of bytes in a font, -1 for the usual one, NO_FONT for none; those
        that its code page does not have become U+FFFD. Those of a font of pictures are none.
        """
        font = self._of(number)
        if font.charset == _SYMBOLS:
            if self.family(number) == symbols.FONT:
                return symbols.text(content.decode("latin-1"))
            if font.name.lower().startswith(_PICTURES):
                return ""
        codec = font.codec or _BY_CHARSET.get(font.charset) or self._codec
        try:
            return content.decode(codec)
        except UnicodeDecodeError as error:
            found = f"0x{content[error.start]:02x}, is no character of the code page {codec}"
            self._first_wrong = self._first_wrong or found
            text = content.decode(codec, "replace")
            self._wrong += text.count("\ufffd")
            return text

    def _of(self, number: int) -> _Font:
        return self._fonts.get(self._usual if number == -1 else number) or _Font()


def _page(number: int | None) -> str:
    """Return the codec of a code page; nothing for one that is not known."""
    try:
        return codecs.lookup("mac_roman" if number == _MACINTOSH else f"cp{number}").name
    except LookupError:
        return ""
