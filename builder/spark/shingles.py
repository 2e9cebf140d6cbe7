"""Shingles of texts, looked for in other texts by their hashes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pocketindex.builder.schemes.profile import FOLDED
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.interrupt import go_on
from pocketindex.queries.terms import written_terms

SHINGLE_TERMS = 5  # stop words too: an edited passage of some length has one that was not changed
_FILTER = 20  # bits of a hash that tell most shingles apart from those that are looked for
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


class Shingles:
    """The shingles of texts. size: terms of a shingle; a text of fewer terms has none."""

    def __init__(self, texts: Sequence[str], size: int = SHINGLE_TERMS) -> None:
        self._size = size
        self._keys = np.unique(_shingles(texts, size)[0])
        self._filter = np.zeros(1 << _FILTER, bool)
        self._filter[self._keys >> np.uint64(64 - _FILTER)] = True

    def keys_in(self, texts: Sequence[str]) -> tuple[Places, Places]:
        """Which of the shingles that are looked for other texts have: the number of such a text and
        that of the shingle, in its order, as often as it has it.
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
    """Hash every shingle of so many terms of each text.

    Returns the hashes, those of text i up to ends[i].
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
    # Shingles that go on in the next text are none.
    last = np.searchsorted(ends, np.array(sizes, np.uint64), "right").astype(np.int64)
    first = np.append(0, last)[:-1].astype(np.int64)
    counts = np.maximum(last - first - size + 1, 0)
    kept = (
        np.repeat(first, counts)
        + np.arange(int(counts.sum()))
        - np.repeat(np.cumsum(counts) - counts, counts)
    )
    return shingles[kept], np.cumsum(counts)
