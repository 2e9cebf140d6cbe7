"""docs/format.md, section 2: the profile, from text to sketch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, isqrt, pi
from statistics import NormalDist

from pocketindex.errors import TEXT_BYTES, TextTooLong, TextTooShort, TooNew

from plain.conventions import murmur, padded, u16, u32, u64
from plain.ff import FuzzyFingerprint
from plain.interop import tokens
from plain.layout import Section
from plain.minhash import MinHash, WeightedMinHash
from plain.place import Place
from plain.projection import PStable, RandomFuzzyFingerprint
from plain.simhash import SimHash
from plain.sketch import Component, Digits, Quantised, Table
from plain.terms import marked, terms

Scheme = (
    type[FuzzyFingerprint]
    | type[RandomFuzzyFingerprint]
    | type[PStable]
    | type[MinHash]
    | type[WeightedMinHash]
    | type[SimHash]
)
SCHEMES: dict[int, Scheme] = {
    1: FuzzyFingerprint,
    2: RandomFuzzyFingerprint,
    3: PStable,
    4: MinHash,
    5: WeightedMinHash,
    6: SimHash,
}
STREAMS: dict[int, Callable[[bytes], Iterable[bytes]]] = {1: terms, 2: tokens, 5: marked}

# 8: for numbers of documents of 0, 1, ... 32 bits the deviation that a Gaussian exceeds once in
# 2,048 * 2^bits, in thousandths.
RARE = [round(-1000 * NormalDist().inv_cdf(2.0 ** -(11 + bits))) for bits in range(33)]


class Profile:
    """The section of the profile: from a text to its sketch, and to similarities."""

    def __init__(self, section: Section) -> None:
        place, data = section.place(), section.parameters
        place.equal("number of blocks", 0, section.count)
        place.within("length", 32, 524_288, len(data))
        if u16(data, 0) not in SCHEMES:
            raise TooNew(section.path, "scheme", " or ".join(map(str, SCHEMES)), u16(data, 0))
        if u16(data, 2) not in STREAMS:
            raise TooNew(section.path, "term stream", " or ".join(map(str, STREAMS)), u16(data, 2))
        self.stream = STREAMS[u16(data, 2)]
        self.marks = self.stream is marked  # whether words of the file have them
        tables = u16(data, 4)
        components = u32(data, 8)
        borders = u32(data, 12)
        stops = u32(data, 16)
        self.least_terms = u32(data, 20)
        name = u16(data, 24)
        place.within("number of tables", 0, 64, tables)
        place.within("number of components", 1, 4096, components)
        place.within("number of borders", components, 15 * components, borders)
        place.one_of("stop slots", (0, *(1 << i for i in range(15))), stops)
        place.require(
            self.least_terms >= 1, "least number of terms", "at least 1", self.least_terms
        )
        place.within("length of the name", 0, 255, name)
        rows = u16(data, 26)
        place.within("rows of tables", tables, 256, rows)
        place.zero("reserved", data[6:8] + data[28:32])

        at = 32

        def take(field: str, size: int) -> bytes:
            nonlocal at
            place.require(
                padded(size) <= len(data) - at, "length", f"at least {at + padded(size)}", len(data)
            )
            array, padding = data[at : at + size], data[at + size : at + padded(size)]
            place.zero(f"padding of the {field}", padding)
            at += padded(size)
            return array

        self.name = place.utf8("name", take("name", name))
        array = take("stop slots", 8 * stops)
        self.stops = [u64(array, 8 * i) for i in range(stops)]
        place.require(not stops or 0 in self.stops, "free stop slots", "at least 1", 0)
        taken = "".join("1" if stop else " " for stop in 2 * self.stops)
        place.within("taken stop slots in a row", 0, 256, max(map(len, taken.split()), default=0))
        ranges = take("tables", 4 * rows)
        array = take("components", 4 * components)
        self.components = [
            Component(u16(array, 4 * i), u16(array, 4 * i + 2), []) for i in range(components)
        ]
        for component in self.components:
            place.within("intervals", 2, 16, component.intervals)
        place.equal(
            "number of borders",
            sum(component.intervals - 1 for component in self.components),
            borders,
        )
        array = take("borders", 4 * borders)
        values = (
            int.from_bytes(array[i : i + 4], "little", signed=True)
            for i in range(0, 4 * borders, 4)
        )
        for component in self.components:
            for _ in range(component.intervals - 1):
                border = next(values)
                if component.borders:
                    place.require(
                        border > component.borders[-1],
                        "border",
                        f"more than {component.borders[-1]}",
                        border,
                    )
                component.borders.append(border)
        keys: list[tuple[bool, list[int]]] = []
        for i in range(rows):
            first, (marks, count) = u16(ranges, 4 * i), divmod(u16(ranges, 4 * i + 2), 16_384)
            place.within("components of a table", 1, components - first, count)
            place.one_of("marks of a table's row", (0, 1, 2) if keys else (0, 2), marks)
            if marks == 1:
                place.within(
                    "first component of a row that goes on", keys[-1][1][-1] + 1, components, first
                )
                keys[-1][1].extend(range(first, first + count))
            else:
                keys.append((marks == 2, list(range(first, first + count))))
        place.equal("rows that begin a table", tables, len(keys))
        for _, own in keys:
            place.within("components of a sub-key", 1, 256, len(own))
        self.tables = [
            Table(own, [self.components[j].intervals for j in own], is_sum) for is_sum, own in keys
        ]
        self.scheme = SCHEMES[u16(data, 0)](place, data[at:], self.components)
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

    def terms(self, text: bytes) -> list[bytes]:
        """Return the terms of a text that are no stop words."""
        return [term for term in self.stream(text) if not self.is_stop_word(term)]

    def quantise(self, text: bytes, least: int) -> Quantised:
        """Return the digits of a text. Raises TextTooShort if it has fewer terms than least."""
        if len(text) > TEXT_BYTES:
            raise TextTooLong(len(text))
        kept = self.terms(text)
        if len(kept) < least:
            raise TextTooShort(len(kept), least)
        return self.scheme.quantise(kept)

    # 2.2 Sketch and key

    def unpack(self, place: Place, record: bytes) -> tuple[int, ...]:
        """Return the digits of a record of the sketches section."""
        rest, digits = int.from_bytes(record[: self.sketch_bytes], "little"), []
        for number, component in enumerate(self.components):
            digit = rest & (1 << component.width) - 1
            if digit >= component.intervals:
                place.within(f"digit of component {number}", 0, component.intervals - 1, digit)
            digits.append(digit)
            rest >>= component.width
        place.equal("padding of a sketch", 0, rest)
        return tuple(digits)

    # 8 A query by a stored document

    def stored(self, digits: Digits) -> Quantised:
        """Return the sketch of a stored document as a query: without margins."""
        ordered = not isinstance(self.scheme, (MinHash, WeightedMinHash))
        down = [1 if ordered and digit > 0 else None for digit in digits]
        up = [
            1 if ordered and digit + 1 < own.intervals else None
            for digit, own in zip(digits, self.components, strict=True)
        ]
        return Quantised(list(digits), down, up, [0] * len(digits), 0)

    # 8 Similarity

    @property
    def is_binary(self) -> bool:
        return all(component.intervals == 2 for component in self.components)

    @property
    def is_cosine(self) -> bool:
        return isinstance(self.scheme, RandomFuzzyFingerprint)

    def similarity(self, agreement: int, is_text: bool) -> int:
        """Return the similarity in ten-thousandths, at most 9999."""
        if not self.is_cosine:
            return min(9_999, agreement * 10_000 >> 16)
        weighted = agreement if is_text else self.as_weighted(agreement)
        return min(9_999, max(0, weighted - 32_768) * 10_000 >> 15)

    def without_luck(self, similarity: int, documents: int) -> int:
        """Return the similarity that is shown: without what the best of many owe to luck."""
        if not self.is_cosine or similarity == 10_000:
            return similarity
        root = isqrt(10**8 - similarity**2)
        return max(
            0,
            similarity
            - 27_222 * documents.bit_length() * root**3 // (10**13 * len(self.components)),
        )

    def min_similarity(self, documents: int, is_text: bool = True) -> int:
        """Return the similarity that the first hit has to have, unless somebody says otherwise."""
        if not self.is_cosine:
            return 3_000
        rare, root = RARE[documents.bit_length()], isqrt(10**6 * len(self.components))
        if is_text:
            gaussian = rare * 12_533 // root
            least = 10_000 * gaussian // isqrt(10**8 + 113 * gaussian**2 // 355)
        else:
            least = self.similarity(min(32_768 + 32_768 * rare // root, 65_536), False)
        return max(self.min_related(documents), self.without_luck(min(least, 9_999), documents))

    def min_related(self, documents: int) -> int:
        """Return what of it does not depend on the sketch."""
        return 8_140 - 62_400 // (documents.bit_length() + 12)

    def more_than_chance(
        self, similarities: list[int], documents: int, is_text: bool = True
    ) -> list[int]:
        """Return those of the similarities of hits, highest first, that are shown, unless somebody
        says otherwise.
        """
        least = self.min_similarity(documents, is_text)
        copies = [each for each in similarities if each == 10_000]
        others = similarities[len(copies) :]
        if not others or others[0] < least:
            return copies
        return copies + [each for each in others if each >= least - least // 8]

    def as_weighted(self, agreement: int) -> int:
        """Return the agreement that weights of margins would give on average."""
        if not self.is_binary:
            return agreement
        i, f = divmod(agreement, 1024)
        low, high = (round(32_768 * (1 - cos(pi * step / 64))) for step in (i, i + 1))
        return low + (high - low) * f // 1024

    def verify(self, place: Place) -> None:
        for slot, number in enumerate(self.stops):
            home = number & len(self.stops) - 1
            between = (
                range(home, slot) if home <= slot else (*range(home, len(self.stops)), *range(slot))
            )
            if number:
                place.require(
                    all(self.stops[i] not in (0, number) for i in between),
                    "stop slot",
                    f"{number} from slot {home} on",
                    slot,
                )
