"""docs/format.md, 2.6: schemes 4 and 5, `minhash` and `wminhash`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from plain.conventions import mix, murmur, u32
from plain.place import Place
from plain.sketch import Component, Quantised


class MinHash:
    """The scheme `minhash`, from a text to its sketch."""

    weighted = False

    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        place.require(len(body) >= 16, "length of the scheme's body", "at least 16", len(body))
        self.shingle, slots, self.unit, reserved = (u32(body, 4 * i) for i in range(4))
        place.within("terms of a shingle", 1, 16, self.shingle)
        place.one_of(
            "slots of term weights", [1 << i for i in range(8, 18)] if self.weighted else [0], slots
        )
        place.within("weight of a copy", *((1, 255) if self.weighted else (0, 0)), self.unit)
        place.equal("reserved of the scheme", 0, reserved)
        place.equal("length of the scheme's body", 16 + slots, len(body))
        self.weights = body[16:]
        self.components = components
        most = -(-max(self.weights) // self.unit) if self.weighted else 1
        place.within("copies of a shingle, times components", 0, 32_768, most * len(components))
        for component in components:
            place.one_of("intervals", (2, 4, 8, 16), component.intervals)

    def quantise(self, terms: list[bytes]) -> Quantised:
        found = set()
        for whole, last in shingles(terms, self.shingle):
            copies = self.copies(last) if len(terms) >= self.shingle else 1
            found |= {mix((whole + i) % 2**64) if i else whole for i in range(copies)}
        least = least_values(found, len(self.components))
        digits = [
            value % component.intervals
            for value, component in zip(least, self.components, strict=True)
        ]
        none: list[int | None] = [None] * len(digits)
        return Quantised(digits, none, none, [1] * len(digits), len(terms))

    def copies(self, whole: int) -> int:
        """Return how many copies a shingle with this last term has."""
        return (
            -(-self.weights[whole >> 32 & len(self.weights) - 1] // self.unit)
            if self.weighted
            else 1
        )


def shingles(terms: list[bytes], size: int) -> Iterator[tuple[int, int]]:
    """Yield the hash of each shingle, and of its last term."""
    hashes = [murmur(term) for term in terms]
    for end in range(min(size, len(hashes)), len(hashes) + 1):
        window = hashes[max(end - size, 0) : end]
        yield (
            window[0] if size == 1 else murmur(b"".join(h.to_bytes(8, "little") for h in window)),
            window[-1],
        )


def least_values(hashes: Collection[int], functions: int) -> list[int]:
    """Return the least value of each function over these shingle hashes."""
    return [
        min((mix((h + j * 0x9E3779B97F4A7C15) % 2**64) for h in hashes), default=2**64 - 1)
        for j in range(1, functions + 1)
    ]


class WeightedMinHash(MinHash):
    """The scheme `wminhash`: a shingle counts as often as its last term weighs."""

    weighted = True
