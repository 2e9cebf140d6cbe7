"""Tell which of many sets may be near to one of a few, without comparing them."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.options import CONTAINMENT
from pocketindex.builder.collections.shingles.sets import Counts, Hashes, sets_of
from pocketindex.cbits import lib

# Places of sets among others, and these sets.
Found = tuple[npt.NDArray[np.int64], Hashes, Hashes, Counts]
_SPACE = bytes(code for code in range(128) if chr(code).isspace())
_PLACES = 16  # for each hash of the few: one in sixteen of other hashes seems to be one of them
_KEY_BITS = 24  # of a key that are told apart
_HASH_BITS, _LEAST_BITS, _MOST_BITS = 64, 16, 32


def key_of(text: bytes) -> int:
    """Return a checksum of a text in UTF-8 without its white space."""
    if not text.isascii():
        text = "".join(text.decode("utf-8", "surrogatepass").split()).encode(
            "utf-8", "surrogatepass"
        )
    return zlib.crc32(text.translate(None, _SPACE))


class Overlap:
    """The hashes of a few sets, in a table of at most so many bytes of memory, in which hashes may
    share a place; keys: key_of the texts that they are of.

    A set that is near to one of the few has a share of its own hashes in the table, as two that
    share that much of all have at least as much of each: by the Jaccard similarity, so much of all
    its hashes, and by containment so much of as many as the smallest of the few has.
    """

    def __init__(
        self,
        blocks: Iterable[Hashes],
        sizes: npt.NDArray[np.int64],
        keys: array[int],
        measure: str,
        least: float,
        memory: int,
    ) -> None:
        wanted = max(int(sizes.sum()) * _PLACES, 1)
        most = min(max(memory, 1).bit_length() - 1, _MOST_BITS)
        bits = max(min((wanted - 1).bit_length(), most), _LEAST_BITS)
        self._shift = np.uint64(_HASH_BITS - bits)
        self._there = np.zeros(1 << bits, bool)
        for block in blocks:
            self._there[block >> self._shift] = True
        own = np.array(keys, np.uint32)
        self._keys = np.zeros(1 << _KEY_BITS, bool)
        self._keys[own >> np.uint32(32 - _KEY_BITS)] = True
        self._millionths = max(round(least * lib.POCKET_SHARES), 1)
        some = sizes[sizes > 0]
        self._smallest = int(some.min(initial=0)) if measure == CONTAINMENT else None

    def of(self, texts: Sequence[bytes]) -> Found:
        """Return which of some texts may be near or equal, by their places, and the sets of these
        as sets_of has them.
        """
        hashes, ends, terms = sets_of(texts)
        may = self.may_be_near(hashes, ends)
        # Signs between numbers count within a line, so that equal texts may have other sets.
        keys = np.fromiter(map(key_of, texts), np.uint32, len(texts))
        may |= self._keys[keys >> np.uint32(32 - _KEY_BITS)]
        sizes = np.diff(ends, prepend=np.uint64(0)).astype(np.int64)
        places = np.flatnonzero(may)
        own_ends = np.cumsum(sizes[places]).astype(np.uint64)
        return places, hashes[np.repeat(may, sizes)], own_ends, terms[places]

    def may_be_near(self, hashes: Hashes, ends: Hashes) -> npt.NDArray[np.bool_]:
        """Return for each set whether it may be near to one of the few, as any empty set may be.
        hashes: of the sets, one after the other; ends: where each set ends.
        """
        there = np.concatenate([[0], np.cumsum(self._there[hashes >> self._shift])])
        bounds = np.concatenate([[0], ends]).astype(np.int64)
        sizes, found = np.diff(bounds), np.diff(there[bounds])
        if self._smallest is not None:
            sizes = np.minimum(sizes, self._smallest)
        may: npt.NDArray[np.bool_] = found * lib.POCKET_SHARES >= self._millionths * sizes
        return may
