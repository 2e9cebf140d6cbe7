"""docs/format.md, section 3.4: the hash `quotient`, whose keys can be read back."""

from __future__ import annotations

from plain.conventions import bits, u16, u32
from plain.place import Place

SAMPLE = 64
TOGETHER = 256  # keys of a quotient, at most


class Quotient:
    """The keys of a part in their order. Keys count from the least one that has the quotient of the
    part's first key.
    """

    def __init__(self, place: Place, data: bytes, keys: int, rests: bytes, rest_bits: int) -> None:
        self.place = place
        self.rest_bits = rest_bits
        place.require(len(data) >= 4, "length of the hash", "at least 4", len(data))
        self.quotients = u32(data, 0)
        place.require(self.quotients >= 1, "quotients", "at least 1", self.quotients)
        samples = -(-self.quotients // SAMPLE)
        used = self.quotients + keys
        place.equal("length of the hash", 4 + 2 * samples + (used + 7) // 8, len(data))
        self.before = [u16(data, 4 + 2 * i) for i in range(samples)]
        self.unary = data[4 + 2 * samples :]
        place.equal("padding of the hash", 0, bits(self.unary, used, -used % 8))
        self.keys = list[int]()
        starts = [0]
        for at in range(used):
            if bits(self.unary, at, 1):
                rest = bits(rests, len(self.keys) * rest_bits, rest_bits)
                self.keys.append((len(starts) - 1 << rest_bits) + rest)
                place.require(
                    len(self.keys) <= keys and len(self.keys) - starts[-1] <= TOGETHER,
                    "keys of the hash",
                    keys,
                    "more",
                )
            else:
                starts.append(len(self.keys))
        place.equal("keys of the hash", keys, len(self.keys))
        self.starts = starts[:-1]

    def slot(self, key: int) -> int | None:
        """Return how many keys come before this one, None where the part does not have it."""
        number = key >> self.rest_bits
        if number >= self.quotients:
            return None
        self.place.equal(
            f"keys before quotient {number // SAMPLE * SAMPLE}",
            self.starts[number // SAMPLE * SAMPLE],
            self.before[number // SAMPLE],
        )
        return self.keys.index(key) if key in self.keys else None

    def verify(self, first: int) -> None:
        """Check that the keys rise, and that all is as it would be written. first: the part's first
        key.
        """
        self.place.equal("first", first, self.keys[0])
        for before, key in zip(self.keys, self.keys[1:], strict=False):
            self.place.require(key > before, "order of the keys", f"more than {before}", key)
        self.place.equal("quotients", self.keys[-1] >> self.rest_bits, self.quotients - 1)
        for number, before in zip(range(0, self.quotients, SAMPLE), self.before, strict=True):
            self.place.equal(f"keys before quotient {number}", self.starts[number], before)
