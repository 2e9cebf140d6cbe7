"""The texts section (docs/format.md 6.1): whole texts or snippets in deflate blocks."""

from __future__ import annotations

import struct

from pocketindex.builder.container import Section
from pocketindex.builder.documents import deflated, varint
from pocketindex.snippet import snippet
from pocketindex.texts import KEPT

# A block is inflated whole for one of its texts; beyond the window of deflate it hardly gets smaller (bench/results/keep.md).
ROOM = 32_768
NUMBERS = {name: number for number, name in KEPT.items()}


class TextsWriter:
    """Collects texts in order of their documents' numbers. keep: `text` or `snippet`, of at most so many characters."""

    def __init__(self, section: Section, keep: str, characters: int, room: int = ROOM) -> None:
        self._section, self._kept, self._room = section, NUMBERS[keep], room
        self._characters = characters if keep == "snippet" else 0
        self._content = bytearray()
        self._first = self._count = 0

    def add(self, text: bytes) -> None:
        """Append the next document's text, in UTF-8."""
        if self._characters:
            text = snippet(text.decode(), self._characters).encode()
        record = varint(len(text)) + text
        if len(self._content) + len(record) > self._room:
            self._flush()
        if len(record) > self._room:
            for piece, start in enumerate(range(0, len(text), self._room), 1):
                self._section.add(self._count << 32 | piece, deflated(text[start : start + self._room]))
        else:
            if not self._content:
                self._first = self._count
            self._content += record
        self._count += 1

    def finish(self) -> None:
        """Write the last block and the parameters."""
        self._flush()
        self._section.parameters = struct.pack("<IIII", self._count, self._kept, self._characters, self._room)

    def _flush(self) -> None:
        if self._content:
            self._section.add(self._first << 32, deflated(bytes(self._content)))
            self._content.clear()
