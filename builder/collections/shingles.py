"""Find the shingles that texts share with documents: exactly, by the hashes of all shingles, in
one pass over the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.document import Document
from pocketindex.builder.schemes.profile import FOLDED
from pocketindex.builder.spill.batches import batches
from pocketindex.builder.spill.sorted_files import order_of
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.cbits import ffi, lib
from pocketindex.ffi.interrupt import go_on
from pocketindex.queries.terms import terms_of, written_terms

SHINGLE_TERMS = 13  # terms, stop words too
BATCH = 1 << 20  # characters of text that are looked at together
# documents that are remembered for a text: of boilerplate there are very many, and a few of them
# say it
KEPT = 64
_FILTER = 20  # bits of a hash that tell most shingles apart from those that are looked for
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_Some = list[tuple[str, Document]]


@dataclass(frozen=True, slots=True)
class CoveredPassage:
    """A document that shares shingles with a text.

    coverage: share of the text's terms in them; text: the longest one's terms.
    """

    coverage: float
    text: str
    id: str
    title: str
    url: str
    source: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """A document that shares shingles with a text: the terms they cover, how many, and whether some
    were new when it came.
    """

    document: tuple[str, str, str, str]
    mask: Mask
    count: int
    fresh: bool


class Shingles:
    """Looks for texts, numbered as given, in documents that go by.

    It holds the texts' shingles and what it found, nothing of the documents.

    size: terms of a shingle. A text of fewer terms has none and is not looked for.
    """

    def __init__(self, texts: Sequence[str], size: int = SHINGLE_TERMS) -> None:
        self._size, self._sources = size, texts
        shingles, ends, sizes = _shingles(texts, size)
        of = np.repeat(np.arange(len(texts)), np.diff(ends, prepend=0))
        places = np.arange(len(shingles)) - np.repeat(
            ends - np.diff(ends, prepend=0), np.diff(ends, prepend=0)
        )
        order = order_of(shingles)
        rising = shingles[order]
        starts = np.flatnonzero(np.append(True, rising[1:] != rising[:-1])[: len(shingles)])
        self._keys, self._starts = rising[starts], np.append(starts, len(shingles))
        self._texts = of[order]
        self._places = places[order]
        self._filter = np.zeros(1 << _FILTER, bool)
        self._filter[self._keys >> np.uint64(64 - _FILTER)] = True
        self._covered: list[Mask] = [np.zeros(size, bool) for size in sizes.tolist()]
        self._kept: list[list[_Kept]] = [[] for _ in texts]

    def has(self, text: int) -> bool:
        """Return whether a text has enough terms for a shingle."""
        return len(self._covered[text]) >= self._size

    def coverage(self, text: int) -> float:
        """Return the share of a text's terms that lie in shingles of any document; 0 for a text
        without terms.
        """
        covered = self._covered[text]
        return float(covered.mean()) if len(covered) else 0.0

    def passages(self, text: int, top: int) -> list[CoveredPassage]:
        """Choose at most top documents that together cover most of a text.

        Each adds most to those before it; ties go to the first.
        """
        left, found = list(self._kept[text]), list[CoveredPassage]()
        covered = np.zeros_like(self._covered[text])
        while left and len(found) < top:
            gains = [int((one.mask & ~covered).sum()) for one in left]
            best = max(range(len(left)), key=lambda i: (gains[i], left[i].count))
            if gains[best] == 0:
                break
            one = left.pop(best)
            covered |= one.mask
            found.append(
                CoveredPassage(
                    one.count / len(covered), self._longest(text, one.mask), *one.document
                )
            )
        return found

    def look(self, documents: Iterable[tuple[str, Document]], each: Each = one_by_one) -> None:
        """Look at documents, each with the name of its source; each: for the work of threads."""

        def seen(some: _Some) -> tuple[_Some, Places, Places]:
            return some, *self.keys_in([document.text for _, document in some])

        together = batches(documents, lambda one: len(one[1].text), BATCH, BATCH)
        for some, of, keys in each(seen, together):
            if len(of):
                self._take(some, of, keys)

    def keys_in(self, texts: Sequence[str]) -> tuple[Places, Places]:
        """Which of the shingles that are looked for other texts have: the number of such a text and
        that of the shingle, in its order, as often as it has it.
        """
        shingles, ends, _ = _shingles(texts, self._size)
        places = np.flatnonzero(self._filter[shingles >> np.uint64(64 - _FILTER)])
        keys = np.searchsorted(self._keys, shingles[places])
        same = (
            self._keys[np.minimum(keys, len(self._keys) - 1)] == shingles[places]
            if len(self._keys)
            else np.zeros(0, bool)
        )
        return np.searchsorted(ends, places[same], "right"), keys[same]

    def _take(self, some: Sequence[tuple[str, Document]], documents: Places, keys: Places) -> None:
        """Note the shingles, by their hashes, that documents have."""
        documents, keys = np.unique(np.stack([documents, keys]), axis=1)
        sizes = self._starts[keys + 1] - self._starts[keys]
        steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        own = np.repeat(self._starts[keys], sizes) + steps
        of = np.repeat(documents, sizes)
        texts = self._texts[own]
        places = self._places[own]
        order = np.lexsort((places, texts, of))
        of = of[order]
        texts = texts[order]
        places = places[order]
        firsts = np.flatnonzero(np.append(True, (np.diff(of) != 0) | (np.diff(texts) != 0)))
        for first, found in zip(firsts.tolist(), np.split(places, firsts[1:]), strict=True):
            source, document = some[of[first]]
            self._add(int(texts[first]), found, (document.id, document.title, document.url, source))

    def _add(self, text: int, places: Places, document: tuple[str, str, str, str]) -> None:
        """Note a document that has the shingles of a text which begin at these places."""
        covered = self._covered[text]
        edges = np.bincount(places, minlength=len(covered) + 1)
        edges[self._size :] -= edges[: -self._size].copy()
        mask = np.cumsum(edges)[:-1] > 0
        one = _Kept(document, mask, int(mask.sum()), bool((mask & ~covered).any()))
        covered |= mask
        kept = self._kept[text]
        if len(kept) < KEPT or one.fresh or one.count > kept[-1].count:
            kept.append(one)
            kept.sort(key=lambda one: (not one.fresh, -one.count))
            del kept[KEPT:]

    def _longest(self, text: int, mask: Mask) -> str:
        edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False]))))
        first = int(np.argmax(edges[1::2] - edges[::2]))
        return " ".join(
            terms_of(self._sources[text].encode("utf-8", "replace"), FOLDED)[
                edges[2 * first] : edges[2 * first + 1]
            ]
        )


def _shingles(texts: Sequence[str], size: int) -> tuple[Numbers, Places, Places]:
    """Hash every shingle of so many terms of each text.

    Returns the hashes, those of text i up to ends[i], and how many terms each text has.
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
    return shingles[kept], np.cumsum(counts), last - first
