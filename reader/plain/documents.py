"""docs/format.md, section 5."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from pocketindex.errors import Damaged
from pocketindex.plain.conventions import padded, u32
from pocketindex.plain.layout import Section
from pocketindex.plain.place import Place


@dataclass(frozen=True)
class PlainDocument:
    """A document of the file. number: counted from 0; url: made from the template when the record has none, "" without either."""

    number: int
    id: str
    title: str
    url: str


class Documents:
    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        place.require(len(data) >= 8, "length of the parameters", "at least 8", len(data))
        place.equal("number of documents", documents, u32(data, 0))
        length = u32(data, 4)
        place.within("length of the template", 0, 1024, length)
        place.equal("length of the parameters", padded(8 + length), len(data))
        place.zero("padding of the template", data[8 + length :])
        self.template = place.utf8("template", data[8 : 8 + length])
        place.require((section.count > 0) == (documents > 0), "number of blocks", "1 or more" if documents else 0, section.count)
        section.require_rising(0, section.count)
        if documents:
            section.place(0).equal("first", 0, section.firsts[0])
            section.place(section.count - 1).within("first", 0, documents - 1, section.firsts[-1])

    def records(self, number: int) -> Iterator[PlainDocument]:
        """All documents of a block."""
        fields = Fields(self.section.place(number), inflated(self.section, number, 1_048_576))
        end = self.section.firsts[number + 1] if number + 1 < self.section.count else self.documents
        for document in range(self.section.firsts[number], end):
            id, title, url = fields.take("id", 1, 1024), fields.take("title", 0, 8192), fields.take("url", 0, 8192)
            yield PlainDocument(document, id, title, url or self.from_template(id, title))
        fields.end()

    def from_template(self, id: str, title: str) -> str:
        return self.template.replace("{id}", percent_encoded(id)).replace("{title}", percent_encoded(title))

    def record(self, document: int) -> PlainDocument:
        block = bisect_right(self.section.firsts, document) - 1
        return list(self.records(block))[document - self.section.firsts[block]]


def inflated(section: Section, number: int, most: int) -> bytes:
    """The content of a block, of at most so many bytes."""
    place, block = section.place(number), section.block(number)
    place.require(len(block) >= 4, "size", "at least 4", len(block))
    length = u32(block, 0)
    place.within("length of the content", 1, most, length)
    inflate = zlib.decompressobj(wbits=-15)
    try:
        content = inflate.decompress(block[4:], length + 1)
    except zlib.error as error:
        raise Damaged(place.path, place.section, number, "deflate stream", "one of RFC 1951", str(error)) from None
    place.require(len(content) <= length, "inflated size", length, "more")
    place.equal("inflated size", length, len(content))
    place.require(inflate.eof, "deflate stream", "one that ends in its block", "no end")
    place.equal("bytes after the deflate stream", 0, len(inflate.unused_data))
    return content


class Fields:
    """The fields of a content, one after the other."""

    def __init__(self, place: Place, content: bytes) -> None:
        self.place, self.content, self.at = place, content, 0

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
        self.place.require(size <= len(self.content) - self.at, name, "within the content", "cut off")
        self.at += size
        return self.place.utf8(name, self.content[self.at - size : self.at])

    def end(self) -> None:
        self.place.equal("end of the last record", len(self.content), self.at)


def percent_encoded(text: str) -> str:
    kept = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in text.encode())
