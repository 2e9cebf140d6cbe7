"""docs/format.md, section 4.3."""

from __future__ import annotations

from plain.conventions import bits, mix, murmur, u32
from plain.layout import Section
from plain.terms import every_word

KEY_BITS, IDENTITY_BITS = 39, 7
SPACE = b"\t\n\v\f\r "


class Copies:
    """The section of copy keys, of the documents from `first` on."""

    def __init__(self, section: Section, documents: int, first: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.first = section, first
        place.equal("length of the parameters", 16, len(data))
        place.equal("number of documents", documents, u32(data, 0))
        self.count, self.together = u32(data, 4), u32(data, 8)
        place.require(
            self.count <= documents - first,
            "documents with a copy key",
            f"at most {documents - first}",
            self.count,
        )
        place.within("documents a block", 1, 65_536, self.together)
        place.zero("reserved", data[12:])
        place.equal("number of blocks", -(-self.count // self.together), section.count)
        end = 0
        for number in range(section.count):
            own = section.place(number)
            end += (self._in(number) * KEY_BITS + 7) // 8
            own.equal("end of the block", end, section.bounds[number + 1])
            if number:
                before = section.firsts[number - 1]
                own.require(
                    before <= section.firsts[number],
                    "first",
                    f"at least {before}",
                    section.firsts[number],
                )

    def _in(self, number: int) -> int:
        return min(self.together, self.count - number * self.together)

    def _block(self, number: int) -> list[int]:
        data = self.section.block(number)
        return [bits(data, i * KEY_BITS, KEY_BITS) for i in range(self._in(number))]

    def key(self, document: int) -> int | None:
        """Return the copy key of a document without a sketch, None where it has no text."""
        number, place = divmod(document - self.first, self.together)
        return self._block(number)[place] if document - self.first < self.count else None

    def find(self, key: int) -> tuple[list[int], list[int]]:
        """Return the documents that have a key, and those that have only its upper bits."""
        same, alike = list[int](), list[int]()
        for number in range(self.section.count):
            for i, own in enumerate(self._block(number)):
                document = self.first + number * self.together + i
                if own == key:
                    same.append(document)
                elif own >> IDENTITY_BITS == key >> IDENTITY_BITS:
                    alike.append(document)
        return same, alike

    def verify(self) -> None:
        before = 0
        for number in range(self.section.count):
            place, data = self.section.place(number), self.section.block(number)
            keys = self._block(number)
            place.equal("first", keys[0], self.section.firsts[number])
            for key in keys:
                place.require(before <= key, "copy key", f"at least {before}", key)
                before = key
            end = len(keys) * KEY_BITS
            place.equal("padding", 0, bits(data, end, 8 * len(data) - end))


def copy_key(text: bytes) -> int | None:
    """Return the copy key of a text, None where it has nothing but white space."""
    if not (own := text.strip(SPACE)):
        return None
    whole, hash = murmur(own), 0
    terms = list(every_word(own))
    for term in terms:
        hash = mix((hash + murmur(term.bytes)) % (1 << 64))
    if not terms:
        hash = whole
    return hash >> 32 << IDENTITY_BITS | whole % (1 << IDENTITY_BITS)
