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
from pocketindex.builder.write.tables import PartMaker, TableShape, write_parts

# Shingles of a text are anywhere among all shingles: of a cold file each loads a part. These parts
# take .3 % more bytes than those of 60,000 keys, and a text of 1,000 words .15 more time in memory.
SHINGLES_PER_PART = 4_000
_MOST_RANGE = 2**32 - 1
_RESTS = (8, 16, 24, 32)


class ShingleLists:
    """Sorted pairs of keys and documents as they stand in the section, to be gone through more than
    once, each document of a key once; a key that more than most documents have is left out, and so
    is one with the document number `documents`: these have this number alone.

    left_out: how many keys these were, once the pairs were gone through.
    """

    def __init__(self, pairs: Iterable[Pairs], most: int, documents: int) -> None:
        self._pairs = pairs
        self._most = most
        self._documents = documents
        self.left_out = 0

    def __iter__(self) -> Iterator[Pairs]:
        self.left_out = 0
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
        order = np.lexsort((values, keys))
        keys, values = keys[order], values[order]
        once = np.append(True, (keys[1:] != keys[:-1]) | (values[1:] != values[:-1]))
        keys, values = keys[once], values[once]
        ends = np.append(np.flatnonzero(keys[1:] != keys[:-1]), len(keys) - 1)
        counts = np.diff(np.append(-1, ends))
        gone = (counts > self._most) | (values[ends] == self._documents)
        self.left_out += int(np.count_nonzero(gone))
        kept = np.repeat(~gone, counts)
        kept[ends[gone]] = True
        values[ends[gone]] = self._documents
        yield keys[kept], values[kept]


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


def shingles_maker(
    keys: int, key_range: int, documents: int, numbers: npt.NDArray[np.uint32] | None = None
) -> PartMaker:
    """Return what makes parts, of so many different keys in all.

    numbers: of the documents in the file, where these are not the values of the pairs.
    """
    if numbers is not None:
        numbers = np.append(numbers, np.uint32(documents))
    bits = max(1, documents.bit_length())  # the number of documents is a posting, too
    return PartMaker(QUOTIENT, rest_bits_for(keys, key_range), bits, numbers)


def write_passages(
    section: Section,
    shingles: ShingleLists,
    documents: int,
    threads: Threads,
    *,
    key_range: int,
    keys_per_part: int,
    numbers: npt.NDArray[np.uint32] | None = None,
    done: Callable[[int], None] = lambda postings: None,
) -> None:
    """Write the parts, and the parameters of a table. numbers: of the documents in the file, where
    these are not the values of the shingles; done is told the postings written.
    """
    shape = TableShape.of(*sizes(shingles), keys_per_part)
    maker = shingles_maker(shape.keys, key_range, documents, numbers)
    pieces = grouped(shingles, [end - start for start, end in pairwise(shape.bounds())])
    write_parts(section, threads.map(maker, pieces), [shape], maker, done=done)


def passages_parameters(chosen: tuple[int, int, int], key_range: int, left_out: int) -> bytes:
    """Return what the section has after the parameters of a table. chosen: terms of a shingle,
    shingles of a window, and the most documents of a shingle.
    """
    return struct.pack("<IIIIQ", *chosen, key_range, left_out)
