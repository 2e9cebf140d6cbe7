"""docs/format.md, 2.3: scheme 1, `ff`."""

from __future__ import annotations

from collections import Counter

from plain.conventions import murmur, padded, u32
from plain.place import Place
from plain.sketch import Component, Quantised


class FuzzyFingerprint:
    """The scheme `ff`, from a text to its sketch."""

    def __init__(self, place: Place, body: bytes, components: list[Component]) -> None:
        place.require(len(body) >= 16, "length of the scheme's body", "at least 16", len(body))
        self.prefix = u32(body, 0)
        bins = u32(body, 4)
        classes = u32(body, 8)
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
            place.require(
                component.borders[0] >= -65_536, "border", "at least -65536", component.borders[0]
            )
            expected = self.expectation[component.source]
            self.shares.append(
                [
                    min(expected + expected * border // 65_536, 2**32 - 1)
                    for border in component.borders
                ]
            )

    def quantise(self, terms: list[bytes]) -> Quantised:
        counts = Counter(terms)
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
                costs.append(min(2**32 - 2, (distance >> 4) ** 2 // expected + 1))
            digit = sum(share >= n * border for border in shares)
            down = costs[digit - 1] if digit > 0 else None
            up = costs[digit] if digit < len(costs) else None
            result.digits.append(digit)
            result.down.append(down)
            result.up.append(up)
            result.weights.append(1)
        return result
