"""Find the shingles of some texts in other texts, by their hashes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import FOLDED
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.interrupt import go_on
from pocketindex.queries.terms import written_terms

SHINGLE_TERMS = 5  # with stop words; a longer passage keeps one even if it was edited
_FILTER = 20  # bits of a hash by which most other shingles are discarded
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


class Shingles:
    """The shingles of texts. size: the terms of a shingle. A text with fewer terms has none."""

    def __init__(self, texts: Sequence[str], size: int = SHINGLE_TERMS) -> None:
        self._size = size
        self._keys = np.unique(_shingles(texts, size)[0])
        self._filter = np.zeros(1 << _FILTER, bool)
        self._filter[self._keys >> np.uint64(64 - _FILTER)] = True

    def keys_in(self, texts: Sequence[str]) -> tuple[Places, Places]:
        """Find these shingles in other texts. Returns the numbers of the texts and of the shingles,
        one pair for each occurrence, in the order of the texts.
        """
        shingles, ends = _shingles(texts, self._size)
        places = np.flatnonzero(self._filter[shingles >> np.uint64(64 - _FILTER)])
        keys = np.searchsorted(self._keys, shingles[places])
        same = (
            self._keys[np.minimum(keys, len(self._keys) - 1)] == shingles[places]
            if len(self._keys)
            else np.zeros(0, bool)
        )
        return np.searchsorted(ends, places[same], "right"), keys[same]


def _shingles(texts: Sequence[str], size: int) -> tuple[Numbers, Places]:
    """Hash all shingles of texts. size: the terms of a shingle.

    Returns (hashes, ends); the hashes of text i end at ends[i].
    """
    terms, sizes = bytearray(), list[int]()
    for text in texts:
        go_on()
        terms += written_terms(text.encode("utf-8", "replace"), FOLDED)
        sizes.append(len(terms))
    ends = np.flatnonzero(np.frombuffer(terms, np.uint8) == ord("\n")).astype(
        np.uint64
    ) + np.uint64(1)
    hashes = np.zeros(len(ends), np.uint64)
    lib.pocket_murmur_many(
        ffi.from_buffer(terms),
        ffi.from_buffer("uint64_t[]", ends),
        len(ends),
        ffi.from_buffer("uint64_t[]", hashes),
    )
    count = max(len(hashes) - size + 1, 0)
    shingles = np.zeros(count, np.uint64)
    for place in range(size):
        shingles = shingles * _FACTOR + hashes[place : place + count]
    shingles ^= shingles >> np.uint64(32)
    shingles *= _FACTOR
    # Leave out shingles that reach into the next text.
    last = np.searchsorted(ends, np.array(sizes, np.uint64), "right").astype(np.int64)
    first = np.append(0, last)[:-1].astype(np.int64)
    counts = np.maximum(last - first - size + 1, 0)
    kept = (
        np.repeat(first, counts)
        + np.arange(int(counts.sum()))
        - np.repeat(np.cumsum(counts) - counts, counts)
    )
    return shingles[kept], np.cumsum(counts)
