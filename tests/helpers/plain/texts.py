"""docs/format.md, section 6.1."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from pocketindex.errors import TEXT_BYTES

from plain.conventions import u32
from plain.deflated import Fields, inflated
from plain.layout import Section

TEXT, SNIPPET = 1, 2


class Texts:
    """The texts, or the snippets of at most so many characters (0: whole texts)."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        place.equal("length of the parameters", 16, len(data))
        place.equal("number of documents", documents, u32(data, 0))
        self.kept, self.characters, self.room = (u32(data, 4 * i) for i in range(1, 4))
        place.within("kept", TEXT, SNIPPET, self.kept)
        if self.kept == TEXT:
            place.equal("characters of a snippet", 0, self.characters)
        else:
            place.within("characters of a snippet", 1, 10_000, self.characters)
        place.within("room", 1, 1_048_576, self.room)
        document, piece = 0, 0  # of the block before
        for number, first in enumerate((*section.firsts, documents << 32)):
            place = section.place(number if number < section.count else None)
            before, last = (document, piece) if number else (-1, 1)
            document, piece = divmod(first, 1 << 32)
            if piece > 1:
                place.equal(
                    "first",
                    (before << 32) + last + 1 if number and last else before + 1 << 32,
                    first,
                )
                place.within("piece", 1, -(-TEXT_BYTES // self.room), piece)
            elif last:
                place.equal("document of the first", before + 1, document)
            else:
                place.require(
                    document > before, "document of the first", f"more than {before}", document
                )
            place.require(
                number == section.count or document < documents,
                "document of the first",
                f"less than {documents}",
                document,
            )

    def block_of(self, document: int) -> int:
        """Return the block with a document, or with its first piece."""
        return bisect_right(self.section.firsts, document << 32 | 1) - 1

    def whole(self, number: int) -> Iterator[str]:
        """Yield the texts of a block of whole documents."""
        fields = Fields(self.section.place(number), inflated(self.section, number, self.room))
        end = (
            self.section.firsts[number + 1] >> 32
            if number + 1 < self.section.count
            else self.documents
        )
        for _ in range(self.section.firsts[number] >> 32, end):
            yield fields.take("text", 0, self.room)
        fields.end()

    def joined(self, number: int) -> str:
        """Return the text whose pieces begin with this block."""
        data, document = b"", self.section.firsts[number] >> 32
        blocks = [
            i for i in range(number, self.section.count) if self.section.firsts[i] >> 32 == document
        ]
        for block in blocks:
            piece = inflated(self.section, block, self.room)
            if block != blocks[-1]:
                self.section.place(block).equal("length of a piece", self.room, len(piece))
            data += piece
        self.section.place(number).within("length of a text", 1, TEXT_BYTES, len(data))
        return self.section.place(number).utf8("text", data)

    def text(self, document: int) -> str:
        number = self.block_of(document)
        first = self.section.firsts[number]
        return (
            self.joined(number)
            if first % (1 << 32)
            else list(self.whole(number))[document - (first >> 32)]
        )

    def every(self) -> Iterator[str]:
        """Yield all texts, in the order of the documents."""
        for number, first in enumerate(self.section.firsts):
            piece = first % (1 << 32)
            if piece == 0:
                yield from self.whole(number)
            elif piece == 1:
                yield self.joined(number)
