"""Write the passages section (docs/format.md 6.3) from the shingles of documents."""

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

# The shingles of a text are spread over all parts, and each loads a part of a cold file. Compared
# with 60,000 keys in a part, the file has .3 % more bytes, and a text of 1,000 words takes .15 more
# time in memory.
SHINGLES_PER_PART = 4_000
# Frequent keys have long postlists and are far apart. With several in a part, the bits for the gaps
# took two bytes a document in a collection of 126,000 articles.
FREQUENT_PER_PART = 1
EXAMPLES = 3  # documents of a frequent shingle that a look-up finds
_MOST_RANGE = 2**32 - 1
_RESTS = (8, 16, 24, 32)


class ShingleLists:
    """An iterable of sorted pairs of keys and documents, as a table of the section stores them. It
    can be iterated more than once, and gives each document of a key once.

    most: the most documents of a key that is not frequent. frequent: True for the table of frequent
    keys, with all of their documents; False for the table of all keys, in which a frequent key has
    three documents and two numbers: that of all documents in the file, and one above it by 1 + the
    number of documents that have the key. numbers: the numbers of the documents in the file, if
    the values of the pairs are not these numbers.
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
    """An iterable of sorted pairs of hashes and documents, with the keys of the hashes instead."""

    pairs: Iterable[Pairs]
    key_range: int

    def __iter__(self) -> Iterator[Pairs]:
        for hashes, values in self.pairs:
            yield shingle_numbers(hashes, self.key_range), values


def range_for(shingles: int) -> int:
    """Return the key range for a number of shingles. It is a 256th of all possible keys, so that a
    shingle that no document has meets a key once in 256 times.
    """
    return min(max(shingles, 1), _MOST_RANGE)


def rest_bits_for(keys: int, key_range: int) -> int:
    """Return how many bits of each key are stored as its rest, so that a number of different keys
    takes the fewest bytes.
    """
    return min(_RESTS, key=lambda rest: (4 * rest * keys + (5 * (key_range << 8) >> rest), rest))


@dataclass(frozen=True)
class ShingleMaker(PartMaker):
    """Make parts from the pairs of ShingleLists. documents: the number of documents in the file."""

    documents: int = 0

    def __call__(self, pairs: Pairs) -> Part:
        keys, values = pairs
        counted = values > self.documents
        return super().__call__((keys, np.where(counted, values - self.documents - 1, values)))


def shingles_maker(keys: int, key_range: int, documents: int) -> PartMaker:
    """Return a maker of parts. keys: the number of different keys in the table of all keys."""
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
    """Write the parts of both tables and their parameters. tables: all keys, then the frequent
    ones. done: called with the number of postings after each write.
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
    """Return the most keys of a part for both tables. keys_per_part: a limit for each of them."""
    return min(keys_per_part, SHINGLES_PER_PART), min(keys_per_part, FREQUENT_PER_PART)


def passages_parameters(chosen: tuple[int, int, int], key_range: int) -> bytes:
    """Return the bytes that follow the parameters of the tables. chosen: the terms of a shingle,
    the shingles of a window, and the most documents of a shingle that is not frequent.
    """
    return struct.pack("<IIII", *chosen, key_range)
