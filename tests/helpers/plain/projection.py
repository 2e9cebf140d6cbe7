"""docs/format.md, 2.4 and 2.5: schemes 2 and 3, `rff` and `plsh`."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from itertools import count as count_from
from math import isqrt

from plain.conventions import mix, murmur, u32
from plain.place import Place
from plain.sketch import Component, Quantised


class Projection:
    """What `rff` and `plsh` have in common: sums of weighted terms in some directions."""

    cosine: bool

    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        place.require(len(body) >= 8, "length of the scheme's body", "at least 8", len(body))
        slots, self.directions = u32(body, 0), u32(body, 4)
        place.one_of("slots of term weights", [1 << i for i in range(8, 18)], slots)
        place.within("directions", 1, 1024, self.directions)
        place.equal("length of the scheme's body", 8 + slots, len(body))
        self.weights = body[8:]
        self.components = components
        for component in components:
            place.within("source of a component", 0, self.directions - 1, component.source)

    @abstractmethod
    def entries(self, term: bytes) -> list[int]:
        """Return the entries of a term, one in each direction."""

    def quantise(self, terms: list[bytes], by_roots: bool = False) -> Quantised:
        counts = Counter(terms)
        sums, root = self.sums(counts, by_roots)
        result = Quantised([], [], [], [], counts.total())
        for component in self.components:
            ratio = toward_zero(sums[component.source] << 24, root)
            margins = [min(abs(ratio - border) >> 6, 65_535) for border in component.borders]
            digit = sum(ratio >= border for border in component.borders)
            down = margins[digit - 1] if digit > 0 else None
            up = margins[digit] if digit < len(margins) else None
            result.digits.append(digit)
            result.down.append(None if down is None else down**2 + 1)
            result.up.append(None if up is None else up**2 + 1)
            result.weights.append(
                min(margin for margin in (down, up) if margin is not None) if self.cosine else 1
            )
        return result

    def weight(self, term: bytes) -> int:
        return self.weights[murmur(term) >> 32 & len(self.weights) - 1]

    def sums(self, counts: Counter[bytes], by_roots: bool = False) -> tuple[list[int], int]:
        """Return the sums of the weighted terms in each direction, and their root mean square in
        1/256. by_roots: whether the roots of weights count.
        """
        sums = [0] * self.directions
        for term, count in counts.items():
            own = self.weight(term)
            weight = count * (isqrt(own << 8) if by_roots else own)
            for j, entry in enumerate(self.entries(term)):
                sums[j] += weight * entry
        sums = shrunk(sums, max(map(abs, sums)), 1 << 20)
        return sums, isqrt(sum(value**2 for value in sums) // self.directions << 16) or 1


class RandomFuzzyFingerprint(Projection):
    """The scheme `rff`."""

    cosine = True

    def entries(self, term: bytes) -> list[int]:
        words = [
            mix((murmur(term) + i + 1) % 2**64) for i in range(2 * ((self.directions + 63) // 64))
        ]
        bits = [
            (words[j // 64 * 2] >> j % 64 & 1) + (words[j // 64 * 2 + 1] >> j % 64 & 1)
            for j in range(self.directions)
        ]
        return [both - 1 for both in bits]


class PStable(Projection):
    """The scheme `plsh`."""

    cosine = False

    def entries(self, term: bytes) -> list[int]:
        return [
            mix((murmur(term) + j + 1) % 2**64).bit_count() - 32 for j in range(self.directions)
        ]


def shrunk(values: list[int], largest: int, limit: int) -> list[int]:
    """Return values divided by the least power of two that brings largest below limit."""
    shift = next(shift for shift in count_from() if largest >> shift < limit)
    return [toward_zero(value, 1 << shift) for value in values]


def toward_zero(value: int, divisor: int) -> int:
    return -(-value // divisor) if value < 0 else value // divisor
