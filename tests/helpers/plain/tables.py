"""docs/format.md, section 3: parts, the hash `pilot`, tables; section 6 is laid out like it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise

from pocketindex.errors import Damaged, TooNew

from plain.conventions import bits, mix, u16, u32, u64
from plain.layout import Section
from plain.place import Place
from plain.probes import PROBES
from plain.quotient import Quotient

KEYS_ASKED = 262_144  # of a query that does not say how


class Part:
    """A part of a table (3.1). keys_of gives the sub-key of a document, for parts whose hash is one
    of libcmph's.
    """

    def __init__(
        self, place: Place, block: bytes, mph: int, checksum_bits: int, posting_bits: int
    ) -> None:
        self.place = place
        place.require(len(block) >= 16, "length of the part", "at least 16", len(block))
        self.keys = u32(block, 0)
        self.count = u32(block, 4)
        length = u32(block, 8)
        place.within("keys of the part", 1, 65_535, self.keys)
        place.within("postings of the part", self.keys, 2**31 - 1, self.count)
        place.zero("reserved", block[12:16])
        self.checksum_bits, self.posting_bits = checksum_bits, posting_bits
        flat = self.count == self.keys
        sizes = (
            16,
            length,
            self.keys * checksum_bits // 8,
            0 if flat else 4 * ((self.keys + 63) // 64),
            0 if flat else (self.count + 7) // 8,
            (self.count * posting_bits + 7) // 8,
        )
        place.equal("length of the part", sum(sizes), len(block))
        ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
        hash_bytes, self.checksums, self.before, self.lasts, self.postings = (
            block[start:end] for start, end in pairwise(ends)
        )
        place.equal(
            "padding of the last bits",
            0,
            0 if flat else bits(self.lasts, self.count, -self.count % 8),
        )
        used = self.count * posting_bits
        place.equal("padding of the postings", 0, bits(self.postings, used, -used % 8))
        self.pilot = Pilot(place, hash_bytes, self.keys) if mph == 1 else None
        self.quotient = (
            Quotient(place, hash_bytes, self.keys, self.checksums, checksum_bits)
            if mph == 5
            else None
        )
        self.slots: dict[int, int] | None = None

    def slot(self, key: int, key_of: Callable[[int], int]) -> int | None:
        """Return the slot of a key: any slot, or none, when the part does not have the key."""
        if self.pilot is not None:
            return self.pilot.slot(key)
        if self.slots is None:
            self.slots = {
                key_of(postlist[0]): slot for slot, postlist in enumerate(self.postlists())
            }
        return self.slots.get(key)

    def checksum(self, slot: int) -> int:
        return bits(self.checksums, slot * self.checksum_bits, self.checksum_bits)

    def is_last(self, posting: int) -> bool:
        return bits(self.lasts, posting, 1) == 1

    def posting(self, number: int) -> int:
        return bits(self.postings, number * self.posting_bits, self.posting_bits)

    def end(self, start: int) -> int:
        """Return, of the postlist that starts at this posting, the number of the one after it."""
        end = start
        while end < self.count:
            end += 1
            if self.is_last(end - 1):
                return end
        raise self._contradiction()

    def postlist(self, slot: int) -> range:
        """Return the numbers of the slot's postings."""
        if self.count == self.keys:
            return range(slot, slot + 1)
        start = u32(self.before, slot // 64 * 4)
        for _ in range(slot % 64):
            start = self.end(start)
        return range(start, self.end(start))

    def passed(self, slot: int, postlist: range) -> int:
        """Return how many postings lie between the sample of a slot and the end of its own."""
        return 0 if self.count == self.keys else postlist.stop - u32(self.before, slot // 64 * 4)

    def postlists(self) -> Iterator[list[int]]:
        """Yield all postlists, in slot order, and check the numbers before every 64th slot."""
        start = 0
        for slot in range(self.keys):
            if self.count > self.keys:
                if slot % 64 == 0:
                    self.place.equal(
                        f"postings before slot {slot}", start, u32(self.before, slot // 64 * 4)
                    )
                end = self.end(start)
            else:
                end = start + 1
            yield [self.posting(number) for number in range(start, end)]
            start = end
        self.place.equal("postings in all slots", self.count, start)

    def _contradiction(self) -> Damaged:
        return Damaged(
            self.place.path,
            self.place.section,
            self.place.block,
            "last bits",
            f"one for each of {self.keys} slots",
            "fewer",
        )


class Pilot:
    """The perfect hash `pilot` (3.2)."""

    def __init__(self, place: Place, data: bytes, keys: int) -> None:
        self.place, self.keys = place, keys
        place.require(len(data) >= 8, "length of the hash", "at least 8", len(data))
        self.buckets = u32(data, 0)
        self.seed = data[4]
        self.skew = data[5]
        remapped = u16(data, 6)
        place.within("buckets", 1, 65_535, self.buckets)
        place.within("skew", 1, 16, self.skew)
        place.equal("remapped slots", max(1, keys // 99), remapped)
        place.equal("length of the hash", 8 + self.buckets + 2 * remapped, len(data))
        self.pilots = data[8 : 8 + self.buckets]
        self.remap = [u16(data, 8 + self.buckets + 2 * i) for i in range(remapped)]

    def at(self, key: int) -> int:
        h = mix(key)
        x = h >> 32
        square = x * x >> 32
        cubic = square * ((x >> 1) + 2**31) >> 32
        bucket = (cubic - (cubic >> self.skew) + (x >> self.skew)) % 2**32 * self.buckets >> 32
        turned = h ^ (self.pilots[bucket] + 256 * self.seed) * 0x9E3779B97F4A7C15 % 2**64
        return (turned * 0xD6E8FEB86659FD93 % 2**64 >> 32) * (self.keys + len(self.remap)) >> 32

    def slot(self, key: int) -> int:
        place = self.at(key)
        if place < self.keys:
            return place
        slot = self.remap[place - self.keys]
        self.place.within("remapped slot", 0, self.keys - 1, slot)
        return slot


class Tables:
    """The tables section, and those that are laid out like it, with more bytes of parameters."""

    def __init__(self, section: Section, documents: int, tables: int, more: int = 0) -> None:
        place, data = section.place(), section.parameters
        self.section = section
        self.documents = documents
        self.parts = dict[int, Part]()
        place.equal("length of the parameters", 24 + 24 * tables + more, len(data))
        count, self.mph, self.checksum_bits, self.posting_bits, unit, self.default_probes = (
            u32(data, 4 * i) for i in range(6)
        )
        place.equal("number of tables", tables, count)
        most_mph = 5 if section.name == "passages" else 4
        if self.mph not in range(1, most_mph + 1):
            raise TooNew(
                section.path,
                f"minimal perfect hash of section {section.name}",
                f"1 .. {most_mph}",
                self.mph,
            )
        sizes = (8, 16, 24, 32) if self.mph == 5 else (0, 8, 16, 32)
        place.one_of("checksum bits", sizes, self.checksum_bits)
        place.within("posting bits", 1, 32, self.posting_bits)
        if unit != 0:
            raise TooNew(section.path, f"unit of a posting in section {section.name}", 0, unit)
        place.within(
            "default probes", 1, min(PROBES, KEYS_ASKED // max(tables, 1)), self.default_probes
        )
        self.ranges: list[range] = []
        self.totals: list[tuple[int, int]] = []
        end = 0
        for table in range(tables):
            at = 24 + 24 * table
            first, parts = u32(data, at), u32(data, at + 4)
            place.equal(f"first part of table {table}", end, first)
            place.within(
                f"number of parts of table {table}",
                0,
                section.count - first if documents else 0,
                parts,
            )
            end = first + parts
            section.require_rising(first, end)
            self.ranges.append(range(first, end))
            self.totals.append((u64(data, at + 8), u64(data, at + 16)))
        place.equal("number of blocks", end, section.count)

    def part(self, number: int) -> Part:
        if number not in self.parts:
            block = self.section.block(number)
            self.parts[number] = Part(
                self.section.place(number), block, self.mph, self.checksum_bits, self.posting_bits
            )
        return self.parts[number]

    def part_of(self, table: int, key: int) -> int | None:
        """Return the last part of the table whose `first` is at most the key."""
        parts = self.ranges[table]
        number = bisect_right(self.section.firsts, key, parts.start, parts.stop) - 1
        return number if number in parts else None

    def document(self, part: Part, posting: int) -> int:
        document = part.posting(posting)
        part.place.require(
            document < self.documents, "posting", f"less than {self.documents}", document
        )
        return document

    def slot(self, part: Part, key: int, key_of: Callable[[int], int]) -> int | None:
        """Return the slot of a key in the part whose checksum agrees; the caller checks that its
        postings are the key's.
        """
        slot = part.slot(key, key_of)
        return (
            slot
            if slot is not None and part.checksum(slot) == mix(key) % (1 << self.checksum_bits)
            else None
        )

    def verify(self, table: int, key_of: Callable[[int], int]) -> None:
        """Check that every posting stands in the slot of its document's key, and that every
        document has one.
        """
        keys = postings = 0
        for number in self.ranges[table]:
            part = self.part(number)
            place = part.place
            low = self.section.firsts[number]
            high = self.section.firsts[number + 1] if number + 1 in self.ranges[table] else 2**64
            seen, places = set(), set()
            for slot, postlist in enumerate(part.postlists()):
                for before, document in pairwise([-1, *postlist]):
                    place.require(
                        document < self.documents,
                        "posting",
                        f"less than {self.documents}",
                        document,
                    )
                    place.require(document > before, "posting", f"more than {before}", document)
                key = key_of(postlist[0])
                for document in postlist:
                    place.equal(
                        f"sub-key of document {document} in slot {slot}", key, key_of(document)
                    )
                place.within(f"sub-key of slot {slot}", low, high - 1, key)
                place.equal(
                    f"slot {slot} checksum",
                    mix(key) % (1 << self.checksum_bits),
                    part.checksum(slot),
                )
                if part.pilot is not None:
                    place.equal(f"slot of key {key}", slot, part.pilot.slot(key))
                    places.add(part.pilot.at(key))
                seen.add(key)
            place.equal("different keys", part.keys, len(seen))
            place.equal("first", min(seen), low)
            if part.pilot is not None:
                for i, remapped in enumerate(part.pilot.remap):
                    if part.keys + i not in places:
                        place.equal(
                            f"remap of place {part.keys + i}, which no key takes", 0, remapped
                        )
            keys += part.keys
            postings += part.count
        place = self.section.place()
        place.equal(f"keys of table {table}", self.totals[table][0], keys)
        place.equal(f"postings of table {table}", self.totals[table][1], postings)
        place.equal(f"documents in table {table}", self.documents, postings)
