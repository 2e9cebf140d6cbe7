"""docs/format.md, section 6.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from plain.conventions import bits, u32
from plain.deflated import inflated
from plain.layout import Section
from plain.place import Place
from plain.terms import BARE, MARK, SEPARATOR, points

TITLE_BYTES = 255
SPACE = "\t\n\v\f\r "
EXACT = 10_000  # of the first entries that have the key of a text


class Entry(NamedTuple):
    """A title and its document, in the order of the file."""

    key: bytes
    document: int
    title: str


class Titles:
    """The section of titles in order."""

    def __init__(self, section: Section, documents: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents = section, documents
        place.equal("length of the parameters", 16, len(data))
        place.equal("number of documents", documents, u32(data, 0))
        self.count, self.room = u32(data, 4), u32(data, 8)
        place.within("number of entries", 0, documents, self.count)
        place.within("room", 1, 65_536, self.room)
        place.equal("reserved", 0, u32(data, 12))
        place.require(
            (section.count > 0) == (self.count > 0),
            "number of blocks",
            f"1 .. {self.count}" if self.count else 0,
            section.count,
        )
        for number in range(1, section.count):
            before, first = section.firsts[number - 1 : number + 1]
            section.place(number).require(before <= first, "first", f"at least {before}", first)

    def entries(self, number: int) -> Iterator[Entry]:
        """Yield the entries of a block, in its order."""
        place, content = self.section.place(number), inflated(self.section, number, self.room)
        width = max(1, (self.documents - 1).bit_length())
        place.require(len(content) >= 4, "size of the content", "at least 4", len(content))
        count = u32(content, 0)
        place.require(count > 0, "entries", "at least 1", count)
        numbers, at = content[4:], 4 + (count * width + 7) // 8
        shared, lengths = content[at : at + count], content[at + count : at + 2 * count]
        at += 2 * count
        place.require(
            at + sum(lengths) <= len(content),
            "size of the content",
            f"at least {at + sum(lengths)}",
            len(content),
        )
        place.equal("end of the content", at + sum(lengths), len(content))
        title = b""
        for i, end in enumerate(accumulate(lengths)):
            place.within("shared bytes", 0, len(title), shared[i])
            title = title[: shared[i]] + content[at + end - lengths[i] : at + end]
            place.within("length of a title", 0, TITLE_BYTES, len(title))
            document = bits(numbers, i * width, width)
            place.within("document", 0, self.documents - 1, document)
            yield Entry(title_key(title), document, place.utf8("title", title))

    def every(self) -> Iterator[Entry]:
        for number in range(self.section.count):
            yield from self.entries(number)

    def look_up(self, text: bytes) -> list[Entry]:
        """Return the entries that begin with a text: first those whose title it is, as far as these
        are among the first ones of its key, then the others in their order.
        """
        own = counted(text)
        key = title_key(own)
        before = b""
        found = list[Entry]()
        for number in range(self.section.count):
            place = self.section.place(number)
            for i, entry in enumerate(self.entries(number)):
                if not i:
                    place.equal("first", first_of(entry.key), self.section.firsts[number])
                place.require(before <= entry.key, "key of a title", "rising", "a lower one")
                before = entry.key
                if entry.key.startswith(key):
                    found.append(entry)
        return [
            entry
            for _, entry in sorted(
                enumerate(found),
                key=lambda at: (at[0] >= EXACT or at[1].title.encode() != own, at[0]),
            )
        ]

    def verify(self, titles: Iterable[str]) -> None:
        """Check the section. titles: of all documents, in their order."""
        own = (
            Entry(title_key(cut), document, cut.decode())
            for document, cut in enumerate(counted(title.encode()) for title in titles)
        )
        expected = sorted(entry for entry in own if entry.key)
        found: list[tuple[Place, Entry]] = []
        for number, first in enumerate(self.section.firsts):
            place = self.section.place(number)
            entries = list(self.entries(number))
            place.equal("first", first_of(entries[0].key), first)
            for entry in entries:
                place.require(len(entry.key) > 0, "bytes of a title's key", "at least 1", 0)
            found += ((place, entry) for entry in entries)
        self.section.place().equal("number of entries", self.count, len(found))
        self.section.place().equal("titles of the documents", len(expected), len(found))
        for (place, entry), right in zip(found, expected, strict=True):
            place.require(
                entry == right,
                "entry",
                f"{right.document} {right.title!r}",
                f"{entry.document} {entry.title!r}",
            )


def first_of(key: bytes) -> int:
    """Return `first` of a block that begins with this key."""
    return int.from_bytes(key[:8].ljust(8, b"\0"), "big")


def counted(title: bytes) -> bytes:
    """Return the bytes of a title, or of a text that is looked up, that count."""
    end = min(TITLE_BYTES, len(title))
    while 0 < end < len(title) and title[end] & 0xC0 == 0x80:
        end -= 1
    return title[:end]


def title_key(text: bytes) -> bytes:
    """Return the key that titles are ordered by. Any bytes will do."""
    key = b""
    gap = b""
    bare = False
    for point in points(text):
        if point.kind == SEPARATOR:
            gap, bare = b" ", False
            continue
        if point.kind == MARK and bare:
            continue
        bare = point.kind == BARE
        more = (gap if key else b"") + chr(point.code).encode()
        if len(key) + len(more) > TITLE_BYTES:
            break
        key, gap = key + more, b""
    return key or unfolded(text)


def unfolded(text: bytes) -> bytes:
    """Return the key of a text of separators: as it stands, with a space for its white space."""
    key, gap = b"", b""
    for character in text.decode(errors="replace"):
        if character in SPACE:
            gap = b" " if key else b""
            continue
        more = gap + character.encode()
        if len(key) + len(more) > TITLE_BYTES:
            break
        key, gap = key + more, b""
    return key
