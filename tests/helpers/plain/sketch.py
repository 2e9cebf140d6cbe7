"""docs/format.md, 2.2: components, sub-keys, and what a scheme makes of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from plain.conventions import murmur

Digits = Sequence[int]


@dataclass
class Component:
    """A component of a sketch: what it is made of, and the borders of its intervals."""

    source: int
    intervals: int
    borders: list[int]

    @cached_property
    def width(self) -> int:
        return (self.intervals - 1).bit_length()


class Table:
    """The components of a sketch, by number, that make a sub-key."""

    def __init__(self, components: Sequence[int], intervals: Digits, is_sum: bool = False) -> None:
        self.components, self.is_sum = components, is_sum
        self.factors = [1 if is_sum else prod(intervals[:i]) for i in range(len(intervals))]
        self.is_hashed = not is_sum and prod(intervals) > 2**64

    def digits(self, digits: Digits) -> Digits:
        return [digits[component] for component in self.components]

    def key(self, own: Digits) -> int:
        """Return the key of this table's digits (2.2)."""
        if self.is_hashed:
            return murmur(bytes(own))
        return sum(digit * factor for digit, factor in zip(own, self.factors, strict=True))


@dataclass
class Quantised:
    """What a scheme makes of a text: for each component a digit, the costs of leaving it and a
    weight.
    """

    digits: list[int]
    down: list[int | None]
    up: list[int | None]
    weights: list[int]
    terms: int
