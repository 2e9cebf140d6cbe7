"""Tell which of many sets may be near to one of a few, without comparing them."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.shingles.saved import Block
from pocketindex.builder.collections.shingles.sets import Counts, Hashes, Sets, sets_of
from pocketindex.cbits import ffi, lib

# Places of sets among others, and these sets.
Found = tuple[npt.NDArray[np.int64], Hashes, Hashes, Counts]
_SPACE = bytes(code for code in range(128) if chr(code).isspace())
_PLACES = 16  # for each hash of the few: one in sixteen of other hashes seems to be one of them
_KEY_BITS = 24  # of a key that are told apart
_LEAST_BITS, _MOST_BITS = 16, 32
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def key_of(text: bytes) -> int:
    """Return a checksum of a text in UTF-8 without its white space."""
    if not text.isascii():
        text = "".join(text.decode("utf-8", "surrogatepass").split()).encode(
            "utf-8", "surrogatepass"
        )
    return zlib.crc32(text.translate(None, _SPACE))


class Overlap:
    """The hashes of a few sets, in a table of at most so many bytes of memory, in which hashes may
    share a place; keys and digests: key_of and digest_of the texts that they are of.

    A set that is near to one of the few has a share of its own hashes in the table
    (cbits/build/near/set_overlap.c).
    """

    def __init__(
        self,
        blocks: Iterable[Hashes],
        sizes: npt.NDArray[np.int64],
        keys: array[int],
        digests: bytes | bytearray,
        measure: str,
        least: float,
        memory: int,
    ) -> None:
        wanted = max(int(sizes.sum()) * _PLACES, 1)
        most = min(max(memory, 1).bit_length() - 1, _MOST_BITS)
        self._bits = max(min((wanted - 1).bit_length(), most), _LEAST_BITS)
        self._marked = np.zeros(1 << self._bits, np.uint8)
        marked = ffi.from_buffer("uint8_t[]", self._marked, require_writable=True)
        for block in blocks:
            own = ffi.from_buffer("uint64_t[]", block)
            lib.pocket_hashes_mark(own, len(block), self._bits, marked)
        self._keys = np.zeros(1 << _KEY_BITS, bool)
        self._keys[np.array(keys, np.uint32) >> np.uint32(32 - _KEY_BITS)] = True
        self._digests = np.unique(np.frombuffer(digests, np.uint64)[::2])
        self._measure, self._least = measure, least
        self._smallest = int(sizes[sizes > 0].min(initial=0))

    def of_texts(self, texts: Sequence[bytes]) -> Found:
        """Return which of some texts may be near or equal, by their places, and the sets of these
        as sets_of has them.
        """
        hashes, ends, terms = sets_of(texts)
        # Signs between numbers count within a line, so that equal texts may have other sets.
        keys = np.fromiter(map(key_of, texts), np.uint32, len(texts))
        return self._found(hashes, ends, terms, self._keys[keys >> np.uint32(32 - _KEY_BITS)])

    def of_saved(self, block: Block) -> Found:
        """Return the same of saved shingles; their terms are not known."""
        own = block.digests[:, 0]
        first, last = (np.searchsorted(self._digests, own, side) for side in _SIDES)
        return self._found(block.hashes, block.ends, np.zeros(len(own), np.uint32), first < last)

    def _found(
        self, hashes: Hashes, ends: Hashes, terms: Counts, equal: npt.NDArray[np.bool_]
    ) -> Found:
        starts = np.append(np.uint64(0), ends)[:-1]
        sets = Sets(starts, ends, hashes, self._measure, self._least)
        may = np.zeros(len(ends), np.uint8)
        lib.pocket_sets_overlap(
            sets.core,
            ffi.from_buffer("uint8_t[]", self._marked),
            self._bits,
            self._smallest,
            ffi.from_buffer("uint8_t[]", may, require_writable=True),
        )
        wanted = may.view(np.bool_) | equal
        own_ends = np.cumsum(sets.sizes[wanted]).astype(np.uint64)
        places = np.flatnonzero(wanted)
        return places, hashes[np.repeat(wanted, sets.sizes)], own_ends, terms[places]
