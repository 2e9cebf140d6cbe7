"""The documents section (docs/format.md, section 5): ids, titles and urls in deflate blocks."""

from __future__ import annotations

import struct
import zlib

from pocketindex.builder.container import Section

# A block is inflated whole for one of its records: four times as much saves .9 bytes a document and costs 40 microseconds a hit.
CONTENT_BYTES = 4_096


class DocumentsWriter:
    """Collects records in order of their numbers."""

    def __init__(self, section: Section, content_bytes: int = CONTENT_BYTES) -> None:
        self._section, self._content_bytes = section, content_bytes
        self._content = bytearray()
        self._first = 0
        self.count = 0

    def add(self, id: bytes, title: bytes, url: bytes) -> None:
        """Append a record; the fields keep the bounds of builder/document.py."""
        record = b"".join(varint(len(field)) + field for field in (id, title, url))
        if self._content and len(self._content) + len(record) > self._content_bytes:
            self._flush()
        self._content += record
        self.count += 1

    def finish(self, url_template: str) -> None:
        """Write the last block and the parameters."""
        if self._content:
            self._flush()
        template = url_template.encode()
        self._section.parameters = struct.pack("<II", self.count, len(template)) + template

    def _flush(self) -> None:
        self._section.add(self._first, deflated(bytes(self._content)))
        self._content.clear()
        self._first = self.count


def deflated(content: bytes) -> bytes:
    """A block: the length of the content, and the content as a raw deflate stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return struct.pack("<I", len(content)) + packer.compress(content) + packer.flush()


def varint(value: int) -> bytes:
    """Base 128, least significant group first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
