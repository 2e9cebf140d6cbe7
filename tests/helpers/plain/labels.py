"""docs/format.md, section 6.5."""

from __future__ import annotations

from itertools import pairwise

from plain.conventions import bits, u16, u32
from plain.deflated import Fields, inflated
from plain.layout import Section

LABEL_BYTES = 1024
OF_DOCUMENTS = 1 << 32


class Labels:
    """The section of labels."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        place.equal("length of the parameters", 24, len(data))
        place.equal("number of documents", documents, u32(data, 0))
        self.count, self.together = u32(data, 4), u32(data, 8)
        self.least, self.count_bits = u16(data, 12), u16(data, 14)
        self.name_blocks, self.room = u32(data, 16), u32(data, 20)
        place.within("number of labels", 0, 65_535, self.count)
        place.within("documents a block", 1, 65_536, self.together)
        place.within("fewest labels", 0, 255, self.least)
        place.within("bits of a number of labels", 0, 8, self.count_bits)
        has_some = self.least > 0 or self.count_bits > 0
        place.require(
            has_some == (self.count > 0),
            "number of labels",
            "at least 1" if has_some else 0,
            self.count,
        )
        place.within("room", 1, 65_536, self.room)
        place.within("blocks of labels", min(1, self.count), self.count, self.name_blocks)
        blocks = -(-documents // self.together) if self.count else 0
        place.equal("number of blocks", self.name_blocks + blocks, section.count)
        self.width = max(1, (self.count - 1).bit_length())
        section.require_rising(0, section.count)
        for number, first in enumerate(section.firsts):
            if number == 0 or number >= self.name_blocks:
                block = number - self.name_blocks
                right = OF_DOCUMENTS + block * self.together if block >= 0 else 0
                section.place(number).equal("first", right, first)
            else:
                section.place(number).within("first", 1, self.count - 1, first)

    def names(self, number: int) -> list[str]:
        """Return the labels of a block of labels."""
        firsts = [*self.section.firsts[: self.name_blocks], self.count]
        fields = Fields(self.section.place(number), inflated(self.section, number, self.room))
        found = [
            fields.take("label", 1, LABEL_BYTES) for _ in range(firsts[number], firsts[number + 1])
        ]
        fields.end()
        return found

    def name(self, label: int) -> str:
        number = sum(first <= label for first in self.section.firsts[: self.name_blocks]) - 1
        return self.names(number)[label - self.section.firsts[number]]

    def numbers(self, block: int) -> list[list[int]]:
        """Return the labels of the documents of a block of documents, counted from 0."""
        number = self.name_blocks + block
        place, data = self.section.place(number), self.section.block(number)
        documents = min(self.together, self.documents - block * self.together)
        at = documents * self.count_bits
        size = (at + 7) // 8
        place.require(size <= len(data), "length of the block", f"at least {size}", len(data))
        counts = [
            self.least + bits(data, i * self.count_bits, self.count_bits) for i in range(documents)
        ]
        for count in counts:
            place.within("labels of a document", 0, 255, count)
        end = at + sum(counts) * self.width
        place.equal("length of the block", (end + 7) // 8, len(data))
        place.equal("padding", 0, bits(data, end, 8 * len(data) - end))
        found = []
        for count in counts:
            own = [bits(data, at + i * self.width, self.width) for i in range(count)]
            at += count * self.width
            found.append(own)
        return found

    def every_name(self, most_blocks: int) -> list[bytes]:
        """Return the labels of the first blocks."""
        blocks = range(min(most_blocks, self.name_blocks))
        return [name.encode() for block in blocks for name in self.names(block)]

    def every_document(self, most_blocks: int) -> list[list[int]]:
        """Return the numbers of the labels of the documents of the first blocks."""
        blocks = range(min(most_blocks, self.section.count - self.name_blocks))
        return [own for block in blocks for own in self.numbers(block)]

    def of(self, document: int) -> list[str]:
        """Return the labels of a document."""
        if not self.count:
            return []
        block, place = divmod(document, self.together)
        return [self.name(label) for label in self.rising(block, self.numbers(block)[place])]

    def rising(self, block: int, labels: list[int]) -> list[int]:
        """Return these labels of a document of a block, which have to rise."""
        place, before = self.section.place(self.name_blocks + block), -1
        for label in labels:
            place.require(label < self.count, "label", f"less than {self.count}", label)
            place.require(label > before, "label", f"more than {before}", label)
            before = label
        return labels

    def verify(self) -> None:
        names = [
            (self.section.place(number), name.encode())
            for number in range(self.name_blocks)
            for name in self.names(number)
        ]
        for (_, before), (place, name) in pairwise(names):
            place.require(before < name, "label", f"more than {before!r}", repr(name))
        seen = {
            label
            for block in range(self.section.count - self.name_blocks)
            for own in self.numbers(block)
            for label in self.rising(block, own)
        }
        self.section.place().equal("labels that a document has", self.count, len(seen))
