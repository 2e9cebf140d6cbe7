"""docs/format.md, 2.7: scheme 6, `simhash`."""

from __future__ import annotations

from plain.conventions import u32
from plain.place import Place
from plain.sketch import Component, Quantised

WORD = 2**32


class SimHash:
    """The scheme `simhash`, from a text to its sketch."""

    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        place.equal("length of the scheme's body", 8, len(body))
        place.equal("token hash", 1, u32(body, 0))
        place.equal("reserved of the scheme", 0, u32(body, 4))
        for component in components:
            place.equal("intervals", 2, component.intervals)
            place.within("source", 0, 63, component.source)
        self.components = components

    def quantise(self, terms: list[bytes]) -> Quantised:
        hashes = [lookup3(term) for term in terms]
        sums = [
            sum(1 if h >> component.source & 1 else -1 for h in hashes)
            for component in self.components
        ]
        digits = [int(total > 0) for total in sums]
        costs = [min(abs(total), 65_535) ** 2 + 1 for total in sums]
        down: list[int | None] = [
            cost if digit else None for cost, digit in zip(costs, digits, strict=True)
        ]
        up: list[int | None] = [
            None if digit else cost for cost, digit in zip(costs, digits, strict=True)
        ]
        return Quantised(digits, down, up, [1] * len(digits), len(terms))


def lookup3(data: bytes) -> int:
    """Return Bob Jenkins' lookup3, hashlittle2 with seeds 0: pc, and pb << 32."""
    x = dict.fromkeys("abc", (0xDEADBEEF + len(data)) % WORD)
    padded = data + bytes(-len(data) % 12)
    for at in range(0, len(padded), 12):
        for i, name in enumerate("abc"):
            x[name] = (x[name] + u32(padded, at + 4 * i)) % WORD
        if at + 12 < len(padded):
            mix(x)
        else:
            finish(x)
    return x["b"] << 32 | x["c"]


def mix(x: dict[str, int]) -> None:
    for a, c, by, b in (
        ("a", "c", 4, "b"),
        ("b", "a", 6, "c"),
        ("c", "b", 8, "a"),
        ("a", "c", 16, "b"),
        ("b", "a", 19, "c"),
        ("c", "b", 4, "a"),
    ):
        x[a] = (x[a] - x[c]) % WORD ^ turn(x[c], by)
        x[c] = (x[c] + x[b]) % WORD


def finish(x: dict[str, int]) -> None:
    for c, b, by in (
        ("c", "b", 14),
        ("a", "c", 11),
        ("b", "a", 25),
        ("c", "b", 16),
        ("a", "c", 4),
        ("b", "a", 14),
        ("c", "b", 24),
    ):
        x[c] = ((x[c] ^ x[b]) - turn(x[b], by)) % WORD


def turn(x: int, by: int) -> int:
    return (x << by | x >> (32 - by)) % WORD
