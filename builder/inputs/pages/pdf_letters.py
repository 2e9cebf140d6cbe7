"""Find letters of a PDF whose font does not say which they are, in the font program itself.

A font that a PDF embeds without a Unicode table is drawn by the numbers of its glyphs. A TrueType
font has a table from letters to these numbers, which is read backwards here. If a PDF numbers its
glyphs in another way, the letters are wrong, so the caller reports them.
"""

from __future__ import annotations

import array
import ctypes
import io
import sys
from collections.abc import Sequence
from typing import Any

from pocketindex.builder.inputs.source import needed

_HIGHEST = 0xFFFF  # letters beyond take two places of the text


class Letters:
    """The letters of the fonts of one document. raw: pypdfium2's; name: for messages."""

    def __init__(self, raw: Any, name: str) -> None:
        self._raw, self._name = raw, name
        self._fonts = dict[int, dict[int, int]]()

    def named(self, drawn: Any, text: str, unknown: Sequence[int]) -> str:
        """Return the text of a page with letters for those characters that are unknown, by their
        places on the page, where their fonts name them.
        """
        place_of = self._raw.FPDFText_GetTextIndexFromCharIndex
        units = array.array("H", text.encode("utf-16-le", "surrogatepass"))
        if sys.byteorder == "big":
            units.byteswap()
        asked, out, done = set(unknown), array.array("H"), 0
        for at in range(drawn.count_chars()):
            place, letter = place_of(drawn, at), self._letter(drawn, at) if at in asked else 0
            if done <= place < len(units):
                out.extend(units[done:place])
                out.append(letter or units[place])
                done = place + 1
            elif letter:  # the library leaves out what it takes for a control character
                out.append(letter)
        out.extend(units[done:])
        if sys.byteorder == "big":
            out.byteswap()
        return out.tobytes().decode("utf-16-le", "replace")

    def _letter(self, drawn: Any, at: int) -> int:
        """Return the letter at a place on the page, 0 where its font does not name it."""
        shown = self._raw.FPDFText_GetTextObject(drawn, at)
        font = shown and self._raw.FPDFTextObj_GetFont(shown)
        if not font:
            return 0
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            self._fonts[address] = self._letters(font)
        return self._fonts[address].get(self._raw.FPDFText_GetUnicode(drawn, at), 0)

    def _letters(self, font: Any) -> dict[int, int]:
        """Return the letters of an embedded font by the numbers of their glyphs."""
        if self._raw.FPDFFont_GetIsEmbedded(font) != 1:
            return {}
        size = ctypes.c_size_t()
        self._raw.FPDFFont_GetFontData(font, None, 0, ctypes.byref(size))
        content = (ctypes.c_uint8 * size.value)()
        self._raw.FPDFFont_GetFontData(font, content, size.value, ctypes.byref(size))
        library = needed("fontTools.ttLib", "pdf", self._name, "it is a PDF file")
        try:
            program = library.TTFont(io.BytesIO(bytes(content)), lazy=True)
            found = {
                program.getGlyphID(glyph): letter
                for letter, glyph in sorted((program.getBestCmap() or {}).items(), reverse=True)
                if 0x20 <= letter <= _HIGHEST and not 0xD800 <= letter < 0xF900
            }
        except Exception:  # the library lets through whatever a damaged font makes Python raise
            return {}
        return found
