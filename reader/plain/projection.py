"""docs/format.md, 2.4 and 2.5: schemes 2 and 3, `rff` and `plsh`."""

from __future__ import annotations

from collections import Counter
from itertools import count as count_from
from math import isqrt

from pocketindex.plain.conventions import mix, murmur, padded, u16, u32
from pocketindex.plain.place import Place
from pocketindex.plain.sketch import Component, Quantised

STORED, GAUSSIAN = range(2)


class Projection:
    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        sizes = [1 << i for i in range(8, 18)]
        place.require(len(body) >= 32, "length of the scheme's body", "at least 32", len(body))
        self.prefix, bins, classes, slots, self.directions, self.made, self.spread, self.hashed = (u32(body, 4 * i) for i in range(8))
        place.within("prefix length", 0, 16, self.prefix)
        place.one_of("prefix bins", sizes, bins)
        place.within("classes", 2, 4096, classes)
        place.one_of("slots of term weights", sizes, slots)
        place.within("directions", 0, 1024, self.directions)
        place.within("rotation", STORED, GAUSSIAN, self.made)
        place.require(self.spread >= 1, "spread", "at least 1", self.spread)
        place.within("hashed directions", 0, 1024, self.hashed)
        at_classes, at_scales = 32 + slots, 32 + slots + 2 * bins
        end = at_scales + 2 * classes
        used = end if self.made else padded(end) + classes * self.directions
        place.equal("length of the scheme's body", padded(used), len(body))
        place.zero("padding of the scales", body[end : padded(end)])
        place.zero("padding of the rotation", body[max(used, padded(end)) :])
        self.weights = body[32:at_classes]
        self.classes = [u16(body, at_classes + 2 * i) for i in range(bins)]
        place.within("class of a bin", 0, classes - 1, max(c & 0x7FFF for c in self.classes))
        self.scales = [u16(body, at_scales + 2 * i) for i in range(classes)]
        self.rotation = body[padded(end) : used]
        self.components = components
        for component in components:
            place.within("source of a component", 0, self.directions + self.hashed - 1, component.source)

    def quantise(self, terms: list[bytes]) -> Quantised:
        counts = Counter(terms)
        values, length = self.normalised(self.sums(counts))
        hashed, root = self.hashed_sums(counts)
        result = Quantised([], [], [], [], counts.total())
        for component in self.components:
            if component.source < self.directions:
                rotated = sum(self.entry(i, component.source) * value for i, value in enumerate(values) if value)
                ratio, spread = toward_zero(rotated << 24, length), self.spread
            else:
                ratio, spread = toward_zero(hashed[component.source - self.directions] << 24, root), 65_536
            margins = [min(abs(ratio - border) * 1024 // spread, 65_535) for border in component.borders]
            digit = sum(ratio >= border for border in component.borders)
            down = margins[digit - 1] if digit > 0 else None
            up = margins[digit] if digit < len(margins) else None
            result.digits.append(digit)
            result.down.append(None if down is None else down**2 + 1)
            result.up.append(None if up is None else up**2 + 1)
            result.weights.append(min(margin for margin in (down, up) if margin is not None))
        return result

    def weight(self, term: bytes) -> int:
        return self.weights[murmur(term) >> 32 & len(self.weights) - 1]

    def sums(self, counts: Counter[bytes]) -> list[int]:
        """The signed weights of the terms, by class."""
        sums = [0] * len(self.scales)
        for term, count in counts.items() if self.directions else ():
            prefix = term.decode()[: self.prefix].encode() if self.prefix else term
            number = self.classes[murmur(prefix) & len(self.classes) - 1]
            sums[number & 0x7FFF] += count * (-self.weight(term) if number >> 15 else self.weight(term))
        return sums

    def hashed_sums(self, counts: Counter[bytes]) -> tuple[list[int], int]:
        """The sums of the terms in the hashed directions, and their root mean square in 1/256."""
        sums = [0] * self.hashed
        for term, count in counts.items() if self.hashed else ():
            signs = sum(mix((murmur(term) + i + 1) % 2**64) << 64 * i for i in range((self.hashed + 63) // 64))
            for j in range(self.hashed):
                sums[j] += count * (self.weight(term) if signs >> j & 1 else -self.weight(term))
        if not sums:
            return [], 1
        sums = shrunk(sums, max(map(abs, sums)), 1 << 20)
        return sums, isqrt(sum(value**2 for value in sums) // self.hashed << 16) or 1

    def normalised(self, sums: list[int]) -> tuple[list[int], int]:
        """The scaled sums, of length below 2^15, and that length in 1/256."""
        values = [total * scale for total, scale in zip(sums, self.scales, strict=True)]
        values = shrunk(values, max(map(abs, values)), 1 << 20)
        values = shrunk(values, isqrt(sum(value**2 for value in values)), 1 << 15)
        return values, isqrt(sum(value**2 for value in values) << 16) or 1

    def entry(self, number: int, direction: int) -> int:
        """Of the rotation, for a class and a direction."""
        if self.made == GAUSSIAN:
            return mix(1024 * number + direction + 1).bit_count() - 32
        byte = self.rotation[number * self.directions + direction]
        return byte - 256 if byte > 127 else byte


def shrunk(values: list[int], largest: int, limit: int) -> list[int]:
    """Divided by the least power of two that brings largest below limit."""
    shift = next(shift for shift in count_from() if largest >> shift < limit)
    return [toward_zero(value, 1 << shift) for value in values]


def toward_zero(value: int, divisor: int) -> int:
    return -(-value // divisor) if value < 0 else value // divisor
