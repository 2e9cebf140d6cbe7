"""docs/format.md, section 1: header, section table, directories."""

from __future__ import annotations

from pocketindex.constants import MAGIC
from pocketindex.errors import SECTIONS, NotAPocketFile, TooNew, section_name

from plain.conventions import Bytes, crc32c, padded, u16, u32, u64
from plain.place import Place

KINDS = set(SECTIONS) - {0}
OPTIONAL = {kind for kind in KINDS if kind > 5}  # 1.2: the first five are needed


class Section:
    """An entry of the section table (1.2), its head once read_head was called, and its blocks."""

    def __init__(self, path: str, data: Bytes, entry: bytes) -> None:
        self.path, self.data = path, data
        self.kind, self.flags = u32(entry, 0), u32(entry, 4)
        self.offset, self.length = u64(entry, 8), u64(entry, 16)
        self.parameters_length, self.count = u32(entry, 24), u32(entry, 28)
        self.head_checksum = u32(entry, 32)
        self.name = section_name(self.kind)
        self.head_length = self.parameters_length + 20 * self.count
        self.parameters = b""
        self.firsts: list[int] = []
        self.bounds: list[int] = []
        self.checksums: list[int] = []
        self.checked: set[int] = set()

    def place(self, block: int | None = None) -> Place:
        return Place(self.path, self.name, block)

    def read_head(self) -> None:
        """Read 1.3, but for the order of `first`, which depends on the kind."""
        head = self.data[self.offset : self.offset + self.head_length]
        self.place().equal("CRC32C", self.head_checksum, crc32c(head))
        self.parameters = head[: self.parameters_length]
        self.bounds = [0]
        for number in range(self.count):
            at = self.parameters_length + 20 * number
            end = u64(head, at + 8)
            self.place(number).require(
                end > self.bounds[-1], "end of the block", f"more than {self.bounds[-1]}", end
            )
            self.firsts.append(u64(head, at))
            self.bounds.append(end)
            self.checksums.append(u32(head, at + 16))
        self.place().equal("end of the last block", self.length - self.head_length, self.bounds[-1])

    def require_rising(self, start: int, end: int) -> None:
        for number in range(start + 1, end):
            before, first = self.firsts[number - 1], self.firsts[number]
            self.place(number).require(before < first, "first", f"more than {before}", first)

    def size(self, number: int) -> int:
        return self.bounds[number + 1] - self.bounds[number]

    def block(self, number: int) -> bytes:
        start = self.offset + self.head_length
        block = self.data[start + self.bounds[number] : start + self.bounds[number + 1]]
        if number not in self.checked:
            self.place(number).equal("CRC32C", self.checksums[number], crc32c(block))
            self.checked.add(number)
        return block


def read_sections(path: str, data: Bytes) -> list[Section]:
    """Read header and section table."""
    if data[:8] != MAGIC:
        raise NotAPocketFile(path, data[:8])
    header = Place(path, "header")
    header.require(len(data) >= 32, "file size", "at least 32", len(data))
    if u16(data, 8) != 1:
        raise TooNew(path, "major version", 1, u16(data, 8))
    header.equal("file size", u64(data, 16), len(data))
    count = u32(data, 12)
    header.within("number of sections", 1, 64, count)
    end = 32 + 40 * count
    header.require(end <= len(data), "file size", f"at least {end}", len(data))
    header.equal("CRC32C", u32(data, 28), crc32c(data[:28] + data[32:end]))
    header.zero("reserved", data[24:28])
    sections = []
    for number in range(count):
        entry = data[32 + 40 * number : 72 + 40 * number]
        section = Section(path, data, entry)
        place = section.place()
        place.equal("offset", padded(end), section.offset)
        place.require(section.offset <= len(data), "offset", f"at most {len(data)}", section.offset)
        place.zero("padding", data[end : section.offset])
        place.require(
            section.length <= len(data) - section.offset,
            "length",
            f"at most {len(data) - section.offset}",
            section.length,
        )
        place.equal(
            "length of the parameters", padded(section.parameters_length), section.parameters_length
        )
        place.require(
            section.head_length <= section.length,
            "length of the head",
            f"at most {section.length}",
            section.head_length,
        )
        place.zero("reserved", entry[36:])
        place.one_of("flags", (0, 1), section.flags)
        if section.flags & 1 and section.kind not in KINDS:
            raise TooNew(path, "required section", f"1 .. {max(KINDS)}", section.kind)
        sections.append(section)
        end = section.offset + section.length
    header.equal("end of the last section", len(data), end)
    for kind in sorted({*KINDS, *(section.kind for section in sections)}):
        count = sum(section.kind == kind for section in sections)
        needed = kind in KINDS and kind not in OPTIONAL
        Place(path, section_name(kind)).require(
            count == 1 or (count == 0 and not needed), "number of sections", 1, count
        )
    return sections
