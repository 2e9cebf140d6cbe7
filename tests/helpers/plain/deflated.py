"""docs/format.md, sections 6.1 and 6.2: deflated blocks."""

from __future__ import annotations

import zlib

from pocketindex.errors import Damaged

from plain.conventions import u32
from plain.layout import Section
from plain.place import Place


def inflated(section: Section, number: int, most: int) -> bytes:
    """Return the content of a block, of at most so many bytes."""
    place, block = section.place(number), section.block(number)
    place.require(len(block) >= 4, "length of the block", "at least 4", len(block))
    length = u32(block, 0)
    place.within("length of the content", 1, most, length)
    inflate = zlib.decompressobj(wbits=-15)
    try:
        content = inflate.decompress(block[4:], length + 1)
    except zlib.error as error:
        raise Damaged(
            place.path, place.section, number, "deflate stream", "one of RFC 1951", str(error)
        ) from None
    place.require(len(content) <= length, "inflated size", length, "more")
    place.equal("inflated size", length, len(content))
    place.require(inflate.eof, "deflate stream", "one that ends in its block", "no end")
    place.equal("bytes after the deflate stream", 0, len(inflate.unused_data))
    return content


class Fields:
    """The fields of a content, one after the other."""

    def __init__(self, place: Place, content: bytes) -> None:
        self.place = place
        self.content = content
        self.at = 0

    def take(self, name: str, least: int, most: int) -> str:
        size = 0
        for i in range(3):
            self.place.require(self.at < len(self.content), name, "within the content", "cut off")
            byte = self.content[self.at]
            size |= (byte & 127) << 7 * i
            self.at += 1
            if byte < 128:
                break
        else:
            self.place.require(False, f"length of a varint of {name}", "at most 3", "more")
        self.place.within(f"length of {name}", least, most, size)
        self.place.require(
            size <= len(self.content) - self.at, name, "within the content", "cut off"
        )
        self.at += size
        return self.place.utf8(name, self.content[self.at - size : self.at])

    def end(self) -> None:
        self.place.equal("end of the last record", len(self.content), self.at)
