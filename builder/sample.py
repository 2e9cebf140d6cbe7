"""The sample that profiles are learned from."""

from __future__ import annotations

from collections.abc import Sequence

# What is learned must fit into memory whatever the collection is like, and must not depend on how much there is: so a sample has
# no more than so many bytes of text, and so many different terms, summed over its texts. LEARNED is for the texts that a profile is
# learned from, LOOKED_AT for those among which they look for what is like them.
LEARNED, LOOKED_AT = (128 << 20, 6_000_000), (128 << 20, 10_000_000)
LONGEST = 8 << 20  # bytes of a text; longer ones would leave no room for others


class Sample:
    """The n documents with the smallest hash of their id: the same whatever the order they come in.

    places: where they lie, by this hash.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self.places: list[int] = []

    @property
    def lacks(self) -> int:
        """Documents, to be full."""
        return self._size - len(self.places)

    def add(self, places: Sequence[int]) -> None:
        """More documents, whose hashes come after those before."""
        self.places += places[: self.lacks]


class Bounds:
    """What still fits into bytes and terms, text by text."""

    def __init__(self, most: tuple[int, int]) -> None:
        self._bytes, self._terms = most

    def take(self, bytes: int, terms: int = 0) -> bool:
        """Whether a text is taken: no long one, and none from the first on that does not fit."""
        if bytes > LONGEST:
            return False
        self._bytes, self._terms = self._bytes - bytes, self._terms - terms
        return self._bytes >= 0 and self._terms >= 0
