"""The passages section (docs/format.md 6.3): from the shingles of documents to parts that keep
their keys.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from pocketindex.builder.sections.shingle_numbers import shingle_numbers
from pocketindex.builder.spill.sorted_files import Keys, Pairs, Values, grouped, sizes
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.perfect_hash import QUOTIENT
from pocketindex.builder.write.tables import Part, PartMaker, TableShape, write_parts

# Shingles of a text are anywhere among all shingles: of a cold file each loads a part. These parts
# take .3 % more bytes than those of 60,000 keys, and a text of 1,000 words .15 more time in memory.
SHINGLES_PER_PART = 4_000
# Their postlists may be long, and between two of their keys there is much room, which a part would
# say in bits: two bytes a document of 126,000 articles.
FREQUENT_PER_PART = 1
EXAMPLES = 3  # documents of a frequent shingle that a look-up finds
_MOST_RANGE = 2**32 - 1
_RESTS = (8, 16, 24, 32)


class ShingleLists:
    """Sorted pairs of keys and documents as they stand in a table of the section, to be gone
    through more than once, each document of a key once.

    most: documents of a key that is not frequent. frequent: whether these are the postlists of the
    frequent keys, whole, or those of all keys, where a frequent one has three documents, the number
    of all documents in the file, and beyond that one more than the number that have it. numbers: of
    the documents in the file, where these are not the values of the pairs.
    """

    def __init__(
        self,
        pairs: Iterable[Pairs],
        most: int,
        documents: int,
        *,
        frequent: bool = False,
        numbers: npt.NDArray[np.uint32] | None = None,
    ) -> None:
        self._pairs = pairs
        self._most = most
        self._documents = documents
        self._frequent = frequent
        self._numbers = numbers

    def __iter__(self) -> Iterator[Pairs]:
        waiting = [(np.zeros(0, np.uint64), np.zeros(0, np.uint32))]
        for keys, values in self._pairs:
            waiting.append((keys, values))
            if int(keys[0]) == int(keys[-1]) and sum(len(own) for own, _ in waiting) < 1 << 20:
                continue  # the last key goes on
            keys, values = _joined(waiting)
            end = int(np.searchsorted(keys, keys[-1], "left"))
            yield from self._lists(keys[:end], values[:end])
            waiting = [(keys[end:], values[end:])]
        yield from self._lists(*_joined(waiting))

    def _lists(self, keys: Keys, values: Values) -> Iterator[Pairs]:
        if not len(keys):
            return
        if self._numbers is not None:
            values = self._numbers[values]
        order = np.lexsort((values, keys))
        keys, values = keys[order], values[order]
        once = np.append(True, (keys[1:] != keys[:-1]) | (values[1:] != values[:-1]))
        keys, values = keys[once], values[once]
        ends = np.append(np.flatnonzero(keys[1:] != keys[:-1]), len(keys) - 1)
        counts = np.diff(np.append(-1, ends))
        many = counts > self._most
        of_many = np.repeat(many, counts)
        if self._frequent:
            if len(own := keys[of_many]):
                yield own, values[of_many]
            return
        places = np.arange(len(keys)) - np.repeat(ends + 1 - counts, counts)
        kept = ~of_many | (places < EXAMPLES)
        more, own = np.repeat(keys[ends[many]], 2), counts[many] + self._documents + 1
        said = np.stack((np.full(len(own), self._documents), own), axis=1).ravel()
        keys = np.concatenate([keys[kept], more])
        values = np.concatenate([values[kept], said.astype(np.uint32)])
        if len(more):
            order = np.lexsort((values, keys))
            keys, values = keys[order], values[order]
        yield keys, values


def _joined(pairs: Sequence[Pairs]) -> Pairs:
    return np.concatenate([keys for keys, _ in pairs]), np.concatenate([own for _, own in pairs])


@dataclass(frozen=True)
class Numbered:
    """Sorted pairs of shingles' hashes and documents, with the keys of these instead."""

    pairs: Iterable[Pairs]
    key_range: int

    def __iter__(self) -> Iterator[Pairs]:
        for hashes, values in self.pairs:
            yield shingle_numbers(hashes, self.key_range), values


def range_for(shingles: int) -> int:
    """Return the key range for so many shingles of documents: a 256th of the keys that there can
    be, so that a foreign shingle meets a key once in 256 times.
    """
    return min(max(shingles, 1), _MOST_RANGE)


def rest_bits_for(keys: int, key_range: int) -> int:
    """Return how many bits of a key stand beside the hash, of so many different keys: those with
    the fewest bytes in all.
    """
    return min(_RESTS, key=lambda rest: (4 * rest * keys + (5 * (key_range << 8) >> rest), rest))


@dataclass(frozen=True)
class ShingleMaker(PartMaker):
    """A maker of parts from what ShingleLists gives, for so many documents in the file."""

    documents: int = 0

    def __call__(self, pairs: Pairs) -> Part:
        keys, values = pairs
        counted = values > self.documents
        return super().__call__((keys, np.where(counted, values - self.documents - 1, values)))


def shingles_maker(keys: int, key_range: int, documents: int) -> PartMaker:
    """Return what makes parts, of so many different keys in all."""
    bits = max(1, documents.bit_length())  # the number of documents is a posting, too
    return ShingleMaker(QUOTIENT, rest_bits_for(keys, key_range), bits, documents=documents)


def write_passages(
    section: Section,
    tables: Sequence[ShingleLists],
    documents: int,
    threads: Threads,
    *,
    key_range: int,
    keys_per_part: int,
    done: Callable[[int], None] = lambda postings: None,
) -> None:
    """Write the parts of both tables, all keys' and the frequent ones', and the parameters of
    tables. done is told the postings written.
    """
    shapes = [
        TableShape.of(*sizes(lists), per_part)
        for lists, per_part in zip(tables, keys_of_parts(keys_per_part), strict=True)
    ]
    maker = shingles_maker(shapes[0].keys, key_range, documents)
    pieces = (
        piece
        for lists, shape in zip(tables, shapes, strict=True)
        for piece in grouped(lists, [end - start for start, end in pairwise(shape.bounds())])
    )
    write_parts(section, threads.map(maker, pieces), shapes, maker, done=done)


def keys_of_parts(keys_per_part: int) -> tuple[int, int]:
    """Return how many keys a part of each table has at most, where no part has more."""
    return min(keys_per_part, SHINGLES_PER_PART), min(keys_per_part, FREQUENT_PER_PART)


def passages_parameters(chosen: tuple[int, int, int], key_range: int) -> bytes:
    """Return what the section has after the parameters of tables. chosen: terms of a shingle,
    shingles of a window, and the most documents of a shingle that is not frequent.
    """
    return struct.pack("<IIII", *chosen, key_range)
