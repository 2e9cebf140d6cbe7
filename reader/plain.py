"""docs/format.md as a program, in the order of that page: a reader of pocket files in plain Python.

It is the oracle for the C core and for the readers in other languages. It uses neither of them, is written to be read rather than to be
fast, and refuses whatever the page does not allow. For daily use take `pocketindex.open`, which gives the same answers.
"""

from __future__ import annotations

import heapq
import mmap
import os
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from math import isqrt, prod

import mmh3
from pocketindex.errors import MAGIC, TEXT_BYTES, Damaged, NotAPocketFile, TextTooLong, TextTooShort, TooNew, section_name
from pocketindex.plain_terms import terms

CANDIDATES = 65_536  # a query takes no more of them
PROBES = 65_536
MOVES = 32

Bytes = bytes | mmap.mmap
Digits = Sequence[int]


# Conventions


def u16(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def u32(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def u64(data: Bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def bits(data: bytes, at: int, width: int) -> int:
    """width bits from bit position at on."""
    return int.from_bytes(data[at // 8 : (at + width + 7) // 8], "little") >> at % 8 & (1 << width) - 1


def padded(size: int) -> int:
    return (size + 7) // 8 * 8


def murmur(data: bytes) -> int:
    return mmh3.hash64(data, 0, signed=False)[0]


def mix(x: int) -> int:
    for _ in range(2):
        x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 % 2**64
    return x ^ x >> 32


def _crc_step(crc: int) -> int:
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc


_CRC = [_crc_step(byte) for byte in range(256)]


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[crc & 255 ^ byte]
    return crc ^ 0xFFFFFFFF


@dataclass
class Place:
    """A part of the file that errors can name."""

    path: str
    section: str
    block: int | None = None

    def require(self, correct: bool, field: str, expected: int | str, found: int | str) -> None:
        if not correct:
            raise Damaged(self.path, self.section, self.block, field, expected, found)

    def equal(self, field: str, expected: int, found: int) -> None:
        self.require(expected == found, field, expected, found)

    def within(self, field: str, lowest: int, highest: int, found: int) -> None:
        self.require(lowest <= found <= highest, field, f"{lowest} .. {highest}", found)

    def one_of(self, field: str, allowed: Sequence[int], found: int) -> None:
        self.require(found in allowed, field, " or ".join(map(str, allowed)), found)

    def zero(self, field: str, data: bytes) -> None:
        self.require(not any(data), field, "zeros", data[:16].hex(" "))

    def utf8(self, field: str, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise Damaged(self.path, self.section, self.block, field, "UTF-8", data[error.start : error.end].hex(" ")) from None


# 1. Overall layout


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
        """1.3, but for the order of `first`, which depends on the kind."""
        head = self.data[self.offset : self.offset + self.head_length]
        self.place().equal("CRC32C", self.head_checksum, crc32c(head))
        self.parameters = head[: self.parameters_length]
        self.bounds = [0]
        for number in range(self.count):
            at = self.parameters_length + 20 * number
            end = u64(head, at + 8)
            self.place(number).within("end", self.bounds[-1] + 1, self.length - self.head_length, end)
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
    """Header and section table."""
    if data[:8] != MAGIC:
        raise NotAPocketFile(path, data[:8])
    header = Place(path, "header")
    header.require(len(data) >= 32, "size of the file", "at least 32", len(data))
    if u16(data, 8) != 1:
        raise TooNew(path, "major version", 1, u16(data, 8))
    header.equal("size of the file", u64(data, 16), len(data))
    count = u32(data, 12)
    header.within("number of sections", 1, 64, count)
    end = 32 + 40 * count
    header.require(end <= len(data), "size of the file", f"at least {end}", len(data))
    header.equal("CRC32C", u32(data, 28), crc32c(data[:28] + data[32:end]))
    header.zero("reserved", data[24:28])
    sections = []
    for number in range(count):
        entry = data[32 + 40 * number : 72 + 40 * number]
        section = Section(path, data, entry)
        header.equal(f"offset of section {section.name}", padded(end), section.offset)
        header.require(section.offset <= len(data), f"offset of section {section.name}", f"at most {len(data)}", section.offset)
        header.zero(f"gap before section {section.name}", data[end : section.offset])
        header.within(f"length of section {section.name}", section.head_length, len(data) - section.offset, section.length)
        header.equal(f"length of the parameters of section {section.name}", padded(section.parameters_length), section.parameters_length)
        header.one_of(f"flags of section {section.name}", (0, 1), section.flags)
        header.zero(f"reserved of section {section.name}", entry[36:])
        if section.flags & 1 and section.kind not in range(1, 6):
            raise TooNew(path, "required section", "1 .. 5", section.kind)
        sections.append(section)
        end = section.offset + section.length
    header.equal("end of the last section", len(data), end)
    for kind in range(1, 6):
        header.equal(f"number of sections {section_name(kind)}", 1, sum(section.kind == kind for section in sections))
    return sections


# 2. Profile section


@dataclass
class Component:
    source: int
    intervals: int
    borders: list[int]

    @property
    def width(self) -> int:
        return (self.intervals - 1).bit_length()


class Table:
    """Consecutive components of a sketch, from first on, make its sub-key."""

    def __init__(self, first: int, intervals: Digits) -> None:
        self.first, self.count = first, len(intervals)
        self.factors = [prod(intervals[:i]) for i in range(self.count)]
        self.is_hashed = prod(intervals) > 2**64

    def digits(self, digits: Digits) -> Digits:
        return digits[self.first : self.first + self.count]

    def key(self, own: Digits) -> int:
        """2.2, of this table's digits."""
        if self.is_hashed:
            return murmur(bytes(own))
        return sum(digit * factor for digit, factor in zip(own, self.factors, strict=True))


@dataclass
class Quantised:
    """What a scheme makes of a text: for each component a digit, the costs of leaving it and a weight."""

    digits: list[int]
    down: list[int | None]
    up: list[int | None]
    weights: list[int]
    terms: int


class Profile:
    def __init__(self, section: Section) -> None:
        place, data = section.place(), section.parameters
        place.equal("number of blocks", 0, section.count)
        place.within("length", 32, 524_288, len(data))
        for at, field in ((0, "scheme"), (2, "term stream")):
            if u16(data, at) != 1:
                raise TooNew(section.path, field, 1, u16(data, at))
        tables, points, components, borders = u16(data, 4), u16(data, 6), u32(data, 8), u32(data, 12)
        stops, self.least_terms, name = u32(data, 16), u32(data, 20), u16(data, 24)
        place.within("number of tables", 1, 64, tables)
        place.within("calibration points", 2, 256, points)
        place.within("number of components", 1, 4096, components)
        place.within("number of borders", components, 15 * components, borders)
        place.one_of("stop slots", (0, *(1 << i for i in range(15))), stops)
        place.require(self.least_terms >= 1, "least number of terms", "at least 1", self.least_terms)
        place.within("length of the name", 0, 255, name)
        place.zero("reserved", data[26:32])

        at = 32

        def take(field: str, size: int) -> bytes:
            nonlocal at
            place.require(padded(size) <= len(data) - at, "length", f"at least {at + padded(size)}", len(data))
            array, padding = data[at : at + size], data[at + size : at + padded(size)]
            place.zero(f"padding of the {field}", padding)
            at += padded(size)
            return array

        self.name = place.utf8("name", take("name", name))
        array = take("stop slots", 8 * stops)
        self.stops = [u64(array, 8 * i) for i in range(stops)]
        place.require(not stops or 0 in self.stops, "free stop slots", "at least 1", 0)
        ranges = take("tables", 4 * tables)
        array = take("components", 4 * components)
        self.components = [Component(u16(array, 4 * i), u16(array, 4 * i + 2), []) for i in range(components)]
        for component in self.components:
            place.within("intervals", 2, 16, component.intervals)
        place.equal("number of borders", sum(component.intervals - 1 for component in self.components), borders)
        array = take("borders", 4 * borders)
        values = (int.from_bytes(array[i : i + 4], "little", signed=True) for i in range(0, 4 * borders, 4))
        for component in self.components:
            for _ in range(component.intervals - 1):
                border = next(values)
                if component.borders:
                    place.require(border > component.borders[-1], "border", f"more than {component.borders[-1]}", border)
                component.borders.append(border)
        self.tables = []
        for i in range(tables):
            first, count = u16(ranges, 4 * i), u16(ranges, 4 * i + 2)
            place.within("components of a table", 1, components - first, count)
            self.tables.append(Table(first, [component.intervals for component in self.components[first : first + count]]))
        array = take("calibration", 2 * points)
        self.calibration = [u16(array, 2 * i) for i in range(points)]
        for before, similarity in pairwise([0, *self.calibration]):
            place.within("calibration", before, 10_000, similarity)
        self.scheme = FuzzyFingerprint(place, data[at:], self.components)
        self.fingerprint = murmur(data)
        self.sketch_bytes = (sum(component.width for component in self.components) + 7) // 8

    # 2.1 Term stream

    def is_stop_word(self, term: bytes) -> bool:
        if not self.stops:
            return False
        number = murmur(term)
        slot = number & len(self.stops) - 1
        while self.stops[slot] not in (0, number):
            slot = slot + 1 & len(self.stops) - 1
        return self.stops[slot] != 0

    def quantise(self, text: bytes) -> Quantised:
        if len(text) > TEXT_BYTES:
            raise TextTooLong(len(text))
        counts = Counter(terms(text))
        for term in [term for term in counts if self.is_stop_word(term)]:
            del counts[term]
        if counts.total() < self.least_terms:
            raise TextTooShort(counts.total(), self.least_terms)
        return self.scheme.quantise(counts)

    # 2.2 Sketch and key

    def unpack(self, place: Place, record: bytes) -> tuple[int, ...]:
        """The digits of a record of the sketches section."""
        rest, digits = int.from_bytes(record[: self.sketch_bytes], "little"), []
        for number, component in enumerate(self.components):
            digit = rest & (1 << component.width) - 1
            place.within(f"digit of component {number}", 0, component.intervals - 1, digit)
            digits.append(digit)
            rest >>= component.width
        place.equal("padding of a sketch", 0, rest)
        return tuple(digits)

    def verify(self, place: Place) -> None:
        for slot, number in enumerate(self.stops):
            home = number & len(self.stops) - 1
            between = range(home, slot) if home <= slot else (*range(home, len(self.stops)), *range(slot))
            if number:
                place.require(all(self.stops[i] not in (0, number) for i in between), "stop slot", f"{number} from slot {home} on", slot)


def probes(table: Table, quantised: Quantised) -> Iterator[int]:
    """The probed keys of a table (2.2), best first.

    From a set of moves come two others: with the move after its last one added, or instead of its last one. Every set comes from one that
    costs no more and has a smaller mask, so a heap ordered by (cost, mask) gives them all in order.
    """
    own, moves = table.digits(quantised.digits), []
    for i in range(len(own)):
        for direction, costs in ((-1, quantised.down), (1, quantised.up)):
            cost = costs[table.first + i]
            if cost is not None:
                moves.append((cost, i, direction))
    moves = sorted(moves)[:MOVES]
    yield table.key(own)
    heap = [(moves[0][0], 1)]
    while heap:
        cost, mask = heapq.heappop(heap)
        chosen = [move for i, move in enumerate(moves) if mask >> i & 1]
        last = mask.bit_length() - 1
        allowed = len({component for _, component, _ in chosen}) == len(chosen)
        if last + 1 < len(moves):
            following = cost + moves[last + 1][0]
            heapq.heappush(heap, (following - moves[last][0], mask + (1 << last)))
            if allowed:
                heapq.heappush(heap, (following, mask + (2 << last)))
        if allowed:
            digits = list(own)
            for _, component, direction in chosen:
                digits[component] += direction
            yield table.key(digits)


# 2.3 Scheme 1, `ff`


class FuzzyFingerprint:
    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        place.require(len(body) >= 16, "length of the scheme's body", "at least 16", len(body))
        self.prefix, bins, classes = u32(body, 0), u32(body, 4), u32(body, 8)
        place.within("prefix length", 1, 16, self.prefix)
        place.one_of("prefix bins", [1 << i for i in range(8, 18)], bins)
        place.within("classes", 2, 256, classes)
        place.zero("reserved of the scheme", body[12:16])
        end = 16 + 4 * classes + bins
        place.equal("length of the scheme's body", padded(end), len(body))
        self.expectation = [u32(body, 16 + 4 * i) for i in range(classes)]
        place.require(min(self.expectation) >= 1, "expectation", "at least 1", 0)
        self.class_of_bin = body[16 + 4 * classes : end]
        place.within("class of a bin", 0, classes - 1, max(self.class_of_bin))
        place.zero("padding of the bins", body[end:])
        self.components = components
        self.shares = []
        for component in components:
            place.within("source of a component", 0, classes - 1, component.source)
            place.require(component.borders[0] >= -65_536, "border", "at least -65536", component.borders[0])
            expected = self.expectation[component.source]
            self.shares.append([min(expected + expected * border // 65_536, 2**32 - 1) for border in component.borders])

    def quantise(self, counts: Counter[bytes]) -> Quantised:
        found = [0] * len(self.expectation)
        for term, count in counts.items():
            prefix = term.decode()[: self.prefix].encode()
            found[self.class_of_bin[murmur(prefix) & len(self.class_of_bin) - 1]] += count
        n = counts.total()
        result = Quantised([], [], [], [], n)
        for component, shares in zip(self.components, self.shares, strict=True):
            share, expected = found[component.source] * 2**32, self.expectation[component.source]
            costs = []
            for border in shares:
                distance = abs(share - n * border) // n
                costs.append(min(2**32 - 1, (distance >> 4) ** 2 // expected + 1))
            digit = sum(share >= n * border for border in shares)
            down = costs[digit - 1] if digit > 0 else None
            up = costs[digit] if digit < len(costs) else None
            result.digits.append(digit)
            result.down.append(down)
            result.up.append(up)
            result.weights.append(isqrt(min(cost for cost in (down, up) if cost is not None)))
        return result


# 3. Tables section


class Part:
    """3.1. keys_of gives the sub-key of a document, for parts whose hash is one of libcmph's."""

    def __init__(self, place: Place, block: bytes, mph: int, checksum_bits: int, posting_bits: int) -> None:
        self.place = place
        place.require(len(block) >= 16, "size", "at least 16", len(block))
        self.keys, self.count, length = u32(block, 0), u32(block, 4), u32(block, 8)
        place.within("keys", 1, 65_535, self.keys)
        place.within("postings", self.keys, 2**31 - 1, self.count)
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
        place.equal("size", sum(sizes), len(block))
        ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
        hash_bytes, self.checksums, self.before, self.lasts, self.postings = (block[start:end] for start, end in pairwise(ends))
        place.equal("padding of the last bits", 0, 0 if flat else bits(self.lasts, self.count, -self.count % 8))
        used = self.count * posting_bits
        place.equal("padding of the postings", 0, bits(self.postings, used, -used % 8))
        self.pilot = Pilot(place, hash_bytes, self.keys) if mph == 1 else None
        self.slots: dict[int, int] | None = None

    def slot(self, key: int, key_of: Callable[[int], int]) -> int | None:
        """The slot of a key: any slot, or none, when the part does not have the key."""
        if self.pilot is not None:
            return self.pilot.slot(key)
        if self.slots is None:
            self.slots = {key_of(postlist[0]): slot for slot, postlist in enumerate(self.postlists())}
        return self.slots.get(key)

    def checksum(self, slot: int) -> int:
        return bits(self.checksums, slot * self.checksum_bits, self.checksum_bits)

    def is_last(self, posting: int) -> bool:
        return bits(self.lasts, posting, 1) == 1

    def posting(self, number: int) -> int:
        return bits(self.postings, number * self.posting_bits, self.posting_bits)

    def end(self, start: int) -> int:
        """Of the postlist that starts at this posting, the number of the one after it."""
        end = start
        while end < self.count:
            end += 1
            if self.is_last(end - 1):
                return end
        raise self._contradiction()

    def postlist(self, slot: int) -> range:
        """The numbers of the slot's postings."""
        if self.count == self.keys:
            return range(slot, slot + 1)
        start = u32(self.before, slot // 64 * 4)
        for _ in range(slot % 64):
            start = self.end(start)
        return range(start, self.end(start))

    def postlists(self) -> Iterator[list[int]]:
        """All postlists, in slot order; here the numbers before every 64th slot are checked, too."""
        start = 0
        for slot in range(self.keys):
            if self.count > self.keys:
                if slot % 64 == 0:
                    self.place.equal(f"postings before slot {slot}", start, u32(self.before, slot // 64 * 4))
                end = self.end(start)
            else:
                end = start + 1
            yield [self.posting(number) for number in range(start, end)]
            start = end
        self.place.equal("postings in all slots", self.count, start)

    def _contradiction(self) -> Damaged:
        return Damaged(self.place.path, self.place.section, self.place.block, "last bits", f"one for each of {self.keys} slots", "fewer")


class Pilot:
    """3.2."""

    def __init__(self, place: Place, data: bytes, keys: int) -> None:
        self.place, self.keys = place, keys
        place.require(len(data) >= 8, "length of the hash", "at least 8", len(data))
        self.buckets, self.seed, self.skew, remapped = u32(data, 0), data[4], data[5], u16(data, 6)
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
    """The tables section, and the ids section, which is laid out like it."""

    def __init__(self, section: Section, documents: int, tables: int) -> None:
        place, data = section.place(), section.parameters
        self.section, self.documents, self.parts = section, documents, dict[int, Part]()
        place.equal("length of the parameters", 24 + 24 * tables, len(data))
        count, self.mph, self.checksum_bits, self.posting_bits, unit, self.default_probes = (u32(data, 4 * i) for i in range(6))
        place.equal("number of tables", tables, count)
        if self.mph not in range(1, 5):
            raise TooNew(section.path, f"minimal perfect hash of section {section.name}", "1 .. 4", self.mph)
        place.one_of("checksum bits", (0, 8, 16, 32), self.checksum_bits)
        place.within("posting bits", 1, 32, self.posting_bits)
        if unit != 0:
            raise TooNew(section.path, f"unit of a posting in section {section.name}", 0, unit)
        place.within("default probes", 1, PROBES, self.default_probes)
        self.ranges: list[range] = []
        self.totals: list[tuple[int, int]] = []
        end = 0
        for table in range(tables):
            at = 24 + 24 * table
            first, parts = u32(data, at), u32(data, at + 4)
            place.equal(f"first part of table {table}", end, first)
            place.within(f"number of parts of table {table}", 0, section.count - first if documents else 0, parts)
            end = first + parts
            section.require_rising(first, end)
            self.ranges.append(range(first, end))
            self.totals.append((u64(data, at + 8), u64(data, at + 16)))
        place.equal("number of blocks", end, section.count)

    def part(self, number: int) -> Part:
        if number not in self.parts:
            block = self.section.block(number)
            self.parts[number] = Part(self.section.place(number), block, self.mph, self.checksum_bits, self.posting_bits)
        return self.parts[number]

    def part_of(self, table: int, key: int) -> int | None:
        """The last part of the table whose `first` is at most the key."""
        parts = self.ranges[table]
        number = bisect_right(self.section.firsts, key, parts.start, parts.stop) - 1
        return number if number in parts else None

    def document(self, part: Part, posting: int) -> int:
        document = part.posting(posting)
        part.place.within("posting", 0, self.documents - 1, document)
        return document

    def postlist(self, part: Part, key: int, key_of: Callable[[int], int]) -> range:
        """The postings that a key's slot has in the part; the caller checks that they are the key's."""
        slot = part.slot(key, key_of)
        if slot is None or part.checksum(slot) != mix(key) % (1 << self.checksum_bits):
            return range(0)
        return part.postlist(slot)

    def verify(self, table: int, key_of: Callable[[int], int]) -> None:
        """Every posting stands in the slot of its document's key, and every document has one."""
        keys = postings = 0
        for number in self.ranges[table]:
            part = self.part(number)
            place = part.place
            low, high = self.section.firsts[number], self.section.firsts[number + 1] if number + 1 in self.ranges[table] else 2**64
            seen, places = set(), set()
            for slot, postlist in enumerate(part.postlists()):
                for before, document in pairwise([-1, *postlist]):
                    place.within("posting", before + 1, self.documents - 1, document)
                key = key_of(postlist[0])
                for document in postlist:
                    place.equal(f"sub-key of document {document} in slot {slot}", key, key_of(document))
                place.within(f"sub-key of slot {slot}", low, high - 1, key)
                place.equal(f"slot {slot} checksum", mix(key) % (1 << self.checksum_bits), part.checksum(slot))
                if part.pilot is not None:
                    place.equal(f"slot of key {key}", slot, part.pilot.slot(key))
                    places.add(part.pilot.at(key))
                seen.add(key)
            place.equal("different keys", part.keys, len(seen))
            place.equal("first", min(seen), low)
            if part.pilot is not None:
                for i, remapped in enumerate(part.pilot.remap):
                    if part.keys + i not in places:
                        place.equal(f"remap of place {part.keys + i}, which no key takes", 0, remapped)
            keys += part.keys
            postings += part.count
        place = self.section.place()
        place.equal(f"keys of table {table}", self.totals[table][0], keys)
        place.equal(f"postings of table {table}", self.totals[table][1], postings)
        place.equal(f"documents in table {table}", self.documents, postings)


# 4. Sketches section


class Sketches:
    def __init__(self, section: Section, profile: Profile) -> None:
        place, data = section.place(), section.parameters
        self.section, self.profile = section, profile
        place.equal("length of the parameters", 16, len(data))
        self.documents, self.stride, self.identity_bits, self.per_block = (u32(data, 4 * i) for i in range(4))
        place.one_of("identity bits", (0, 8, 16, 32), self.identity_bits)
        place.equal("stride", profile.sketch_bytes + self.identity_bits // 8, self.stride)
        place.require(self.per_block >= 1, "documents a block", "at least 1", self.per_block)
        place.equal("number of blocks", (self.documents + self.per_block - 1) // self.per_block, section.count)
        for number, first in enumerate(section.firsts):
            place = section.place(number)
            place.equal("first", number * self.per_block, first)
            place.equal("size", min(self.per_block, self.documents - first) * self.stride, section.size(number))

    def record(self, document: int) -> tuple[tuple[int, ...], int]:
        """Digits and identity of a document."""
        number, i = divmod(document, self.per_block)
        record = self.section.block(number)[i * self.stride : (i + 1) * self.stride]
        digits = self.profile.unpack(self.section.place(number), record)
        return digits, int.from_bytes(record[self.profile.sketch_bytes :], "little")

    def verify(self) -> None:
        for document in range(self.documents):
            self.record(document)


# 5. Documents section


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
        place, block = self.section.place(number), self.section.block(number)
        place.require(len(block) >= 4, "size", "at least 4", len(block))
        length = u32(block, 0)
        place.within("length of the content", 1, 1_048_576, length)
        inflate = zlib.decompressobj(wbits=-15)
        try:
            content = inflate.decompress(block[4:], length + 1)
        except zlib.error as error:
            raise Damaged(place.path, place.section, number, "deflate stream", "one of RFC 1951", str(error)) from None
        place.require(len(content) <= length, "inflated size", length, "more")
        place.equal("inflated size", length, len(content))
        place.require(inflate.eof, "deflate stream", "one that ends in its block", "no end")
        place.equal("bytes after the deflate stream", 0, len(inflate.unused_data))
        at = 0

        def field(name: str, least: int, most: int) -> str:
            nonlocal at
            size = 0
            for i in range(3):
                place.require(at < length, name, "within the content", "cut off")
                size |= (content[at] & 127) << 7 * i
                at += 1
                if content[at - 1] < 128:
                    break
            else:
                place.require(False, f"length of a varint of {name}", "at most 3", "more")
            place.within(f"length of {name}", least, most, size)
            place.require(size <= length - at, name, "within the content", "cut off")
            at += size
            return place.utf8(name, content[at - size : at])

        end = self.section.firsts[number + 1] if number + 1 < self.section.count else self.documents
        for document in range(self.section.firsts[number], end):
            id, title, url = field("id", 1, 1024), field("title", 0, 8192), field("url", 0, 8192)
            yield PlainDocument(document, id, title, url or self.from_template(id, title))
        place.equal("end of the last record", length, at)

    def from_template(self, id: str, title: str) -> str:
        return self.template.replace("{id}", percent_encoded(id)).replace("{title}", percent_encoded(title))

    def record(self, document: int) -> PlainDocument:
        block = bisect_right(self.section.firsts, document) - 1
        return list(self.records(block))[document - self.section.firsts[block]]


def percent_encoded(text: str) -> str:
    kept = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in text.encode())


# 8. Query (6 is in its constructor, 7 in plain_terms.py)


@dataclass(frozen=True)
class PlainHit:
    """A hit. similarity: in ten-thousandths; tables: bit t is set when it was found in table t."""

    document: int
    id: str
    title: str
    url: str
    similarity: int
    tables: int


@dataclass
class PlainReport:
    """What a query did.

    terms: of the text, without stop words; probes: keys looked up; parts: those in whose range the keys are, each once; candidates:
    different documents; capped: whether candidates were left out.
    """

    terms: int = 0
    probes: int = 0
    parts: int = 0
    candidates: int = 0
    capped: bool = False


class PlainIndex:
    """An open pocket file. report is that of the last query. Files are mapped, not read; close() or `with` gives them back."""

    def __init__(self, path: str, data: Bytes) -> None:
        self.data, self.report = data, PlainReport()
        self.sections = read_sections(path, data)
        kinds = {section.kind: section for section in self.sections}
        for kind in range(1, 6):
            kinds[kind].read_head()
        self.profile = Profile(kinds[1])
        self.sketches = Sketches(kinds[3], self.profile)
        self.count = self.sketches.documents
        self.tables = Tables(kinds[2], self.count, len(self.profile.tables))
        self.documents = Documents(kinds[4], self.count)
        self.ids = Tables(kinds[5], self.count, 1)
        place = kinds[5].place()
        place.equal("minimal perfect hash", 1, self.ids.mph)
        place.equal("checksum bits", 8, self.ids.checksum_bits)
        place.equal("default probes", 1, self.ids.default_probes)

    @classmethod
    def open(cls, source: str | os.PathLike[str] | bytes) -> PlainIndex:
        """Open a path, or the bytes of a file. Raises NotAPocketFile, TooNew, Damaged, OSError."""
        if isinstance(source, bytes):
            return cls("<bytes>", source)
        with open(source, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            data: Bytes = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            return cls(os.fspath(source), data)
        except BaseException:
            if isinstance(data, mmap.mmap):
                data.close()
            raise

    def close(self) -> None:
        if isinstance(self.data, mmap.mmap):
            self.data.close()

    def __enter__(self) -> PlainIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sketch(self, text: bytes | str) -> tuple[list[int], list[int], list[int]]:
        """Digits and weights, one a component, and sub-keys, one a table. Raises TextTooShort, TextTooLong."""
        quantised = self.profile.quantise(as_bytes(text))
        return quantised.digits, quantised.weights, [table.key(table.digits(quantised.digits)) for table in self.profile.tables]

    def sub_key(self, table: int, document: int) -> int:
        """From the stored sketch."""
        own = self.profile.tables[table]
        return own.key(own.digits(self.sketches.record(document)[0]))

    def candidates(self, quantised: Quantised, wanted: int) -> dict[int, int]:
        """The tables, as bits, in which each candidate was found."""
        found, total = dict[int, int](), 0
        for number, table in enumerate(self.profile.tables):
            keys = list(islice(probes(table, quantised), wanted))
            blocks = [self.tables.part_of(number, key) for key in keys]
            self.report.probes += len(keys)
            self.report.parts += len(set(blocks) - {None})
            key_of = partial(self.sub_key, number)
            for key, block in zip(keys, blocks, strict=True):
                if block is None:
                    continue
                part = self.tables.part(block)
                postlist = self.tables.postlist(part, key, key_of)
                if not postlist or key_of(self.tables.document(part, postlist[0])) != key:
                    continue
                for posting in postlist:
                    if total == CANDIDATES:
                        self.report.capped = True
                        return found
                    document = self.tables.document(part, posting)
                    found[document] = found.get(document, 0) | 1 << number
                    total += 1
        return found

    def similarity(self, quantised: Quantised, digits: Digits, same_identity: bool) -> int:
        """Of a query to stored digits, in ten-thousandths."""
        weights = quantised.weights if any(quantised.weights) else [1] * len(digits)
        equal = sum(weight for weight, asked, stored in zip(weights, quantised.digits, digits, strict=True) if asked == stored)
        agreement = 65_536 * equal // sum(weights)
        i, f = divmod(agreement * (len(self.profile.calibration) - 1), 65_536)
        low, high = (*self.profile.calibration, 10_000)[i : i + 2]
        if tuple(quantised.digits) == tuple(digits) and same_identity:
            return 10_000
        return min(9_999, low + (high - low) * f // 65_536)

    def query(self, text: bytes | str, top: int = 10, probes: int = 0) -> list[PlainHit]:
        """The documents most similar to a text, best first, at most top. probes 0 is the file's default.

        Raises ValueError for probes above 65,536, TextTooShort, TextTooLong, Damaged.
        """
        if not 0 <= probes <= PROBES:
            raise ValueError(f"probes: expected 0 .. {PROBES}, found {probes}")
        data = as_bytes(text)
        self.report = PlainReport()
        quantised = self.profile.quantise(data)
        self.report.terms = quantised.terms
        found = self.candidates(quantised, probes or self.tables.default_probes)
        self.report.candidates = len(found)
        identity = murmur(data) % (1 << self.sketches.identity_bits)
        ranked = []
        for document in found:
            digits, stored = self.sketches.record(document)
            ranked.append((-self.similarity(quantised, digits, identity == stored), document))
        hits = []
        for negative, document in sorted(ranked)[:top]:
            record = self.documents.record(document)
            hits.append(PlainHit(document, record.id, record.title, record.url, -negative, found[document]))
        return hits

    def record(self, number: int) -> PlainDocument:
        """The document with this number. Raises IndexError, Damaged."""
        if not 0 <= number < self.count:
            raise IndexError(f"document: expected 0 .. {self.count - 1}, found {number}")
        return self.documents.record(number)

    def document(self, id: str) -> PlainDocument | None:
        """The document with this id."""
        key = murmur(as_bytes(id))
        block = self.ids.part_of(0, key)
        if block is not None:
            part = self.ids.part(block)
            for posting in self.ids.postlist(part, key, lambda _: key):
                record = self.documents.record(self.ids.document(part, posting))
                if record.id == id:
                    return record
        return None

    def verify(self) -> None:
        """Check everything that the page demands; the time is that of reading the whole file. Raises Damaged."""
        for section in self.sections:
            if section.kind not in range(1, 6):
                section.read_head()
            for number in range(section.count):
                section.block(number)
        self.profile.verify(self.sections[0].place())
        self.sketches.verify()
        for number in range(len(self.profile.tables)):
            self.tables.verify(number, partial(self.sub_key, number))
        records = (record for number in range(self.documents.section.count) for record in self.documents.records(number))
        keys = [murmur(record.id.encode()) for record in records]
        self.ids.verify(0, keys.__getitem__)


def as_bytes(text: bytes | str) -> bytes:
    """UTF-8, lone surrogates as U+FFFD."""
    if isinstance(text, bytes):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
