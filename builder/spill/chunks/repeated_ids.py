"""Find the documents whose id an earlier one has, and the sample that profiles are learned from.
Both use the sorted hashes of the ids.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder.spill.chunks.sample import Sample
from pocketindex.builder.spill.chunks.spool import Spool
from pocketindex.builder.spill.sorted_files import fewer, merged

Flags = npt.NDArray[np.bool_]


class RepeatedIds:
    """A bit for each document of the spool: whether an earlier document has the same id. count: the
    number of such documents.
    """

    def __init__(self, documents: int) -> None:
        self._bits = np.zeros(-(-documents // 8), np.uint8)
        self.count = 0

    def add(self, number: int) -> None:
        """Note that a document is repeated. Must be called once for each."""
        self._bits[number >> 3] |= np.uint8(1 << (number & 7))
        self.count += 1

    def among(self, first: int, count: int) -> Flags:
        """Return which of the documents from first on are repeated: (count,)."""
        if not self.count:
            return np.zeros(count, np.bool_)
        bits = np.unpackbits(self._bits[first >> 3 : (first + count + 7) >> 3], bitorder="little")
        return bits[first & 7 :][:count].astype(bool)

    def first(self, most: int) -> list[int]:
        """Return the numbers of the first repeated documents, at most most."""
        found: list[int] = []
        for byte in np.flatnonzero(self._bits)[:most].tolist():
            found += [8 * byte + i for i in range(8) if self._bits[byte] >> i & 1]
        return found[:most]


def repeated_ids(spool: Spool, folder: Path, memory: int, sample: Sample) -> RepeatedIds:
    """Find the documents whose id is repeated. sample: gets the others, by the hash of their id,
    until it is full; folder: where temporary files go; memory: the bytes for merging.
    """
    files = fewer([chunk.hashes for chunk in spool.chunks], folder / "hashes", memory)
    repeated, group = RepeatedIds(spool.count), _Group(spool)
    for hashes, numbers in merged(files, memory):
        first = np.ones(len(numbers), np.bool_)
        for place in np.flatnonzero(
            np.append(int(hashes[0]) == group.last[0], hashes[1:] == hashes[:-1])
        ).tolist():
            before = (int(hashes[place - 1]), int(numbers[place - 1])) if place else group.last
            if group.has(before, int(numbers[place])):
                repeated.add(int(numbers[place]))
                first[place] = False
        group.last = int(hashes[-1]), int(numbers[-1])
        sample.add(numbers[first][: sample.lacks].tolist())
    return repeated


class _Group:
    """The ids that have the same hash. last: the hash and number of the last document."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._hash = -1
        self._ids = set[bytes]()
        self.last = (-1, -1)

    def has(self, before: tuple[int, int], number: int) -> bool:
        """Return whether an earlier document in this hash group has the same id."""
        if before[0] != self._hash:
            self._hash, self._ids = before[0], {self._spool.details_at(before[1]).id}
        id = self._spool.details_at(number).id
        known = id in self._ids
        self._ids.add(id)
        return known
