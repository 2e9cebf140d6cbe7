"""docs/format.md, section 5."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from plain.conventions import padded, u32
from plain.layout import Section
from plain.place import Place

LITERAL = 254
END = 255
FIELD_END = b"\xfe"


@dataclass(frozen=True)
class PlainRecord:
    """A document of the file.

    number: counted from 0; url: made from the template when the record has none, "" without either.
    """

    number: int
    id: str
    title: str
    url: str


class Documents:
    """The section of documents: title, id and url of each."""

    def __init__(self, section: Section, sketched: int, more: bool) -> None:
        """sketched: documents that have a sketch; more: whether there are others."""
        place, data = section.place(), section.parameters
        self._last: tuple[bytes, list[PlainRecord]] = b"", []
        place.require(len(data) >= 16, "length of the parameters", "at least 16", len(data))
        documents = u32(data, 0)
        place.require(
            documents > sketched if more else documents == sketched,
            "number of documents",
            f"more than {sketched}" if more else sketched,
            documents,
        )
        self.section, self.documents = section, documents
        length, symbols = u32(data, 4), u32(data, 8)
        place.within("length of the template", 0, 1024, length)
        place.within("number of symbols", 0, LITERAL, symbols)
        place.equal("reserved", 0, u32(data, 12))
        place.require(
            16 + length + symbols <= len(data),
            "length of the parameters",
            f"at least {16 + length + symbols}",
            len(data),
        )
        self.template = place.utf8("template", data[16 : 16 + length])
        self.symbols, end = list[bytes](), 16 + length + symbols
        for size in data[16 + length : end]:
            place.within("length of a symbol", 1, 8, size)
            self.symbols.append(bytes(data[end : end + size]))
            end += size
        place.equal("length of the parameters", padded(end), len(data))
        place.zero("padding of the symbols", data[end:])
        place.require(
            (section.count > 0) == (documents > 0),
            "number of blocks",
            f"1 .. {documents}" if documents else 0,
            section.count,
        )
        section.require_rising(0, section.count)
        if documents:
            section.place(0).equal("first", 0, section.firsts[0])
            last = section.firsts[-1]
            section.place(section.count - 1).require(
                last < documents, "first", f"less than {documents}", last
            )
        for number in range(section.count):
            section.place(number).within("length of the block", 1, 65_536, section.size(number))

    def records(self, number: int) -> Iterator[PlainRecord]:
        """Yield all documents of a block."""
        place, block = self.section.place(number), bytes(self.section.block(number))
        place.equal("last byte", END, block[-1])
        packed = block[:-1].split(bytes([END]))
        end = self.section.firsts[number + 1] if number + 1 < self.section.count else self.documents
        place.equal("records", end - self.section.firsts[number], len(packed))
        for document, codes in enumerate(packed, self.section.firsts[number]):
            yield self.unpacked(place, document, codes)

    def unpacked(self, place: Place, document: int, codes: bytes) -> PlainRecord:
        record, literal = b"", False
        for code in codes:
            if literal:
                record += bytes([code])
            elif code < len(self.symbols):
                record += self.symbols[code]
            elif code != LITERAL:
                place.within("code", 0, len(self.symbols) - 1, code)
            literal = code == LITERAL and not literal
        place.require(not literal, "byte after a code 254", "one", "none")
        fields = record.split(FIELD_END)
        place.within("fields of a record", 2, 3, len(fields))
        for name, least, most, field in zip(
            ("title", "id", "url"), (0, 1, 1), (8192, 1024, 8192), fields, strict=False
        ):
            place.within(f"length of {name}", least, most, len(field))
        title, id, *url = (
            place.utf8(name, field)
            for name, field in zip(("title", "id", "url"), fields, strict=False)
        )
        return PlainRecord(document, id, title, url[0] if url else self.from_template(id, title))

    def from_template(self, id: str, title: str) -> str:
        return self.template.replace("{id}", percent_encoded(id)).replace(
            "{title}", percent_encoded(title)
        )

    def record(self, document: int) -> PlainRecord:
        block = bisect_right(self.section.firsts, document) - 1
        content = bytes(self.section.block(block))
        if content != self._last[0]:  # a block is asked for often
            self._last = content, list(self.records(block))
        return self._last[1][document - self.section.firsts[block]]


def percent_encoded(text: str) -> str:
    kept = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in text.encode())
