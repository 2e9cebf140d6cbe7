"""Which documents have long runs of a text's words: exactly, by the hashes of all runs, and in one pass over the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pocketindex.builder.document import Document
from pocketindex.builder.profile import FOLDED
from pocketindex.cbits import ffi, lib
from pocketindex.explain import written_terms

RUN = 5  # terms, stop words too
LEAST = 0.3  # share of a text's runs: where one word in ten is edited, about .6 are left (bench/results/pairs.md)
BATCH = 1 << 22  # characters of text that are looked at together
_FILTER = 20  # bits of a hash that tell most runs apart from those that are looked for
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = np.ndarray[Any, np.dtype[np.uint64]]
Places = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A document that has a share of the runs of a text."""

    share: float
    id: str
    title: str
    url: str
    source: str


class Passages:
    """Looks for texts, numbered as given, in documents that go by. It holds the texts' runs and what it found, nothing of the documents.

    least: the share of a text's different runs that a document must have; top: documents kept for a text, best first, then first come.
    """

    def __init__(self, texts: Sequence[str], least: float, top: int) -> None:
        self._least, self._top = least, top
        self.found: list[list[Passage]] = [[] for _ in texts]
        runs, ends = _runs(texts)
        of = np.repeat(np.arange(len(texts)), np.diff(ends, prepend=0))
        own = np.unique(np.stack([runs, of.astype(np.uint64)]), axis=1)
        self._counts = np.bincount(own[1].astype(np.int64), minlength=len(texts))
        self._keys, starts = np.unique(own[0], return_index=True)
        self._starts, self._texts = np.append(starts, own.shape[1]), own[1].astype(np.int64)
        self._filter = np.zeros(1 << _FILTER, bool)
        self._filter[self._keys >> np.uint64(64 - _FILTER)] = True

    def look(self, documents: Iterable[Document], source: str) -> None:
        """Look at documents of a source."""
        for some in _batches(documents):
            runs, ends = _runs([document.text for document in some])
            places = np.flatnonzero(self._filter[runs >> np.uint64(64 - _FILTER)])
            keys = np.searchsorted(self._keys, runs[places])
            same = self._keys[np.minimum(keys, len(self._keys) - 1)] == runs[places] if len(self._keys) else np.zeros(0, bool)
            if same.any():
                self._take(some, np.searchsorted(ends, places[same], "right"), keys[same], source)

    def _take(self, some: Sequence[Document], documents: Places, keys: Places, source: str) -> None:
        """These documents have these keys."""
        documents, keys = np.unique(np.stack([documents, keys]), axis=1)
        sizes = self._starts[keys + 1] - self._starts[keys]
        steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        texts = self._texts[np.repeat(self._starts[keys], sizes) + steps]
        pairs, counts = np.unique(np.stack([np.repeat(documents, sizes), texts]), axis=1, return_counts=True)
        for document, text, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
            share = count / int(self._counts[text])
            if share >= self._least:
                one, best = some[document], self.found[text]
                best.append(Passage(share, one.id, one.title, one.url, source))
                best.sort(key=lambda passage: -passage.share)
                del best[self._top :]


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    some, size = list[Document](), 0
    for document in documents:
        some.append(document)
        size += len(document.text)
        if size >= BATCH:
            yield some
            some, size = [], 0
    if some:
        yield some


def _runs(texts: Sequence[str]) -> tuple[Numbers, Places]:
    """The hash of every run of RUN terms of each text, text i's up to ends[i]."""
    terms, sizes = bytearray(), list[int]()
    for text in texts:
        terms += written_terms(text.encode(), FOLDED)
        sizes.append(len(terms))
    ends = np.flatnonzero(np.frombuffer(terms, np.uint8) == ord("\n")).astype(np.uint64) + np.uint64(1)
    hashes = np.zeros(len(ends), np.uint64)
    lib.pocket_murmur_many(ffi.from_buffer(terms), ffi.from_buffer("uint64_t[]", ends), len(ends), ffi.from_buffer("uint64_t[]", hashes))
    count = max(len(hashes) - RUN + 1, 0)
    runs = np.zeros(count, np.uint64)
    for place in range(RUN):
        runs = runs * _FACTOR + hashes[place : place + count]
    runs ^= runs >> np.uint64(32)
    runs *= _FACTOR
    # Runs that go on in the next text are none.
    last = np.searchsorted(ends, np.array(sizes, np.uint64), "right").astype(np.int64)
    first = np.append(0, last)[:-1].astype(np.int64)
    counts = np.maximum(last - first - RUN + 1, 0)
    kept = np.repeat(first, counts) + np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return runs[kept], np.cumsum(counts)
