"""What queries load of a disc: of each collection, by what it is loaded for."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Part:
    """Shards of which a hit needs one: bytes of them all, and of the largest."""

    total: int = 0
    largest: int = 0

    def add(self, size: int) -> None:
        self.total += size
        self.largest = max(self.largest, size)

    def at_most(self, hits: int) -> int:
        return min(self.total, hits * self.largest)


@dataclass
class Loads:
    """What is loaded of a collection, in bytes of files: by its first query, of a hit that is
    shown, the names that titles are looked up by, the shingles that sources are found by, and the
    words that are searched for; once: the look-up part is loaded once; first: of this part, what
    comes with the page; file: its pocket file, where there are no scripts that hold its bytes.
    """

    name: str
    documents: int
    kept: str
    once: bool
    opening: int = 0
    look_up: int = 0
    first: int = 0
    titles: Part = field(default_factory=Part)
    texts: Part = field(default_factory=Part)
    names: Part = field(default_factory=Part)
    shingles: Part = field(default_factory=Part)
    words: Part = field(default_factory=Part)
    file: str = ""
